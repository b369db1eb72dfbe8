// The summary: sorts by every column.

const gap = (value, expert) => (value === null ? null : -Math.abs(value - expert));

// `best`: the larger, the better; none where nothing is better.
const COLUMNS = [
  { key: "strategy", head: "strategy", text: true },
  { key: "env", head: "environment", text: true },
  { key: "seeds", head: "seeds", show: (r) => count(r.seeds) },
  { key: "final_reward", head: "reward", best: (r) => gap(r.final_reward, r.expert_reward) },
  { key: "expert_reward", head: "expert\u2019s reward" },
  { key: "final_cost", head: "cost", small: true, best: (r) => gap(r.final_cost, r.expert_cost) },
  { key: "expert_cost", head: "expert\u2019s cost" },
  { key: "final_iou", head: "IoU", best: (r) => gap(r.final_iou, r.exact_iou ?? 1), show: (r) => fixed(r.final_iou, 3) },
  { key: "exact_iou", head: "IoU of exact inference", show: (r) => fixed(r.exact_iou, 3) },
  { key: "final_wgiou", head: "WGIoU", best: (r) => gap(r.final_wgiou, r.exact_wgiou ?? 1), show: (r) => fixed(r.final_wgiou, 3) },
  { key: "exact_wgiou", head: "WGIoU of exact inference", show: (r) => fixed(r.exact_wgiou, 3) },
  { key: "converged", head: "converged", best: (r) => r.converged,
    show: (r) => (r.converged === null ? NONE : `${Math.round(r.converged * r.seeds)} of ${r.seeds}`) },
  { key: "samples_to_expert", head: "samples to the expert",
    // An interval without an end may not be praised.
    best: (r) => (r.samples_to_expert === null || (r.low !== null && r.high === null) ? null : -r.samples_to_expert),
    small: true, show: samplesText },
];

function samplesText(row) {
  if (row.samples_to_expert === null) return NONE;
  const interval = row.low === null ? "" : ` (${count(row.low)}\u2013${row.high === null ? "\u221e" : count(row.high)})`;
  return count(row.samples_to_expert) + interval;
}

function drawTable() {
  const head = at("table").tHead;
  if (head.rows.length === 0) head.append(el("tr", {}, COLUMNS.map(headCell)));
  COLUMNS.forEach((column, i) => {
    const { sort } = view;
    const order = sort.column !== column.key ? "none" : sort.down ? "descending" : "ascending";
    head.rows[0].cells[i].setAttribute("aria-sort", order);
  });
  const rows = data.summary.filter((r) => shownEnvs().includes(r.env));
  const digits = Object.fromEntries(["reward", "cost"].flatMap((what) => {
    const keys = [`final_${what}`, `expert_${what}`];
    const d = Math.max(decimals(rows.flatMap((r) => keys.map((k) => r[k]))), ...rows.map((r) => decimalsBeside(...keys.map((k) => r[k]))));
    return keys.map((k) => [k, d]);
  }));
  const shown = sorted(rows.filter((r) => !view.hidden.has(r.strategy)));
  at("table").tBodies[0].replaceChildren(...shown.map((row) => el("tr", {}, COLUMNS.map((c) => bodyCell(c, row, rows, digits)))));
}

function headCell(column) {
  const click = () => {
    const { sort } = view;
    // Numbers are read from the best, names from the first.
    view.sort = { column: column.key, down: sort.column === column.key ? !sort.down : !column.text && !column.small };
    redraw(drawTable);
  };
  return el("th", { scope: "col", class: column.text ? "text" : null },
    el("button", { type: "button", "data-key": `sort ${column.key}`, on: { click } }, column.head));
}

function bodyCell(column, row, rows, digits) {
  if (column.key === "strategy") {
    const strategy = strategyOf(row.strategy);
    return el("th", { scope: "row" }, strategy ? swatch(strategy) : null, row.strategy);
  }
  if (column.text) return el("td", { class: "text", "data-head": column.head }, row[column.key]);
  const text = column.show ? column.show(row) : fixed(row[column.key], digits[column.key]);
  return el("td", { "data-head": column.head }, isBest(column, row, rows) ? el("b", { title: "best of its environment" }, text) : text);
}

// Decimals that tell a number from the expert's, unless they agree to seven digits.
function decimalsBeside(x, expert) {
  if (x === null || expert === null || Math.abs(x - expert) <= 1e-7 * Math.abs(expert)) return 0;
  return Math.min(9, Math.max(0, -order(x - expert)));
}

// Best of its environment, unless all are alike.
function isBest(column, row, rows) {
  if (!column.best || column.best(row) === null) return false;
  const rivals = rows.filter((r) => r.env === row.env).map(column.best);
  const known = rivals.filter((x) => x !== null);
  const best = Math.max(...known);
  return column.best(row) === best && (known.length < rivals.length || known.some((x) => x < best));
}

// A row without a value comes last, whatever the direction.
function sorted(rows) {
  const { column, down } = view.sort;
  if (column === null) return rows;
  const sign = down ? -1 : 1;
  const compare = (a, b) => {
    const [x, y] = [a[column], b[column]];
    if (x === null || y === null) return (x === null) - (y === null);
    return sign * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y);
  };
  return [...rows].sort(compare);
}
