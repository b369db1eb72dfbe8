//! Max-entropy: the action tried least around here.

use super::{Strategy, largest};
use crate::learn::Learner;
use crate::maze::State;
use hedgerow::seed::Stream;

/// The strategy `max-entropy`: the least pseudo-count, chance among equals.
#[derive(Debug)]
pub struct MaxEntropy;

impl Strategy for MaxEntropy {
    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        largest(&learner.density().counts(state).map(|n| -n), rng)
    }
}
