// What samples prove of every cell.

const SIGNS = {
  constrained: ["X", "constrained: entering it would pay, and the expert does not"],
  looks: ["x", "inferred by the run, not decided yet"],
  undecided: ["?", "undecided"],
  taken: ["o", "taken: the expert goes there"],
  "no-gain": ["\u00b7", "nothing to gain there"],
};

// The same where nothing is promised.
const GUESSES = {
  constrained: "looks constrained: entering it seems to pay, and the expert does not",
  taken: "taken: the expert goes there",
  "no-gain": "nothing seems to be gained there",
};

// What a verdict is called.
const VERDICTS = { constrained: "constrained", taken: "taken by the expert", "no-gain": "nothing to gain", undecided: "undecided" };

const kindOf = (cell) => (cell.verdict === "undecided" && cell.inferred ? "looks" : cell.verdict);

// What is shown of a cell that several states share: the one that ranks highest.
const rankOf = (cell) => Object.keys(SIGNS).length - Object.keys(SIGNS).indexOf(kindOf(cell));

// The verdict in words.
function verdictName(verdicts, cell) {
  if (kindOf(cell) === "looks") return "undecided, but inferred";
  if (verdicts.confidence === null && cell.verdict === "constrained") return "looks constrained";
  return VERDICTS[cell.verdict] ?? cell.verdict;
}

function showVerdicts(env, verdicts) {
  redraw(() => {
    at("verdict-map").replaceChildren(env.grid ? verdictGrid(env, verdicts) : verdictList(env, verdicts), verdictLegend(env, verdicts));
    drawExplanation(env, verdicts);
  });
}

function verdictLegend(env, verdicts) {
  const kinds = new Set(verdicts.cells.filter((c) => c !== null).map(kindOf));
  return el("ul", { class: "signs" },
    Object.entries(SIGNS).filter(([kind]) => kinds.has(kind)).map(([kind, [sign, words]]) => el("li", {}, el("span", { class: `sign ${kind}`, "aria-hidden": "true" }, sign), (verdicts.confidence === null && GUESSES[kind]) || words)),
    verdicts.cells.some((c) => c?.truth) ? el("li", {}, el("span", { class: "sign truth", "aria-hidden": "true" }), "framed: charged by the truth") : null,
    env.grid ? el("li", {}, el("span", { class: "sign corner", "aria-hidden": "true" }, "S"), `in a corner: start (S) or goal${env.goals.length > 1 ? ` (${goalsList(env)})` : ""}`) : null);
}

function cellButton(verdicts, state, focusable, shape, env, sign = null) {
  const cell = verdicts.cells[state];
  if (!cell) return null;
  const kind = kindOf(cell);
  const said = `${cell.name}: ${verdictName(verdicts, cell)}${cell.truth ? ", charged by the truth" : ""}`;
  const click = () => {
    view.cell = state;
    choose(env, verdicts);
  };
  return el("button", {
    type: "button", class: `verdict ${kind}${cell.truth ? " truth" : ""}`, role: shape, "data-state": state, "data-key": `verdict ${state}`, "data-sign": sign,
    "aria-label": said, "aria-selected": String(view.cell === state), tabindex: focusable === state ? "0" : "-1", on: { click },
  }, SIGNS[kind][0], shape === "option" ? el("span", {}, cell.name) : null);
}

function choose(env, verdicts) {
  for (const button of at("verdict-map").querySelectorAll("button.verdict")) {
    const chosen = Number(button.dataset.state) === view.cell;
    button.setAttribute("aria-selected", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
  }
  drawExplanation(env, verdicts);
  writeAddress();
}

const firstOf = (verdicts) => (verdicts.cells[view.cell] ? view.cell : verdicts.cells.findIndex((c) => c !== null));

function verdictGrid(env, verdicts) {
  const { grid } = env;
  const states = new Map();
  grid.cells.forEach((place, state) => {
    if (!place) return;
    const there = states.get(place.join());
    const stronger = there === undefined || (verdicts.cells[state] && (!verdicts.cells[there] || rankOf(verdicts.cells[state]) > rankOf(verdicts.cells[there])));
    if (stronger || state === view.cell) states.set(place.join(), state);
  });
  const focusable = firstOf(verdicts);
  const row = (line, i) => {
    const r = grid.rows - 1 - i;
    const cells = [...line].map((symbol, column) => {
      const state = states.get([r, column].join());
      const button = state === undefined ? null : cellButton(verdicts, state, focusable, "gridcell", env, symbol === "S" || isGoal(symbol) ? symbol : null);
      return button ?? el("span", { class: symbol === "#" ? "blank wall" : "blank", role: "gridcell" }, symbol === "#" ? "" : symbol);
    });
    return el("div", { role: "row" }, el("span", { class: "number", "aria-hidden": "true" }, String(r)), cells);
  };
  const numbers = el("div", { class: "numbers", "aria-hidden": "true" }, el("span"), Array.from({ length: grid.columns }, (_, c) => el("span", {}, String(c))));
  const step = (state, key) => {
    const [r, c] = grid.cells[state];
    const [up, right] = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key] ?? [0, 0];
    for (let n = 1; up || right; n += 1) {
      const [y, x] = [r + n * up, c + n * right];
      if (y < 0 || x < 0 || y >= grid.rows || x >= grid.columns) return null;
      const next = states.get([y, x].join());
      if (next !== undefined && verdicts.cells[next]) return next;
    }
    return null;
  };
  return el("div", { class: "scroll fit" }, el("div", { class: "verdict-grid", role: "grid", "aria-labelledby": "verdicts-title", vars: { columns: grid.columns }, on: { keydown: (e) => move(e, step) } }, grid.map.map(row), numbers));
}

function verdictList(env, verdicts) {
  const focusable = firstOf(verdicts);
  // What is constrained comes first.
  const kind = (s) => -rankOf(verdicts.cells[s]);
  const all = verdicts.cells.map((_, state) => state).filter((s) => verdicts.cells[s]).sort((a, b) => kind(a) - kind(b) || a - b);
  const step = (state, key) => all[all.indexOf(state) + ({ ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[key] ?? NaN)] ?? null;
  return el("div", { class: "verdict-list", role: "listbox", "aria-labelledby": "verdicts-title", on: { keydown: (e) => move(e, step) } },
    all.map((s) => cellButton(verdicts, s, focusable, "option", env)));
}

// Arrow keys move the focus; Enter and the space bar choose, as for any button.
function move(event, step) {
  if (!event.key.startsWith("Arrow") || event.target.dataset.state === undefined) return;
  event.preventDefault();
  const next = step(Number(event.target.dataset.state), event.key);
  const button = next === null ? null : event.currentTarget.querySelector(`button[data-state="${next}"]`);
  if (!button) return;
  for (const other of event.currentTarget.querySelectorAll("button.verdict")) other.tabIndex = -1;
  button.tabIndex = 0;
  button.focus();
}
