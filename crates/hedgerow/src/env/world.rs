//! What a run sees of a finite world: samples go out, the truth stays in.

use crate::Result;
use crate::env::{Environment, Layout};
use crate::index::{Pair, State};
use crate::model::{Dynamics, Model, Policy, Task};
use crate::seed::Stream;
use rand::{Rng, RngExt};
use std::fmt::Debug;
use std::sync::Arc;

/// A finite world whose expert can be asked. An [`Environment`] is one that is known as tables; a
/// simulator in code needs no table.
///
/// Learners and strategies are handed the task and samples, never the world.
pub trait FiniteWorld: Debug + Send + Sync {
    /// The name results are filed under.
    fn name(&self) -> &str;

    /// What everybody may know.
    fn task(&self) -> &Arc<Task>;

    /// The longest episode, in steps.
    fn horizon(&self) -> usize;

    /// Starts a simulation whose randomness is all drawn from `seed`.
    fn simulator(&self, seed: u64) -> Result<Box<dyn Simulator + '_>>;

    /// Where the states lie on a grid, if they do.
    fn layout(&self) -> Option<&Layout> {
        None
    }

    /// Dynamics, cost and expert as tables, if they are known: only then is what was inferred
    /// evaluated exactly. Without them policies are evaluated by simulated episodes.
    fn tables(&self) -> Option<&Environment> {
        None
    }

    /// The true cost of a pair, if it is known. Nobody but the evaluator asks.
    fn true_cost(&self, _pair: Pair) -> Option<f64> {
        None
    }

    /// Tells one definition of a world in code from another: a saved run is only taken for the
    /// same while this text is.
    fn version(&self) -> String {
        String::new()
    }
}

/// A simulation of a finite world.
pub trait Simulator: Send {
    /// Starts an episode: draws a start state.
    fn reset(&mut self) -> Result<State>;

    /// Takes the action of `pair`, which is one of the state the world is in, and tells what came
    /// of it.
    fn step(&mut self, pair: Pair) -> Result<Step>;

    /// Asks the expert once what it would do in `state`, the state the world is in.
    fn ask_expert(&mut self, state: State) -> Result<Pair>;

    /// Whether [`Self::step`] and [`Self::ask_expert`] answer for any pair and state, not just
    /// where the world is.
    fn is_generative(&self) -> bool {
        false
    }

    /// Between two episodes, all that the next ones depend on beside the seed; `None` if that cannot be
    /// told, and a run of this world then begins anew if it is interrupted.
    fn position(&self) -> Option<Vec<u64>> {
        None
    }

    /// Goes on from a [position](Self::position) of a simulation with the same seed.
    fn go_to(&mut self, _position: &[u64]) {}
}

/// What came of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The next state.
    pub next: State,
    /// What the step earned, if the world says so; otherwise what the task says it earns.
    pub reward: Option<f64>,
    /// Whether the episode was broken off here, though the next state is not terminal.
    pub truncated: bool,
}

impl Step {
    /// A step to `next` that earns what the task says.
    pub fn to(next: State) -> Self {
        Self {
            next,
            reward: None,
            truncated: false,
        }
    }
}

impl<W: FiniteWorld + ?Sized> FiniteWorld for Arc<W> {
    fn name(&self) -> &str {
        W::name(self)
    }

    fn task(&self) -> &Arc<Task> {
        W::task(self)
    }

    fn horizon(&self) -> usize {
        W::horizon(self)
    }

    fn simulator(&self, seed: u64) -> Result<Box<dyn Simulator + '_>> {
        W::simulator(self, seed)
    }

    fn layout(&self) -> Option<&Layout> {
        W::layout(self)
    }

    fn tables(&self) -> Option<&Environment> {
        W::tables(self)
    }

    fn true_cost(&self, pair: Pair) -> Option<f64> {
        W::true_cost(self, pair)
    }

    fn version(&self) -> String {
        W::version(self)
    }
}

impl FiniteWorld for Environment {
    fn name(&self) -> &str {
        Self::name(self)
    }

    fn task(&self) -> &Arc<Task> {
        Self::task(self)
    }

    fn horizon(&self) -> usize {
        Self::horizon(self)
    }

    fn simulator(&self, seed: u64) -> Result<Box<dyn Simulator + '_>> {
        Ok(Box::new(TableSimulator::new(self, seed)))
    }

    fn layout(&self) -> Option<&Layout> {
        Self::layout(self)
    }

    fn tables(&self) -> Option<&Environment> {
        Some(self)
    }

    fn true_cost(&self, pair: Pair) -> Option<f64> {
        Some(self.truth().cost().at(pair))
    }
}

/// A simulation of an environment that is known as tables.
///
/// All randomness comes from two streams of the run's seed, one for the dynamics and one for the
/// expert, so asking the expert does not disturb the dynamics.
#[derive(Debug)]
pub struct TableSimulator<'a> {
    model: &'a Model,
    expert: &'a Policy,
    dynamics: Stream,
    asking: Stream,
}

impl<'a> TableSimulator<'a> {
    /// A simulation whose randomness is drawn from `seed`.
    pub fn new(environment: &'a Environment, seed: u64) -> Self {
        let truth = environment.truth();
        Self {
            model: truth.model(),
            expert: truth.expert(),
            dynamics: Stream::new(seed, "dynamics"),
            asking: Stream::new(seed, "expert"),
        }
    }
}

impl Simulator for TableSimulator<'_> {
    fn reset(&mut self) -> Result<State> {
        Ok(draw_start(self.model.task(), &mut self.dynamics))
    }

    fn step(&mut self, pair: Pair) -> Result<Step> {
        let next = draw_next(self.model.rows(), pair, &mut self.dynamics);
        Ok(Step::to(next))
    }

    fn ask_expert(&mut self, state: State) -> Result<Pair> {
        let task = self.model.task();
        Ok(self.expert.sample(task, state, &mut self.asking))
    }

    fn is_generative(&self) -> bool {
        true
    }

    fn position(&self) -> Option<Vec<u64>> {
        Some(vec![self.dynamics.position(), self.asking.position()])
    }

    fn go_to(&mut self, position: &[u64]) {
        if let [dynamics, asking] = position {
            self.dynamics.go_to(*dynamics);
            self.asking.go_to(*asking);
        }
    }
}

/// Draws a start state with one uniform number.
pub(crate) fn draw_start<R: Rng>(task: &Task, rng: &mut R) -> State {
    let start = task.start();
    let mut left: f64 = rng.random();
    for &(state, p) in start {
        left -= p;
        if left < 0.0 {
            return state;
        }
    }
    start[start.len() - 1].0
}

/// Draws the next state of a pair with one uniform number.
pub(crate) fn draw_next<D: Dynamics, R: Rng>(dynamics: &D, pair: Pair, rng: &mut R) -> State {
    let (next, prob) = dynamics.row(pair);
    State(next[crate::model::sample_weighted(prob, rng)])
}
