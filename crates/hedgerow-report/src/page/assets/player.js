// Scrubs through what a run had inferred, beside the truth.

let ticking = null;
const BEAT = 700;

function stopPlaying() {
  clearInterval(ticking);
  ticking = null;
  at("play").textContent = "Play";
}

function momentIndex(run) {
  const last = run.snapshots.length - 1;
  const i = run.snapshots.findIndex((s) => s.iteration === view.moment);
  return i < 0 ? last : i;
}

function setMoment(i) {
  const run = theRun();
  view.moment = i >= run.snapshots.length - 1 ? null : run.snapshots[i].iteration;
  drawPlayer();
  writeAddress();
}

function startPlayer() {
  at("moment").addEventListener("input", () => {
    stopPlaying();
    setMoment(Number(at("moment").value));
  });
  at("play").addEventListener("click", () => {
    if (ticking !== null) return stopPlaying();
    const snapshots = () => theRun()?.snapshots.length ?? 0;
    if (snapshots() === 0) return undefined;
    if (momentIndex(theRun()) >= snapshots() - 1) setMoment(0);
    at("play").textContent = "Pause";
    ticking = setInterval(() => {
      const next = momentIndex(theRun()) + 1;
      if (next < snapshots()) setMoment(next);
      if (next >= snapshots() - 1) stopPlaying();
    }, BEAT);
    return undefined;
  });
}

function drawPlayer() {
  const run = theRun();
  const env = run && environment(run.env);
  const slider = at("moment");
  const empty = !run || run.snapshots.length === 0;
  at("play").disabled = slider.disabled = empty;
  if (empty || !hooks(env).pictures) at("ground").hidden = true;
  if (empty || !env) {
    if (empty) at("moment-facts").replaceChildren();
    const why = !run ? "No run has finished yet." : empty ? "The pictures of this run are not in the page, to keep it small." : `The file of ${run.env} is not whole, so there is no map to draw on.`;
    at("maps").replaceChildren(el("p", { class: "muted" }, why));
    if (empty) return;
  }
  const i = momentIndex(run);
  const shot = run.snapshots[i];
  slider.max = String(run.snapshots.length - 1);
  slider.value = String(i);
  slider.setAttribute("aria-valuetext", `iteration ${shot.iteration}, ${count(shot.samples)} samples`);
  const beside = (name, value, who, other) => [name, other === undefined ? number(value) : numberBeside(value, other), other === undefined ? null : ` ${who} ${numberBeside(other, value)}`];
  const facts = [["iteration", count(shot.iteration), null], ["samples", count(shot.samples), null], beside("reward", shot.reward, "expert", env?.expert_reward),
    beside("cost", shot.cost, "expert", env?.expert_cost), beside("IoU", shot.iou, "exact inference", env?.exact?.iou), beside("WGIoU", shot.wgiou, "exact inference", env?.exact?.wgiou)];
  at("moment-facts").replaceChildren(...facts.map(([name, value, other]) => el("div", {},
    el("dt", {}, name), el("dd", {}, value, other === null ? null : el("small", { class: "muted" }, other)))));
  if (!env) return;
  const { pictures, grounds } = hooks(env);
  if (pictures) {
    const known = extraOf(run);
    const ground = drawGrounds(grounds?.(env, known) ?? []);
    at("maps").replaceChildren(...pictures(env, run, i, known, ground).filter((part) => part !== null));
    return;
  }
  at("maps").replaceChildren(...(hasMap(env) ? gridMaps(env, run, shot) : []), ...(env.grid ? [] : listMaps(env, run, shot)), colourBar(topCost(env, run)),
    ...(goalsText(env) === null ? [] : [el("p", { class: "muted small" }, goalsText(env))]));
}

// One scale for the whole run and the truth, so that pictures can be compared.
function topCost(env, run) {
  return largest([env.true_cells, ...run.snapshots.map((s) => s.cells)].flat());
}

function gridMaps(env, run, shot) {
  const top = topCost(env, run);
  return [
    titled("inferred", drawMap(env, `Inferred cost after iteration ${shot.iteration}`, costs(shot.cells, top))),
    titled(env.grid ? "truth; circles: where the expert spends its time" : "truth; dots: where the expert spends its time", drawMap(env, "True cost, and where the expert spends its time", costs(env.true_cells, top), expertTime(env))),
  ];
}

// States that matter at any moment, as rows of bars.
function listMaps(env, run, shot) {
  const top = topCost(env, run);
  const [now, truth] = [new Map(shot.cells), new Map(env.true_cells)];
  const ever = [...new Set([...truth.keys(), ...run.snapshots.flatMap((s) => s.cells.map(([state]) => state))])].sort((a, b) => a - b);
  const mark = (state, cost) => el("td", {}, svg("svg", { class: "chip", viewBox: "0 0 12 12", "aria-hidden": "true" },
    svg("rect", { x: 0.5, y: 0.5, width: 11, height: 11, class: "cell", "data-state": state, ...heat(cost, top) })), number(cost ?? 0));
  const rows = ever.map((state) => el("tr", {}, el("th", { scope: "row" }, stateName(env, state)), mark(state, now.get(state)), env.true_cells.length > 0 ? mark(`truth ${state}`, truth.get(state)) : null));
  const head = el("tr", {}, ["state", "inferred", ...(env.true_cells.length > 0 ? ["truth"] : [])].map((t) => el("th", { scope: "col" }, t)));
  const rest = env.states - ever.length;
  return [el("div", { class: "scroll list", role: "region", "aria-label": "Inferred and true cost by state", tabindex: "0", "data-key": "list" },
    el("table", {}, el("thead", {}, head), el("tbody", {}, rows)),
    rest > 0 ? el("p", { class: "muted small" }, `${plural(rest, "state")} never charged by the run${env.true_cells.length > 0 ? ", nor by the truth," : ""} ${rest === 1 ? "is" : "are"} not listed.`) : null)];
}
