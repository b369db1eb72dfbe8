//! BEAR: a policy that seeks states and actions where the bound on the cost's error is large.

use super::{ContinuousStrategy, Strategy};
use crate::Result;
use crate::agent::PpoSettings;
use crate::agent::ppo::{Choice, Episode, Ppo};
use crate::expert::{FEATURES, features};
use crate::learn::Learner;
use crate::maze::{ACTIONS, State};
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, Values, number, whole};
use hedgerow::seed::Stream;

const PARAMETERS: &[Parameter] = &[
    whole(
        "units",
        64,
        1,
        4096,
        "units of each of the two hidden layers of policy and value",
    ),
    number(
        "gae-lambda",
        0.95,
        0.0,
        1.0,
        "the lambda of generalised advantage estimation",
    ),
    number(
        "clip",
        0.2,
        1e-6,
        1e6,
        "how far an update may move the probability ratio from 1",
    ),
    number("entropy", 0.01, 0.0, 1e6, "weight of the policy's entropy"),
    whole(
        "epochs",
        4,
        1,
        10_000,
        "passes over the episodes of an iteration",
    ),
    whole("batch", 64, 1, 1_000_000, "decisions per gradient step"),
    number(
        "learning-rate",
        3e-4,
        1e-9,
        1.0,
        "learning rate of the policy",
    ),
    number(
        "value-learning-rate",
        1e-3,
        1e-9,
        1.0,
        "learning rate of the value",
    ),
    number(
        "max-grad-norm",
        0.5,
        1e-6,
        1e6,
        "gradients are clipped to this norm",
    ),
];

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "bear",
        summary: "a PPO policy whose reward is the error bound with pseudo-counts",
        parameters: PARAMETERS,
    },
    build: |p, gamma, seed| Ok(Box::new(Bear::new(settings(p, gamma), seed)?)),
};

fn settings(p: &Values, gamma: f64) -> PpoSettings {
    let number = |name: &str| p.number(name) as f32;
    PpoSettings {
        hidden: vec![p.whole("units") as usize; 2],
        gamma: gamma as f32,
        gae_lambda: number("gae-lambda"),
        clip: number("clip"),
        entropy: number("entropy"),
        epochs: p.whole("epochs") as usize,
        batch: p.whole("batch") as usize,
        learning_rate: number("learning-rate"),
        value_learning_rate: number("value-learning-rate"),
        max_grad_norm: number("max-grad-norm"),
    }
}

/// The reward of a decision is its bound with pseudo-counts, `1/sqrt(N^+(s,a))` up to factors that
/// do not change the ranking: the bound itself is at its cap for any number of samples that can be
/// afforded. The policy is kept from iteration to iteration and learns from the episodes it gathered.
#[derive(Debug)]
struct Bear {
    ppo: Ppo,
    /// The choices of this iteration, in order.
    choices: Vec<Choice>,
}

impl Bear {
    fn new(settings: PpoSettings, seed: u64) -> Result<Self> {
        Ok(Self {
            ppo: Ppo::new(FEATURES, ACTIONS, settings, seed)?,
            choices: Vec::new(),
        })
    }
}

impl Strategy for Bear {
    fn plan(&mut self, _: &Learner, _: usize) -> Result<()> {
        self.choices.clear();
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        let inputs = features(state, &learner.known_world().map);
        let choice = self.ppo.act(&inputs, rng);
        self.choices.push(choice);
        choice.action
    }

    fn learn(&mut self, learner: &Learner, first: usize) -> Result<()> {
        let map = &learner.known_world().map;
        let mut episodes = Vec::new();
        let mut episode = Episode::default();
        for (sample, choice) in learner.samples()[first..].iter().zip(&self.choices) {
            let count = learner.density().count(&sample.state, sample.action.into());
            let bonus = 1.0 / count.max(1.0).sqrt();
            episode.push(&features(&sample.state, map), *choice, bonus as f32);
            if sample.last {
                episode.last_value = match sample.terminated {
                    true => 0.0,
                    false => self.ppo.value(&features(&sample.next, map)),
                };
                episodes.push(std::mem::take(&mut episode));
            }
        }
        self.ppo.learn(&episodes)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hedgerow::param::Parameters;

    #[test]
    fn the_defaults_are_those_of_ppo() {
        let defaults = settings(Parameters::defaults(PARAMETERS).values(), 0.95);
        let wanted = PpoSettings {
            gamma: 0.95,
            ..PpoSettings::default()
        };
        assert_eq!(defaults, wanted);
    }
}
