//! How far the best policy under the inferred constraint may lie from the expert, from the start.
//!
//! A policy `pi` that keeps to the constraint earns `V^pi - V_E = E_pi sum_t gamma^t A_E(s_t, a_t)` more than
//! the expert, so with `A_E` at most its upper bound `A`,
//!
//! ```text
//! G(s) = max_{a not constrained} (A(s,a) + gamma max_P sum_s' P(s') G(s'))
//! ```
//!
//! is at least what any of them gains from `s`, where `P` runs over all rows that fit the data. On the other
//! side the expert itself, without the constrained pairs, keeps to the constraint. It takes them with a
//! probability of at most `u(s)`, and what it gives up in `s` is at most `u / (1 - u)` of their largest
//! advantage; what that adds up to is bounded in the same way.
//!
//! `G` hangs on the data, so it is not enough to cover one mean per row: the whole row has to be. With counts
//! `k` of `n` draws, `M` their mean probability over Dirichlet rows is a martingale over the true probability,
//! hence with probability `1 - delta`, at all times,
//!
//! ```text
//! n KL(k/n, P) <= log(1/delta) + sum_j k_j log(k_j/n) - log M.
//! ```
//!
//! What is gained is small where the answer is near, so that these sets are wide hardly matters.

use super::{Criteria, Intervals, Verdict, Verdicts, greatest_mean};
use crate::Result;
use crate::error::in_range;
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Dynamics, Task};
use serde::{Deserialize, Serialize};

/// The share of the allowance that whole rows have, where they are needed.
pub(super) const ROWS: f64 = 0.2;

/// Sweeps of one call; the next call goes on from there.
const SWEEPS: usize = 200;

/// A change below this share of what is asked for needs no further sweep.
const SETTLED: f64 = 1e-3;

/// What a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Goal {
    /// Verdicts on all pairs that can be reached and matter.
    #[default]
    Verdicts,
    /// A constraint under which the best policy earns what the expert earns from the start, within this.
    Explain(f64),
}

impl Goal {
    /// A constraint under which the best policy earns what the expert earns, within `eps`.
    pub fn explain(eps: f64) -> Result<Self> {
        let ok = eps.is_finite() && eps > 0.0;
        in_range(ok, "eps", eps, "use a positive number")?;
        Ok(Self::Explain(eps))
    }
}

/// What the best policy under the constrained pairs earns from the start, compared with the expert.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// How close was asked for.
    pub within: f64,
    /// It earns at most this much more.
    pub at_most_above: f64,
    /// It earns at most this much less.
    pub at_most_below: f64,
}

impl Explained {
    /// Whether it is as close as was asked for.
    pub fn is_close(&self) -> bool {
        self.at_most_above <= self.within && self.at_most_below <= self.within
    }
}

/// Bounds on what is gained and lost, state by state. They only ever shrink.
#[derive(Clone, Debug)]
pub(super) struct Excess {
    within: f64,
    gain: Vec<f64>,
    loss: Vec<f64>,
    /// What the bound of the gain goes through: its expected discounted visits from the start.
    pub visits: Vec<f64>,
}

impl Excess {
    pub fn new(task: &Task, within: f64) -> Self {
        let (least, most) = task.value_range();
        let range = |s: State| match task.is_terminal(s) {
            true => 0.0,
            false => most - least,
        };
        Self {
            within,
            gain: task.all_states().map(range).collect(),
            loss: task.all_states().map(range).collect(),
            visits: vec![0.0; task.pairs()],
        }
    }

    /// Shrinks the bounds to what is known now; what they are at the start.
    pub fn renew(
        &mut self,
        learner: &Learner,
        intervals: &Intervals,
        verdicts: &Verdicts,
    ) -> Explained {
        let task = learner.task();
        let rows = Rows::new(learner, intervals, verdicts.criteria());
        let criteria = verdicts.criteria();
        let high = |p: Pair| intervals.gain_at_most(learner, p, criteria);
        let high: Vec<f64> = task.all_pairs().map(high).collect();
        for _ in 0..SWEEPS {
            let top = largest(&self.gain);
            let mut change: f64 = 0.0;
            for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
                let best = gains(task, verdicts, state)
                    .map(|p| high[p.at()] + task.gamma() * rows.greatest(p, &self.gain, top));
                // Acting as the expert gains nothing.
                let bound = best.fold(0.0, f64::max);
                change = change.max(lower(&mut self.gain[state.at()], bound));
            }
            if change <= SETTLED * self.within {
                break;
            }
        }
        self.renew_loss(&rows, intervals, verdicts);
        self.follow(&rows, &high, verdicts);
        Explained {
            within: self.within,
            at_most_above: task.at_start(&self.gain),
            at_most_below: task.at_start(&self.loss),
        }
    }

    fn renew_loss(&mut self, rows: &Rows, intervals: &Intervals, verdicts: &Verdicts) {
        let (learner, task) = (rows.learner, rows.learner.task());
        let given_up = |state: State| given_up(learner, intervals, verdicts, state);
        let here: Vec<f64> = task.all_states().map(given_up).collect();
        for _ in 0..SWEEPS {
            let top = largest(&self.loss);
            let mut change: f64 = 0.0;
            for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
                let later = rows.answered(state, |p| rows.greatest(p, &self.loss, top));
                let bound = here[state.at()] + task.gamma() * later;
                change = change.max(lower(&mut self.loss[state.at()], bound));
            }
            if change <= SETTLED * self.within {
                break;
            }
        }
    }

    /// Follows the bound of the gain from the start.
    fn follow(&mut self, rows: &Rows, high: &[f64], verdicts: &Verdicts) {
        let (learner, task) = (rows.learner, rows.learner.task());
        self.visits.fill(0.0);
        let mut arriving = vec![0.0; task.states()];
        for &(state, p) in task.start() {
            arriving[state.at()] += p;
        }
        let top = largest(&self.gain);
        let worth = |p: Pair| high[p.at()] + task.gamma() * rows.greatest(p, &self.gain, top);
        let best: Vec<Option<Pair>> = task
            .all_states()
            .map(|s| gains(task, verdicts, s).max_by(|a, b| worth(*a).total_cmp(&worth(*b))))
            .collect();
        for _ in 0..SWEEPS {
            let mut later = vec![0.0; task.states()];
            for state in task.all_states() {
                let here = arriving[state.at()];
                let Some(pair) = best[state.at()].filter(|_| here > 1e-4) else {
                    continue;
                };
                self.visits[pair.at()] += here;
                let (next, prob) = learner.estimate().row(pair);
                for (&s, &p) in next.iter().zip(prob) {
                    later[s as usize] += task.gamma() * here * p;
                }
            }
            arriving = later;
        }
    }
}

/// The pairs of `state` that are not constrained.
fn gains<'a>(
    task: &Task,
    verdicts: &'a Verdicts,
    state: State,
) -> impl Iterator<Item = Pair> + use<'a> {
    let pairs = task.pairs_of(state).map(Pair::new);
    pairs.filter(|&p| verdicts.at(p).verdict != Verdict::Constrained)
}

/// What the expert gives up in `state`, at most, by leaving the constrained pairs out.
fn given_up(learner: &Learner, intervals: &Intervals, verdicts: &Verdicts, state: State) -> f64 {
    let task = learner.task();
    let pairs = task.pairs_of(state).map(Pair::new);
    let constrained = pairs.filter(|&p| verdicts.at(p).verdict == Verdict::Constrained);
    let (mut taken, mut most) = (0.0, 0.0);
    for pair in constrained {
        taken += intervals.taken_at_most(learner, pair, verdicts.criteria());
        most = f64::max(most, intervals.advantage(task, pair).1);
    }
    match taken < 1.0 {
        true => taken / (1.0 - taken) * most,
        false => f64::INFINITY,
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// Lowers a bound; by how much.
fn lower(bound: &mut f64, to: f64) -> f64 {
    let before = *bound;
    *bound = before.min(to);
    before - *bound
}

/// Sets that hold whole rows, and all that the expert does in a state.
struct Rows<'a> {
    learner: &'a Learner,
    intervals: &'a Intervals,
    rows: Vec<f64>,
    answers: Vec<f64>,
}

impl<'a> Rows<'a> {
    fn new(learner: &'a Learner, intervals: &'a Intervals, criteria: &Criteria) -> Self {
        let task = learner.task();
        let each = ROWS * criteria.each(task.pairs() + task.states());
        let (states, estimate) = (task.states(), learner.estimate());
        let row = |p: Pair| whole(estimate.counts(p), states, each);
        let answer = |s: State| {
            let pairs = task.pairs_of(s);
            let chosen: Vec<u32> = pairs
                .map(|i| learner.expert_choices(Pair::new(i)))
                .collect();
            whole(&chosen, chosen.len(), each)
        };
        Self {
            rows: task.all_pairs().map(row).collect(),
            answers: task.all_states().map(answer).collect(),
            learner,
            intervals,
        }
    }

    /// The greatest mean of `values`, none above `top`, over the next states of `pair`.
    fn greatest(&self, pair: Pair, values: &[f64], top: f64) -> f64 {
        let possible = self.intervals.known().map_or(&[][..], |k| k.possible(pair));
        let of = |s: &u32| values[*s as usize];
        if let Some((next, prob)) = self.intervals.known().and_then(|k| k.row(pair)) {
            return next.iter().zip(prob).map(|(s, p)| p * of(s)).sum();
        }
        let top = match possible.is_empty() {
            true => top,
            false => possible.iter().map(of).fold(0.0, f64::max),
        };
        let (next, prob) = self.learner.estimate().row(pair);
        if next.is_empty() {
            return top;
        }
        let seen: Vec<f64> = next.iter().map(of).collect();
        greatest_mean(prob, &seen, top, self.rows[pair.at()])
    }

    /// The greatest mean of `of` over what the expert does in `state`.
    fn answered(&self, state: State, of: impl Fn(Pair) -> f64) -> f64 {
        let pairs = || self.learner.task().pairs_of(state).map(Pair::new);
        let values: Vec<f64> = pairs().map(of).collect();
        let top = largest(&values);
        let asked = self.learner.expert_asked(state);
        if asked == 0 {
            return top;
        }
        let share = |p: Pair| f64::from(self.learner.expert_choices(p)) / f64::from(asked);
        let shares: Vec<f64> = pairs().map(share).collect();
        greatest_mean(&shares, &values, top, self.answers[state.at()])
    }
}

/// How far, in divergence, the truth may be from draws with these counts over so many values.
fn whole(counts: &[u32], values: usize, delta: f64) -> f64 {
    let n: f64 = counts.iter().map(|&k| f64::from(k)).sum();
    if n == 0.0 {
        return f64::INFINITY;
    }
    let prior = 1.0 / values as f64;
    let mut log = -libm::log(delta) - (libm::lgamma(1.0) - libm::lgamma(1.0 + n));
    for k in counts.iter().map(|&k| f64::from(k)).filter(|&k| k > 0.0) {
        log += k * libm::log(k / n) - (libm::lgamma(k + prior) - libm::lgamma(prior));
    }
    log / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_outcome_of_many_leaves_what_could_have_hidden() {
        // Always the first of two: the mean probability over Dirichlet(1/2, 1/2) of one draw is 1/2.
        let d = whole(&[1], 2, 0.1);
        assert!((d - (10.0_f64.ln() + 2.0_f64.ln())).abs() < 1e-12);
        // Over two draws it is 3/8, and the counts themselves have probability 1.
        let d = whole(&[2, 0], 2, 0.1);
        assert!((2.0 * d - (10.0_f64.ln() + (8.0_f64 / 3.0).ln())).abs() < 1e-12);
        // One of each: 1/8 of the mixture, 1/4 at most.
        let d = whole(&[1, 1], 2, 0.1);
        assert!((2.0 * d - (10.0_f64.ln() + 8.0_f64.ln() - 4.0_f64.ln())).abs() < 1e-12);
        assert_eq!(whole(&[], 3, 0.1), f64::INFINITY);
    }
}
