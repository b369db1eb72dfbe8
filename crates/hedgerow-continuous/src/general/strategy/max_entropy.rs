//! Max-entropy: the action tried least nearby.

use super::{GeneralEntry, GeneralLearner, GeneralStrategy, best};
use crate::Result;
use hedgerow::explore::StrategyInfo;
use hedgerow::seed::Stream;

pub const ENTRY: GeneralEntry = GeneralEntry {
    info: StrategyInfo {
        name: "max-entropy",
        summary: "the candidate with the least pseudo-count",
        parameters: &[],
    },
    build: |_, _, _| Ok(Box::new(MaxEntropy)),
};

#[derive(Debug)]
struct MaxEntropy;

impl GeneralStrategy for MaxEntropy {
    fn act(
        &mut self,
        learner: &mut GeneralLearner,
        observation: &[f64],
        candidates: &[f64],
        _: &mut Stream,
    ) -> Result<usize> {
        let each = learner.spec().action.len();
        Ok(best(candidates, each, |a| -learner.count(observation, a)))
    }
}
