//! UCB: the largest value with a bonus for what was tried rarely.

use super::{ContinuousStrategy, Strategy, argmax_random_ties};
use crate::Result;
use crate::learn::{FittedQ, Learner};
use crate::maze::State;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number};
use hedgerow::seed::Stream;

const PARAMETERS: &[Parameter] = &[number(
    "scale",
    2.0,
    0.0,
    1e6,
    "scale c of the bonus sqrt(c log N^(s) / N^(s,a))",
)];

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "ucb",
        summary: "argmax of the fitted Q value plus a bonus that falls with the pseudo-count",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(Ucb {
            q: FittedQ::default(),
            scale: p.number("scale"),
        }))
    },
};

/// `argmax Q^(s,a) + sqrt(c log N^(s) / N^(s,a))` with pseudo-counts, an action without a count
/// before all others.
#[derive(Debug)]
struct Ucb {
    q: FittedQ,
    scale: f64,
}

impl Strategy for Ucb {
    fn plan(&mut self, learner: &Learner) -> Result<()> {
        let samples = learner.samples();
        let gamma = learner.known_world().gamma;
        let reward = |i: usize| Some(samples[i].reward);
        self.q.plan(learner, gamma, 0.0, reward);
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        let values = self.q.values(learner, state);
        let counts = learner.density().counts(state);
        let visits = libm::log(counts.iter().sum::<f64>().max(1.0));
        let bonus = |n: f64| match n > 0.0 {
            true => (self.scale * visits / n).sqrt(),
            false => f64::INFINITY,
        };
        let scores = std::array::from_fn(|a| values[a] + bonus(counts[a]));
        argmax_random_ties(&scores, rng)
    }
}
