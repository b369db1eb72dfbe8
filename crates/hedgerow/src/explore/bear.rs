//! `bear`: go where the error bound is largest.
//!
//! The policy is optimal in the estimated MDP whose reward is the bound's unclipped width
//! `beta(s,a)`, to which `C_k` is monotone: the clipped `C_k` itself is `C_max` everywhere until
//! every pair has been tried very often, and would rank nothing.

use crate::Result;
use crate::explore::plan::{best_sharing_ties, estimated, lookahead, optimistic, planning_gamma};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::learn::Bound;
use crate::param::Values;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "bear",
        summary: "go where the error bound is largest",
        parameters: &[lookahead(3.0)],
    },
    |p| Box::new(Bear::new(p)),
);

struct Bear {
    lookahead: f64,
    warm: Vec<f64>,
}

impl Bear {
    fn new(p: &Values) -> Self {
        Self {
            lookahead: p.number("lookahead"),
            warm: Vec::new(),
        }
    }
}

impl Strategy for Bear {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let gamma = planning_gamma(learner.task().gamma(), self.lookahead);
        let bound = Bound::new(learner);
        let bonus = optimistic(learner.task(), gamma, |pair| {
            if learner.estimate().visits(pair) == 0 {
                f64::INFINITY
            } else {
                bound.beta(pair)
            }
        });
        let mdp = estimated(learner, &bonus, gamma).with_unit(1.0);
        Ok(Plan::follow(best_sharing_ties(&mdp, &mut self.warm)))
    }
}
