//! Random: all actions with the same probability.

use super::{GeneralEntry, GeneralLearner, GeneralStrategy, any};
use crate::Result;
use hedgerow::explore::StrategyInfo;
use hedgerow::seed::Stream;

pub const ENTRY: GeneralEntry = GeneralEntry {
    info: StrategyInfo {
        name: "random",
        summary: "all actions with the same probability",
        parameters: &[],
    },
    build: |_, _, _| Ok(Box::new(Random)),
};

#[derive(Debug)]
struct Random;

impl GeneralStrategy for Random {
    fn act(
        &mut self,
        learner: &mut GeneralLearner,
        _: &[f64],
        candidates: &[f64],
        stream: &mut Stream,
    ) -> Result<usize> {
        Ok(any(learner, candidates, stream))
    }
}
