//! The door to an environment: samples go out, the truth stays in.

use crate::env::Environment;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Model, Policy, Task};
use crate::seed::Stream;
use rand::{Rng, RngExt};

/// An environment that can be acted in and whose expert can be asked.
///
/// All randomness comes from two streams of the run's seed, one for the dynamics and one for the
/// expert, so asking the expert does not disturb the dynamics.
#[derive(Debug)]
pub struct World<'a> {
    model: &'a Model,
    expert: &'a Policy,
    dynamics: Stream,
    asking: Stream,
}

impl<'a> World<'a> {
    /// A world whose randomness is drawn from `seed`.
    pub fn new(environment: &'a Environment, seed: u64) -> Self {
        let truth = environment.truth();
        Self {
            model: truth.model(),
            expert: truth.expert(),
            dynamics: Stream::new(seed, "dynamics"),
            asking: Stream::new(seed, "expert"),
        }
    }

    /// Draws a start state.
    pub fn reset(&mut self) -> State {
        draw_start(self.model.task(), &mut self.dynamics)
    }

    /// Takes `pair` and draws the next state.
    pub fn step(&mut self, pair: Pair) -> State {
        draw_next(self.model.rows(), pair, &mut self.dynamics)
    }

    /// Asks the expert once what it would do in `state`.
    pub fn ask_expert(&mut self, state: State) -> Pair {
        self.expert
            .sample(self.model.task(), state, &mut self.asking)
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
