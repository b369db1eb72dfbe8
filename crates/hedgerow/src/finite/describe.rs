//! What files and drawings need of a finite world.

use super::domain::NAME;
use crate::Result;
use crate::env::FiniteWorld;
use crate::fingerprint::Fingerprint;
use crate::metrics::{ROLLOUTS, RolloutEvaluator};
use crate::results::EnvironmentFile;

/// The description of a world. What only tables tell of the truth is left out where there are
/// none.
pub(super) fn describe(world: &dyn FiniteWorld) -> Result<EnvironmentFile> {
    if let Some(environment) = world.tables() {
        return EnvironmentFile::new(NAME, environment);
    }
    let evaluator = RolloutEvaluator::new(world, ROLLOUTS)?;
    let (expert_reward, expert_cost) = evaluator.expert();
    let mut file = EnvironmentFile::of_task(NAME, world.name(), world.task(), world.layout());
    file.horizon = world.horizon();
    file.fingerprint = fingerprint(world).to_string();
    file.expert_reward = expert_reward;
    file.expert_cost = expert_cost;
    file.set_true_cells(evaluator.true_cells().unwrap_or_default());
    Ok(file)
}

/// The fingerprint of all that is known to define a world in code.
fn fingerprint(world: &dyn FiniteWorld) -> Fingerprint {
    let task = world.task();
    let mut f = Fingerprint::new();
    f.text(world.name()).text(&world.version());
    f.whole(world.horizon()).numbers(&[task.gamma()]);
    f.whole(task.states()).whole(task.actions());
    for pair in task.all_pairs() {
        f.whole(task.state_of(pair).at());
        f.whole(task.action_of(pair).at());
        f.numbers(&[world.true_cost(pair).unwrap_or(0.0)]);
    }
    for &(state, p) in task.start() {
        f.whole(state.at()).numbers(&[p]);
    }
    f.numbers(task.reward());
    crate::results::transition_rewards(&mut f, task);
    f
}
