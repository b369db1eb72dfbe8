// While the sweep runs, the page asks for new results about once a second.

const PAUSE = 1000;

function drawLive(gone = false) {
  const { live } = data;
  const box = at("live");
  box.hidden = live === null;
  if (live === null) return;
  const failed = live.failed > 0 ? `, ${count(live.failed)} failed` : "";
  const far = `${count(live.finished)} of ${plural(live.planned, "run")} finished${failed}`;
  const words = live.done ? `The sweep has ended: ${far}. \`hedgerow report\` keeps this page.`
    : gone ? `The sweep no longer answers: ${far} so far. It was stopped, or has ended; \`hedgerow report\` makes this page from its folder.`
    : `The sweep is running: ${far}.`;
  const bar = el("progress", { max: live.planned, value: live.finished, "aria-label": "Runs finished" });
  const running = live.done || gone ? [] : live.running;
  box.replaceChildren(el("p", {}, words), bar, ...(running.length === 0 ? [] : [el("p", { class: "muted small" }, running.join("; "))]));
}

// Draws while things come in above: what one looks at stays where it is on the screen.
function inPlace(draw) {
  const fixed = [...document.querySelectorAll("header, h2, h3[id], .answer, #table, #panels, #maps, #verdict-map, #command")];
  const looked = fixed.filter((n) => n.getBoundingClientRect().top < innerHeight / 2).at(-1);
  const before = looked?.getBoundingClientRect().top;
  draw();
  if (looked && scrollY > 0) scrollBy({ top: looked.getBoundingClientRect().top - before, behavior: "instant" });
}

async function poll() {
  let next;
  try {
    const answer = await fetch("data.json", { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    next = await answer.json();
  } catch {
    drawLive(true);
    return;
  }
  const news = next.live === null || next.live.done || next.runs.length !== data.runs.length;
  const { runs } = data;
  data = next;
  if (!news) data.runs = runs;
  inPlace(() => {
    if (news) redraw(drawAll);
    else {
      drawLive();
      drawHeader();
    }
  });
  if (data.live !== null && !data.live.done) setTimeout(poll, PAUSE);
}

function startLive() {
  if (data.live !== null && !data.live.done) setTimeout(poll, PAUSE);
}
