// The values under the mouse, or where the arrow keys lead.

function nearest(xs, x) {
  let best = 0;
  xs.forEach((v, i) => { if (Math.abs(v - x) < Math.abs(xs[best] - x)) best = i; });
  return best;
}

// Every curve answers with the last point it has come to; beyond its end there is none.
function readings(series, x) {
  return series.map((s) => ({ s, i: x > s.x.at(-1) ? null : s.x.findLastIndex((v) => v <= x) }));
}

function crosshair(figure, drawing, scale, series, references) {
  let x = null;
  const rule = svg("path", { class: "rule" });
  const dots = svg("g");
  const box = el("div", { class: "tip", hidden: true });
  drawing.append(rule, dots);
  figure.append(box);

  // Within the window, whatever the panel's place: beside the rule if there is room, else below or above the panel.
  const place = () => {
    const frame = drawing.getBoundingClientRect();
    const [width, height] = [document.documentElement.clientWidth, innerHeight];
    if (frame.bottom < 0 || frame.top > height) return leave();
    const [w, h] = [box.offsetWidth, box.offsetHeight];
    const rule = frame.left + (scale.x(x) / WIDTH) * frame.width;
    const beside = rule + 14 + w <= width - 6 ? rule + 14 : rule - 14 - w >= 6 ? rule - 14 - w : null;
    const wanted = beside !== null ? frame.top : frame.bottom + h <= height - 6 ? frame.bottom : frame.top - h;
    box.style.left = `${Math.round(Math.max(6, Math.min(beside ?? frame.left, width - w - 6)))}px`;
    box.style.top = `${Math.round(Math.max(6, Math.min(wanted, height - h - 6)))}px`;
    return undefined;
  };
  const leave = () => {
    removeEventListener("scroll", place);
    removeEventListener("resize", place);
    box.hidden = true;
    rule.removeAttribute("d");
    dots.replaceChildren();
  };
  const show = (wanted) => {
    x = Math.min(Math.max(wanted, 0), scale.end);
    const found = readings(series, x);
    rule.setAttribute("d", `M${scale.x(x).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}`);
    dots.replaceChildren(...found.filter(({ s, i }) => i !== null && inside(scale, s.mean[i]))
      .map(({ s, i }) => svg("circle", { class: "dot series", vars: colours(s.strategy), cx: scale.x(s.x[i]), cy: scale.y(s.mean[i]), r: 3 })));
    const head = `after ${plural(x, view.axis.slice(0, -1))}`;
    box.replaceChildren(tipTable(head, found, references, scale.high - scale.low));
    box.hidden = false;
    place();
    addEventListener("scroll", place, { passive: true });
    addEventListener("resize", place);
    drawing.setAttribute("aria-valuenow", String(Math.round(x)));
    const text = (v) => numberWithin(v, scale.high - scale.low);
    const said = found.map(({ s, i }) => `${s.strategy.name} ${i === null ? "ended" : text(s.mean[i])}`);
    drawing.setAttribute("aria-valuetext", [head, ...said, ...references.map(([name, value]) => `${name} ${text(value)}`)].join(", "));
  };
  const toMouse = (event) => {
    const frame = drawing.getBoundingClientRect();
    show(snap(series, scale.back(((event.clientX - frame.left) / frame.width) * WIDTH)));
  };
  const step = (event) => {
    const all = [...new Set(series.flatMap((s) => s.x))].sort((a, b) => a - b);
    const now = nearest(all, x ?? 0);
    const to = { ArrowRight: now + 1, ArrowUp: now + 1, ArrowLeft: now - 1, ArrowDown: now - 1, PageUp: now + 10, PageDown: now - 10, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") leave();
    if (to === undefined) return;
    event.preventDefault();
    show(all[Math.min(Math.max(to, 0), all.length - 1)]);
  };
  drawing.addEventListener("pointermove", toMouse);
  drawing.addEventListener("pointerdown", toMouse);
  // A finger leaves as soon as it is lifted; what it pointed at stays until something else is touched.
  drawing.addEventListener("pointerleave", (e) => { if (e.pointerType === "mouse" && document.activeElement !== drawing) leave(); });
  drawing.addEventListener("keydown", step);
  drawing.addEventListener("focus", () => { if (drawing.matches(":focus-visible")) show(x ?? scale.begin); });
  drawing.addEventListener("blur", leave);
}

const inside = (scale, y) => y !== null && y >= scale.low && y <= scale.high;

// A place where at least one curve has a point.
function snap(series, x) {
  const all = series.map((s) => s.x[nearest(s.x, x)]);
  return all[nearest(all, x)];
}

function tipTable(head, found, references, range) {
  const text = (v) => numberWithin(v, range);
  const row = ({ s, i }) => {
    const mean = i === null ? null : s.mean[i];
    const band = mean === null || s.low[i] === null || s.low[i] === s.high[i] ? "" : `${text(s.low[i])} to ${text(s.high[i])}`;
    return el("tr", { "data-strategy": s.strategy.name },
      el("th", { scope: "row" }, swatch(s.strategy), s.strategy.name), el("td", {}, i === null ? "ended" : text(mean)), el("td", { class: "muted" }, band));
  };
  return el("table", {}, el("caption", {}, head),
    el("tbody", {}, found.map(row), references.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, text(value)), el("td")))));
}
