// While the rule is hidden: which cells would you say are forbidden?

const guessed = new Set();

const guessing = cellGrid("Your guess: cells that you think are forbidden", {
  press: (row, column, first) => {
    const key = `${row},${column}`;
    if (first) guessing.adds = !guessed.has(key);
    if (guessing.adds) guessed.add(key);
    else guessed.delete(key);
    drawGuess();
  },
});

function drawGuess() {
  const env = world();
  const asked = env !== null && !view.truth;
  at("guess").hidden = !asked && guessed.size === 0;
  if (env === null) return;
  // The engine may still be asked about this map: what is drawn counts, not what was described last.
  guessing.resize(drawn.map.length, [...drawn.map[0]].length);
  guessing.draw((row, column) => {
    const symbol = shownSymbol(symbolAt(drawn, row, column));
    const marked = guessed.has(`${row},${column}`);
    const sign = symbol === "S" || symbol in drawn.goals ? symbol : "";
    return { text: marked ? "\u2715" : sign, kind: marked ? "forbidden" : symbol === "#" ? "wall" : "", name: `cell ${row},${column}${marked ? ": your guess" : ""}` };
  });
  at("guess-map").replaceChildren(guessing.grid);
  at("reveal").hidden = view.truth;
  if (!view.truth) say("guess-score", guessed.size === 0 ? "" : `${plural(guessed.size, "cell")} marked.`);
}

async function reveal() {
  const cells = JSON.stringify([...guessed].map((key) => key.split(",").map(Number)));
  const mine = await quick("score", { drawn: JSON.stringify(drawn), guessed: cells });
  showTruth(true);
  const others = race.runs.map((run) => [run.name, frameOf(run)?.iou]).filter(([, iou]) => iou !== null && iou !== undefined);
  const exact = world().exact ? [["exact inference", world().exact.iou]] : [];
  say("guess-score", `IoU with the rule: your guess ${number(mine, 3)}${[...others, ...exact].map(([name, iou]) => `, ${name} ${number(iou, 3)}`).join("")}.`);
}

function startGuess() {
  at("reveal").addEventListener("click", reveal);
}
