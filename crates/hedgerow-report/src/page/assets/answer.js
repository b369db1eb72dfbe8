// What the page opens with: what was inferred in each environment, beside the truth, and what it took.

function drawAnswers() {
  const shown = data.answers.filter((a) => shownEnvs().includes(a.env));
  at("answers").replaceChildren(...shown.map(answerOf),
    ...(shown.length > 0 ? [] : [el("p", { class: "muted" }, "No run has finished yet.")]));
}

function answerOf(answer) {
  const env = environment(answer.env);
  const row = data.summary.find((r) => r.env === answer.env && r.strategy === answer.strategy);
  const strategy = strategyOf(answer.strategy);
  const maps = !env ? [el("p", { class: "muted" }, `The file of ${answer.env} is not whole, so there is no map to draw on.`)]
    : hooks(env).answer ? [] : hasMap(env) ? answerMaps(env, answer) : [answerList(env, answer)];
  return el("article", { class: "answer", "data-env": answer.env },
    el("h3", {}, answer.env),
    el("p", {}, strategy ? swatch(strategy) : null, el("b", {}, ` ${answer.strategy}`), ` (${answer.why}; ${answer.seeds === 1 ? "one seed" : `mean over ${count(answer.seeds)} seeds`}): ${found(env, answer)}${scores(row)}`),
    el("div", { class: "answer-parts" }, maps, neededChart(answer.env)));
}

// What is counted on the map of an environment, which may not be known.
const unitOf = (env) => (env?.per_square ? "square" : env?.grid ? "cell" : "state");

// How many of the true cells are among the inferred ones.
function found(env, answer) {
  if (hooks(env).answer) return hooks(env).answer(env);
  const [inferred, truth] = [answer.cells.map(([s]) => s), new Set((env?.true_cells ?? []).map(([s]) => s))];
  const what = unitOf(env);
  const others = answer.rarely.length === 0 ? "" : ` ${plural(answer.rarely.length, "more was", "more were")} charged by less than half of the seeds.`;
  const [more, moreTrue] = [answer.more ?? 0, env?.more_true ?? 0];
  if (more + moreTrue > 0) return `it charges ${plural(inferred.length + more, what)}, the truth ${count(truth.size + moreTrue)}; the page has the costliest of them.${others}`;
  if (truth.size === 0) return `it charges ${plural(inferred.length, what)}.${others}`;
  const right = inferred.filter((s) => truth.has(s)).length;
  const extra = inferred.length - right;
  return `${count(right)} of ${plural(truth.size, `true ${what}`)} found, ${extra === 0 ? "no other" : plural(extra, "other")} charged.${others}`;
}

function scores(row) {
  if (!row || row.final_iou === null) return "";
  const exact = row.exact_iou === null ? "" : ` (exact inference ${fixed(row.exact_iou, 2)})`;
  return ` IoU ${fixed(row.final_iou, 2)}${exact}.`;
}

function answerMaps(env, answer) {
  const costs = new Map(answer.cells);
  const truth = new Set(env.true_cells.map(([s]) => s));
  const top = largest(answer.cells);
  const findable = env.exact ? new Set(env.exact.cells.map(([s]) => s)) : truth;
  const hidden = [...truth].filter((s) => !findable.has(s)).length;
  const g = geometry(env);
  const frames = [...truth].map((s) => around(env, s, "true-edge", 1.5));
  const rare = answer.rarely.flatMap(([s]) => {
    const place = g.of(s);
    return place ? [svg("circle", { class: "rare", cx: place[0], cy: place[1], r: 3 })] : [];
  });
  const inferred = titled("inferred", drawMap(env, `What ${answer.strategy} inferred in ${env.name}`, (s) => heat(costs.has(s) ? Math.max(costs.get(s), 0.2 * top) : 0, top), [frames, rare].flat()));
  const notes = [
    truth.size > 0 ? "Framed: charged by the truth." : null,
    answer.rarely.length > 0 ? "Dots: charged by less than half of the seeds." : null,
    hidden > 0 ? `Hatched: true, but nothing tempts the expert there, so even exact inference does not need it (${count(hidden)} of ${plural(truth.size, unitOf(env))}).` : null,
    goalsText(env),
    squareText(env),
  ].filter((t) => t !== null);
  const kind = (s) => ({ "data-strength": truth.has(s) ? 1 : 0, class: !truth.has(s) ? "cell" : findable.has(s) ? "cell truth-cell" : "cell truth-cell hatched" });
  const parts = truth.size === 0 ? [inferred] : [inferred, titled("truth", drawMap(env, `The true constraint of ${env.name}`, kind, hatches(env, [...truth].filter((s) => !findable.has(s)))))];
  return [el("div", { class: env.grid ? "answer-maps" : "answer-maps graphs" }, parts, notes.length === 0 ? null : el("p", { class: "muted small" }, notes.join(" ")))];
}

// Two strokes across a cell: told from others without colour.
function hatches(env, states) {
  const g = geometry(env);
  const h = env.grid ? CELL / 2 : g.radius * 0.65;
  return states.flatMap((s) => {
    const place = g.of(s);
    if (!place) return [];
    const [x, y] = place;
    return [svg("path", { class: "hatch", d: `M${x - h} ${y}L${x} ${y - h}M${x - h} ${y + h}L${x + h} ${y - h}M${x} ${y + h}L${x + h} ${y}` })];
  });
}

const LISTED = 12;

// Without a map: the states that are charged, the costliest first.
function answerList(env, answer) {
  const [inferred, truth] = [new Map(answer.cells), new Map(env.true_cells)];
  const cost = (s) => inferred.get(s) ?? 0;
  const states = [...new Set([...inferred.keys(), ...truth.keys()])].sort((a, b) => cost(b) - cost(a) || a - b);
  const mark = (map, s) => el("td", {}, map.has(s) ? number(map.get(s)) : NONE);
  const rows = states.slice(0, LISTED).map((s) => el("tr", {}, el("th", { scope: "row" }, stateName(env, s)), mark(inferred, s), truth.size > 0 ? mark(truth, s) : null));
  const rest = states.length - LISTED;
  return el("div", { class: "answer-maps" }, states.length === 0 ? el("p", { class: "muted" }, "Nothing was charged.") : el("table", { class: "list" },
    el("thead", {}, el("tr", {}, ["state", "inferred cost", ...(truth.size > 0 ? ["true cost"] : [])].map((t) => el("th", { scope: "col" }, t)))),
    el("tbody", {}, rows)), rest > 0 ? el("p", { class: "muted small" }, `and ${plural(rest, "more state")}: see one run up close`) : null);
}

const CHART = { width: 376, row: 19, names: 128, right: 78, top: 4, bottom: 34 };

// Samples to the expert by strategy: median and interval, on a logarithmic axis.
function neededChart(env) {
  const rows = shownStrategies().flatMap((strategy) => {
    const row = data.summary.find((r) => r.env === env && r.strategy === strategy.name);
    return row ? [{ strategy, row }] : [];
  });
  if (rows.length === 0) return null;
  const known = rows.flatMap(({ row }) => [row.samples_to_expert, row.low, row.high]).filter((x) => x !== null).map((x) => Math.max(x, 1));
  const height = CHART.top + rows.length * CHART.row + CHART.bottom;
  const [left, right, bottom] = [CHART.names, CHART.width - CHART.right, height - CHART.bottom];
  const [begin, end] = known.length === 0 ? [1, 10] : [Math.min(...known) / 1.3, Math.max(...known) * 1.3];
  const x = (v) => left + (Math.log(Math.max(v, 1) / begin) / Math.log(end / begin)) * (right - left);
  const along = known.length === 0 ? [] : logTicks(begin, end);
  const line = ({ strategy, row }, i) => {
    const y = CHART.top + (i + 0.5) * CHART.row;
    const median = row.samples_to_expert;
    const open = row.low !== null && row.high === null;
    const got = Math.round((row.converged ?? 0) * row.seeds);
    const said = median !== null ? count(median) : got === 0 ? "not reached" : `${got} of ${plural(row.seeds, "seed")}`;
    const name = strategy.name.length > 19 ? `${strategy.name.slice(0, 18)}\u2026` : strategy.name;
    return svg("g", { class: "series", vars: colours(strategy), "data-strategy": strategy.name },
      svg("title", {}, `${strategy.name}: ${samplesText(row)}, ${Math.round((row.converged ?? 0) * row.seeds)} of ${plural(row.seeds, "seed")}`),
      svg("text", { x: left - 8, y: y + 3.5, "text-anchor": "end" }, name),
      svg("path", { class: "grid", d: `M${left} ${y}H${right}` }),
      row.low === null ? null : svg("path", { class: "line", d: `M${x(row.low).toFixed(1)} ${y}H${(open ? right - 1 : x(row.high)).toFixed(1)}${open ? `m-5 -4l5 4l-5 4` : ""}` }),
      median === null ? null : svg("path", { class: "marker", d: markerPath(strategy.marker, x(median), y, 4) }),
      svg("text", { x: right + 5, y: y + 3.5, class: median === null ? "none" : null }, said));
  };
  const drawing = svg("svg", { class: "needed", viewBox: `0 0 ${CHART.width} ${height}`, role: "img", "aria-label": `Samples to the expert in ${env}: ${rows.map(({ strategy, row }) => `${strategy.name} ${samplesText(row)}`).join(", ")}` },
    along.map((v) => svg("path", { class: "grid", d: `M${x(v).toFixed(1)} ${CHART.top}V${bottom}` })),
    rows.map(line),
    svg("path", { class: "frame", d: `M${left} ${CHART.top}V${bottom}H${right}` }),
    along.map((v) => svg("text", { x: x(v), y: bottom + 13, "text-anchor": "middle" }, tickText(v))),
    svg("text", { x: (left + right) / 2, y: height - 5, "text-anchor": "middle", class: "label" }, `${labelOf(data.axes, "samples")}, median`));
  return el("figure", { class: "needed-figure" }, el("figcaption", {}, "samples needed to come to the expert\u2019s level"), drawing);
}
