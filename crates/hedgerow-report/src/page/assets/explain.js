// Why a cell has its verdict: words, the best moves into it, and a better trajectory beside the expert's.

function drawExplanation(env, verdicts) {
  const cell = verdicts.cells[view.cell];
  const box = at("explanation");
  if (!cell) return box.replaceChildren(el("p", { class: "muted" }, "Choose a cell to see why it has its verdict."));
  const agree = cell.truth === cell.inferred;
  const does = (charges) => (charges ? "charges it" : "does not charge it");
  const known = cell.truth === null ? "There is no true cost to compare with." : agree ? `Truth and inferred cost agree: each ${does(cell.truth)}.` : `The truth ${does(cell.truth)}; the cost inferred by the run ${cell.inferred ? "does" : "does not"}.`;
  return box.replaceChildren(
    el("h4", {}, `${cell.name}: ${verdictName(verdicts, cell)}`),
    el("p", { class: "words" }, cell.words),
    el("p", {}, cell.sure),
    el("p", { class: "muted small" }, known),
    ...(cell.moves.length === 0 ? [] : [movesTable(cell)]),
    ...(cell.witness === null ? [] : witness(env, verdicts, cell)),
    ...(cell.extra && hooks(env).explain ? [hooks(env).explain(env, verdicts, cell)] : []));
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
  const told = (states) => (env.grid ? "" : `: ${states.map((s) => stateName(env, s)).join(" \u2192 ")}`);
  const earned = (reward) => (reward === null ? "" : `, reward along it ${number(reward)}`);
  const key = (kind, text) => el("li", {}, svg("svg", { class: "swatch", viewBox: "0 0 28 12", "aria-hidden": "true" }, svg("path", { class: kind, d: "M1 6H27" })), el("span", {}, text));
  const keys = [
    key("alternative", `${w.action} in ${start}, then as the expert${earned(w.alternative_reward)}${told(w.alternative)}`),
    key("expert-trajectory", `the expert from ${start}${earned(w.expert_reward)}${told(w.expert)}`),
  ];
  const shown = env.grid && drawGrid(env, `The alternative and the expert's trajectory from ${start}`, (state) => ({ class: `cell ${verdicts.cells[state] ? kindOf(verdicts.cells[state]) : ""}` }),
    [chosen(env), path(env, w.expert, "expert-trajectory", 2.5), path(env, w.alternative, "alternative", -2.5), origin(env, w.from)]);
  return [el("figure", { class: "witness" }, el("figcaption", {}, `A trajectory through it would earn ${number(Math.abs(w.gain))} ${w.gain < 0 ? "less" : "more"} on average`), shown, el("ul", { class: "keys" }, keys)),
    ...(w.remark ? [el("p", { class: "muted small" }, w.remark)] : [])];
}

// Both trajectories may share cells: each is drawn a little to its side.
function path(env, states, kind, side) {
  const g = geometry(env.grid);
  const places = states.map(g.of).filter((p) => p !== null).map(([x, y]) => [x + side, y + side]);
  if (places.length === 0) return null;
  const [x, y] = places.at(-1);
  const line = places.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L");
  return svg("g", {}, svg("path", { class: kind, d: `M${line}` }), svg("path", { class: `${kind} end`, d: markerPath("square", x, y, 2.6) }));
}

function chosen(env) {
  const place = geometry(env.grid).of(view.cell);
  return place && svg("rect", { class: "chosen", x: place[0] - CELL / 2, y: place[1] - CELL / 2, width: CELL, height: CELL });
}

function origin(env, state) {
  const place = geometry(env.grid).of(state);
  return place && svg("circle", { class: "origin", cx: place[0], cy: place[1], r: 5 });
}
