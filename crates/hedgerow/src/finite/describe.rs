//! What files and drawings need of a finite world.

use super::domain::NAME;
use crate::Result;
use crate::env::{Environment, FiniteWorld};
use crate::fingerprint::Fingerprint;
use crate::index::{Pair, State};
use crate::metrics::{ROLLOUTS, RolloutEvaluator};
use crate::model::Dynamics;
use crate::results::EnvironmentFile;
use crate::run::Payload;
use serde::{Deserialize, Serialize};

/// What files of finite environments keep for pictures only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiniteGeometry {
    /// `(from, to)`: what the expert may do from the starts on, in rising order, if every action
    /// leads where it most likely leads. One path for an expert that does not randomise.
    pub expert_steps: Vec<(u32, u32)>,
}

/// Choices below this are rounding errors of a solver.
const NEVER: f64 = 1e-6;

/// The description of a world. What only tables tell of the truth is left out where there are
/// none.
pub(super) fn describe(world: &dyn FiniteWorld) -> Result<EnvironmentFile> {
    if let Some(environment) = world.tables() {
        let mut file = EnvironmentFile::new(NAME, environment)?;
        file.geometry = Some(Payload::new(&FiniteGeometry {
            expert_steps: expert_steps(environment),
        })?);
        return Ok(file);
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

/// See [`FiniteGeometry::expert_steps`].
fn expert_steps(environment: &Environment) -> Vec<(u32, u32)> {
    let (task, truth) = (environment.task(), environment.truth());
    let mut steps = Vec::new();
    let mut reached = vec![false; task.states()];
    let mut open: Vec<State> = task.start().iter().map(|&(state, _)| state).collect();
    while let Some(state) = open.pop() {
        if std::mem::replace(&mut reached[state.at()], true) {
            continue;
        }
        for pair in task.pairs_of(state).map(Pair::new) {
            if truth.expert().prob(pair) < NEVER {
                continue;
            }
            if let Some(next) = truth.model().rows().likeliest(pair) {
                steps.push((state.0, next.0));
                open.push(next);
            }
        }
    }
    steps.sort_unstable();
    steps.dedup();
    steps
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::{Cell, builtin};

    /// The cells that the expert steps between.
    fn steps(name: &str) -> Vec<(Cell, Cell)> {
        let environment = builtin::environment(name).unwrap();
        let file = describe(&environment).unwrap();
        let kept: FiniteGeometry = file.geometry.as_ref().unwrap().read().unwrap();
        for (state, _) in file.true_cells {
            assert!(kept.expert_steps.iter().all(|&(_, to)| to != state));
        }
        let layout = environment.layout().unwrap();
        let cell = |state: u32| layout.cell_of(State(state));
        // The end of an episode lies nowhere.
        let steps = kept.expert_steps.iter();
        steps
            .filter_map(|&(from, to)| Some((cell(from)?, cell(to)?)))
            .collect()
    }

    #[test]
    fn the_expert_goes_around_the_constraint() {
        let at = |row, column| Cell { row, column };
        // One path, through the gap.
        let one = steps("gridworld-3");
        let from = |cell: Cell| one.iter().filter(move |s| s.0 == cell).count();
        assert!(one.iter().all(|s| from(s.0) == 1), "{one:?}");
        assert_eq!(from(at(0, 0)), 1);
        assert!(one.iter().any(|s| s.1 == at(3, 5)) && one.iter().any(|s| s.1 == at(6, 0)));
        // Around the block both ways are as long, and the expert takes either.
        let both = steps("gridworld-2");
        assert_eq!(both[..2], [(at(0, 0), at(0, 1)), (at(0, 0), at(1, 0))]);
        assert!(both.iter().any(|s| s.1 == at(6, 3)) && both.iter().any(|s| s.1 == at(3, 6)));
    }
}
