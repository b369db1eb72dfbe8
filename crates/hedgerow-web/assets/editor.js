// The drawn map: what it is, painting it, and going back.

const NAMES = { ".": "open", "#": "wall", S: "start", x: "forbidden", "^": "one way up", v: "one way down", "<": "one way left", ">": "one way right" };
const SHOWN = { ".": "", "#": "", "^": "\u2191", v: "\u2193", "<": "\u2190", ">": "\u2192", x: "\u2715" };
const KINDS = { "#": "wall", S: "start", x: "forbidden" };

let drawn = null;          // the map: the keys of a map file
let tool = "#";
let before = [];           // maps to go back to, and those gone back from
let after = [];
let stroke = null;         // the symbol of the stroke that is being painted
let strokeFrom = null;     // the map when it began

const copy = (map) => structuredClone(map);
const symbolAt = (map, row, column) => [...map.map[map.map.length - 1 - row]][column];

function withSymbol(map, row, column, symbol) {
  const line = [...map.map[map.map.length - 1 - row]];
  line[column] = symbol;
  map.map[map.map.length - 1 - row] = line.join("");
}

const symbolName = (symbol) => NAMES[symbol] ?? `goal ${symbol}, reward ${number(drawn.goals[symbol] ?? 0)}`;

// Every change goes through here: it can be undone, and the engine is asked about it.
function edit(change) {
  const old = copy(drawn);
  change(drawn);
  keep(old);
}

function keep(old) {
  if (JSON.stringify(old) === JSON.stringify(drawn)) return;
  before.push(old);
  if (before.length > 200) before.shift();
  after = [];
  redrawn();
}

function travel(from, to) {
  if (from.length === 0) return;
  to.push(copy(drawn));
  drawn = from.pop();
  redrawn();
}

const undo = () => travel(before, after);
const redo = () => travel(after, before);

// Another map, from a file, a link or a preset.
function takeMap(map) {
  const old = drawn;
  drawn = map;
  if (old !== null) keep(old);
  else redrawn();
}

// What a symbol looks like; the rule may be hidden.
const shownSymbol = (symbol) => (symbol === "x" && !view.truth ? "." : symbol);

const painting = cellGrid("Map to draw on", {
  press: (row, column, first) => {
    if (first) {
      strokeFrom = copy(drawn);
      if (tool === "x" && !view.truth) showTruth(true);
      stroke = symbolAt(drawn, row, column) === tool ? "." : tool;
    }
    withSymbol(drawn, row, column, stroke);
    drawPainting();
  },
  key: (row, column, key) => {
    const symbol = { s: "S", X: "x", V: "v", Delete: ".", Backspace: "." }[key] ?? key;
    if (!(symbol in NAMES) && !(symbol in drawn.goals)) return false;
    if (symbol === "x" && !view.truth) showTruth(true);
    edit((map) => withSymbol(map, row, column, symbol));
    return true;
  },
  end: () => {
    if (strokeFrom) keep(strokeFrom);
    strokeFrom = null;
  },
});

function drawPainting() {
  painting.resize(drawn.map.length, [...drawn.map[0]].length);
  painting.draw((row, column) => {
    const symbol = shownSymbol(symbolAt(drawn, row, column));
    const kind = KINDS[symbol] ?? (symbol in drawn.goals ? "goal" : "");
    return { text: SHOWN[symbol] ?? symbol, kind, name: `cell ${row},${column}: ${symbolName(symbol)}` };
  });
}

let describing = 0;
let waiting = null;        // until the engine is asked

// The map is another one: draws it, and asks the engine what it is.
function redrawn() {
  drawPainting();
  drawSettings();
  at("undo").disabled = before.length === 0;
  at("redo").disabled = after.length === 0;
  forgetRace();
  forgetAnswer();
  clearTimeout(waiting);
  waiting = setTimeout(describe, 120);
}

let known = Promise.resolve();   // settles when the engine has answered about the map as it is

function describe() {
  clearTimeout(waiting);
  waiting = null;
  describing += 1;
  const turn = describing;
  known = quick("describe", { drawn: JSON.stringify(drawn) }).then((described) => {
    if (turn === describing) takeDescription(described);
  }, (refusal) => {
    if (turn !== describing) return;
    data.environments = [];
    say("map-problem", refusal.message, true);
    drawRace();
    drawAsk();
  });
  return known;
}

let expertSteps = [];
let mapFile = "";

// What the map is. While the rule is hidden, nothing of it is told, and forbidden cells cannot be painted unseen.
function drawFacts() {
  const env = world();
  if (env === null) return;
  const cells = env.true_cells.length;
  const rule = cells === 0 ? "keeps to no rule" : `keeps to a rule about ${plural(cells, "cell")}`;
  const told = view.truth ? `, and ${rule}.` : ". The rule is hidden; painting forbidden cells shows it.";
  at("map-facts").textContent = `${plural(env.states - 1, "cell")} to be in; the expert earns ${number(env.expert_reward)}, discounted${told}`;
}

function takeDescription({ environment: env, expert_steps, toml }) {
  data.environments = [env];
  data.summary = [{ env: env.name, expert_reward: env.expert_reward, expert_cost: env.true_cells.length > 0 ? env.expert_cost : null }];
  [expertSteps, mapFile] = [expert_steps, toml];
  say("map-problem", "");
  drawFacts();
  writeLink();
  drawRace();
  drawGuess();
  drawAsk();
}

// The environment, as soon as the engine knows the map as it is drawn; null if that is none.
async function settled() {
  if (waiting !== null) describe();
  await known;
  return world();
}
