// Verdicts: by exploring, or from records; and why.

const answer = { found: null, engine: null, samples: 0, records: [] };

const asked = (samples) => JSON.stringify({ confidence: at("confidence").valueAsNumber, samples, seed: Number(at("seed").value) });

function forgetAnswer() {
  answer.engine?.end();
  Object.assign(answer, { found: null, engine: null, samples: 0 });
  view.cell = null;
  say("ask-problem", "");
}

// Explores until all that matters is decided, or for so many samples.
async function findVerdicts(samples = at("most").valueAsNumber) {
  if (!(await settled())) return;
  forgetAnswer();
  const engine = new Engine();
  answer.engine = engine;
  drawAsk();
  const tell = (news) => {
    const { samples: seen, words } = news.at(-1);
    answer.samples = seen;
    at("ask-status").textContent = `${plural(seen, "sample")}: ${words}`;
  };
  await settle(engine, engine.ask("explore", { drawn: JSON.stringify(drawn), asked: asked(samples) }, tell));
}

async function inferFromRecords() {
  if (answer.records.length === 0 || !(await settled())) return;
  forgetAnswer();
  const engine = new Engine();
  answer.engine = engine;
  drawAsk();
  await settle(engine, engine.ask("recorded", { drawn: JSON.stringify(drawn), files: JSON.stringify(answer.records), asked: asked(1) }));
}

// Shows what an engine found, unless something else was asked meanwhile.
async function settle(engine, finding) {
  try {
    const found = await finding;
    if (answer.engine === engine) answer.found = found;
  } catch (refusal) {
    if (answer.engine === engine) say("ask-problem", refusal.message, true);
  }
  if (answer.engine === engine) answer.engine = null;
  engine.end();
  drawAsk();
}

// An engine cannot be asked to stop, but what it found until then can be found again.
function stopAsking() {
  const { samples } = answer;
  if (samples > 0) findVerdicts(samples);
  else {
    forgetAnswer();
    drawAsk();
  }
}

function drawAsk() {
  const busy = answer.engine !== null;
  at("ask").disabled = world() === null || busy;
  at("stop").hidden = !busy;
  at("ask-busy").hidden = !busy;
  if (!busy) at("ask-status").textContent = "";
  drawRecords();
  drawAnswer();
}

// The verdicts as they may be shown: nothing of the rule while it is hidden.
const shownVerdicts = () => (view.truth ? answer.found.verdicts : answer.found.blind);

function drawAnswer() {
  const { found } = answer;
  at("found").hidden = found === null;
  if (found === null || world() === null) return;
  const { constraint: c, verdicts } = found;
  const ended = { decided: "all that matters is decided", samples: "the samples ran out" }[c.source.stop] ?? (c.source.method === "records" ? "from records" : "");
  at("verdicts-note").textContent = `${plural(verdicts.samples, "sample")}, ${ended}: ${plural(c.constrained, "pair")} constrained, ${count(c.taken)} taken by the expert, ${count(c.no_gain)} with nothing to gain, ${count(c.undecided)} undecided. ${c.promise} Choose a cell to see why.`;
  at("warnings").replaceChildren(...c.warnings.map((words) => el("li", {}, words)));
  at("warnings").hidden = c.warnings.length === 0;
  showVerdicts(world(), shownVerdicts());
}

async function takeRecords(files) {
  for (const file of files) {
    answer.records = answer.records.filter((r) => r.name !== file.name);
    answer.records.push({ name: file.name, expert: !/log/i.test(file.name), text: await file.text() });
  }
  await inferFromRecords();
}

function drawRecords() {
  const kind = (record) => {
    const select = el("select", { "aria-label": `Whose steps ${record.name} records`, "data-key": `record ${record.name}`, on: { change: (e) => { record.expert = e.target.value === "expert"; inferFromRecords(); } } },
      el("option", { value: "expert" }, "the expert\u2019s steps"), el("option", { value: "log" }, "anybody\u2019s steps"));
    select.value = record.expert ? "expert" : "log";
    return select;
  };
  const remove = (record) => el("button", { type: "button", "aria-label": `Remove ${record.name}`, on: { click: () => { answer.records = answer.records.filter((r) => r !== record); forgetAnswer(); drawAsk(); inferFromRecords(); } } }, "Remove");
  at("infer-records").hidden = answer.records.length === 0;
  at("infer-records").disabled = world() === null || answer.engine !== null;
  redraw(() => at("records").replaceChildren(...answer.records.map((r) => el("li", {}, el("code", {}, r.name), " ", kind(r), " ", remove(r)))));
}

function startAsk() {
  at("ask").addEventListener("click", () => findVerdicts());
  at("stop").addEventListener("click", stopAsking);
  at("infer-records").addEventListener("click", inferFromRecords);
  at("most").addEventListener("change", () => keepWhole("most", 1, 5_000_000));
  at("confidence").addEventListener("change", () => { if (!Number.isFinite(at("confidence").valueAsNumber)) at("confidence").value = "0.95"; });
  at("add-records").addEventListener("click", () => at("record-file").click());
  at("record-file").addEventListener("change", async () => {
    await takeRecords([...at("record-file").files]);
    at("record-file").value = "";
  });
}
