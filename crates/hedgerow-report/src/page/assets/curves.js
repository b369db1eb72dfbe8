// One panel per environment and metric.

const labelOf = (labels, name) => labels.find((l) => l.name === name).label;
const buttons = (labels) => labels.map((l) => [l.name, l.short]);

function drawCurves() {
  toggles(at("metrics"), "checkbox", buttons(data.metrics), (m) => view.metrics.has(m), (m) => {
    if (!view.metrics.delete(m)) view.metrics.add(m);
    redraw(drawCurves);
  });
  toggles(at("axis"), "radio", buttons(data.axes), (a) => a === view.axis, (axis) => {
    view.axis = axis;
    changed();
  });
  at("panels").replaceChildren(...shownEnvs().map((env) => el("div", { class: "row" },
    el("h3", {}, env),
    el("div", { class: "panels" }, data.metrics.filter((m) => view.metrics.has(m.name)).map((m) => panel(env, m.name))))));
}

// The visible curves of a metric.
function seriesOf(env, metric) {
  return shownStrategies().flatMap((strategy) => {
    const curve = data.curves.find((c) => c.env === env && c.strategy === strategy.name);
    const values = curve?.[view.axis][metric];
    return values ? [{ strategy, x: curve[view.axis].x, ...values }] : [];
  });
}

function expertOf(env, metric) {
  const row = data.summary.find((r) => r.env === env);
  return row?.[`expert_${metric}`] ?? null;
}

// What exact inference with known dynamics scores.
const exactOf = (env, metric) => environment(env)?.exact?.[metric] ?? null;

function panel(env, metric) {
  const series = seriesOf(env, metric);
  const references = [["expert", expertOf(env, metric)], ["exact inference", exactOf(env, metric)]].filter(([, value]) => value !== null);
  const range = limits(series, references.map(([, value]) => value));
  const label = labelOf(data.metrics, metric);
  if (range === null) {
    const why = shownStrategies().length === 0 ? "All strategies are hidden."
      : series.length === 0 ? "There is no true cost to compare with." : "There is no finite value.";
    return el("figure", { class: "panel empty" }, el("figcaption", {}, label), el("p", { class: "muted" }, why));
  }
  const scale = scales(range, xRange(series));
  const id = `clip-${metric}-${envNames().indexOf(env)}`;
  const drawing = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", tabindex: "0", role: "slider",
    "aria-label": `${label} in ${env} against ${view.axis}`, "aria-orientation": "horizontal",
    "aria-valuemin": "0", "aria-valuemax": String(Math.round(scale.end)), "aria-valuenow": "0", "data-key": `panel ${env} ${metric}`,
  },
  svg("clipPath", { id }, svg("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM })),
  axes(scale),
  svg("g", { "clip-path": `url(#${id})` },
    references.map(([name, value]) => svg("path", { class: name === "expert" ? "expert" : "exact", d: `M${LEFT} ${scale.y(value).toFixed(1)}H${WIDTH - RIGHT}` })),
    series.map((s) => svg("path", { class: "band series", vars: colours(s.strategy), d: bandPath(scale, s) })),
    series.map((s) => svg("g", { class: "series", "data-strategy": s.strategy.name, vars: colours(s.strategy) },
      svg("path", { class: "line", d: linePath(scale, s), "stroke-dasharray": dashes(s.strategy) }),
      svg("path", { class: "marker", d: markers(scale, s, data.strategies.indexOf(s.strategy), data.strategies.length) })))));
  const figure = el("figure", { class: "panel", "data-env": env, "data-metric": metric },
    el("figcaption", {}, label), drawing);
  crosshair(figure, drawing, scale, series, references);
  return figure;
}

function axes(scale) {
  const [bottom, right] = [HEIGHT - BOTTOM, WIDTH - RIGHT];
  const across = ticks(scale.low, scale.high, 5);
  const labels = tickLabels(across);
  const along = logTicks(scale.begin, scale.end);
  return svg("g", { class: "axes" },
    across.map((v) => svg("path", { class: "grid", d: `M${LEFT} ${scale.y(v).toFixed(1)}H${right}` })),
    svg("path", { class: "frame", d: `M${LEFT} ${TOP}V${bottom}H${right}` }),
    across.map((v, i) => svg("text", { x: LEFT - 5, y: scale.y(v) + 3.5, "text-anchor": "end", ...squeezed(labels[i]) }, labels[i])),
    along.map((v) => svg("path", { class: "frame", d: `M${scale.x(v).toFixed(1)} ${bottom}v4` })),
    along.map((v) => svg("text", { x: scale.x(v), y: bottom + 15, "text-anchor": "middle" }, tickText(v))),
    svg("text", { x: (LEFT + right) / 2, y: HEIGHT - 5, "text-anchor": "middle", class: "label" }, labelOf(data.axes, view.axis)));
}

// A label with many digits takes no more room than there is left of the axis.
const squeezed = (label) => (label.length > 8 ? { textLength: LEFT - 7, lengthAdjust: "spacingAndGlyphs" } : {});

const tickText = (v) => (v >= 1e6 ? number(v) : count(v));
