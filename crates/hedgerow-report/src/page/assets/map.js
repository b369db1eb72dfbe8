// Maps of states: a drawn grid or a graph; a list where there is neither.

const CELL = 24, EDGE = 16;

const hasMap = (env) => Boolean(env.grid ?? env.graph);

// Places of the states on a map: the middle of a state's cell or circle, or null.
const geometry = (env) => (env.grid ? gridGeometry(env) : graphGeometry(env));

// How much larger numbers and letters are on a large map, which is drawn in the room of a small one.
function zoomOf({ rows, columns }) {
  const longest = Math.max(rows, columns);
  return longest > 40 ? longest / 8 : 1;
}

// Cells of the world along a side of a square of the map.
const perSquare = (env) => env.per_square ?? 1;

// What a square stands for, in words; null where it is a cell.
function squareText(env) {
  const n = perSquare(env);
  return n === 1 ? null : `A square of the map stands for ${n} x ${n} cells: it shows the highest cost among them, and all the time that the expert spends there.`;
}

function gridGeometry(env) {
  const { grid } = env;
  // Two digits have room; more of them need more.
  const digits = String(Math.max(grid.rows, grid.columns) * perSquare(env) - 1).length;
  const zoom = zoomOf(grid);
  const edge = zoom * (EDGE + 5 * Math.max(0, digits - 2));
  // Half of the last number of a column.
  const right = zoom > 1 ? 6 * zoom : 2;
  const middle = ([row, column]) => [edge + (column + 0.5) * CELL, (grid.rows - row - 0.5) * CELL];
  return { width: edge + grid.columns * CELL + right, height: grid.rows * CELL + edge, edge, middle, of: (state) => (grid.cells[state] ? middle(grid.cells[state]) : null) };
}

const isGoal = (symbol) => !".#Sx^v<>".includes(symbol);
const isArrow = (symbol) => "^v<>".includes(symbol);

// Goals of different reward, in words; null where there is but one kind.
function goalsText(env) {
  if (env.goals.length < 2) return null;
  return `Goals: ${goalsList(env)}.`;
}

const goalsList = (env) => env.goals.map(([symbol, reward]) => (reward === null ? `${symbol} ends` : `${symbol} pays ${number(reward)}`)).join(", ");

// A frame around a state, `inset` within its cell or circle.
function around(env, state, kind, inset = 0) {
  const g = geometry(env);
  const place = g.of(state);
  if (!place) return null;
  const [x, y] = place;
  if (!env.grid) return svg("circle", { class: kind, cx: x, cy: y, r: Math.max(1, g.radius - inset) });
  return svg("rect", { class: kind, x: x - CELL / 2 + inset, y: y - CELL / 2 + inset, width: CELL - 2 * inset, height: CELL - 2 * inset });
}

// States that share a cell are drawn on top of each other: the strongest last.
const strength = (attributes) => Number(attributes["data-strength"] ?? 0);

// `cell(state)` gives the attributes of a state's square; `over` is drawn on top, `under` below walls and letters.
function drawMap(env, title, cell, over = [], under = []) {
  return env.grid ? drawGrid(env, title, cell, over, under) : drawGraph(env, title, cell, over, under);
}

function drawGrid(env, title, cell, over = [], under = []) {
  const { grid } = env;
  const g = gridGeometry(env);
  const [zoom, per] = [zoomOf(grid), perSquare(env)];
  // A letter is larger than a small square, and must not leave the map.
  const sign = (x, y, symbol) => svg("text", { class: "sign", x: Math.min(x - CELL / 2 + 2, g.width - 9 * zoom), y: Math.max(y - CELL / 2 + 9, 8 * zoom) }, symbol);
  const states = grid.cells.map((place, state) => ({ place, state, is: place === null ? {} : cell(state) })).filter(({ place }) => place !== null);
  states.sort((a, b) => strength(a.is) - strength(b.is) || a.state - b.state);
  const squares = states.map(({ place, state, is }) => {
    const [x, y] = g.middle(place);
    return svg("rect", { class: "cell", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, "data-state": state, ...is });
  });
  const signs = grid.map.flatMap((line, i) => [...line].map((symbol, column) => {
    const [x, y] = g.middle([grid.rows - 1 - i, column]);
    if (symbol === "#") return svg("rect", { class: "wall", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL });
    if (isArrow(symbol)) return svg("text", { class: "sign", x, y: y + 4, "text-anchor": "middle" }, { "^": "\u2191", v: "\u2193", "<": "\u2190", ">": "\u2192" }[symbol]);
    if (symbol !== "S" && !isGoal(symbol)) return null;
    return sign(x, y, symbol);
  }));
  // Numbers are those of the world.
  const longest = Math.max(grid.rows, grid.columns);
  const every = per === 1 ? Math.ceil(longest / 12) : roundStep((longest * per) / 8);
  const upTo = (n) => Array.from({ length: Math.ceil((n * per) / every) }, (_, i) => i * every);
  const square = (n) => (n + 0.5) / per - 0.5;
  const numbers = [
    ...upTo(grid.rows).map((row) => svg("text", { x: g.edge - 4 * zoom, y: g.middle([square(row), 0])[1] + 3.5 * zoom, "text-anchor": "end" }, String(row))),
    ...upTo(grid.columns).map((column) => svg("text", { x: g.middle([0, square(column)])[0], y: g.height - 3 * zoom, "text-anchor": "middle" }, String(column))),
  ];
  const frame = per === 1 ? null : svg("rect", { class: "map-frame", x: g.edge, y: 0, width: grid.columns * CELL, height: grid.rows * CELL });
  return svg("svg", { class: per === 1 ? "map" : "map thinned", viewBox: `0 0 ${g.width} ${g.height}`, role: "img", "aria-label": title, vars: { columns: grid.columns, zoom } },
    squares, frame, under, signs, over, svg("g", { class: "numbers" }, numbers));
}

// The least of 1, 2, 5, 10, 20, 50 and so on that is at least `least`.
function roundStep(least) {
  const ten = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= least);
}

// Name of a state: its own, its cell's or its number.
function stateName(env, state) {
  if (env.state_names[state]) return env.state_names[state];
  const place = env.grid?.cells[state];
  return place ? `cell ${place[0]},${place[1]}` : `state ${state}`;
}

// The colour of a cost on the scale from 0 to `top`: light to dark on light ground, dark to light on dark ground.
function heat(cost, top) {
  if (!(cost > 0)) return {};
  const shades = data.theme.heat;
  const i = Math.round(Math.min(1, cost / top) * (shades.length - 1));
  return { class: "cell hot", "data-strength": cost, vars: { light: shades[i], dark: shades[shades.length - 1 - i] } };
}

function colourBar(top) {
  const n = 32;
  const strip = Array.from({ length: n }, (_, i) => svg("rect", { x: 30 + i * 5, y: 0, width: 5.2, height: 10, ...heat(((i + 0.5) / n) * top, top) }));
  return svg("svg", { class: "bar-scale", viewBox: "0 0 230 26", role: "img", "aria-label": `Colours from cost 0 to ${number(top)}` },
    strip, svg("text", { x: 26, y: 9, "text-anchor": "end" }, "0"), svg("text", { x: 196, y: 9 }, number(top)),
    svg("text", { x: 110, y: 23, "text-anchor": "middle" }, "cost of a cell or state"));
}
