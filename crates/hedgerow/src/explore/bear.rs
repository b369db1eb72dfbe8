//! `bear`: go where the error bound is largest.
//!
//! The policy is optimal in the estimated MDP whose reward is the bound's unclipped width
//! `beta(s,a)`, to which `C_k` is monotone: the clipped `C_k` itself is `C_max` everywhere until
//! every pair has been tried very often, and would rank nothing.

use crate::Result;
use crate::explore::plan::{best_sharing_ties, estimated, optimistic, planning_gamma};
use crate::explore::{Entry, Plan, Strategy};
use crate::learn::{Bound, Learner};
use crate::param::{Parameter, Parameters, number};
use crate::seed::Stream;

const PARAMETERS: &[Parameter] = &[number(
    "lookahead",
    3.0,
    1.0,
    1000.0,
    "exploration is planned with the discount 1 - (1 - gamma) / lookahead",
)];

pub(super) const ENTRY: Entry = Entry {
    name: "bear",
    summary: "go where the error bound is largest",
    parameters: PARAMETERS,
    build: |p| Box::new(Bear::new(p)),
};

struct Bear {
    lookahead: f64,
    warm: Vec<f64>,
}

impl Bear {
    fn new(p: &Parameters) -> Self {
        Self {
            lookahead: p.number("lookahead"),
            warm: Vec::new(),
        }
    }
}

impl Strategy for Bear {
    fn plan(&mut self, learner: &Learner, _: usize, _: &mut Stream) -> Result<Plan> {
        let gamma = planning_gamma(learner.task().gamma(), self.lookahead);
        let bound = Bound::new(learner);
        let bonus = optimistic(learner, gamma, |pair| bound.beta(pair));
        let mdp = estimated(learner, &bonus, gamma);
        Ok(Plan::Follow(best_sharing_ties(&mdp, &mut self.warm)))
    }
}
