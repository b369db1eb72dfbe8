// Tools, goals and numbers of the map.

const TOOLS = [["#", "wall"], [".", "open"], ["S", "start"], ["x", "forbidden"], ["^", "\u2191"], ["v", "\u2193"], ["<", "\u2190"], [">", "\u2192"]];
// Keys of a map file that are numbers, and the fields they are set in.
const NUMBERS = { gamma: "gamma", slip: "slip", horizon: "horizon", step: "step-reward", budget: "budget" };
const WHOLE = new Set(["horizon"]);

const goalTools = () => Object.keys(drawn.goals).map((symbol) => [symbol, `goal ${symbol}`]);

function drawSettings() {
  if (!(tool in NAMES) && !(tool in drawn.goals)) tool = "#";
  redraw(() => {
    toggles(at("tools"), "radio", [...TOOLS, ...goalTools()], (t) => t === tool, (t) => { tool = t; });
    for (const input of at("tools").querySelectorAll("input")) input.setAttribute("aria-label", symbolName(input.value));
    drawGoals();
  });
  for (const [key, id] of Object.entries(NUMBERS)) if (document.activeElement !== at(id)) at(id).value = String(drawn[key]);
  if (document.activeElement !== at("name")) at("name").value = drawn.name;
  at("moves").value = String(drawn.moves);
  at("deterministic").checked = drawn.deterministic;
  at("rows").value = String(drawn.map.length);
  at("columns").value = String([...drawn.map[0]].length);
  at("truth").checked = view.truth;
}

function drawGoals() {
  const row = ([symbol, reward]) => el("li", {}, el("label", {}, `goal ${symbol} pays `, el("input", { type: "number", step: "any", value: reward, "data-key": `goal ${symbol}`, on: { change: (e) => setGoal(symbol, e.target) } })),
    " ", el("button", { type: "button", "data-key": `remove ${symbol}`, "aria-label": `Remove goal ${symbol}`, on: { click: () => removeGoal(symbol) } }, "Remove"));
  at("goals").replaceChildren(...Object.entries(drawn.goals).map(row));
}

function setGoal(symbol, input) {
  const reward = input.valueAsNumber;
  if (Number.isFinite(reward)) edit((map) => { map.goals[symbol] = reward; });
  else input.value = String(drawn.goals[symbol]);
}

function removeGoal(symbol) {
  edit((map) => {
    delete map.goals[symbol];
    map.map = map.map.map((line) => line.replaceAll(symbol, "."));
  });
}

function addGoal() {
  const symbol = [..."GgHhABCDEFabcdef123456789"].find((s) => !(s in drawn.goals));
  if (symbol === undefined) return;
  edit((map) => { map.goals[symbol] = 1; });
  tool = symbol;
  drawSettings();
}

// A map of another size keeps what fits, from the lower left corner on.
function resizeMap(rows, columns) {
  if (!(rows >= 1 && columns >= 1 && rows <= 40 && columns <= 40)) return drawSettings();
  return edit((map) => {
    const lines = [...map.map].reverse();
    const line = (r) => [...(lines[r] ?? "")].concat(Array(columns).fill(".")).slice(0, columns).join("");
    map.map = Array.from({ length: rows }, (_, r) => line(r)).reverse();
  });
}

function startSettings() {
  at("map").replaceChildren(painting.grid);
  for (const [key, id] of Object.entries(NUMBERS)) {
    at(id).addEventListener("change", () => {
      const value = at(id).valueAsNumber;
      if (Number.isFinite(value)) edit((map) => { map[key] = WHOLE.has(key) ? Math.max(0, Math.round(value)) : value; });
      at(id).value = String(drawn[key]);
    });
  }
  at("name").addEventListener("change", () => edit((map) => { map.name = at("name").value; }));
  at("moves").addEventListener("change", () => edit((map) => { map.moves = Number(at("moves").value); }));
  at("deterministic").addEventListener("change", () => edit((map) => { map.deterministic = at("deterministic").checked; }));
  for (const key of ["rows", "columns"]) at(key).addEventListener("change", () => resizeMap(at("rows").valueAsNumber, at("columns").valueAsNumber));
  at("add-goal").addEventListener("click", addGoal);
  at("undo").addEventListener("click", undo);
  at("redo").addEventListener("click", redo);
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches?.("input:not([type=radio], [type=checkbox])")) return;
    event.preventDefault();
    if (event.shiftKey) redo();
    else undo();
  });
  choices(at("preset"), [["", "choose one"], ...page.presets.map((p) => [p.name, p.title])], "");
  at("preset").addEventListener("change", async () => {
    const name = at("preset").value;
    if (name !== "") await takePreset(name);
  });
}

async function takePreset(name) {
  const preset = page.presets.find((p) => p.name === name);
  takeMap(await quick("read", { text: preset.text, name: `${name}.toml` }));
  at("preset").value = name;
}
