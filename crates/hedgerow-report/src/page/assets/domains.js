// What domains add to the page: their scripts register functions here, by the name of the domain.

const domains = {};

// The functions of an environment's domain; none where the domain told nothing of the environment.
const hooks = (env) => (env?.extra && Object.hasOwn(domains, env.domain) ? domains[env.domain] : {});

// What the domain told of a run: undefined while it is unpacked, null if it is not in the page.
function extraOf(run) {
  if (!run.extra) return null;
  if (unpacked.has(run.extra)) return unpacked.get(run.extra);
  unpack(run.extra).catch(() => unpacked.set(run.extra, null)).then(() => { if (theRun() === run) drawPlayer(); });
  return undefined;
}

// Offers grounds for the pictures; returns the chosen one, or the first.
function drawGrounds(offered) {
  at("ground").hidden = offered.length === 0;
  const keys = offered.map(([key]) => key);
  const chosen = keys.includes(view.ground) ? view.ground : keys[0] ?? null;
  redraw(() => toggles(at("ground"), "radio", offered, (key) => key === chosen, (key) => {
    view.ground = key === keys[0] ? null : key;
    drawPlayer();
    writeAddress();
  }));
  return chosen;
}
