//! `ucb`: in every state the action with the highest `Q^ + c sqrt(2 log N(s) / N(s,a))`.

use crate::Result;
use crate::explore::choices::{Acting, IMITATE, TIES, paper};
use crate::explore::plan::{estimated, solve_into};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::param::{Parameter, Preset, number, word};

const PARAMETERS: &[Parameter] = &[
    number("scale", 1.0, 0.0, f64::MAX, "weight of the confidence term"),
    word(
        "value",
        &["expert", "best"],
        "whose Q: the expert's, or that of the best policy under the inferred cost",
    ),
    TIES,
    IMITATE,
    paper(&[PAPER]),
];

const PAPER: Preset = Preset {
    name: "paper",
    values: &[("value", "best"), ("ties", "first"), ("imitate", "off")],
};

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "ucb",
        summary: "in every state the action with the highest Q + sqrt(2 log N(s) / N(s,a))",
        parameters: PARAMETERS,
    },
    |p| {
        Box::new(Ucb {
            scale: p.number("scale"),
            best: (p.word("value") == "best").then(Vec::new),
            acting: Acting::new(p),
        })
    },
);

struct Ucb {
    scale: f64,
    /// Values of the best policy, if its Q is the one that counts.
    best: Option<Vec<f64>>,
    acting: Acting,
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
        let open: Vec<bool> = learner.constrained().iter().map(|c| !c).collect();
        let mdp = estimated(learner, learner.reward(), task.gamma()).with_allowed(&open);
        if let Some(values) = &mut self.best {
            solve_into(&mdp, values);
        }
        let q = |pair| match &self.best {
            Some(values) => mdp.q(pair, values),
            None => learner.q(pair),
        };
        let policy = self.acting.ties.among(task, |pair| {
            let n = f64::from(estimate.visits(pair));
            if n == 0.0 {
                // Comes first, whatever the scale: the term is infinite or undefined.
                return Some(f64::INFINITY);
            }
            let confidence = (2.0 * log_visits[task.state_of(pair).at()] / n).sqrt();
            Some(q(pair) + self.scale * task.reward_scale() * confidence)
        });
        Ok(self.acting.follow(policy, learner))
    }
}
