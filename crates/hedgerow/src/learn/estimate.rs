//! Sparse transition counts that are estimated dynamics at the same time.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};
use std::ops::Range;
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
    unseen: usize,
    least: u32,
    /// How many pairs have been visited `least` times; never 0 if there is a pair.
    with_least: usize,
    /// Where what a pair earns depends on where it leads.
    earned: Option<Earned>,
}

/// What pairs earn where that depends on where they lead.
#[derive(Clone, Debug)]
struct Earned {
    task: Arc<Task>,
    /// The mean reward of every pair so far.
    mean: Vec<f64>,
    /// What transitions were seen to earn, beside `next`, where rewards are not known beforehand;
    /// not a number where none was told.
    seen: Option<Vec<f64>>,
}

const FIRST_CAPACITY: u32 = 2;

impl Estimate {
    /// Nothing seen yet of `task`.
    pub fn of(task: &Arc<Task>) -> Self {
        let own = task.has_transition_rewards();
        Self {
            earned: own.then(|| Earned {
                task: task.clone(),
                mean: task.reward().to_vec(),
                seen: task.observed_rewards().map(|_| Vec::new()),
            }),
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
            unseen: pairs,
            least: 0,
            with_least: pairs,
            earned: None,
        }
    }

    /// Records one transition; true if this successor is new for the pair.
    pub fn record(&mut self, pair: Pair, next: State) -> bool {
        self.record_many(pair, next, 1)
    }

    /// Records the same transition `times` times, which takes no longer than once.
    ///
    /// # Panics
    /// If a pair is visited 2^32 times.
    pub fn record_many(&mut self, pair: Pair, next: State, times: u32) -> bool {
        if times == 0 {
            return false;
        }
        let slot = self.slots[pair.at()];
        let row = slot.start..slot.start + slot.len as usize;
        let found = self.next[row.clone()].iter().position(|&s| s == next.0);
        let new = found.is_none();
        let at = match found {
            Some(i) => row.start + i,
            None => self.extend_row(pair, next),
        };
        self.count_visits(pair, times);
        self.count[at] += times;
        let slot = self.slots[pair.at()];
        let n = f64::from(self.visits[pair.at()]);
        for i in slot.start..slot.start + slot.len as usize {
            self.prob[i] = f64::from(self.count[i]) / n;
        }
        self.renew_mean(pair);
        new
    }

    /// The mean reward of `pair`, from its row, where outcomes earn different rewards.
    fn renew_mean(&mut self, pair: Pair) {
        let Some(earned) = &self.earned else {
            return;
        };
        let row = self.place(pair);
        let outcomes = row.clone().zip(&self.prob[row]);
        let mean = outcomes
            .map(|(at, p)| p * self.reward_at(&earned.task, pair, at))
            .sum();
        if let Some(earned) = &mut self.earned {
            earned.mean[pair.at()] = mean;
        }
    }

    /// Where the row of `pair` lies.
    fn place(&self, pair: Pair) -> Range<usize> {
        let slot = self.slots[pair.at()];
        slot.start..slot.start + slot.len as usize
    }

    /// What the transition stored at `at`, one of `pair`, earns as far as it is known.
    fn reward_at(&self, task: &Task, pair: Pair, at: usize) -> f64 {
        match self.earned.as_ref().and_then(|e| e.seen.as_ref()) {
            None => task.reward_of(pair, State(self.next[at])),
            Some(seen) if seen[at].is_nan() => task.reward()[pair.at()],
            Some(seen) => seen[at],
        }
    }

    /// Where the transition from `pair` to `next` is stored, if it was seen.
    fn find(&self, pair: Pair, next: State) -> Option<usize> {
        self.place(pair).find(|&at| self.next[at] == next.0)
    }

    /// Which outcome of `pair`, in the order of its row, leads to `next`, if it was seen.
    pub fn outcome(&self, pair: Pair, next: State) -> Option<usize> {
        let row = &self.next[self.place(pair)];
        row.iter().position(|&s| s == next.0)
    }

    /// Notes what the transition from `pair` to `next` earns; false if it was never seen.
    pub(super) fn tell_reward(&mut self, pair: Pair, next: State, reward: f64) -> bool {
        let found = self.find(pair, next);
        let seen = self.earned.as_mut().and_then(|e| e.seen.as_mut());
        let (Some(at), Some(seen)) = (found, seen) else {
            return false;
        };
        seen[at] = reward;
        self.renew_mean(pair);
        true
    }

    /// What the transition from `pair` to `next` was seen to earn, where rewards are not known
    /// beforehand.
    pub fn reward_seen(&self, pair: Pair, next: State) -> Option<f64> {
        let seen = self.earned.as_ref()?.seen.as_ref()?;
        Some(seen[self.find(pair, next)?]).filter(|r| !r.is_nan())
    }

    /// The least and the largest that each outcome of `pair`, in the order of its row, may earn: one
    /// number where it is known or was seen.
    pub fn reward_bounds(&self, task: &Task, pair: Pair) -> impl Iterator<Item = (f64, f64)> {
        let seen = self.earned.as_ref().and_then(|e| e.seen.as_ref());
        self.place(pair).map(move |at| match seen {
            Some(seen) if seen[at].is_nan() => task.reward_range(pair),
            _ => {
                let reward = self.reward_at(task, pair, at);
                (reward, reward)
            }
        })
    }

    fn count_visits(&mut self, pair: Pair, times: u32) {
        let before = self.visits[pair.at()];
        let after = before.checked_add(times);
        self.visits[pair.at()] = after.expect("a pair is visited fewer than 2^32 times");
        if before == 0 {
            self.unseen -= 1;
        }
        if before == self.least {
            self.with_least -= 1;
            if self.with_least == 0 {
                self.find_least();
            }
        }
    }

    /// Every pair was visited between two calls, so all calls together cost no more than the visits.
    fn find_least(&mut self) {
        self.least = self.visits.iter().copied().min().unwrap_or(0);
        self.with_least = self.visits.iter().filter(|&&n| n == self.least).count();
    }

    fn extend_row(&mut self, pair: Pair, next: State) -> usize {
        let mut slot = self.slots[pair.at()];
        if slot.len == slot.capacity {
            let old = slot.start..slot.start + slot.len as usize;
            let moved = old.clone();
            slot.start = self.next.len();
            slot.capacity = (slot.capacity * 2).max(FIRST_CAPACITY);
            let end = slot.start + slot.capacity as usize;
            self.next.extend_from_within(old.clone());
            self.count.extend_from_within(old.clone());
            self.prob.extend_from_within(old);
            self.next.resize(end, 0);
            self.count.resize(end, 0);
            self.prob.resize(end, 0.0);
            if let Some(seen) = self.earned.as_mut().and_then(|e| e.seen.as_mut()) {
                seen.extend_from_within(moved);
                seen.resize(end, f64::NAN);
            }
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
        self.least
    }

    /// Number of pairs that were never tried.
    pub fn unseen(&self) -> usize {
        self.unseen
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
        let row = self.place(pair);
        let of = |at: usize| {
            let later = values[self.next[at] as usize];
            self.reward_at(task, pair, at) + task.gamma() * later
        };
        let mut mean = 0.0;
        for at in row.clone() {
            mean += self.prob[at] * of(at);
        }
        let mut variance = 0.0;
        for at in row {
            let d = of(at) - mean;
            variance += self.prob[at] * d * d;
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
            Some(earned) => &earned.mean,
            None => task.reward(),
        }
    }

    fn reward_of(&self, task: &Task, pair: Pair, next: State) -> f64 {
        match self.find(pair, next) {
            Some(at) => self.reward_at(task, pair, at),
            None => task.reward_of(pair, next),
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

    #[test]
    fn many_at_once_are_as_many_one_by_one() {
        let (mut at_once, mut one_by_one) = (Estimate::new(2), Estimate::new(2));
        for (pair, next, times) in [(0, 1, 3), (1, 0, 2), (0, 2, 4), (1, 0, 0), (0, 1, 1)] {
            at_once.record_many(Pair(pair), State(next), times);
            for _ in 0..times {
                one_by_one.record(Pair(pair), State(next));
            }
            assert_eq!(at_once.least_visits(), one_by_one.least_visits());
        }
        for pair in [Pair(0), Pair(1)] {
            assert_eq!(at_once.row(pair), one_by_one.row(pair));
            assert_eq!(at_once.counts(pair), one_by_one.counts(pair));
        }
        assert_eq!((at_once.unseen(), at_once.least_visits()), (0, 2));
    }

    #[test]
    fn memory_does_not_grow_with_the_counts() {
        let mut e = Estimate::new(1);
        assert!(e.record_many(Pair(0), State(0), u32::MAX - 1));
        assert!(e.record(Pair(0), State(1)));
        assert_eq!((e.least_visits(), e.entries()), (u32::MAX, 2));
        assert_eq!(e.counts(Pair(0)), [u32::MAX - 1, 1]);
    }
}
