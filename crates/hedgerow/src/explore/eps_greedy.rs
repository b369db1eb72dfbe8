//! `eps-greedy`: the best policy of the inferred problem, and now and then any action.

use crate::Result;
use crate::explore::active::{Active, Warm};
use crate::explore::choices::{Acting, IMITATE, TIES, paper};
use crate::explore::seen_plan::Elsewhere;
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::model::Policy;
use crate::param::{Parameter, Preset, number, word};

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
    TIES,
    IMITATE,
    paper(&[PAPER]),
];

const PAPER: Preset = Preset {
    name: "paper",
    values: &[
        ("unseen", "worthless"),
        ("ties", "first"),
        ("imitate", "off"),
    ],
};

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
            acting: Acting::new(p),
            active: Active::default(),
            warm: Warm::default(),
        })
    },
);

struct EpsGreedy {
    power: f64,
    optimism: bool,
    acting: Acting,
    active: Active,
    warm: Warm,
}

impl Strategy for EpsGreedy {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let task = learner.task();
        let scene = self.active.of(learner);
        let open = scene.unconstrained();
        let optimistic = scene.each(|p| match learner.estimate().visits(p) {
            0 if self.optimism => task.value_range().1,
            _ => learner.reward()[p.at()],
        });
        let mdp = scene.problem(&optimistic, task.gamma()).with_allowed(&open);
        let greedy = self
            .acting
            .ties
            .best(scene.method(), &mdp, self.warm.on(scene.known));
        let uniform = Policy::uniform(scene.known.part.task());
        let epsilon = libm::pow(at.iteration as f64, -self.power);
        let mix = greedy.probs().iter().zip(uniform.probs());
        let prob = mix
            .map(|(g, u)| (1.0 - epsilon) * g + epsilon * u)
            .collect();
        let elsewhere = Elsewhere {
            slope: if self.optimism { 0.0 } else { 1.0 },
            ties: self.acting.ties,
            random: epsilon,
        };
        let policy = Policy::from_raw(prob);
        Ok(self.acting.follow_or(policy, elsewhere, scene))
    }

    fn renew(&mut self) {
        self.active = Active::default();
        self.warm = Warm::default();
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
