// Numbers as text.

const NONE = "\u2013";

// With so many significant digits.
function number(x, digits = 4) {
  if (x === null || x === undefined) return NONE;
  const size = Math.abs(x);
  if (x !== 0 && (size >= 1e6 || size < 1e-4)) return x.toExponential(Math.max(2, digits - 2)).replaceAll("-", "\u2212").replace("e+", "e");
  return String(Number(x.toPrecision(digits))).replace("-", "\u2212");
}

const order = (x) => Math.floor(Math.log10(Math.abs(x)) + 1e-9);

// On an axis that is `range` long: the digits that tell it from its neighbours.
function numberWithin(x, range) {
  const more = x && range > 0 ? Math.min(8, Math.max(0, order(x) - order(range))) : 0;
  return number(x, 4 + more);
}

// With as many digits as tell it from another number that it is not.
function numberBeside(x, other) {
  if (x === null || other === null || x === undefined || other === undefined || x === other) return number(x);
  let digits = 4;
  while (digits < 9 && number(x, digits) === number(other, digits)) digits += 1;
  return number(x, digits);
}

// Labels of the ticks of an axis, no two alike.
function tickLabels(values) {
  if (values.length < 2) return values.map((v) => number(v, 6));
  const step = Math.abs(values[1] - values[0]);
  const most = Math.max(...values.map(Math.abs));
  const digits = Math.min(12, Math.max(0, order(most) - order(step)));
  const plain = most < 1e6 && (most >= 0.01 || step >= 1e-4);
  const text = (v) => (v === 0 ? "0" : plain ? v.toFixed(Math.max(0, -order(step))) : v.toExponential(Math.max(0, Math.min(12, order(v) - order(step)))).replace("e+", "e"));
  return values.map((v) => text(Number(v.toPrecision(Math.max(digits + 2, 6)))).replaceAll("-", "\u2212"));
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
