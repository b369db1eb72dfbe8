//! `pcse`: explore only pairs whose sign is not known yet.

use crate::Result;
use crate::explore::plan::{best_sharing_ties, estimated, optimistic, planning_gamma};
use crate::explore::{Entry, Plan, Strategy};
use crate::learn::{Learner, Standing};
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
    name: "pcse",
    summary: "explore only pairs not yet known to be constrained or free",
    parameters: PARAMETERS,
    build: |p| Box::new(Pcse::new(p)),
};

struct Pcse {
    lookahead: f64,
    warm: Vec<f64>,
}

impl Pcse {
    fn new(p: &Parameters) -> Self {
        Self {
            lookahead: p.number("lookahead"),
            warm: Vec::new(),
        }
    }
}

impl Strategy for Pcse {
    fn plan(&mut self, learner: &Learner, _: usize, _: &mut Stream) -> Result<Plan> {
        let gamma = planning_gamma(learner.task().gamma(), self.lookahead);
        let bonus = optimistic(learner, gamma, |pair| match learner.standing(pair) {
            Standing::Undecided => learner.width(pair),
            Standing::Unseen => f64::INFINITY,
            _ => 0.0,
        });
        let mdp = estimated(learner, &bonus, gamma);
        Ok(Plan::Follow(best_sharing_ties(&mdp, &mut self.warm)))
    }
}
