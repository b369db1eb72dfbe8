// Puts it all together.

async function start() {
  at("foot").textContent = `Hedgerow ${page.version}. The engine in this page is the one of the command: the same seed and settings give the same numbers to the last bit. Nothing is loaded, nothing is sent.`;
  startSettings();
  startFiles();
  startRace();
  startGuess();
  startAsk();
  drawSteps();
  for (const link of document.querySelectorAll("nav a, .skip")) {
    // The fragment belongs to the map.
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const to = document.querySelector(link.getAttribute("href"));
      to.scrollIntoView({ block: "start" });
      to.focus({ preventScroll: true });
    });
  }
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  const asked = await readLink();
  if (asked) {
    drawSteps();
  } else if (at("map-problem").hidden) {
    await takeStep(0, false);
  } else {
    const problem = at("map-problem").textContent;
    await takePreset("garden");
    await settled();
    say("map-problem", problem, true);
  }
  await settled();
  linking = true;
  document.documentElement.dataset.ready = "yes";
  performance.mark("ready");
}

// For the console: every number as the engine gave it, none of them rounded.
globalThis.playground = Object.freeze({
  map: () => drawn,
  file: () => mapFile,
  environment: world,
  runs: () => race.runs.map(({ name, frames, summary }) => ({ name, frames, summary })),
  over: isOver,
  found: () => answer.found,
});

start();
