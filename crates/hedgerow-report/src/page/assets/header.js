// Title, facts, what is not whole, and the controls that table and curves share.

function drawHeader() {
  document.title = `${data.title} \u2013 Hedgerow report`;
  at("title").textContent = data.title;
  const { live, configuration } = data;
  const finished = live === null ? data.runs.length : live.finished;
  const runs = finished === data.planned ? plural(finished, "run") : `${count(finished)} of ${plural(data.planned, "run")}`;
  const parts = [
    runs, plural(live === null ? envNames().length : configuration.environments.length, "environment"), plural(live === null ? data.strategies.length : configuration.strategies.length, "strategy", "strategies"),
    plural(data.configuration.seeds.length, "seed"), `Hedgerow ${data.version}`,
  ];
  at("facts").textContent = parts.join(" \u00b7 ");
  at("foot").textContent = `Made by Hedgerow ${data.made_by} from the saved files alone. This page loads nothing.`;
  at("remarks").textContent = data.remarks.join(" ");
  drawProblems();
  choices(at("only"), [["", "all"], ...envNames().map((n) => [n, n])], view.only);
  drawLegend();
}

const FEW = 8;

function drawProblems() {
  const box = at("problems");
  const { problems } = data;
  box.hidden = problems.length === 0 || (data.live !== null && !data.live.done);
  const item = (p) => el("li", {}, el("code", {}, p.file), `: ${p.problem}`);
  const rest = problems.slice(FEW);
  box.replaceChildren(
    el("p", {}, el("strong", {}, "Not everything is whole."), " The report is made from what is."),
    el("ul", {}, problems.slice(0, FEW).map(item)),
    ...(rest.length === 0 ? [] : [el("details", {}, el("summary", {}, `${count(rest.length)} more`), el("ul", {}, rest.map(item)))]));
}

function drawLegend() {
  const entry = (s) => {
    const shown = !view.hidden.has(s.name);
    const click = () => {
      if (!view.hidden.delete(s.name)) view.hidden.add(s.name);
      changed();
    };
    return el("button", { type: "button", "aria-pressed": String(shown), "data-key": `legend ${s.name}`, on: { click } },
      swatch(s), el("span", {}, s.name));
  };
  const reference = (kind, name) => el("span", { class: "entry" },
    svg("svg", { class: "swatch", viewBox: "0 0 28 12", "aria-hidden": "true" }, svg("path", { class: kind, d: "M1 6H27" })), name);
  const exact = data.environments.some((e) => e.exact) ? [reference("exact", "exact inference")] : [];
  at("legend").replaceChildren(...data.strategies.map(entry), reference("expert", "expert"), ...exact);
}
