//! Random: all actions with the same probability.

use super::{ContinuousStrategy, Strategy, random_action};
use crate::learn::Learner;
use crate::maze::State;
use hedgerow::explore::StrategyInfo;
use hedgerow::seed::Stream;

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "random",
        summary: "all actions with the same probability",
        parameters: &[],
    },
    build: |_, _, _| Ok(Box::new(Random)),
};

#[derive(Debug)]
struct Random;

impl Strategy for Random {
    fn act(&mut self, _: &Learner, _: &State, _: usize, rng: &mut Stream) -> usize {
        random_action(rng)
    }
}
