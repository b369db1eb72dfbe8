// Maps of states: a drawn grid, or a list where there is no map.

const CELL = 24, EDGE = 16;

// Places of the states on a grid: middle of the cell of a state, or null.
function geometry(grid) {
  const middle = ([row, column]) => [EDGE + (column + 0.5) * CELL, (grid.rows - row - 0.5) * CELL];
  return { width: EDGE + grid.columns * CELL + 2, height: grid.rows * CELL + EDGE, middle, of: (state) => (grid.cells[state] ? middle(grid.cells[state]) : null) };
}

const isGoal = (symbol) => !".#Sx".includes(symbol);

// Goals of different reward, in words; null where there is but one kind.
function goalsText(env) {
  if (env.goals.length < 2) return null;
  return `Goals: ${env.goals.map(([symbol, reward]) => `${symbol} pays ${number(reward)}`).join(", ")}.`;
}

// `cell(state)` gives the attributes of a state's square; `over` is drawn on top, `under` below walls and letters.
function drawGrid(env, title, cell, over = [], under = []) {
  const { grid } = env;
  const g = geometry(grid);
  const states = grid.cells.map((place, state) => ({ place, state })).filter(({ place }) => place !== null);
  const squares = states.map(({ place, state }) => {
    const [x, y] = g.middle(place);
    return svg("rect", { class: "cell", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, "data-state": state, ...cell(state) });
  });
  const signs = grid.map.flatMap((line, i) => [...line].map((symbol, column) => {
    const [x, y] = g.middle([grid.rows - 1 - i, column]);
    if (symbol === "#") return svg("rect", { class: "wall", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL });
    if (symbol !== "S" && !isGoal(symbol)) return null;
    return svg("text", { class: "sign", x: x - CELL / 2 + 2, y: y - CELL / 2 + 9 }, symbol);
  }));
  const every = Math.ceil(Math.max(grid.rows, grid.columns) / 12);
  const upTo = (n) => Array.from({ length: n }, (_, i) => i).filter((i) => i % every === 0);
  const numbers = [
    ...upTo(grid.rows).map((row) => svg("text", { x: EDGE - 4, y: g.middle([row, 0])[1] + 3.5, "text-anchor": "end" }, String(row))),
    ...upTo(grid.columns).map((column) => svg("text", { x: g.middle([0, column])[0], y: g.height - 3, "text-anchor": "middle" }, String(column))),
  ];
  return svg("svg", { class: "map", viewBox: `0 0 ${g.width} ${g.height}`, role: "img", "aria-label": title, vars: { columns: grid.columns } },
    squares, under, signs, over, svg("g", { class: "numbers" }, numbers));
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
  return { class: "cell hot", vars: { light: shades[i], dark: shades[shades.length - 1 - i] } };
}

function colourBar(top) {
  const n = 32;
  const strip = Array.from({ length: n }, (_, i) => svg("rect", { x: 30 + i * 5, y: 0, width: 5.2, height: 10, ...heat(((i + 0.5) / n) * top, top) }));
  return svg("svg", { class: "bar-scale", viewBox: "0 0 230 26", role: "img", "aria-label": `Colours from cost 0 to ${number(top)}` },
    strip, svg("text", { x: 26, y: 9, "text-anchor": "end" }, "0"), svg("text", { x: 196, y: 9 }, number(top)),
    svg("text", { x: 110, y: 23, "text-anchor": "middle" }, "cost of a cell or state"));
}
