// Puts it all together.

function drawRun() {
  choices(at("run-env"), envNames().map((n) => [n, n]), view.env);
  const strategies = data.strategies.filter((s) => runsOf(view.env, s.name).length > 0);
  choices(at("run-strategy"), strategies.map((s) => [s.name, s.name]), view.strategy);
  choices(at("run-seed"), runsOf(view.env, view.strategy).map((r) => [String(r.seed), String(r.seed)]), view.seed);
  const run = theRun();
  const reached = (r) => (r.samples_to_expert === null ? "It did not come to the expert\u2019s level and stay there." : `It was at the expert\u2019s level, and stayed, after ${plural(r.samples_to_expert, "sample")}.`);
  at("run-facts").textContent = run
    ? `${run.strategy} in ${run.env} with seed ${run.seed}: ${plural(run.iterations, "iteration")}, ${plural(run.samples, "sample")}, stopped on ${run.stop}. ${reached(run)}`
    : "";
  drawPlayer();
  drawVerdicts();
}

function drawAll() {
  settle();
  drawHeader();
  drawAnswers();
  drawTable();
  drawCurves();
  drawRun();
  drawConfiguration();
  drawLive();
}

// After any choice that several parts show.
function changed() {
  settle();
  redraw(() => {
    drawLegend();
    drawAnswers();
    drawTable();
    drawCurves();
  });
  writeAddress();
}

function chooseRun(key, value) {
  stopPlaying();
  if (key === "env") view.cell = null;
  view[key] = value;
  settle();
  drawRun();
  writeAddress();
}

at("only").addEventListener("change", () => {
  view.only = at("only").value;
  changed();
});
for (const key of ["env", "strategy", "seed"]) at(`run-${key}`).addEventListener("change", (e) => chooseRun(key, e.target.value));
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return;
  readAddress();
  drawAll();
});
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
startPlayer();
startCopying();
readAddress();
drawAll();
startLive();
