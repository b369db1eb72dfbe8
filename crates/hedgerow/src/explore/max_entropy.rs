//! `max-entropy`: in every state the action tried least so far.

use crate::Result;
use crate::explore::plan::share_best;
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "max-entropy",
        summary: "in every state the action tried least so far",
        parameters: &[],
    },
    |_| Box::new(MaxEntropy),
);

struct MaxEntropy;

impl Strategy for MaxEntropy {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let visits = |pair| f64::from(learner.estimate().visits(pair));
        Ok(Plan::follow(share_best(learner.task(), |pair| {
            Some(-visits(pair))
        })))
    }
}
