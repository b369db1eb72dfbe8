// Why a cell has its verdict: words, the best moves into it, and a better trajectory beside the expert's.

function drawExplanation(env, verdicts) {
  const cell = verdicts.cells[view.cell];
  const box = at("explanation");
  if (!cell) return box.replaceChildren(el("p", { class: "muted" }, "Choose a cell to see why it has its verdict."));
  const agree = cell.truth === cell.inferred;
  const does = (charges) => (charges ? "charges it" : "does not charge it");
  const known = cell.truth === null ? "No true cost is known here, or it is hidden." : agree ? `Truth and inferred cost agree: each ${does(cell.truth)}.` : `The truth ${does(cell.truth)}; the cost inferred by the run ${cell.inferred ? "does" : "does not"}.`;
  return box.replaceChildren(
    el("h4", {}, `${cell.name}: ${verdictName(verdicts, cell)}`),
    ...sharing(env, verdicts),
    el("p", { class: "words" }, cell.words),
    el("p", {}, cell.sure),
    ...missing(cell),
    el("p", { class: "muted small" }, known),
    ...(cell.moves.length === 0 ? [] : [movesTable(cell)]),
    ...(cell.witness === null ? [] : witness(env, verdicts, cell)),
    ...(cell.extra && hooks(env).explain ? [hooks(env).explain(env, verdicts, cell)] : []));
}

// What is missing until an undecided cell is decided.
function missing(cell) {
  if (!cell.missing || cell.missing.length === 0) return [];
  return [el("details", { class: "missing" }, el("summary", { "data-key": "missing" }, "What would decide this cell?"), el("ul", {}, cell.missing.map((words) => el("li", {}, words))))];
}

// Other states that are drawn in the same cell.
function sharing(env, verdicts) {
  const place = env.grid?.cells[view.cell]?.join();
  if (place === undefined) return [];
  const others = env.grid.cells.flatMap((p, s) => (p && p.join() === place && s !== view.cell && verdicts.cells[s] ? [s] : []));
  if (others.length === 0) return [];
  const button = (s) => el("button", { type: "button", "data-key": `sharing ${s}`, on: { click: () => { view.cell = s; choose(env, verdicts); } } }, `${verdicts.cells[s].name}: ${verdictName(verdicts, verdicts.cells[s])}`);
  return [el("p", { class: "small" }, "In the same cell: ", others.map(button))];
}

function movesTable(cell) {
  const head = ["from", "move", "verdict", "gain over the expert", "at least", "at most", "tries"];
  const row = (m) => el("tr", {}, el("th", { scope: "row" }, m.from), el("td", { class: "text" }, m.action), el("td", { class: "text" }, m.verdict),
    [m.advantage, m.low, m.high].map((x) => el("td", {}, number(x))), el("td", {}, count(m.tries)));
  return el("div", { class: "scroll", role: "region", "aria-label": "Moves into the cell", tabindex: "0" }, el("table", { class: "moves" },
    el("caption", {}, cell.more > 0 ? `The best moves into it, of ${cell.moves.length + cell.more}` : "Moves into it"),
    el("thead", {}, el("tr", {}, head.map((t, i) => el("th", { scope: "col", class: i < 3 ? "text" : null }, t)))),
    el("tbody", {}, cell.moves.map(row))));
}

function witness(env, verdicts, cell) {
  const w = cell.witness;
  const start = stateName(env, w.from);
  // Without a map, the trajectories are told.
  const told = (states) => (hasMap(env) ? "" : `: ${states.map((s) => stateName(env, s)).join(" \u2192 ")}`);
  const earned = (reward) => (reward === null ? "" : `, reward along it ${number(reward)}`);
  const key = (kind, text) => el("li", {}, svg("svg", { class: "swatch", viewBox: "0 0 28 12", "aria-hidden": "true" }, svg("path", { class: kind, d: "M1 6H27" })), el("span", {}, text));
  const keys = [
    key("alternative", `${w.action} in ${start}, then as the expert${earned(w.alternative_reward)}${told(w.alternative)}`),
    key("expert-trajectory", `the expert from ${start}${earned(w.expert_reward)}${told(w.expert)}`),
  ];
  const shown = hasMap(env) && drawMap(env, `The alternative and the expert's trajectory from ${start}`, (state) => ({ class: `cell ${verdicts.cells[state] ? kindOf(verdicts.cells[state]) : ""}`, "data-strength": verdicts.cells[state] ? rankOf(verdicts.cells[state]) : 0 }),
    [chosen(env), path(env, w.expert, "expert-trajectory", 2.5), path(env, w.alternative, "alternative", -2.5), origin(env, w.from)]);
  return [el("figure", { class: "witness" }, el("figcaption", {}, `A trajectory through it would earn ${number(Math.abs(w.gain))} ${w.gain < 0 ? "less" : "more"} on average`), shown, el("ul", { class: "keys" }, keys)),
    ...(w.remark ? [el("p", { class: "muted small" }, w.remark)] : [])];
}

// Both trajectories may share cells: each is drawn a little to its side.
function path(env, states, kind, side) {
  const g = geometry(env);
  const places = states.map(g.of).filter((p) => p !== null).map(([x, y]) => [x + side, y + side]);
  if (places.length === 0) return null;
  const [x, y] = places.at(-1);
  const line = places.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L");
  return svg("g", {}, svg("path", { class: kind, d: `M${line}` }), svg("path", { class: `${kind} end`, d: markerPath("square", x, y, 2.6) }));
}

function chosen(env) {
  return around(env, view.cell, "chosen");
}

function origin(env, state) {
  const place = geometry(env).of(state);
  return place && svg("circle", { class: "origin", cx: place[0], cy: place[1], r: 5 });
}
