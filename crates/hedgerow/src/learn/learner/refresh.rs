//! Bringing a learner up to date.

use super::Learner;
use crate::index::{Pair, State};
use std::ops::Range;

/// A value that changed by less than this share of the largest reward is not passed on. The values
/// are then within `PROPAGATE / (1 - gamma)` of the exact ones, far below any width that matters.
const PROPAGATE: f64 = 1e-12;

/// Who is computed again when the value of a state changes, found once for every refresh.
#[derive(Clone, Debug)]
pub(super) struct Followers {
    all: Vec<State>,
    /// Their places, of every state whose value has changed.
    places: Vec<(u32, u32)>,
    known: Vec<State>,
}

/// Of states whose value has not changed.
const UNKNOWN: (u32, u32) = (u32::MAX, 0);

impl Followers {
    pub(super) fn new(states: usize) -> Self {
        Self {
            all: Vec::new(),
            places: vec![UNKNOWN; states],
            known: Vec::new(),
        }
    }

    fn of(&self, state: State) -> Option<Range<usize>> {
        let (first, end) = self.places[state.at()];
        (first <= end).then_some(first as usize..end as usize)
    }

    /// Those of `state` are all from `first` on.
    fn note(&mut self, state: State, first: usize) -> Range<usize> {
        self.places[state.at()] = (first as u32, self.all.len() as u32);
        self.known.push(state);
        first..self.all.len()
    }

    fn forget(&mut self) {
        self.all.clear();
        for state in self.known.drain(..) {
            self.places[state.at()] = UNKNOWN;
        }
    }
}

impl Learner {
    /// Brings values, advantages and the inferred cost up to date with all that was seen.
    ///
    /// Only states whose counts changed, and those that a changed value reaches backwards, are
    /// computed again: as many times as is returned.
    pub fn refresh(&mut self) -> usize {
        let mut computed = 0;
        let noise = PROPAGATE * self.task.reward_scale();
        let mut stale = Vec::new();
        for state in std::mem::take(&mut self.touched) {
            self.mark_stale(state, &mut stale);
            self.waiting.push(state);
        }
        while let Some(state) = self.waiting.pop(&self.values) {
            self.is_touched[state.at()] = false;
            computed += 1;
            let value = self.expert_value(state);
            // A change too small to pass on is not stored either: stored values then always
            // satisfy their equations to within this noise, and nothing drifts over a long run.
            if (value - self.values[state.at()]).abs() > noise {
                self.values[state.at()] = value;
                for i in self.followers_of(state, &mut stale) {
                    let from = self.followers.all[i];
                    if !std::mem::replace(&mut self.is_touched[from.at()], true) {
                        self.waiting.push(from);
                    }
                }
            }
        }
        self.followers.forget();
        for state in stale {
            self.is_stale[state.at()] = false;
            self.infer(state);
            computed += 1;
        }
        computed
    }

    /// The states from which the expert was seen to go to `state`, as places of [`Followers::all`]. The first
    /// time, what follows from the value of `state` becomes stale in all states from which anybody was.
    fn followers_of(&mut self, state: State, stale: &mut Vec<State>) -> Range<usize> {
        if let Some(known) = self.followers.of(state) {
            return known;
        }
        let first = self.followers.all.len();
        for i in 0..self.before[state.at()].len() {
            let pair = Pair(self.before[state.at()][i]);
            let from = self.task.state_of(pair);
            self.mark_stale(from, stale);
            if self.expert_pair[pair.at()] > 0 {
                self.followers.all.push(from);
            }
        }
        self.followers.note(state, first)
    }

    fn mark_stale(&mut self, state: State, stale: &mut Vec<State>) {
        if !std::mem::replace(&mut self.is_stale[state.at()], true) {
            stale.push(state);
        }
    }

    /// `sum_a pi^_E(a|s) (r(s,a) + gamma P^ V^)`.
    fn expert_value(&self, state: State) -> f64 {
        let asked = self.expert_state[state.at()];
        if asked == 0 {
            return 0.0;
        }
        let mut sum = 0.0;
        for i in self.task.pairs_of(state) {
            let chosen = self.expert_pair[i];
            if chosen > 0 {
                sum += f64::from(chosen) * self.q(Pair::new(i));
            }
        }
        sum / f64::from(asked)
    }

    fn infer(&mut self, state: State) {
        let gamma = self.task.gamma();
        let own_rewards = self.task.has_transition_rewards();
        for i in self.task.pairs_of(state) {
            let pair = Pair::new(i);
            let n = self.estimate.visits(pair);
            if n == 0 {
                continue;
            }
            let (q, variance) = if own_rewards {
                self.estimate.returns(&self.task, pair, &self.values)
            } else {
                let (mean, variance) = self.estimate.moments(pair, &self.values);
                (self.task.reward()[i] + gamma * mean, variance)
            };
            self.advantage[i] = q - self.values[state.at()];
            self.variance[i] = variance;
            let threshold =
                self.inference.threshold_z * self.standard_error(pair, n) + self.threshold();
            // Without an answer of the expert in this state there is nothing to explain.
            let avoided = self.expert_state[state.at()] > 0 && self.expert_pair[i] == 0;
            self.constrained[i] = avoided && self.advantage[i] > threshold;
        }
    }
}
