//! `bear`: go where the error is largest.
//!
//! The policy is optimal in the estimated MDP whose reward is the [bonus](crate::explore::choices).

use crate::Result;
use crate::explore::choices::{Acting, BONUS, Bonus, IMITATE, PAPER, TIES, paper};
use crate::explore::plan::{estimated, lookahead, planning_gamma};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::param::Values;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "bear",
        summary: "go where the error is largest",
        parameters: &[lookahead(3.0), BONUS, TIES, IMITATE, paper(&[PAPER])],
    },
    |p| Box::new(Bear::new(p)),
);

struct Bear {
    lookahead: f64,
    bonus: Bonus,
    acting: Acting,
    warm: Vec<f64>,
}

impl Bear {
    fn new(p: &Values) -> Self {
        Self {
            lookahead: p.number("lookahead"),
            bonus: Bonus::new(p),
            acting: Acting::new(p),
            warm: Vec::new(),
        }
    }
}

impl Strategy for Bear {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let gamma = planning_gamma(learner.task().gamma(), self.lookahead);
        let bonus = self.bonus.of(learner, gamma, |_| 1.0);
        let mdp = estimated(learner, &bonus, gamma).with_unit(self.bonus.unit(learner));
        let policy = self.acting.ties.best(&mdp, &mut self.warm);
        Ok(self.acting.follow(policy, learner))
    }
}
