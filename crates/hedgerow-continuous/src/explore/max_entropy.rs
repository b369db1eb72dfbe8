//! Max-entropy: the action tried least nearby.

use super::{ContinuousStrategy, Strategy, argmax_random_ties};
use crate::learn::Learner;
use crate::maze::State;
use hedgerow::explore::StrategyInfo;
use hedgerow::seed::Stream;

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "max-entropy",
        summary: "the action with the least pseudo-count, chosen uniformly among equals",
        parameters: &[],
    },
    build: |_, _, _| Ok(Box::new(MaxEntropy)),
};

#[derive(Debug)]
struct MaxEntropy;

impl Strategy for MaxEntropy {
    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        argmax_random_ties(&learner.density().counts(state).map(|n| -n), rng)
    }
}
