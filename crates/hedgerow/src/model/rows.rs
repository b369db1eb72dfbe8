//! Sparse transition rows.

use crate::index::{Pair, State};
use crate::model::Task;

/// Probabilities this close are equal: they are sums of rounded shares.
const EQUALLY_LIKELY: f64 = 1e-9;

/// Anything that gives the next-state distribution of a pair as a sparse row.
///
/// A row may be empty: that is what a learner knows of a pair it never tried.
pub trait Dynamics: Sync {
    /// Next states and their probabilities.
    fn row(&self, pair: Pair) -> (&[u32], &[f64]);

    /// The expected reward of every pair of `task` under these dynamics, `r(s,a)`. Dynamics that do
    /// not know what transitions earn give what pairs earn whatever follows.
    fn reward<'a>(&'a self, task: &'a Task) -> &'a [f64] {
        task.reward()
    }

    /// `r(s, a, s')`, as far as these dynamics know it.
    fn reward_of(&self, task: &Task, pair: Pair, next: State) -> f64 {
        task.reward_of(pair, next)
    }

    /// `sum_{s'} P(s'|pair) values(s')`.
    #[inline]
    fn expect(&self, pair: Pair, values: &[f64]) -> f64 {
        let (next, prob) = self.row(pair);
        let mut sum = 0.0;
        for (&s, &p) in next.iter().zip(prob) {
            sum += p * values[s as usize];
        }
        sum
    }

    /// The most likely next state; `None` for an empty row.
    fn likeliest(&self, pair: Pair) -> Option<State> {
        let at = self.likeliest_outcome(pair)?;
        Some(State(self.row(pair).0[at]))
    }

    /// The position of the most likely next state in the row; of equally likely ones that of the
    /// lowest number.
    fn likeliest_outcome(&self, pair: Pair) -> Option<usize> {
        let (next, prob) = self.row(pair);
        let most = prob.iter().copied().fold(0.0, f64::max);
        let equal = (0..next.len()).filter(|&i| prob[i] >= most - EQUALLY_LIKELY);
        equal.min_by_key(|&i| next[i])
    }
}

/// Transition probabilities in compressed rows, one per pair, next states ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    pub(super) start: Vec<usize>,
    pub(super) next: Vec<u32>,
    pub(super) prob: Vec<f64>,
    /// Expected rewards, where they are not those of the task alone.
    pub(super) reward: Option<Vec<f64>>,
}

impl Rows {
    /// Number of stored entries.
    pub fn entries(&self) -> usize {
        self.next.len()
    }
}

impl Dynamics for Rows {
    #[inline]
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        let range = self.start[pair.at()]..self.start[pair.at() + 1];
        (&self.next[range.clone()], &self.prob[range])
    }

    fn reward<'a>(&'a self, task: &'a Task) -> &'a [f64] {
        self.reward.as_deref().unwrap_or_else(|| task.reward())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(Vec<u32>, Vec<f64>);

    impl Dynamics for One {
        fn row(&self, _pair: Pair) -> (&[u32], &[f64]) {
            (&self.0, &self.1)
        }
    }

    #[test]
    fn of_equally_likely_states_the_lowest_whatever_their_order_and_rounding() {
        let likeliest = |next: &[u32], prob: &[f64]| {
            let row = One(next.to_vec(), prob.to_vec());
            (row.likeliest(Pair(0)), row.likeliest_outcome(Pair(0)))
        };
        assert_eq!(likeliest(&[], &[]), (None, None));
        assert_eq!(likeliest(&[4, 2], &[0.7, 0.3]), (Some(State(4)), Some(0)));
        let rounded = [0.4 + 1e-12, 0.2, 0.4];
        assert_eq!(likeliest(&[7, 1, 3], &rounded), (Some(State(3)), Some(2)));
    }
}
