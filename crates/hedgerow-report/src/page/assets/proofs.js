// What the samples of the chosen run prove.

async function drawVerdicts() {
  const run = theRun();
  const env = run && environment(run.env);
  if (!run?.verdicts || !env) return noVerdicts(run, env);
  const verdicts = await unpack(run.verdicts).catch(() => null);
  if (theRun() !== run) return undefined;
  if (verdicts === null) return noVerdicts(run, env, "This browser cannot unpack the verdicts: it does not know DecompressionStream.");
  const promise = verdicts.confidence === null
    ? `From the ${count(verdicts.samples)} samples of this run. These are estimates: nothing is promised, whatever they say.`
    : `From the ${count(verdicts.samples)} samples of this run. ${verdicts.promise} Few samples decide little.`;
  at("verdicts-note").textContent = `${promise} Choose a cell to see why.`;
  showVerdicts(env, verdicts);
  return undefined;
}

// What a command calls an environment.
const sourceOf = (env) => data.configuration.environments.find((e) => e.name === env.name)?.source ?? env.name;

function noVerdicts(run, env, why) {
  at("verdict-map").replaceChildren();
  at("explanation").replaceChildren();
  const live = data.live !== null && !data.live.done;
  at("verdicts-note").textContent = why ?? (!run ? "No run has finished yet."
    : live ? "Verdicts come when the sweep has ended."
    : !env ? `The file of ${run.env} is not whole, so verdicts cannot be found.`
    : !env.known ? `This program knows nothing of the domain ${env.domain} but what all domains share, so there are no verdicts.`
    : env.per_square ? `A square of the map stands for ${env.per_square} x ${env.per_square} cells, and a page has no room for verdicts on that many. hedgerow explain ${sourceOf(env)} --cell ROW,COLUMN tells about one cell.`
    : env.too_large ? `A page has no room for verdicts on ${plural(env.states, "state")}. hedgerow explain ${sourceOf(env)} --state STATE tells about one of them.`
    : data.left_out.verdicts > 0 ? `To keep the page small, it has no verdicts for ${plural(data.left_out.verdicts, "run")}, this one among them. They are in the page of a smaller sweep: repeat the command below with only --env ${run.env}, --strategy ${run.strategy}, --seeds ${run.seed} and another --out, and report on that folder.`
    : "There are no verdicts for this run.");
}
