// Strategies on the same hidden rule: computed ahead in workers, played at any speed.

const SEATS = ["racer-1", "racer-2", "racer-3"];

const race = {
  runs: [],           // strategy, frames so far, and the summary once it has ended
  key: null,          // what is racing
  position: 0,        // iteration shown
  playing: false,
  behind: false,      // whether the pictures show an iteration before that
  lanesAt: 0,         // when pictures and curves were drawn
  drawnAt: 0,
};

const racers = () => [...new Set(SEATS.map((id) => at(id).value).filter((name) => name !== ""))];

function chooseRacers(names) {
  SEATS.forEach((id, i) => { at(id).value = names[i] ?? ""; });
}

const raceKey = () => JSON.stringify([drawn, racers(), at("seed").value, at("iterations").value]);
const lastFrame = () => Math.max(0, ...race.runs.map((run) => run.frames.length - 1));
const frameOf = (run) => run.frames[Math.min(Math.floor(race.position), run.frames.length - 1)] ?? null;
const isOver = () => race.runs.length > 0 && race.runs.every((run) => run.summary || run.refusal);

function forgetRace() {
  for (const run of race.runs) run.engine.end();
  Object.assign(race, { runs: [], key: null, position: 0, playing: false });
  data.strategies = [];
  data.curves = [];
}

// Begins a race if this one has not begun; answers whether there is one.
async function ensureRace() {
  if (race.key !== null && race.key === raceKey()) return true;
  if (!(await settled())) return false;
  forgetRace();
  race.key = raceKey();
  const [seed, iterations] = [at("seed").value, Number(at("iterations").value)];
  race.runs = racers().map((name) => {
    const run = { name, frames: [], summary: null, refusal: null, engine: new Engine() };
    const take = (news) => {
      run.frames.push(...news);
      drawSoon();
    };
    run.engine.ask("race", { drawn: JSON.stringify(drawn), strategy: name, seed, iterations }, take).then((summary) => {
      run.summary = summary;
      run.engine.end();
    }, (refusal) => { run.refusal = refusal.message; }).finally(drawSoon);
    return run;
  });
  data.strategies = race.runs.map((run) => lookOf(run.name));
  drawRace();
  return true;
}

async function play() {
  if (race.playing) return pause();
  const beginning = ensureRace();
  if (race.position >= lastFrame() && isOver()) race.position = 0;
  if (!(await beginning)) return undefined;
  race.playing = true;
  drawRace();
  let before = performance.now();
  const beat = (now) => {
    if (!race.playing) return;
    const [then, speed] = [Math.floor(race.position), Number(at("speed").value)];
    race.position = Math.min(race.position + (speed * Math.min(now - before, 250)) / 1000, lastFrame());
    before = now;
    race.behind ||= Math.floor(race.position) !== then;
    if (race.behind && now - race.lanesAt > MAPS) {
      race.lanesAt = now;
      race.behind = false;
      drawRace();
    }
    if (race.position >= lastFrame() && isOver()) return void pause();
    requestAnimationFrame(beat);
  };
  requestAnimationFrame(beat);
  return undefined;
}

function pause() {
  race.playing = false;
  race.position = Math.floor(race.position);
  drawRace();
}

async function stepBy(by) {
  if (race.playing) pause();
  if (!(await ensureRace())) return;
  race.position = Math.min(Math.max(0, Math.floor(race.position) + by), lastFrame());
  drawRace();
}

// The whole race, as soon as it is over.
async function raceToEnd() {
  if (!(await ensureRace())) return;
  while (!isOver()) await new Promise((done) => { setTimeout(done, 30); });
  race.position = lastFrame();
  drawRace();
}

// The curves up to the iteration shown.
function curveOf(run) {
  const frames = run.frames.slice(0, Math.floor(race.position) + 1);
  const values = (key) => ({ mean: frames.map((f) => f[key]), low: frames.map(() => null), high: frames.map(() => null) });
  const scores = { reward: values("reward"), cost: values("cost"), iou: values("iou"), wgiou: values("wgiou"), samples: values("samples") };
  return { env: world().name, strategy: run.name, samples: { x: frames.map((f) => f.samples), ...scores }, iterations: { x: frames.map((f) => f.iteration), ...scores } };
}

let soon = false;

// News of several workers are drawn together, with the next frame.
function drawSoon() {
  if (soon || race.playing) return;
  soon = true;
  requestAnimationFrame(() => {
    soon = false;
    if (!race.playing) drawRace();
  });
}

// Milliseconds between two drawings while it plays, of the pictures and of the curves.
const MAPS = 30, FEW = 80;

function drawRace() {
  const env = world();
  at("play").textContent = race.playing ? "Pause" : "Play";
  for (const id of ["play", "step", "back"]) at(id).disabled = env === null;
  const slider = at("moment");
  slider.max = String(Math.max(1, lastFrame()));
  slider.value = String(Math.floor(race.position));
  slider.disabled = race.runs.length === 0;
  slider.setAttribute("aria-valuetext", `iteration ${Math.floor(race.position)}`);
  if (env === null) {
    at("lanes").replaceChildren();
    at("scores").hidden = true;
    return;
  }
  drawLanes(env);
  drawLesson();
  const refused = race.runs.find((run) => run.refusal);
  say("race-problem", refused ? `${refused.name}: ${refused.refusal}` : "", Boolean(refused));
  const now = performance.now();
  if (race.playing && now - race.drawnAt < FEW) return;
  race.drawnAt = now;
  // In a task of its own: both together might take longer than a frame.
  clearTimeout(race.later);
  race.later = setTimeout(drawScores, 0);
}

function drawScores() {
  if (world() === null) return;
  data.curves = race.runs.filter((run) => run.frames.length > 0).map(curveOf);
  at("scores").hidden = data.curves.length === 0;
  if (data.curves.length > 0) redraw(drawCurves);
}

// One scale for all pictures, so that they can be compared.
const topShown = (env) => largest([env.true_cells, ...race.runs.map((run) => run.frames.at(-1)?.cells ?? [])].flat());

function drawLanes(env) {
  const top = topShown(env);
  const lanes = race.runs.map((run) => lane(env, run, top));
  const truth = el("figure", { class: "lane" },
    el("figcaption", {}, view.truth ? "truth, and the expert\u2019s way" : "the expert\u2019s way; the rule is hidden"),
    drawMap(env, view.truth ? "The rule, and where the expert goes" : "Where the expert goes", view.truth ? costs(env.true_cells, top) : () => ({}), [expertWay(env)]));
  at("lanes").replaceChildren(...lanes, truth);
}

function lane(env, run, top) {
  const frame = frameOf(run);
  const look = lookOf(run.name);
  if (frame === null) return el("figure", { class: "lane" }, el("figcaption", {}, swatch(look), run.name), el("p", { class: "muted" }, run.refusal ?? "preparing"));
  const fact = (name, value, other) => el("div", {}, el("dt", {}, name), el("dd", {}, value, other === null ? null : el("small", { class: "muted" }, other)));
  const facts = [
    fact("samples", count(frame.samples), null),
    fact("reward", number(frame.reward), ` expert ${number(env.expert_reward)}`),
    env.true_cells.length > 0 ? fact("cost", number(frame.cost), ` expert ${number(env.expert_cost)}`) : null,
    env.true_cells.length > 0 ? fact("IoU", number(frame.iou, 3), env.exact ? ` exact ${number(env.exact.iou, 3)}` : null) : null,
  ];
  const reached = run.summary && (run.summary.samples_to_expert === null ? "It did not come to the expert\u2019s level and stay there." : `At the expert\u2019s level, to stay, after ${plural(run.summary.samples_to_expert, "sample")}.`);
  return el("figure", { class: "lane", "data-strategy": run.name },
    el("figcaption", {}, swatch(look), `${run.name}, iteration ${frame.iteration}`),
    drawMap(env, `What ${run.name} has inferred, seen and walked after iteration ${frame.iteration}`, costs(frame.cells, top), [seenDots(env, frame), walkPath(env, frame, look)]),
    el("dl", { class: "facts" }, facts),
    run.summary && race.position >= run.frames.length - 1 ? el("p", { class: "muted small" }, reached) : null);
}

// How often every cell was acted in: the larger the dot, the more often.
function seenDots(env, frame) {
  const g = geometry(env);
  const most = Math.max(1, ...frame.seen);
  const dot = (times, state) => {
    const place = g.of(state);
    return place && times > 0 ? svg("circle", { class: "seen", cx: place[0] + 7, cy: place[1] + 7, r: (1 + 3 * Math.sqrt(times / most)).toFixed(1) }) : null;
  };
  return svg("g", {}, frame.seen.map(dot));
}

// The last episode.
function walkPath(env, frame, look) {
  const g = geometry(env);
  const places = frame.walk.map(g.of).filter((p) => p !== null);
  if (places.length === 0) return null;
  const line = places.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L");
  const [x, y] = places.at(-1);
  return svg("g", { class: "series", vars: colours(look) }, svg("path", { class: "walk", d: `M${line}` }), svg("circle", { class: "dot", cx: x, cy: y, r: 4 }));
}

function expertWay(env) {
  const g = geometry(env);
  const line = expertSteps.map(([from, to]) => [g.of(from), g.of(to)]).filter(([a, b]) => a && b).map(([a, b]) => `M${a.join(" ")}L${b.join(" ")}`).join("");
  return svg("path", { class: "expert-trajectory", d: line });
}

function startRace() {
  const all = page.labels.strategies.map((s) => [s.name, s.name]);
  SEATS.forEach((id, i) => choices(at(id), i < 2 ? all : [["", "nobody"], ...all], ["pcse", "random", ""][i]));
  for (const id of [...SEATS, "seed", "iterations"]) {
    at(id).addEventListener("change", () => {
      keepWhole("seed", 0, 0);
      keepWhole("iterations", 1, 200, 5000);
      forgetRace();
      drawRace();
      writeLink();
    });
  }
  at("play").addEventListener("click", play);
  at("step").addEventListener("click", () => stepBy(1));
  at("back").addEventListener("click", () => stepBy(-1));
  at("end").addEventListener("click", () => {
    if (race.playing) pause();
    raceToEnd();
  });
  at("moment").addEventListener("input", () => {
    if (race.playing) pause();
    race.position = Number(at("moment").value);
    drawRace();
  });
  at("truth").addEventListener("change", () => showTruth(at("truth").checked));
  settleMetrics();
}

// Shows the rule or hides it, everywhere.
function showTruth(shown) {
  view.truth = shown;
  at("truth").checked = shown;
  if (drawn) drawPainting();
  drawRace();
  drawGuess();
  drawAnswer();
  drawFacts();
  if (world()) writeLink();
}
