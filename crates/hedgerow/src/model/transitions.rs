//! Transitions as they were given, column by column, and the rows they make.

use crate::model::Rows;
use crate::model::rows_builder::RowsBuilder;

/// Outcomes of pairs, one entry of every column each.
///
/// Whole columns rather than a list of records: columns that nobody needs are never made, and those
/// that are in order already become the rows without being copied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transitions {
    pub(crate) state: Vec<u32>,
    pub(crate) action: Vec<u32>,
    pub(crate) next: Vec<u32>,
    pub(crate) prob: Vec<f64>,
    /// What each earns besides its pair; empty while none does.
    pub(crate) reward: Vec<f64>,
    /// Whether each ends its episode; empty while none does.
    pub(crate) ends: Vec<bool>,
}

/// Transitions by pair.
pub(super) struct Grouped {
    /// Where the pairs of every state begin, and the end.
    pub(super) pair_start: Vec<u32>,
    pub(super) action_of: Vec<u32>,
    pub(super) rows: Rows,
    /// What every entry of the rows earns; empty if none does.
    pub(super) own: Vec<f64>,
}

impl Transitions {
    pub(crate) fn len(&self) -> usize {
        self.state.len()
    }

    /// Adds one. Numbers beyond 32 bits become the largest, which is out of range everywhere.
    pub(crate) fn push(
        &mut self,
        (state, action, next): (usize, usize, usize),
        prob: f64,
        reward: f64,
        ends: bool,
    ) {
        let before = self.len();
        self.state.push(small(state));
        self.action.push(small(action));
        self.next.push(small(next));
        self.prob.push(prob);
        if reward != 0.0 || !self.reward.is_empty() {
            self.reward.resize(before, 0.0);
            self.reward.push(reward);
        }
        if ends || !self.ends.is_empty() {
            self.ends.resize(before, false);
            self.ends.push(ends);
        }
    }

    pub(crate) fn reward(&self, i: usize) -> f64 {
        self.reward.get(i).copied().unwrap_or(0.0)
    }

    pub(super) fn ends(&self, i: usize) -> bool {
        self.ends.get(i).copied().unwrap_or(false)
    }

    /// Leaves out those for which `keep` does not hold.
    pub(super) fn retain(&mut self, keep: impl Fn(&Self, usize) -> bool) {
        let kept: Vec<bool> = (0..self.len()).map(|i| keep(self, i)).collect();
        fn filter<T>(column: &mut Vec<T>, kept: &[bool]) {
            let mut at = kept.iter();
            column.retain(|_| at.next().copied().unwrap_or(true));
        }
        filter(&mut self.state, &kept);
        filter(&mut self.action, &kept);
        filter(&mut self.next, &kept);
        filter(&mut self.prob, &kept);
        filter(&mut self.reward, &kept);
        filter(&mut self.ends, &kept);
    }

    /// All of them by state, action and next state, those given several times put together. All
    /// states are below `states`.
    pub(super) fn grouped(mut self, states: usize) -> Grouped {
        self.ends = Vec::new();
        self.sort(states);
        let mut pair_start = Vec::with_capacity(states + 1);
        let (mut action_of, mut row_start) = (Vec::new(), vec![0]);
        let (mut kept, mut last) = (0, None);
        for i in 0..self.len() {
            let key = (self.state[i], self.action[i], self.next[i]);
            if last == Some(key) {
                self.merge(kept - 1, i);
                continue;
            }
            if last.map(|(s, a, _)| (s, a)) != Some((key.0, key.1)) {
                if kept > 0 {
                    row_start.push(kept);
                }
                pair_start.resize(
                    pair_start.len().max(key.0 as usize + 1),
                    action_of.len() as u32,
                );
                action_of.push(key.1);
            }
            (self.next[kept], self.prob[kept]) = (key.2, self.prob[i]);
            if !self.reward.is_empty() {
                self.reward[kept] = self.reward[i];
            }
            kept += 1;
            last = Some(key);
        }
        if kept > 0 {
            row_start.push(kept);
        }
        pair_start.resize(states + 1, action_of.len() as u32);
        (self.state, self.action) = (Vec::new(), Vec::new());
        self.next.truncate(kept);
        self.prob.truncate(kept);
        self.reward.truncate(kept);
        action_of.shrink_to_fit();
        Grouped {
            pair_start,
            action_of,
            rows: RowsBuilder::of_arrays(row_start, self.next, self.prob),
            own: self.reward,
        }
    }

    /// Adds transition `from` to transition `into`, which is the same.
    fn merge(&mut self, into: usize, from: usize) {
        let (a, b) = (self.prob[into], self.prob[from]);
        let prob = a + b;
        if !self.reward.is_empty() && self.reward[into] != self.reward[from] {
            self.reward[into] = (a * self.reward[into] + b * self.reward[from]) / prob;
        }
        self.prob[into] = prob;
    }

    /// Sorts by state, action and next state; what is equal stays in order.
    fn sort(&mut self, states: usize) {
        let key = |i: usize| (self.state[i], self.action[i], self.next[i]);
        if (1..self.len()).all(|i| key(i - 1) <= key(i)) {
            return;
        }
        // By state first, which takes no comparisons, then within each state, where few are.
        let mut end = vec![0_usize; states + 1];
        for &s in &self.state {
            end[s as usize + 1] += 1;
        }
        for s in 0..states {
            end[s + 1] += end[s];
        }
        let mut order = vec![0_usize; self.len()];
        for (i, &s) in self.state.iter().enumerate() {
            order[end[s as usize]] = i;
            end[s as usize] += 1;
        }
        let mut first = 0;
        for &end in &end[..states] {
            order[first..end].sort_by_key(|&i| (self.action[i], self.next[i]));
            first = end;
        }
        fn take<T: Copy>(column: &mut Vec<T>, order: &[usize]) {
            if !column.is_empty() {
                *column = order.iter().map(|&i| column[i]).collect();
            }
        }
        take(&mut self.state, &order);
        take(&mut self.action, &order);
        take(&mut self.next, &order);
        take(&mut self.prob, &order);
        take(&mut self.reward, &order);
    }
}

/// An index in 32 bits; what does not fit becomes the largest, which no state or action has.
pub(crate) fn small(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}
