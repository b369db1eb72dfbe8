// Models that lie on no grid: circles at their positions, and arrows.

const RADIUS = 10, APART = 62, NAMED = 60;

const drawings = new Map();

// Places of the states of a graph; the same for every picture of it.
function graphGeometry(env) {
  if (drawings.has(env.name)) return drawings.get(env.name);
  const known = env.graph.positions.filter((p) => p !== null);
  const spread = (axis) => [Math.min(...known.map((p) => p[axis])), Math.max(...known.map((p) => p[axis]))];
  const [[left, right], [low, high]] = [spread(0), spread(1)];
  // Neighbours so far apart that circles and names have room, but no drawing larger than a screen.
  let nearest = Infinity;
  known.forEach((a, i) => known.slice(0, i).forEach((b) => {
    const far = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (far > 0) nearest = Math.min(nearest, far);
  }));
  const long = Math.max(right - left, high - low);
  const scale = long === 0 ? 1 : Math.min(APART / nearest, 760 / long);
  const pad = 34;
  const at = (p) => [pad + (p[0] - left) * scale, 22 + (high - p[1]) * scale];
  const made = {
    width: 2 * pad + (right - left) * scale, height: 50 + (high - low) * scale, radius: Math.max(3, Math.min(RADIUS, 0.32 * (long === 0 ? APART : nearest * scale))),
    of: (state) => (env.graph.positions[state] ? at(env.graph.positions[state]) : null),
  };
  drawings.set(env.name, made);
  return made;
}

// One arrow from a state to each that it may lead to, a little to its side, so that both ways are seen.
function arrows(env, g) {
  const links = [...new Set(env.graph.edges.map(([pair, next]) => `${env.pair_states[pair]} ${next}`))].map((l) => l.split(" ").map(Number));
  return links.filter(([a, b]) => a !== b).flatMap(([a, b]) => {
    const [from, to] = [g.of(a), g.of(b)];
    if (!from || !to) return [];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const long = Math.hypot(dx, dy) || 1;
    const [u, v] = [dx / long, dy / long];
    const side = 2.5;
    const [x1, y1] = [from[0] + u * g.radius - v * side, from[1] + v * g.radius + u * side];
    const [x2, y2] = [to[0] - u * (g.radius + 2) - v * side, to[1] - v * (g.radius + 2) + u * side];
    const head = `M${(x2 - 5 * u - 3 * v).toFixed(1)} ${(y2 - 5 * v + 3 * u).toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}L${(x2 - 5 * u + 3 * v).toFixed(1)} ${(y2 - 5 * v - 3 * u).toFixed(1)}`;
    return [`M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}${head}`];
  }).join("");
}

function drawGraph(env, title, cell, over, under) {
  const g = graphGeometry(env);
  const states = env.graph.positions.map((p, state) => state).filter((s) => g.of(s) !== null);
  const starts = new Set(env.start);
  const ends = new Set(env.ends);
  const circle = (state, r, attributes) => {
    const [cx, cy] = g.of(state);
    return svg("circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r, ...attributes });
  };
  const names = states.length > NAMED ? [] : states.map((s) => {
    const [x, y] = g.of(s);
    const name = stateName(env, s);
    return svg("text", { x, y: y + g.radius + 10, "text-anchor": "middle" }, svg("title", {}, name), name.length > 14 ? `${name.slice(0, 13)}\u2026` : name);
  });
  const signs = states.map((s) => {
    const sign = starts.has(s) ? "S" : ends.has(s) ? "E" : null;
    const [x, y] = g.of(s);
    return sign && svg("text", { class: "sign", x: x - g.radius - 4, y: y - g.radius + 3, "text-anchor": "middle" }, sign);
  });
  return svg("svg", { class: "map graph", viewBox: `0 0 ${g.width.toFixed(0)} ${g.height.toFixed(0)}`, role: "img", "aria-label": title, vars: { columns: Math.max(6, g.width / CELL) } },
    svg("path", { class: "arrows", d: arrows(env, g) }),
    states.map((s) => circle(s, g.radius, { class: "cell", "data-state": s, ...cell(s) })),
    under, signs, over, svg("g", { class: "numbers" }, names));
}
