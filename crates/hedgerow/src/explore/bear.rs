//! `bear`: go where the error is largest.
//!
//! The policy is optimal in the estimated MDP whose reward is the [bonus](crate::explore::choices).

use crate::Result;
use crate::explore::active::{Active, Warm};
use crate::explore::choices::{Acting, BONUS, Bonus, IMITATE, PAPER, TIES, paper};
use crate::explore::plan::{lookahead, planning_gamma};
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
    active: Active,
    warm: Warm,
}

impl Bear {
    fn new(p: &Values) -> Self {
        Self {
            lookahead: p.number("lookahead"),
            bonus: Bonus::new(p),
            acting: Acting::new(p),
            active: Active::default(),
            warm: Warm::default(),
        }
    }
}

impl Strategy for Bear {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let gamma = planning_gamma(at.learner.task().gamma(), self.lookahead);
        let scene = self.active.of(at.learner);
        let bonus = self.bonus.of(scene, gamma, |_| 1.0);
        let mdp = scene.problem(&bonus, gamma);
        let mdp = mdp.with_unit(self.bonus.unit(at.learner));
        let policy = self
            .acting
            .ties
            .best(scene.method(), &mdp, self.warm.on(scene.known));
        Ok(self.acting.follow(policy, scene))
    }

    fn renew(&mut self) {
        self.active = Active::default();
        self.warm = Warm::default();
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
