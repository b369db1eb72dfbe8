//! `ucb`: in every state the action with the highest `Q^ + c sqrt(2 log N(s) / N(s,a))`.

use crate::Result;
use crate::explore::active::{Active, Warm};
use crate::explore::choices::{Acting, IMITATE, TIES, paper};
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
            best: (p.word("value") == "best").then(Warm::default),
            active: Active::default(),
            acting: Acting::new(p),
        })
    },
);

struct Ucb {
    scale: f64,
    /// Values of the best policy, if its Q is the one that counts.
    best: Option<Warm>,
    active: Active,
    acting: Acting,
}

impl Strategy for Ucb {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let (task, estimate) = (learner.task(), learner.estimate());
        let scene = self.active.of(learner);
        let part = &scene.known.part;
        let log_visits: Vec<f64> = part
            .states()
            .iter()
            .map(|&s| {
                let visits = &estimate.all_visits()[task.pairs_of(s)];
                let n: u64 = visits.iter().map(|&v| u64::from(v)).sum();
                libm::log(n.max(1) as f64)
            })
            .collect();
        let open = scene.unconstrained();
        let reward = scene.each(|p| learner.reward()[p.at()]);
        let mdp = scene.problem(&reward, task.gamma()).with_allowed(&open);
        let values = self.best.as_mut().map(|warm| {
            let start = warm.on(scene.known);
            scene.method().solve(&mdp, start);
            &start.values
        });
        let q = |pair| match values {
            Some(values) => mdp.q(pair, values),
            None => learner.q(part.whole(pair)),
        };
        let policy = self.acting.ties.among(part.task(), |pair| {
            let n = f64::from(estimate.visits(part.whole(pair)));
            if n == 0.0 {
                // Comes first, whatever the scale: the term is infinite or undefined.
                return Some(f64::INFINITY);
            }
            let here = part.task().state_of(pair);
            let confidence = (2.0 * log_visits[here.at()] / n).sqrt();
            Some(q(pair) + self.scale * task.reward_scale() * confidence)
        });
        Ok(self.acting.follow(policy, scene))
    }

    fn renew(&mut self) {
        self.active = Active::default();
        self.best = self.best.as_ref().map(|_| Warm::default());
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
