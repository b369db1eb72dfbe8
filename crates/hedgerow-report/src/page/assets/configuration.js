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
  const several = Object.keys(c.settings).length > 1;
  const parameters = Object.entries(c.settings).flatMap(([domain, settings]) => {
    const heading = (words) => el("h3", {}, several ? `${words} in the domain ${domain}` : words);
    const own = Object.entries(c.strategy_settings[domain] ?? {});
    const [plain, rich] = [own.filter(([, s]) => Object.keys(s).length === 0), own.filter(([, s]) => Object.keys(s).length > 0)];
    return [heading("All strategies"), pairs(settings), ...rich.flatMap(([name, s]) => [heading(name), pairs(s)]),
      ...(plain.length === 0 ? [] : [el("p", { class: "muted" }, `Without parameters of their own: ${plain.map(([name]) => name).join(", ")}.`)])];
  });
  at("parameters").replaceChildren(
    el("h3", {}, "Environments"), el("ul", {}, environments),
    el("h3", {}, "Seeds"), el("p", { class: "wrap" }, c.seeds.join(", ")),
    ...parameters);
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
