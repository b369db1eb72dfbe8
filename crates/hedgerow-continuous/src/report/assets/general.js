// Continuous worlds of any kind: charged pairs on two axes that the world names, and reliability curves.

const FRAME = { width: 320, height: 230, left: 42, right: 8, top: 8, bottom: 36 };

// Round numbers from `low` to `high`.
function roundTicks(low, high) {
  const raw = (high - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= raw);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-9); k += 1) ticks.push(Number((k * step).toPrecision(6)));
  return ticks;
}

// A frame with axes and their labels, and what `inside` draws at places that `at` gives.
function framed(title, [lowX, highX, labelX], [lowY, highY, labelY], inside) {
  const [right, bottom] = [FRAME.width - FRAME.right, FRAME.height - FRAME.bottom];
  const x = (v) => FRAME.left + ((v - lowX) / (highX - lowX)) * (right - FRAME.left);
  const y = (v) => bottom - ((v - lowY) / (highY - lowY)) * (bottom - FRAME.top);
  const text = (px, py, anchor, words, more = {}) => svg("text", { x: px.toFixed(1), y: py.toFixed(1), "text-anchor": anchor, ...more }, words);
  const middle = (FRAME.top + bottom) / 2;
  return svg("svg", { class: "frame", viewBox: `0 0 ${FRAME.width} ${FRAME.height}`, role: "img", "aria-label": title },
    roundTicks(lowY, highY).map((v) => [svg("path", { class: "faint", d: `M${FRAME.left} ${y(v).toFixed(1)}H${right}` }), text(FRAME.left - 4, y(v) + 3.5, "end", number(v))]).flat(),
    roundTicks(lowX, highX).map((v) => [svg("path", { class: "edge", d: `M${x(v).toFixed(1)} ${bottom}v3` }), text(x(v), bottom + 13, "middle", number(v))]).flat(),
    svg("path", { class: "edge", d: `M${FRAME.left} ${FRAME.top}V${bottom}H${right}` }),
    text((FRAME.left + right) / 2, FRAME.height - 6, "middle", labelX), text(10, middle, "middle", labelY, { transform: `rotate(-90 10 ${middle})` }),
    inside((u, v) => [x(u).toFixed(1), y(v).toFixed(1)]));
}

const padded = (values) => { const [low, high] = [Math.min(...values), Math.max(...values)]; const room = 0.04 * (high - low || 1); return [low - room, high + room]; };

const lineTo = (points) => `M${points.map((p) => p.join(" ")).join("L")}`;

// A circle, or a diamond for a pair that is truly constrained.
function pairMark([x, y], probability, truly) {
  const shades = data.theme.heat;
  const i = Math.round(probability * (shades.length - 1));
  const look = { class: "pair", vars: { light: shades[i], dark: shades[i] } };
  return truly ? svg("path", { ...look, d: `M${x} ${y - 4.4}l4.4 4.4l-4.4 4.4l-4.4 -4.4z` }) : svg("circle", { ...look, cx: x, cy: y, r: 3.4 });
}

function chargedPairs(env, shot, charged, truly) {
  const { places, boundaries } = env.extra;
  const side = (k, axis) => [...padded(places.map((p) => p[k])), axis.label];
  return framed(`Probability that pairs are charged after iteration ${shot.iteration}`, side(0, env.extra.x), side(1, env.extra.y), (at) => [
    ...[0, 1].flatMap((kind) => places.flatMap((p, i) => (truly[i] === kind ? [pairMark(at(...p).map(Number), charged[i], kind === 1)] : []))),
    ...boundaries.map(([, points], i) => svg("path", { class: `boundary b${i % 3}`, d: lineTo(points.map((p) => at(...p))) }))]);
}

function reliability(run, title, bins) {
  return framed(title, [-0.03, 1.03, "predicted probability"], [-0.03, 1.03, "observed share"], (at) => [
    svg("path", { class: "ideal", d: lineTo([at(0, 0), at(1, 1)]) }),
    svg("g", { class: "series", vars: colours(strategyOf(run.strategy)) },
      bins.length > 1 ? svg("path", { class: "curve", d: lineTo(bins.map(([p, o]) => at(p, o))) }) : null,
      bins.map(([p, o, n]) => svg("circle", { class: "point", cx: at(p, o)[0], cy: at(p, o)[1], r: 3 }, svg("title", {}, plural(n, "pair")))))]);
}

function probabilityBar() {
  const shades = data.theme.heat;
  const n = 32;
  const strip = Array.from({ length: n }, (_, i) => svg("rect", { x: 30 + i * 5, y: 0, width: 5.2, height: 10, fill: shades[Math.round(((i + 0.5) / n) * (shades.length - 1))] }));
  const label = "probability that a pair is charged";
  return svg("svg", { class: "bar-scale", viewBox: "0 0 230 26", role: "img", "aria-label": `Colours: ${label}, from 0 to 1` },
    strip, svg("text", { x: 26, y: 9, "text-anchor": "end" }, "0"), svg("text", { x: 196, y: 9 }, "1"), svg("text", { x: 110, y: 23, "text-anchor": "middle" }, label));
}

function pictures(env, run, i, known) {
  if (known === undefined) return [el("p", { class: "muted" }, "unpacking the pairs \u2026")];
  if (known === null || known.charged[i]?.length !== env.extra.places.length) return [el("p", { class: "muted" }, "its pairs are not in the page")];
  const shot = run.snapshots[i];
  const key = (drawing, words) => el("li", {}, svg("svg", { class: "chip", viewBox: "0 0 12 12", "aria-hidden": "true" }, drawing), el("span", {}, words));
  const keys = el("ul", { class: "keys maze-keys" },
    key(pairMark([6, 6], 0.2, false), "free pair"), key(pairMark([6, 6], 0.2, true), "truly constrained: the pair, and the expert after it, pay more than the expert does"),
    env.extra.boundaries.map(([label], k) => key(svg("path", { class: `boundary b${k % 3}`, d: "M0 6H12" }), label)));
  const curve = (title, bins) => (bins.length === 0 ? null : titled(title, reliability(run, title, bins)));
  return [titled(`${plural(env.extra.places.length, "pair")} along the expert\u2019s way`, chargedPairs(env, shot, known.charged[i], known.truly)),
    curve("at the end, held-out pairs, fitted labels", known.held_out), curve("at the end, the same pairs, the truth", known.truth), keys, probabilityBar()];
}

// What was found, in place of cells: which pairs are charged is told by the scores and shown below.
const answer = (env) => `of ${plural(env.extra.places.length, "pair")} along the expert\u2019s way, those charged are shown with each run.`;

domains["general"] = { pictures, answer };
