//! PCSE: actions ranked by estimated cost and reward, so that what may be optimal is tried more.

use super::{ACTIONS, Deviation, Strategy, candidate, hope, weighted};
use crate::Result;
use crate::learn::{Best, Learner};
use crate::maze::State;
use hedgerow::seed::Stream;
use rand::RngExt;

/// Every rank is chosen so many times as often as the one before it.
const FALL: f64 = 0.35;

/// The strategy `pcse`.
///
/// The reward side plans with what was seen, without decisions that are inferred to be
/// constrained; what was never tried is worth a hope between the expert's value and the best
/// there could be. Actions with an inferred cost keep their own rank, so that the evidence for it
/// grows.
#[derive(Debug, Default)]
pub struct Pcse {
    best: Best,
    deviation: Deviation,
}

impl Strategy for Pcse {
    fn plan(&mut self, learner: &Learner, _: usize) -> Result<()> {
        self.deviation.plan(learner);
        let gamma = learner.terms().gamma;
        let allowed = candidate(learner);
        self.best.plan(learner, gamma, hope(learner), allowed);
        Ok(())
    }

    fn begin(&mut self, rng: &mut Stream) {
        self.deviation.begin(rng);
    }

    fn act(&mut self, learner: &Learner, state: &State, expert: usize, rng: &mut Stream) -> usize {
        if self.deviation.is_over() {
            return expert;
        }
        let costs = learner.costs_at(state);
        let by_reward = ranks(&self.best.values(learner, state), rng);
        let by_cost = ranks(&costs, rng);
        let mut weights = [0.0; ACTIONS];
        for (action, weight) in weights.iter_mut().enumerate() {
            let rank = match costs[action] > 0.0 {
                true => by_reward[action].min(by_cost[action]),
                false => by_reward[action],
            };
            *weight = FALL.powi(rank);
        }
        weighted(&weights, rng)
    }
}

/// The place of each action when the largest value comes first; equals are shuffled.
fn ranks(values: &[f64; ACTIONS], rng: &mut Stream) -> [i32; ACTIONS] {
    let mut order: [(f64, f64, usize); ACTIONS] =
        std::array::from_fn(|a| (values[a], rng.random::<f64>(), a));
    order.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.total_cmp(&y.1)));
    let mut ranks = [0; ACTIONS];
    for (rank, (_, _, action)) in order.iter().enumerate() {
        ranks[*action] = rank as i32;
    }
    ranks
}
