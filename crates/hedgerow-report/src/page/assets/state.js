// What there is to show, and what of it is shown. The address keeps the choice, so it can be sent to somebody.

let data = JSON.parse(at("data").textContent);

const view = {
  only: "",              // environment of table and curves; empty for all
  hidden: new Set(),     // strategies
  metrics: new Set(data.metrics.filter((m) => m.shown).map((m) => m.name)),
  axis: "samples",
  sort: { column: null, down: false },
  env: null, strategy: null, seed: null,   // the run up close
  moment: null,          // iteration of the snapshot shown; null for the last
  cell: null,            // state explained
  ground: null,          // what the ground of pictures shows; null for the first that the domain offers
};

const environment = (name) => data.environments.find((e) => e.name === name);
const strategyOf = (name) => data.strategies.find((s) => s.name === name);
const shownStrategies = () => data.strategies.filter((s) => !view.hidden.has(s.name));
const envNames = () => [...new Set(data.runs.map((r) => r.env))];
const shownEnvs = () => envNames().filter((name) => view.only === "" || name === view.only);
const runsOf = (env, strategy) => data.runs.filter((r) => r.env === env && r.strategy === strategy);
const theRun = () => runsOf(view.env, view.strategy).find((r) => String(r.seed) === view.seed);

// The nearest choice that exists.
function settle() {
  const first = (list, wanted) => (list.includes(wanted) ? wanted : list[0] ?? null);
  if (!envNames().includes(view.only)) view.only = "";
  view.env = first(envNames(), view.env);
  const strategies = data.strategies.map((s) => s.name).filter((s) => runsOf(view.env, s).length > 0);
  view.strategy = first(strategies, view.strategy);
  view.seed = first(runsOf(view.env, view.strategy).map((r) => String(r.seed)), view.seed);
  const moments = theRun()?.snapshots.map((s) => s.iteration) ?? [];
  if (!moments.includes(view.moment)) view.moment = null;
  if (!(view.cell < (environment(view.env)?.states ?? 0))) view.cell = null;
}

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const key of ["only", "env", "strategy", "seed", "ground"]) if (asked.has(key)) view[key] = asked.get(key);
  for (const key of ["moment", "cell"]) if (asked.has(key)) view[key] = Number(asked.get(key));
  if (data.axes.some((a) => a.name === asked.get("axis"))) view.axis = asked.get("axis");
  if (asked.has("hide")) view.hidden = new Set(asked.getAll("hide"));
}

function writeAddress() {
  const said = new URLSearchParams();
  if (view.only !== "") said.set("only", view.only);
  if (view.axis !== "samples") said.set("axis", view.axis);
  for (const name of view.hidden) said.append("hide", name);
  for (const key of ["env", "strategy", "seed", "moment", "cell", "ground"]) if (view[key] !== null) said.set(key, view[key]);
  history.replaceState(null, "", `#${said}`);
}
