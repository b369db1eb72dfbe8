//! What to sample next, so that open verdicts fall.
//!
//! The interval of an open pair is as wide as its own row, plus the intervals of the states it
//! leads to and of its own state; those in turn are as wide as the rows on the expert's way from
//! there. Following the expert's occupancy from all open pairs gives the share of every row in the
//! widths that are still too wide, and its width over its visits says what one more sample brings.

use super::{Intervals, Verdicts};
use crate::explore::Plan;
use crate::explore::plan::{best_sharing_ties, estimated, optimistic, planning_gamma};
use crate::index::Pair;
use crate::learn::Learner;
use crate::model::Dynamics;

/// Pairs that look constrained count this many times as much as others: they are what is asked for.
const FIRST: f64 = 50.0;

/// Exploration looks this many times as far ahead as the model.
const LOOKAHEAD: f64 = 2.0;

/// Sweeps of the expert's occupancy; what is further away than this many steps is not worth a
/// detour.
const STEPS: usize = 60;

/// Plans exploration for open verdicts.
#[derive(Debug, Default)]
pub struct Need {
    warm: Vec<f64>,
}

impl Need {
    /// The plan of the next episodes.
    pub fn plan(&mut self, learner: &Learner, intervals: &Intervals, verdicts: &Verdicts) -> Plan {
        let task = learner.task();
        let need = need(learner, verdicts);
        let gamma = planning_gamma(task.gamma(), LOOKAHEAD);
        let bonus = optimistic(task, gamma, |pair| {
            match learner.estimate().visits(pair) {
                // A class may say enough of a pair that was never tried, if nothing else hangs on it.
                0 if verdicts.is_settled(pair) && need[pair.at()] == 0.0 => 0.0,
                // Nothing can be said of a state before its pairs were tried and the expert asked.
                0 => f64::INFINITY,
                n => need[pair.at()] * own_width(learner, intervals, pair) / f64::from(n),
            }
        });
        Plan::follow(best_sharing_ties(
            &estimated(learner, &bonus, gamma),
            &mut self.warm,
        ))
    }
}

/// How wide the interval of `Q_E(s,a)` would be if the values of all states were known: what is
/// left when the mean width of the next states is taken away.
fn own_width(learner: &Learner, intervals: &Intervals, pair: Pair) -> f64 {
    let later = learner.estimate().expect(pair, &intervals.value_high)
        - learner.estimate().expect(pair, &intervals.value_low);
    let width = intervals.q_high[pair.at()] - intervals.q_low[pair.at()];
    (width - learner.task().gamma() * later).max(0.0)
}

/// How much of the width of open verdicts hangs on each pair's row.
fn need(learner: &Learner, verdicts: &Verdicts) -> Vec<f64> {
    let task = learner.task();
    let (gamma, estimate) = (task.gamma(), learner.estimate());
    let mut need = vec![0.0; task.pairs()];
    let mut arriving = vec![0.0; task.states()];
    for pair in verdicts.open(task) {
        let estimated = verdicts.at(pair).estimate;
        let weight = match estimated.is_some_and(|a| a > verdicts.criteria().likely()) {
            true => FIRST,
            false => 1.0,
        };
        need[pair.at()] += weight;
        arriving[task.state_of(pair).at()] += weight;
        let (next, prob) = estimate.row(pair);
        for (&s, &p) in next.iter().zip(prob) {
            arriving[s as usize] += weight * gamma * p;
        }
    }
    let mut later = vec![0.0; task.states()];
    for _ in 0..STEPS {
        later.fill(0.0);
        for state in task.all_states() {
            let (here, asked) = (arriving[state.at()], learner.expert_asked(state));
            if here <= 0.0 || asked == 0 {
                continue;
            }
            for i in task.pairs_of(state) {
                let chosen = learner.expert_choices(Pair::new(i));
                if chosen == 0 {
                    continue;
                }
                let weight = here * f64::from(chosen) / f64::from(asked);
                need[i] += weight;
                let (next, prob) = estimate.row(Pair::new(i));
                for (&s, &p) in next.iter().zip(prob) {
                    later[s as usize] += gamma * weight * p;
                }
            }
        }
        std::mem::swap(&mut arriving, &mut later);
    }
    need
}
