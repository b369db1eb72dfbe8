//! UCB: the largest value with a bonus for what was tried rarely.

use super::{GeneralEntry, GeneralLearner, GeneralStrategy, best};
use crate::Result;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number};
use hedgerow::seed::Stream;

const PARAMETERS: &[Parameter] = &[number(
    "scale",
    2.0,
    0.0,
    1e6,
    "scale c of the bonus sqrt(c log N^(s) / N^(s,a)), in spreads of advantages",
)];

pub const ENTRY: GeneralEntry = GeneralEntry {
    info: StrategyInfo {
        name: "ucb",
        summary: "the largest fitted value plus a bonus that falls with the pseudo-count",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(Ucb {
            scale: p.number("scale"),
        }))
    },
};

/// `argmax Q^(s,a) / spread + sqrt(c log N^(s) / N^(s,a))`, with `N^(s)` the sum over the candidates.
#[derive(Debug)]
struct Ucb {
    scale: f64,
}

impl GeneralStrategy for Ucb {
    fn act(
        &mut self,
        learner: &mut GeneralLearner,
        observation: &[f64],
        candidates: &[f64],
        _: &mut Stream,
    ) -> Result<usize> {
        let each = learner.spec().action.len();
        let spread = learner.constraint().spread().max(1e-12);
        let all = candidates.chunks_exact(each);
        let counts: Vec<f64> = all.map(|a| learner.count(observation, a)).collect();
        let visits = libm::log(counts.iter().sum::<f64>().max(1.0));
        let mut counts = counts.into_iter();
        Ok(best(candidates, each, |a| {
            let value = learner.gain(observation, a) / spread;
            let count = counts.next().unwrap_or(0.0).max(1e-3);
            value + (self.scale * visits / count).sqrt()
        }))
    }
}
