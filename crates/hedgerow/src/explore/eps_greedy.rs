//! `eps-greedy`: the best policy of the inferred problem, and now and then any action.

use crate::Result;
use crate::explore::plan::{best_sharing_ties, estimated};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::model::Policy;
use crate::param::{Parameter, number, word};

const PARAMETERS: &[Parameter] = &[
    number(
        "power",
        0.5,
        0.0,
        f64::MAX,
        "the chance of a random action in iteration k is k^-power",
    ),
    word(
        "unseen",
        &["optimistic", "worthless"],
        "value of pairs never tried; `worthless` plans on frequencies alone and rarely converges",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "eps-greedy",
        summary: "the best policy under the inferred cost, with chance 1/sqrt(k) any action",
        parameters: PARAMETERS,
    },
    |p| {
        Box::new(EpsGreedy {
            power: p.number("power"),
            optimism: p.word("unseen") == "optimistic",
            warm: Vec::new(),
        })
    },
);

struct EpsGreedy {
    power: f64,
    optimism: bool,
    warm: Vec<f64>,
}

impl Strategy for EpsGreedy {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let task = learner.task();
        let open: Vec<bool> = learner.constrained().iter().map(|c| !c).collect();
        let optimistic: Vec<f64> = task
            .all_pairs()
            .map(|p| match learner.estimate().visits(p) {
                0 if self.optimism => task.value_range().1,
                _ => learner.reward()[p.at()],
            })
            .collect();
        let mdp = estimated(learner, &optimistic, task.gamma()).with_allowed(&open);
        let greedy = best_sharing_ties(&mdp, &mut self.warm);
        let uniform = Policy::uniform(task);
        let epsilon = libm::pow(at.iteration as f64, -self.power);
        let mix = greedy.probs().iter().zip(uniform.probs());
        let prob = mix
            .map(|(g, u)| (1.0 - epsilon) * g + epsilon * u)
            .collect();
        Ok(Plan::follow(Policy::from_raw(prob)))
    }
}
