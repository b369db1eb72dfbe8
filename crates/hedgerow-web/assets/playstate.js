// What there is to show and what of it is shown, under the names that the scripts of the report use.

const page = JSON.parse(at("data").textContent);

const SAMPLES = { name: "samples", short: "samples", label: "samples", shown: false };

const data = {
  theme: page.labels.theme,
  metrics: [],
  axes: page.labels.axes,
  strategies: [],     // those that race
  environments: [],   // the one that is drawn, once the engine has described it
  summary: [],        // what the expert reaches
  curves: [],
};

const view = {
  metrics: new Set(["reward", "cost", "iou"]),
  axis: "samples",
  hidden: new Set(),
  cell: null,         // state explained
  truth: true,        // whether the rule is shown
};

const world = () => data.environments[0] ?? null;
const environment = (name) => data.environments.find((e) => e.name === name);
const shownStrategies = () => data.strategies;
const envNames = () => data.environments.map((e) => e.name);
const shownEnvs = envNames;
const lookOf = (name) => page.labels.strategies.find((s) => s.name === name);

// Against iterations there is one curve more: the samples.
function settleMetrics() {
  const scores = page.labels.metrics.filter((m) => m.name !== "accuracy");
  data.metrics = view.axis === "iterations" ? [SAMPLES, ...scores] : scores;
}

// After a choice that curves show.
function changed() {
  settleMetrics();
  redraw(drawCurves);
}

// Nothing of what is chosen on a map stands in the address: the map itself does.
const writeAddress = () => {};

// A field for whole numbers holds one of them: what is none becomes the usual one.
function keepWhole(id, least, usual, most = Number.MAX_SAFE_INTEGER) {
  const value = at(id).valueAsNumber;
  at(id).value = String(Number.isFinite(value) ? Math.min(Math.max(Math.round(value), least), most) : usual);
}

// Says something to everybody, screen readers included; nothing takes it back.
function say(id, words, bad = false) {
  const box = at(id);
  box.textContent = words;
  box.hidden = words === "";
  box.classList.toggle("notice", bad);
}
