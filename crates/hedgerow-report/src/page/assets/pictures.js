// Parts of pictures of costs on a map.

// The largest value of [state, value] entries, at least a little above 0.
const largest = (entries) => entries.reduce((most, [, value]) => Math.max(most, value), 1e-9);

const titled = (title, drawing) => el("figure", {}, el("figcaption", {}, title), drawing);

// The squares of a map coloured by [state, cost] entries, on the scale from 0 to `top`.
function costs(entries, top) {
  const known = new Map(entries);
  return (state) => heat(known.get(state), top);
}

// Where the expert spends its time, as circles.
function expertTime(env) {
  const g = geometry(env);
  const most = largest(env.expert_cells);
  // Small squares would hide them.
  const widest = perSquare(env) === 1 ? 6 : 24;
  return env.expert_cells.flatMap(([state, share]) => {
    const place = g.of(state);
    const r = widest * Math.sqrt(share / most);
    return place === null || r < 0.6 ? [] : [svg("circle", { class: "time", cx: place[0], cy: place[1], r: r.toFixed(1) })];
  });
}
