// Numbers as text.

const NONE = "\u2013";

function number(x) {
  if (x === null || x === undefined) return NONE;
  const size = Math.abs(x);
  if (x !== 0 && (size >= 1e6 || size < 1e-4)) return x.toExponential(2).replace("-", "\u2212").replace("e+", "e");
  return String(Number(x.toPrecision(4))).replace("-", "\u2212");
}

// A count with thin spaces between the thousands.
const count = (n) => (n === null || n === undefined ? NONE : String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, "\u202f"));

// Decimals that leave three digits of the smallest of these numbers: columns line up at the point.
function decimals(values) {
  const sizes = values.filter((v) => v !== null && Math.abs(v) > 1e-7).map(Math.abs);
  if (sizes.length === 0) return 3;
  return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.min(...sizes)))));
}

const fixed = (x, digits) => (x === null ? NONE : x.toFixed(digits).replace("-", "\u2212"));

const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

// Round numbers from `low` to `high`, about `wanted` of them.
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999);
  const all = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) all.push(Number((i * step).toPrecision(12)));
  return all;
}
