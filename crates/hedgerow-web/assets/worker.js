// One worker: an engine, and what the page asks of it.

// Iterations are told together, so that the page is not woken for each of them.
const TOGETHER = 40;

onmessage = ({ data: { module, id, call, given } }) => {
  if (module) {
    wasm_bindgen.initSync({ module });
    return;
  }
  let news = [];
  let told = performance.now();
  const tell = () => {
    if (news.length > 0) postMessage({ id, news: `[${news.join(",")}]` });
    news = [];
    told = performance.now();
  };
  const observe = (text) => {
    news.push(text);
    if (performance.now() - told > TOGETHER) tell();
    return true;
  };
  const calls = {
    read: () => wasm_bindgen.read(given.text, given.name),
    describe: () => wasm_bindgen.describe(given.drawn),
    score: () => wasm_bindgen.score(given.drawn, given.guessed),
    race: () => wasm_bindgen.race(given.drawn, given.strategy, BigInt(given.seed), given.iterations, observe),
    explore: () => wasm_bindgen.explore(given.drawn, given.asked, observe),
    recorded: () => wasm_bindgen.recorded(given.drawn, given.files, given.asked),
  };
  try {
    const answer = calls[call]();
    tell();
    postMessage({ id, answer });
  } catch (error) {
    // A line of the engine is a string; anything else is a defect, after which it cannot be trusted.
    if (typeof error === "string") postMessage({ id, refusal: error });
    else postMessage({ id, refusal: `the engine failed: ${error.message}; please report it`, broken: true });
  }
};
