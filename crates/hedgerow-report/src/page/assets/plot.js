// The geometry of one panel: limits, scales, lines, bands and markers.

const WIDTH = 340, HEIGHT = 210, LEFT = 60, RIGHT = 10, TOP = 8, BOTTOM = 36;

// Limits that a few wild values cannot blow up: the middle 98 % of the means, and what they are compared with.
function limits(series, references) {
  const values = series.flatMap((s) => s.mean.filter((y) => y !== null)).sort((a, b) => a - b);
  if (values.length === 0) return null;
  const part = (q) => values[Math.round(q * (values.length - 1))];
  const all = [part(0.01), part(0.99), ...references];
  let [low, high] = [Math.min(...all), Math.max(...all)];
  if (high - low < 1e-9 * Math.max(Math.abs(high), 1e-300)) {
    const room = Math.abs(high) * 0.1 || 1;
    [low, high] = [low - room, high + room];
  }
  const room = (high - low) * 0.06;
  // Zero is a place to stand on, if it is near.
  return [low >= 0 && low - room < 0 ? 0 : low - room, high + room];
}

// Where the axis begins and ends: with the first positive place and the last one. It is logarithmic,
// as learning is quick at first; what lies before its beginning is drawn there.
function xRange(series) {
  const places = series.flatMap((s) => s.x).filter((x) => x > 0);
  if (places.length === 0) return [1, 2];
  const [begin, end] = [Math.min(...places), Math.max(...places)];
  return end > begin ? [begin, end] : [begin / 2, begin];
}

function scales([low, high], [begin, end]) {
  const ratio = Math.log(end / begin);
  const x = (v) => LEFT + (Math.log(Math.max(v, begin) / begin) / ratio) * (WIDTH - LEFT - RIGHT);
  const y = (v) => TOP + ((high - v) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const back = (px) => begin * Math.exp(((px - LEFT) / (WIDTH - LEFT - RIGHT)) * ratio);
  return { x, y, back, low, high, begin, end };
}

// Ones, or ones, twos and fives, of the powers of ten.
function logTicks(begin, end) {
  const all = [];
  for (let unit = 10 ** Math.floor(Math.log10(begin)); unit <= end; unit *= 10) all.push(unit, 2 * unit, 5 * unit);
  const inside = all.map((v) => Number(v.toPrecision(6))).filter((v) => v >= begin * 0.999 && v <= end * 1.001);
  return end / begin > 50 ? inside.filter((v) => /^1/.test(v.toExponential())) : inside;
}

const point = (scale, x, y) => `${scale.x(x).toFixed(1)} ${scale.y(y).toFixed(1)}`;

// Indices of stretches without a gap.
function stretches(values) {
  const all = [];
  values.forEach((v, i) => {
    if (v === null) return;
    if (i > 0 && values[i - 1] !== null) all.at(-1).push(i);
    else all.push([i]);
  });
  return all;
}

// A curve stays where it was until its next point.
function steps(scale, xs, values, run) {
  return run.flatMap((i, k) => (k === 0 ? [] : [point(scale, xs[i], values[run[k - 1]])]).concat(point(scale, xs[i], values[i])));
}

function linePath(scale, s) {
  return stretches(s.mean).map((run) => `M${steps(scale, s.x, s.mean, run).join("L")}`).join("");
}

function bandPath(scale, s) {
  const bounded = s.mean.map((m, i) => (s.low[i] === null || s.high[i] === null ? null : m));
  return stretches(bounded).map((run) => {
    const there = steps(scale, s.x, s.high, run);
    const back = steps(scale, s.x, s.low, run).reverse();
    return `M${[...there, ...back].join("L")}Z`;
  }).join("");
}

const LINE = 1.6;
const dashes = (strategy) => (strategy.dash.length === 0 ? null : strategy.dash.map((d) => d * LINE).join(" "));

// Markers so few that they tell curves apart without covering them, and not on top of each other.
function markers(scale, s, index, of) {
  const every = Math.max(1, Math.floor(s.x.length / 4));
  const first = Math.floor(((index + 0.5) / of) * every);
  const places = s.x.map((_, i) => i).filter((i) => i % every === first && s.mean[i] !== null && s.x[i] <= scale.end);
  return places.map((i) => markerPath(s.strategy.marker, scale.x(s.x[i]), scale.y(s.mean[i]), 3)).join("");
}

function markerPath(kind, x, y, r) {
  const polygon = (corners) => `M${corners.map(([a, b]) => `${(x + a * r).toFixed(1)} ${(y + b * r).toFixed(1)}`).join("L")}Z`;
  const strokes = (ends) => ends.map(([a, b, c, d]) => polygon([[a, b], [c, d]])).join("");
  const round = `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  switch (kind) {
    case "square": return polygon([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]);
    case "triangle": return polygon([[0, -1.15], [1.05, 0.8], [-1.05, 0.8]]);
    case "down": return polygon([[0, 1.15], [1.05, -0.8], [-1.05, -0.8]]);
    case "diamond": return polygon([[0, -1.25], [1, 0], [0, 1.25], [-1, 0]]);
    case "cross": return strokes([[-1, -1, 1, 1], [-1, 1, 1, -1]]);
    case "plus": return strokes([[-1.2, 0, 1.2, 0], [0, -1.2, 0, 1.2]]);
    case "star": return polygon(Array.from({ length: 10 }, (_, i) => {
      const [a, size] = [(i * Math.PI) / 5, i % 2 === 0 ? 1.35 : 0.6];
      return [size * Math.sin(a), -size * Math.cos(a)];
    }));
    case "ring": return round + `M${(x - r / 2).toFixed(1)} ${y.toFixed(1)}a${r / 2} ${r / 2} 0 1 1 ${r} 0a${r / 2} ${r / 2} 0 1 1 ${-r} 0Z`;
    default: return round;
  }
}

// Colours of a strategy on light and dark ground; the style sheet picks one.
const colours = (strategy) => ({ light: strategy.colour, dark: strategy.dark });

// Line, dash and marker of a strategy as they are in the curves.
function swatch(strategy) {
  return svg("svg", { class: "swatch series", viewBox: "0 0 28 12", "aria-hidden": "true", vars: colours(strategy) },
    svg("path", { class: "line", d: "M1 6H27", "stroke-dasharray": dashes(strategy) }),
    svg("path", { class: "marker", d: markerPath(strategy.marker, 14, 6, 3.2) }));
}
