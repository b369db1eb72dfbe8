// What was asked for, and the command that asks for it again.

function drawConfiguration() {
  at("command").textContent = data.command;
  const { configuration: c } = data;
  at("sources").hidden = c.environments.every((e) => e.source === e.name);
  const pairs = (settings) => el("dl", { class: "pairs" }, Object.entries(settings).map(([key, value]) =>
    el("div", {}, el("dt", {}, key), el("dd", {}, typeof value === "object" ? JSON.stringify(value) : String(value)))));
  const environments = c.environments.map((e) => {
    const known = environment(e.name);
    const facts = known ? ` \u2013 ${plural(known.states, "state")}, discount ${known.gamma}, horizon ${known.horizon}, budget ${number(known.budget)}` : "";
    return el("li", {}, el("b", {}, e.name), ` from ${e.source}, fingerprint `, el("code", {}, e.fingerprint), facts);
  });
  const own = Object.entries(c.strategy_settings).filter(([, settings]) => Object.keys(settings).length > 0);
  const plain = c.strategies.filter((s) => !own.some(([name]) => name === s));
  at("parameters").replaceChildren(
    el("h3", {}, "Environments"), el("ul", {}, environments),
    el("h3", {}, "Seeds"), el("p", { class: "wrap" }, c.seeds.join(", ")),
    el("h3", {}, "All strategies"), pairs(c.settings),
    ...own.flatMap(([name, settings]) => [el("h3", {}, name), pairs(settings)]),
    ...Object.entries(c.tables ?? {}).flatMap(([name, settings]) => [el("h3", {}, `Environments of the kind ${name}`), pairs(settings)]),
    ...(plain.length === 0 ? [] : [el("p", { class: "muted" }, `Without parameters of their own: ${plain.join(", ")}.`)]));
}

function startCopying() {
  at("copy").addEventListener("click", async () => {
    const said = at("copied");
    try {
      await navigator.clipboard.writeText(data.command);
      said.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(at("command"));
      said.textContent = "Selected: copy it with the keyboard.";
    }
  });
}
