//! Any action, all being as likely.

use super::{Strategy, any};
use crate::learn::Learner;
use crate::maze::State;
use hedgerow::seed::Stream;

/// The strategy `random`.
#[derive(Debug)]
pub struct Random;

impl Strategy for Random {
    fn act(&mut self, _: &Learner, _: &State, _: usize, rng: &mut Stream) -> usize {
        any(rng)
    }
}
