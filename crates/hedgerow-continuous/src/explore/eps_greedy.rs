//! Eps-greedy: the best plan under the inferred cost, and any action now and then.

use super::{Strategy, any, candidate, hope, largest};
use crate::Result;
use crate::learn::{Best, Learner};
use crate::maze::State;
use hedgerow::seed::Stream;
use rand::RngExt;

/// The strategy `eps-greedy`: any action with probability `1/sqrt(k)` in iteration `k`.
#[derive(Debug, Default)]
pub struct EpsGreedy {
    best: Best,
    eps: f64,
}

impl Strategy for EpsGreedy {
    fn plan(&mut self, learner: &Learner, iteration: usize) -> Result<()> {
        self.eps = 1.0 / (iteration.max(1) as f64).sqrt();
        let gamma = learner.terms().gamma;
        let allowed = candidate(learner);
        self.best.plan(learner, gamma, hope(learner), allowed);
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        match rng.random::<f64>() < self.eps {
            true => any(rng),
            false => largest(&self.best.values(learner, state), rng),
        }
    }
}
