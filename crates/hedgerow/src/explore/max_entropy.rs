//! `max-entropy`: in every state the action tried least so far.

use crate::Result;
use crate::explore::active::Active;
use crate::explore::choices::{Acting, IMITATE, TIES, paper};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::param::Preset;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "max-entropy",
        summary: "in every state the action tried least so far",
        parameters: &[TIES, IMITATE, paper(&[PAPER])],
    },
    |p| {
        Box::new(MaxEntropy {
            acting: Acting::new(p),
            active: Active::default(),
        })
    },
);

const PAPER: Preset = Preset {
    name: "paper",
    values: &[("ties", "first"), ("imitate", "off")],
};

struct MaxEntropy {
    acting: Acting,
    active: Active,
}

impl Strategy for MaxEntropy {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let scene = self.active.of(at.learner);
        let part = &scene.known.part;
        let visits = |pair| f64::from(at.learner.estimate().visits(part.whole(pair)));
        let policy = self.acting.ties.among(part.task(), |p| Some(-visits(p)));
        Ok(self.acting.follow(policy, scene))
    }

    fn renew(&mut self) {
        self.active = Active::default();
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
