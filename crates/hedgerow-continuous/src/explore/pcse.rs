//! PCSE: actions ranked by planned reward and inferred cost, so that candidates for the optimum are
//! tried more often.

use super::planning::{CLOSED, OptimisticPlan};
use super::{ContinuousStrategy, Strategy, weighted_action};
use crate::Result;
use crate::learn::Learner;
use crate::maze::{ACTIONS, State};
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number};
use hedgerow::seed::Stream;
use rand::RngExt;

const PARAMETERS: &[Parameter] = &[
    number(
        "decay",
        0.35,
        0.0,
        1.0,
        "each rank is chosen this many times as often as the rank before it",
    ),
    CLOSED,
];

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "pcse",
        summary: "actions ranked by planned reward and inferred cost",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(Pcse {
            decay: p.number("decay"),
            plan: OptimisticPlan::new(p),
        }))
    },
};

/// The reward side plans with the samples, without decisions that are inferred to be constrained.
/// Actions with an inferred cost also have a rank by cost, so that the evidence for it grows.
#[derive(Debug)]
struct Pcse {
    decay: f64,
    plan: OptimisticPlan,
}

impl Strategy for Pcse {
    fn plan(&mut self, learner: &Learner) -> Result<()> {
        self.plan.update(learner, |_| 0.0);
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        let costs = learner.costs_at(state);
        let by_reward = ranks(&self.plan.q.values(learner, state), rng);
        let by_cost = ranks(&costs, rng);
        let mut weights = [0.0; ACTIONS];
        for (action, weight) in weights.iter_mut().enumerate() {
            let rank = match costs[action] > 0.0 {
                true => by_reward[action].min(by_cost[action]),
                false => by_reward[action],
            };
            *weight = self.decay.powi(rank);
        }
        weighted_action(&weights, rng)
    }
}

/// The rank of each action when the largest value comes first; equals are shuffled.
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
