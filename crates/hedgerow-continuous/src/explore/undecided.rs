//! Undecided: go where it is open whether the expert could have done better.

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
        "random",
        0.1,
        0.0,
        1.0,
        "probability of a random action, so that no corner stays unvisited for ever",
    ),
    number(
        "bonus",
        0.1,
        0.0,
        1e6,
        "bonus of a decision whose advantage is open, against a goal's reward of 1",
    ),
    CLOSED,
];

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "undecided",
        summary: "the optimal plan with a bonus on open decisions",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(Undecided {
            random: p.number("random"),
            bonus: p.number("bonus"),
            plan: OptimisticPlan::new(p),
        }))
    },
};

/// Decisions whose advantage is open carry a bonus that falls with their pseudo-count; decisions
/// that are inferred to be constrained are avoided, since they are decided.
#[derive(Debug)]
struct Undecided {
    random: f64,
    bonus: f64,
    plan: OptimisticPlan,
}

impl Undecided {
    fn bonus(&self, learner: &Learner, i: usize) -> f64 {
        let s = &learner.samples()[i];
        let margin = learner.inference().margin;
        let advantage = learner.advantages()[i];
        let is_open = advantage.is_none_or(|a| (a.value - margin).abs() <= a.width);
        if !is_open || s.action == s.expert {
            return 0.0;
        }
        let count = learner.density().count(&s.state, s.action.into());
        self.bonus / count.max(1.0).sqrt()
    }
}

impl Strategy for Undecided {
    fn plan(&mut self, learner: &Learner) -> Result<()> {
        let bonuses: Vec<f64> = (0..learner.samples().len())
            .map(|i| self.bonus(learner, i))
            .collect();
        self.plan.update(learner, |i| bonuses[i]);
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        if rng.random::<f64>() < self.random {
            return random_action(rng);
        }
        argmax_random_ties(&self.plan.q.values(learner, state), rng)
    }
}
