//! Eps-greedy: the optimal plan under the inferred cost, and a random action now and then.

use super::planning::{CLOSED, OptimisticPlan};
use super::{ContinuousStrategy, Strategy, argmax_random_ties, random_action};
use crate::Result;
use crate::learn::Learner;
use crate::maze::State;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number};
use hedgerow::seed::Stream;
use rand::RngExt;

const PARAMETERS: &[Parameter] = &[
    number(
        "power",
        0.5,
        0.0,
        1e6,
        "the probability of a random action in iteration k is k^-power",
    ),
    CLOSED,
];

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "eps-greedy",
        summary: "the optimal plan under the inferred cost; a random action with probability 1/sqrt(k)",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(EpsGreedy {
            plan: OptimisticPlan::new(p),
            power: p.number("power"),
            epsilon: 1.0,
        }))
    },
};

#[derive(Debug)]
struct EpsGreedy {
    plan: OptimisticPlan,
    power: f64,
    epsilon: f64,
}

impl Strategy for EpsGreedy {
    fn begin(&mut self, iteration: usize) {
        self.epsilon = epsilon(iteration, self.power);
    }

    fn plan(&mut self, learner: &Learner) -> Result<()> {
        self.plan.update(learner, |_| 0.0);
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        match rng.random::<f64>() < self.epsilon {
            true => random_action(rng),
            false => argmax_random_ties(&self.plan.q.values(learner, state), rng),
        }
    }
}

fn epsilon(iteration: usize, power: f64) -> f64 {
    1.0 / libm::pow(iteration.max(1) as f64, power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_exactly_one_over_the_square_root() {
        for k in 1..20_000_usize {
            assert_eq!(epsilon(k, 0.5), 1.0 / (k as f64).sqrt(), "{k}");
        }
        assert_eq!(epsilon(0, 0.5), 1.0);
    }
}
