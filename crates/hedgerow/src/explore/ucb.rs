//! `ucb`: in every state the action with the highest `Q^ + c sqrt(2 log N(s) / N(s,a))`.

use crate::Result;
use crate::explore::plan::share_best;
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::param::{Parameter, number};

const PARAMETERS: &[Parameter] = &[number(
    "scale",
    1.0,
    0.0,
    f64::MAX,
    "weight of the confidence term",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "ucb",
        summary: "in every state the action with the highest Q + sqrt(2 log N(s) / N(s,a))",
        parameters: PARAMETERS,
    },
    |p| {
        Box::new(Ucb {
            scale: p.number("scale"),
        })
    },
);

struct Ucb {
    scale: f64,
}

impl Strategy for Ucb {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let (task, estimate) = (learner.task(), learner.estimate());
        let log_visits: Vec<f64> = task
            .all_states()
            .map(|s| {
                let visits = &estimate.all_visits()[task.pairs_of(s)];
                let n: u64 = visits.iter().map(|&v| u64::from(v)).sum();
                libm::log(n.max(1) as f64)
            })
            .collect();
        Ok(Plan::follow(share_best(task, |pair| {
            let n = f64::from(estimate.visits(pair));
            if n == 0.0 {
                // Comes first, whatever the scale: the term is infinite or undefined.
                return Some(f64::INFINITY);
            }
            let confidence = (2.0 * log_visits[task.state_of(pair).at()] / n).sqrt();
            Some(learner.q(pair) + self.scale * task.reward_scale() * confidence)
        })))
    }
}
