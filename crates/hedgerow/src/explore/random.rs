//! `random`: every available action alike.

use crate::Result;
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::model::Policy;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "random",
        summary: "every available action alike",
        parameters: &[],
    },
    |_| Box::new(Random),
);

struct Random;

impl Strategy for Random {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        Ok(Plan::follow(Policy::uniform(learner.task())))
    }
}
