//! What to sample next, so that open verdicts fall.
//!
//! The interval of an open pair is as wide as its own row, plus the intervals of the states it
//! leads to and of its own state; those in turn are as wide as the rows on the expert's way from
//! there. Following the expert's occupancy from all open pairs gives the share of every row in the
//! widths that are still too wide, and its width over its visits says what one more sample brings.

use super::{Intervals, Knowledge, Verdicts};
use crate::explore::Plan;
use crate::explore::plan::{best_sharing_ties, estimated, optimistic, planning_gamma};
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Dynamics, Task};
use crate::solve::Start;

/// Pairs that look constrained count this many times as much as others: they are what is asked for.
const FIRST: f64 = 300.0;

/// Exploration looks this many times as far ahead as the model.
const LOOKAHEAD: f64 = 2.0;

/// Sweeps of the expert's occupancy; what is further away than this many steps is not worth a
/// detour.
const STEPS: usize = 60;

/// Which pairs are to be known better.
pub struct Wanted {
    /// How much each counts.
    pub pairs: Vec<f64>,
    /// Whether pairs that were never tried count all the same.
    pub everything: bool,
    /// Pairs of which a class says enough.
    pub settled: Vec<bool>,
}

impl Wanted {
    /// The pairs whose verdicts are open.
    pub fn open(task: &Task, verdicts: &Verdicts) -> Self {
        let mut pairs = vec![0.0; task.pairs()];
        for pair in verdicts.open(task) {
            let estimated = verdicts.at(pair).estimate;
            let likely = estimated.is_some_and(|a| a > verdicts.criteria().likely());
            pairs[pair.at()] = if likely { FIRST } else { 1.0 };
        }
        Self {
            pairs,
            everything: true,
            settled: task.all_pairs().map(|p| verdicts.is_settled(p)).collect(),
        }
    }
}

/// Plans exploration for open verdicts.
#[derive(Debug, Default)]
pub struct Need {
    warm: Start,
}

impl Need {
    /// The plan of the next episodes.
    pub fn plan(&mut self, learner: &Learner, intervals: &Intervals, wanted: &Wanted) -> Plan {
        let task = learner.task();
        let need = need(learner, &wanted.pairs);
        let asking = |pair: Pair| {
            let state = task.state_of(pair);
            let asked = f64::from(learner.expert_asked(state));
            need.states[state.at()] * answer_width(learner, intervals, state) / asked
        };
        let of = |p: Pair| need.pairs[p.at()] * own_width(learner, intervals, p);
        let mut of_class = vec![0.0; intervals.known().map_or(0, Knowledge::count)];
        for pair in task.all_pairs() {
            if let Some(class) = intervals.known().and_then(|k| k.class_at(pair)) {
                of_class[class] += of(pair);
            }
        }
        let gamma = planning_gamma(task.gamma(), LOOKAHEAD);
        // In this unit a bonus of 1, as for what was never seen, is neither small nor large.
        let unit = task.reward_scale().max(f64::MIN_POSITIVE);
        let bonus = optimistic(task, gamma, |pair| {
            let asked = learner.expert_asked(task.state_of(pair));
            let idle = !wanted.everything && need.pairs[pair.at()] == 0.0;
            match learner.estimate().visits(pair) {
                0 if idle => 0.0,
                // A class may say enough of a pair that was never tried, if nothing else hangs on it.
                0 if wanted.settled[pair.at()] && need.pairs[pair.at()] == 0.0 => 0.0,
                // Nothing can be said of a state before its pairs were tried and the expert asked.
                n if n == 0 || asked == 0 => f64::INFINITY,
                n => {
                    // A sample of one pair is one of its whole class.
                    let rows = match intervals.known().and_then(|k| k.class_at(pair)) {
                        None => of(pair),
                        Some(class) => of_class[class],
                    };
                    (rows / f64::from(n) + asking(pair)) / unit
                }
            }
        });
        Plan::follow(best_sharing_ties(
            &estimated(learner, &bonus, gamma).with_unit(1.0),
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

/// How wide the interval of `V_E(state)` would be if all that may be done there had known values: what is
/// left when the mean width of what the expert was seen to do is taken away.
fn answer_width(learner: &Learner, intervals: &Intervals, state: State) -> f64 {
    let asked = f64::from(learner.expert_asked(state).max(1));
    let width = |i: usize| {
        let share = f64::from(learner.expert_choices(Pair::new(i))) / asked;
        share * (intervals.q_high[i] - intervals.q_low[i])
    };
    let chosen: f64 = learner.task().pairs_of(state).map(width).sum();
    let s = state.at();
    (intervals.value_high[s] - intervals.value_low[s] - chosen).max(0.0)
}

/// How much of the width of open verdicts hangs on each pair's row, and on the answers in each state.
struct Needs {
    pairs: Vec<f64>,
    states: Vec<f64>,
}

fn need(learner: &Learner, wanted: &[f64]) -> Needs {
    let task = learner.task();
    let (gamma, estimate) = (task.gamma(), learner.estimate());
    let mut need = wanted.to_vec();
    let mut states = vec![0.0; task.states()];
    let mut arriving = vec![0.0; task.states()];
    for (pair, &weight) in task.all_pairs().zip(wanted) {
        if weight == 0.0 {
            continue;
        }
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
            states[state.at()] += here;
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
    Needs {
        pairs: need,
        states,
    }
}
