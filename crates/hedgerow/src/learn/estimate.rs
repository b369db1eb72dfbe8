//! Sparse transition counts that are estimated dynamics at the same time.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};
use std::sync::Arc;

/// Where the row of a pair lies in the shared storage.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    start: usize,
    len: u32,
    capacity: u32,
}

/// Counts `N(s,a,s')` and the frequencies `P^ = N(s,a,s') / N(s,a)`, row by row.
///
/// Memory and time follow what was observed: a pair that was never tried has an empty row and
/// stores nothing. Rows live in one arena; a row that outgrows its place moves to the end with
/// twice the room, so recording a sample costs the length of its row.
#[derive(Clone, Debug)]
pub struct Estimate {
    slots: Vec<Slot>,
    next: Vec<u32>,
    count: Vec<u32>,
    prob: Vec<f64>,
    visits: Vec<u32>,
    /// How many pairs have been visited `n` times, for `n` up to the most visited one.
    pairs_with: Vec<u32>,
    least: usize,
    /// Where transitions earn rewards of their own: the task that says so, and the mean reward of
    /// every pair so far.
    earned: Option<(Arc<Task>, Vec<f64>)>,
}

const FIRST_CAPACITY: u32 = 2;

impl Estimate {
    /// Nothing seen yet of `task`.
    pub fn of(task: &Arc<Task>) -> Self {
        let own = task.has_transition_rewards();
        Self {
            earned: own.then(|| (task.clone(), task.reward().to_vec())),
            ..Self::new(task.pairs())
        }
    }

    /// Nothing seen yet of a task in which transitions earn nothing of their own.
    pub fn new(pairs: usize) -> Self {
        Self {
            slots: vec![Slot::default(); pairs],
            next: Vec::new(),
            count: Vec::new(),
            prob: Vec::new(),
            visits: vec![0; pairs],
            pairs_with: vec![pairs as u32],
            least: 0,
            earned: None,
        }
    }

    /// Records one transition; true if this successor is new for the pair.
    pub fn record(&mut self, pair: Pair, next: State) -> bool {
        let slot = self.slots[pair.at()];
        let row = slot.start..slot.start + slot.len as usize;
        let found = self.next[row.clone()].iter().position(|&s| s == next.0);
        let new = found.is_none();
        let at = match found {
            Some(i) => row.start + i,
            None => self.extend_row(pair, next),
        };
        self.count[at] += 1;
        self.count_visit(pair);
        let slot = self.slots[pair.at()];
        let n = f64::from(self.visits[pair.at()]);
        for i in slot.start..slot.start + slot.len as usize {
            self.prob[i] = f64::from(self.count[i]) / n;
        }
        if let Some((task, mean)) = &mut self.earned {
            let row = slot.start..slot.start + slot.len as usize;
            let outcomes = self.next[row.clone()].iter().zip(&self.prob[row]);
            mean[pair.at()] = outcomes
                .map(|(&s, p)| p * task.reward_of(pair, State(s)))
                .sum();
        }
        new
    }

    fn count_visit(&mut self, pair: Pair) {
        let n = self.visits[pair.at()] as usize;
        self.visits[pair.at()] += 1;
        if self.pairs_with.len() == n + 1 {
            self.pairs_with.push(0);
        }
        self.pairs_with[n] -= 1;
        self.pairs_with[n + 1] += 1;
        while self.pairs_with[self.least] == 0 {
            self.least += 1;
        }
    }

    fn extend_row(&mut self, pair: Pair, next: State) -> usize {
        let mut slot = self.slots[pair.at()];
        if slot.len == slot.capacity {
            let old = slot.start..slot.start + slot.len as usize;
            slot.start = self.next.len();
            slot.capacity = (slot.capacity * 2).max(FIRST_CAPACITY);
            let end = slot.start + slot.capacity as usize;
            self.next.extend_from_within(old.clone());
            self.count.extend_from_within(old.clone());
            self.prob.extend_from_within(old);
            self.next.resize(end, 0);
            self.count.resize(end, 0);
            self.prob.resize(end, 0.0);
        }
        let at = slot.start + slot.len as usize;
        self.next[at] = next.0;
        slot.len += 1;
        self.slots[pair.at()] = slot;
        at
    }

    /// `N(s, a)`.
    #[inline]
    pub fn visits(&self, pair: Pair) -> u32 {
        self.visits[pair.at()]
    }

    /// `N(s, a)` of all pairs.
    pub fn all_visits(&self) -> &[u32] {
        &self.visits
    }

    /// The smallest `N(s, a)`.
    pub fn least_visits(&self) -> u32 {
        self.least as u32
    }

    /// Number of pairs that were never tried.
    pub fn unseen(&self) -> usize {
        if self.least == 0 {
            self.pairs_with[0] as usize
        } else {
            0
        }
    }

    /// `N(s, a, s')` in the order of the row.
    pub fn counts(&self, pair: Pair) -> &[u32] {
        let slot = self.slots[pair.at()];
        &self.count[slot.start..slot.start + slot.len as usize]
    }

    /// Mean and variance of `values` at the next state of `pair`.
    pub fn moments(&self, pair: Pair, values: &[f64]) -> (f64, f64) {
        let (next, prob) = self.row(pair);
        let mean = self.expect(pair, values);
        let mut variance = 0.0;
        for (&s, &p) in next.iter().zip(prob) {
            let d = values[s as usize] - mean;
            variance += p * d * d;
        }
        (mean, variance)
    }

    /// Mean and variance of `r(s,a,s') + gamma values(s')` of `pair`, which was tried.
    pub fn returns(&self, task: &Task, pair: Pair, values: &[f64]) -> (f64, f64) {
        let (next, prob) = self.row(pair);
        let of = |s: u32| task.reward_of(pair, State(s)) + task.gamma() * values[s as usize];
        let mut mean = 0.0;
        for (&s, &p) in next.iter().zip(prob) {
            mean += p * of(s);
        }
        let mut variance = 0.0;
        for (&s, &p) in next.iter().zip(prob) {
            let d = of(s) - mean;
            variance += p * d * d;
        }
        (mean, variance)
    }

    /// Number of different transitions seen.
    pub fn entries(&self) -> usize {
        self.slots.iter().map(|s| s.len as usize).sum()
    }
}

impl Dynamics for Estimate {
    #[inline]
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        let slot = self.slots[pair.at()];
        let row = slot.start..slot.start + slot.len as usize;
        (&self.next[row.clone()], &self.prob[row])
    }

    fn reward<'a>(&'a self, task: &'a Task) -> &'a [f64] {
        match &self.earned {
            Some((_, mean)) => mean,
            None => task.reward(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_follow_the_counts_through_growing_rows() {
        let mut e = Estimate::new(3);
        for next in [4, 5, 6, 7, 4] {
            e.record(Pair(1), State(next));
        }
        let (next, prob) = e.row(Pair(1));
        assert_eq!(next, [4, 5, 6, 7]);
        assert_eq!(prob, [0.4, 0.2, 0.2, 0.2]);
        assert_eq!((e.visits(Pair(1)), e.unseen(), e.least_visits()), (5, 2, 0));
        assert!(e.row(Pair(0)).0.is_empty());
        e.record(Pair(0), State(0));
        e.record(Pair(2), State(0));
        e.record(Pair(2), State(0));
        assert_eq!((e.unseen(), e.least_visits()), (0, 1));
    }

    #[test]
    fn moments_of_a_fair_coin() {
        let mut e = Estimate::new(1);
        e.record(Pair(0), State(0));
        e.record(Pair(0), State(1));
        assert_eq!(e.moments(Pair(0), &[0.0, 2.0]), (1.0, 1.0));
    }
}
