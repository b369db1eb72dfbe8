//! PCSE: candidates ranked by value and by inferred cost, so that those that could be optimal are
//! tried more often.

use super::{GeneralEntry, GeneralLearner, GeneralStrategy};
use crate::Result;
use crate::select::inverse_cdf;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number};
use hedgerow::seed::Stream;
use rand::RngExt;

const PARAMETERS: &[Parameter] = &[number(
    "decay",
    0.7,
    0.0,
    1.0,
    "each rank is chosen this many times as often as the rank before it",
)];

pub const ENTRY: GeneralEntry = GeneralEntry {
    info: StrategyInfo {
        name: "pcse",
        summary: "candidates ranked by value and by inferred cost",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(Pcse {
            decay: p.number("decay"),
        }))
    },
};

/// By value, charged candidates come after all others; they also have a rank by their probability, so
/// that the evidence for it grows.
#[derive(Debug)]
struct Pcse {
    decay: f64,
}

impl GeneralStrategy for Pcse {
    fn act(
        &mut self,
        learner: &mut GeneralLearner,
        observation: &[f64],
        candidates: &[f64],
        stream: &mut Stream,
    ) -> Result<usize> {
        let each = learner.spec().action.len();
        let all = candidates.chunks_exact(each);
        let seen: Vec<(f64, f64)> = all
            .map(|a| {
                let p = learner.probability(observation, a);
                (p, learner.gain(observation, a))
            })
            .collect();
        let charged = |i: usize| seen[i].0 >= 0.5;
        let mut by_value: Vec<usize> = (0..seen.len()).collect();
        by_value.sort_by(|&i, &j| {
            let first = charged(i).cmp(&charged(j));
            first.then(seen[j].1.total_cmp(&seen[i].1))
        });
        let mut by_cost: Vec<usize> = (0..seen.len()).filter(|&i| charged(i)).collect();
        by_cost.sort_by(|&i, &j| seen[j].0.total_cmp(&seen[i].0));
        let mut weights = vec![0.0; seen.len()];
        for order in [&by_value, &by_cost] {
            let mut weight = 1.0;
            for &i in order {
                weights[i] = f64::max(weights[i], weight);
                weight *= self.decay;
            }
        }
        let level = stream.random::<f64>() * weights.iter().sum::<f64>();
        Ok(inverse_cdf(&weights, level).unwrap_or(0))
    }
}
