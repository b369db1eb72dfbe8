// Five steps, each a state of the page.

// What the words of a step are about, where it is not in sight.
function drawLesson() {
  const env = world();
  const shown = env !== null && step !== null && STEPS[step].picture;
  at("lesson-picture").replaceChildren(...(shown ? [drawMap(env, "Where the expert goes", view.truth ? costs(env.true_cells, largest(env.true_cells)) : () => ({}), [expertWay(env)])] : []));
}

const STEPS = [
  {
    title: "What a detour tells",
    words: [
      "The dashed line is an expert on its way from S to G. It wants the reward soon, and still it goes round something. So it must be avoiding something: a rule that nobody wrote down.",
      "Which cells would you say are forbidden? Mark them on \u201cyour guess\u201d under Watch, then reveal the rule.",
    ],
    picture: true,
    go: async () => {
      await takePreset("garden");
      guessed.clear();
      showTruth(false);
    },
    to: "watch",
  },
  {
    title: "Why exploring matters",
    words: [
      "To see what the detour costs one has to know where the other ways lead, so a learner walks about and asks the expert in every cell what it would do. Lines are its last walk, dots where it has been, colours what it has inferred.",
      "random walks anywhere, pcse goes where its estimate is weak and it matters. Press Play and watch how many samples each needs until its reward meets the expert\u2019s (grey).",
    ],
    go: async () => {
      await takePreset("gridworld-1");
      showTruth(true);
      chooseRacers(["pcse", "random", ""]);
      at("seed").value = "0";
      at("speed").value = "20";
      forgetRace();
      await settled();
      if (await ensureRace()) drawRace();
    },
    to: "watch",
  },
  {
    title: "Guess and certificate",
    words: [
      "A good guess takes a few hundred samples; here two strategies have made theirs. A verdict is more: it comes with an interval and holds with the probability that you choose, whatever happens. That takes hundreds of thousands of samples.",
      "Press \u201cFind verdicts\u201d, then choose a cell marked X: the red way would earn more than the expert\u2019s, and the expert leaves it alone.",
    ],
    go: async () => {
      await takePreset("garden");
      showTruth(true);
      chooseRacers(["undecided", "pcse", ""]);
      await raceToEnd();
      drawAsk();
    },
    to: "answers",
  },
  {
    title: "What cannot be known",
    words: [
      "Cell 2,0 at the left edge is forbidden too, and no data will ever show it: nothing leads an expert there, so it gives nothing up by keeping away. Such a cell gets the verdict \u201cnothing to gain\u201d, and the best score that exact inference can reach stays below 1.",
      "The verdicts below rest on 200,000 samples, which is not quite enough for all of them. Where one is missing (?), choose the cell and ask what would decide it.",
    ],
    go: async () => {
      await takePreset("garden");
      showTruth(true);
      await settled();
      await findVerdicts(200_000);
      view.cell = world().grid.cells.findIndex((place) => place?.join() === "2,0");
      drawAnswer();
    },
    to: "answers",
  },
  {
    title: "Your own map",
    words: [
      "Draw a world with mouse, finger or keyboard: choose what to paint, then paint. Every map needs a start and a goal; the command reads the file that \u201cSave map\u201d writes, and the link carries all of it.",
      "Forbid something and see whether it can be found out. Then hide the rule and send the link to somebody.",
    ],
    go: async () => {
      await openMap('name = "mine"\ngamma = 0.85\nmap = """\n. . . . . . G\n. . . . . . .\n. x x x x . .\n. . . . . . .\n. . # # . . .\n. . . . . . .\nS . . . . . .\n"""\n', "mine.toml");
      showTruth(true);
      tool = "x";
      drawSettings();
    },
    to: "draw",
  },
];

let step = null;

async function takeStep(i, scroll = true) {
  step = i;
  drawSteps();
  const chosen = STEPS[i];
  await chosen.go();
  if (scroll && step === i && chosen.to) at(chosen.to).scrollIntoView({ block: "start" });
}

function drawSteps() {
  redraw(() => {
    at("steps").replaceChildren(...STEPS.map((s, i) => el("li", {}, el("button", { type: "button", "data-key": `step ${i}`, "aria-current": i === step ? "step" : null, on: { click: () => takeStep(i, false) } }, `${i + 1}. ${s.title}`))));
  });
  const chosen = step === null ? null : STEPS[step];
  at("lesson").replaceChildren(...(chosen === null ? [] : [...chosen.words.map((words) => el("p", {}, words)),
    el("p", { class: "controls" }, chosen.to ? el("a", { href: `#${chosen.to}`, on: { click: (e) => { e.preventDefault(); at(chosen.to).scrollIntoView({ block: "start" }); } } }, "Go there") : null, " ",
      step + 1 < STEPS.length ? el("button", { type: "button", "data-key": "next step", on: { click: () => takeStep(step + 1, false) } }, "Next step") : null)]));
  drawLesson();
}
