//! UCB: the largest value with a bonus for what was tried rarely.

use super::{Strategy, largest};
use crate::Result;
use crate::learn::{Best, Learner};
use crate::maze::State;
use hedgerow::seed::Stream;

/// The strategy `ucb`: `argmax Q^(s,a) + sqrt(2 log N^(s) / N^(s,a))` with pseudo-counts, an action
/// without a count before all others.
#[derive(Debug, Default)]
pub struct Ucb {
    best: Best,
}

impl Strategy for Ucb {
    fn plan(&mut self, learner: &Learner, _: usize) -> Result<()> {
        let samples = learner.samples();
        let gamma = learner.terms().gamma;
        let reward = |i: usize| Some(samples[i].reward);
        self.best.plan(learner, gamma, 0.0, reward);
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        let values = self.best.values(learner, state);
        let counts = learner.density().counts(state);
        let here = libm::log(counts.iter().sum::<f64>().max(1.0));
        let bonus = |n: f64| match n > 0.0 {
            true => (2.0 * here / n).sqrt(),
            false => f64::INFINITY,
        };
        let scores = std::array::from_fn(|a| values[a] + bonus(counts[a]));
        largest(&scores, rng)
    }
}
