//! Eps-greedy: the best action under the inferred constraint, and a random one now and then.

use super::{GeneralEntry, GeneralLearner, GeneralStrategy, any};
use crate::Result;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number};
use hedgerow::seed::Stream;
use rand::RngExt;

const PARAMETERS: &[Parameter] = &[number(
    "power",
    0.5,
    0.0,
    1e6,
    "the probability of a random action in iteration k is k^-power",
)];

pub const ENTRY: GeneralEntry = GeneralEntry {
    info: StrategyInfo {
        name: "eps-greedy",
        summary: "the best action that is not charged; a random one with probability 1/sqrt(k)",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(EpsGreedy {
            power: p.number("power"),
            epsilon: 1.0,
        }))
    },
};

#[derive(Debug)]
struct EpsGreedy {
    power: f64,
    epsilon: f64,
}

impl GeneralStrategy for EpsGreedy {
    fn plan(&mut self, _: &mut GeneralLearner, iteration: usize) -> Result<()> {
        self.epsilon = 1.0 / libm::pow(iteration.max(1) as f64, self.power);
        Ok(())
    }

    fn act(
        &mut self,
        learner: &mut GeneralLearner,
        observation: &[f64],
        candidates: &[f64],
        stream: &mut Stream,
    ) -> Result<usize> {
        Ok(match stream.random::<f64>() < self.epsilon {
            true => any(learner, candidates, stream),
            false => learner.best(observation, candidates),
        })
    }
}
