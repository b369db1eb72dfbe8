//! `max-entropy`: in every state the action tried least so far.

use crate::Result;
use crate::explore::choices::{Acting, IMITATE, TIES, paper};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::param::Preset;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "max-entropy",
        summary: "in every state the action tried least so far",
        parameters: &[TIES, IMITATE, paper(&[PAPER])],
    },
    |p| Box::new(MaxEntropy(Acting::new(p))),
);

const PAPER: Preset = Preset {
    name: "paper",
    values: &[("ties", "first"), ("imitate", "off")],
};

struct MaxEntropy(Acting);

impl Strategy for MaxEntropy {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let visits = |pair| f64::from(learner.estimate().visits(pair));
        let policy = self.0.ties.among(learner.task(), |p| Some(-visits(p)));
        Ok(self.0.follow(policy, learner))
    }
}
