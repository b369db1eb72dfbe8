// Mazes in metres: inferred points, the expert's trajectories, and maps of what is known of every tile.

const GROUNDS = [["plain", "plain"], ["cells", "cost of cells"], ["value", "fitted value"], ["density", "samples"]];
const TILED = ["value", "density"];

// Where a point in metres lies on the drawing of the grid.
function metres(env) {
  const { corner: [left, bottom], cell } = env.extra;
  const [unit, height] = [CELL / cell, env.grid.rows * CELL];
  return { unit, x: (x) => gridGeometry(env).edge + (x - left) * unit, y: (y) => height - (y - bottom) * unit };
}

const box = (m, [x, y], half, kind) => svg("rect", { class: kind, x: (m.x(x - half)).toFixed(2), y: (m.y(y + half)).toFixed(2), width: (2 * half * m.unit).toFixed(2), height: (2 * half * m.unit).toFixed(2) });

// Start, goal and, if `paths`, the trajectories of the expert.
function mazeTask(env, paths) {
  const [m, p] = [metres(env), env.extra];
  const line = (path) => path.map(([x, y]) => `${m.x(x).toFixed(1)} ${m.y(y).toFixed(1)}`).join("L");
  return [
    ...p.starts.map((at) => box(m, at, Math.max(p.start_noise, 0.05), "start-area")),
    ...p.goals.map(([x, y]) => svg("circle", { class: "goal-area", cx: m.x(x).toFixed(2), cy: m.y(y).toFixed(2), r: (p.goal_radius * m.unit).toFixed(2) })),
    ...(paths ? p.paths.filter((path) => path.length > 1).map((path) => svg("path", { class: "expert-path", d: `M${line(path)}` })) : []),
  ];
}

const mazeTruth = (env) => env.extra.constraints.map((at) => box(metres(env), at, env.extra.cell / 2, "truth-cell"));

// Circles whose area says how large the inferred cost is, `most` the largest of the run.
function mazePoints(env, strategy, points, most) {
  const m = metres(env);
  return svg("g", { class: "points series", vars: colours(strategy) }, points.map(([x, y, w]) =>
    svg("circle", { class: "point", cx: m.x(x).toFixed(2), cy: m.y(y).toFixed(2), r: Math.max(0.4, 1.7 * Math.sqrt(w / most)).toFixed(2) })));
}

// A scale of what was seen: none of it is as light as the ground. `log` for equal ratios.
function seenScale(values, log) {
  const known = values.filter((v) => v !== null);
  const inner = (v) => (log ? Math.log(v) : v);
  const [low, high] = [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), -Infinity)];
  const place = (v) => (inner(high) > inner(low) ? (inner(v) - inner(low)) / (inner(high) - inner(low)) : 1);
  const at = (p) => (log ? Math.exp(inner(low) + p * (inner(high) - inner(low))) : low + p * (high - low));
  return { low, high, at, shade: (v) => Math.round((0.12 + 0.88 * place(v)) * (data.theme.heat.length - 1)), empty: known.length === 0 };
}

const shaded = (i) => ({ class: "hot tiles", vars: { light: data.theme.heat[i], dark: data.theme.heat[data.theme.heat.length - 1 - i] } });

// One shape per shade, in units of a tile.
function mazeTiles(env, maps, values, scale) {
  const shapes = new Map();
  for (let row = 0; row < maps.rows; row += 1) {
    for (let column = 0, run = 1; column < maps.columns; column += run, run = 1) {
      const shade = (c) => { const v = c < maps.columns ? values[row * maps.columns + c] : null; return v === null ? null : scale.shade(v); };
      const here = shade(column);
      if (here === null) continue;
      while (shade(column + run) === here) run += 1;
      shapes.set(here, `${shapes.get(here) ?? ""}M${column} ${maps.rows - 1 - row}h${run}v1h-${run}z`);
    }
  }
  const side = maps.tile * metres(env).unit;
  const move = `translate(${gridGeometry(env).edge} ${(env.grid.rows * CELL - maps.rows * side).toFixed(3)}) scale(${side.toFixed(4)})`;
  return [...shapes].map(([i, d]) => svg("path", { ...shaded(i), d, transform: move }));
}

function seenBar(scale, label) {
  const n = 32;
  const strip = Array.from({ length: n }, (_, i) => svg("rect", { x: 50 + i * 5, y: 0, width: 5.2, height: 10, ...shaded(scale.shade(scale.at((i + 0.5) / n))) }));
  const text = (x, y, anchor, words) => svg("text", { x, y, "text-anchor": anchor }, words);
  const short = (v) => number(Number(v.toPrecision(2)));
  return svg("svg", { class: "bar-scale", viewBox: "0 0 270 26", role: "img", "aria-label": `${label}, from ${short(scale.low)} to ${short(scale.high)}` },
    strip, text(46, 9, "end", short(scale.low)), text(215, 9, "start", short(scale.high)), text(130, 23, "middle", label));
}

// Maps of tiles are offered where the run has them.
const grounds = (env, known) => GROUNDS.filter(([key]) => !TILED.includes(key) || (known?.maps ?? null) !== null);

function pictures(env, run, i, known, ground) {
  const shot = run.snapshots[i];
  const maps = known?.maps ?? null;
  const top = topCost(env, run);
  const costs = new Map(ground === "cells" ? shot.cells : []);
  const tiles = TILED.includes(ground) ? { values: maps[ground], scale: seenScale(maps[ground], ground === "density") } : null;
  const points = known?.points[i] ?? [];
  const most = (known?.points ?? []).flat().reduce((m, p) => Math.max(m, p[2]), 1e-9);
  const shown = known === undefined ? "unpacking the points \u2026" : known === null ? "its points are not in the page, to keep it small"
    : points.length === 0 ? "no inferred points yet" : `${plural(points.length, "inferred point")}${known.of[i] > points.length ? ` that stand for ${count(known.of[i])}` : ""}`;
  const inferred = drawGrid(env, `Inferred points after iteration ${shot.iteration}: ${shown}`, (state) => heat(costs.get(state), top),
    [...mazeTask(env, false), ...mazeTruth(env), mazePoints(env, strategyOf(run.strategy), points, most)], tiles === null || tiles.scale.empty ? [] : mazeTiles(env, maps, tiles.values, tiles.scale));
  const truth = drawGrid(env, "The maze, its constraint and trajectories of the expert", () => ({}), [...mazeTask(env, true), ...mazeTruth(env)]);
  const labels = { value: "the expert\u2019s value, as fitted to the samples", density: "share of the samples (logarithmic)" };
  return [titled(shown, inferred), titled("truth; lines: trajectories of the expert", truth), mazeLegend(run, ground),
    tiles === null ? (ground === "cells" ? colourBar(top) : null) : tiles.scale.empty ? null : seenBar(tiles.scale, labels[ground])];
}

function mazeLegend(run, ground) {
  const key = (drawing, words) => el("li", {}, svg("svg", { class: "chip", viewBox: "0 0 12 12", "aria-hidden": "true" }, drawing), el("span", {}, words));
  const late = TILED.includes(ground);
  return el("ul", { class: "keys maze-keys" },
    key(svg("circle", { class: "point series", cx: 6, cy: 6, r: 3.5, vars: colours(strategyOf(run.strategy)) }), "inferred point: a sample led there that counts as constrained; its area is the inferred cost"),
    key(svg("rect", { class: "truth-cell", x: 1, y: 1, width: 10, height: 10 }), "true constraint cell"),
    key(svg("rect", { class: "start-area", x: 1, y: 1, width: 10, height: 10 }), "where episodes start"),
    key(svg("circle", { class: "goal-area", cx: 6, cy: 6, r: 5 }), "goal"),
    late ? el("li", {}, "The ground is that of the end of the run, whatever the moment. Tiles without colour were never seen.") : null);
}

// The sample that says most of a cell: where it began, its push, and the expert's.
function explain(env, verdicts, cell) {
  const [m, t] = [metres(env), cell.extra];
  const [x, y] = [m.x(t.from[0]), m.y(t.from[1])];
  const arrow = (action, kind) => {
    const [right, up] = [["left", "right"], ["down", "up"]].map(([less, more]) => Number(action.includes(more)) - Number(action.includes(less)));
    const far = Math.hypot(right, up);
    if (far === 0) return null;
    const [dx, dy] = [(right / far) * 14, (-up / far) * 14];
    const end = [x + dx, y + dy];
    const wing = (turn) => [end[0] - dx * 0.3 + turn * dy * 0.2, end[1] - dy * 0.3 - turn * dx * 0.2].map((v) => v.toFixed(1)).join(" ");
    return svg("path", { class: kind, d: `M${x.toFixed(1)} ${y.toFixed(1)}L${end.map((v) => v.toFixed(1)).join(" ")}M${wing(1)}L${end.map((v) => v.toFixed(1)).join(" ")}L${wing(-1)}` });
  };
  const key = (kind, text) => el("li", {}, svg("svg", { class: "swatch", viewBox: "0 0 28 12", "aria-hidden": "true" }, svg("path", { class: kind, d: "M1 6H27" })), el("span", {}, text));
  const gain = `${number(Math.abs(t.advantage))} ${t.advantage < 0 ? "less" : "more"} than the expert\u2019s, uncertainty ${number(t.width)}`;
  const speed = `at ${number(Math.hypot(t.from[2], t.from[3]))} m/s`;
  return el("figure", { class: "witness" }, el("figcaption", {}, `The surest sample that led there, ${speed}`),
    drawGrid(env, `Where the sample began: pushing ${t.action}, the expert ${t.expert}`, (state) => ({ class: `cell ${verdicts.cells[state] ? kindOf(verdicts.cells[state]) : ""}` }),
      [...mazeTruth(env), chosen(env), arrow(t.expert, "expert-trajectory"), arrow(t.action, "alternative"), svg("circle", { class: "origin", cx: x.toFixed(1), cy: y.toFixed(1), r: 2.5 })]),
    el("ul", { class: "keys" }, key("alternative", `tried: ${t.action}; would earn ${gain}`), key("expert-trajectory", `the expert: ${t.expert}`)));
}

domains["continuous"] = { grounds, pictures, explain };
