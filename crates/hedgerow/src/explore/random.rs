//! `random`: every available action alike.

use crate::Result;
use crate::explore::active::Active;
use crate::explore::choices::Ties;
use crate::explore::seen_plan::{Elsewhere, SeenPlan, SeenPolicy};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::model::Policy;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "random",
        summary: "every available action alike",
        parameters: &[],
    },
    |_| Box::new(Random(Active::default())),
);

struct Random(Active);

impl Strategy for Random {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let known = self.0.of(at.learner).known;
        let uniform = Policy::uniform(known.part.task());
        let policy = SeenPolicy::new(uniform, Elsewhere::alike(Ties::Shared));
        Ok(SeenPlan::follow(known, policy))
    }

    fn renew(&mut self) {
        self.0 = Active::default();
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
