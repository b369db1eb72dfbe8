//! Sparse transition rows.

use crate::index::{Pair, State};
use crate::model::Task;

/// Anything that gives the next-state distribution of a pair as a sparse row.
///
/// A row may be empty: that is what a learner knows of a pair it never tried.
pub trait Dynamics: Sync {
    /// Next states and their probabilities.
    fn row(&self, pair: Pair) -> (&[u32], &[f64]);

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

    /// The most likely next state, the first by number of several; `None` for an empty row.
    fn likeliest(&self, pair: Pair) -> Option<State> {
        let (next, prob) = self.row(pair);
        let mut best: Option<(u32, f64)> = None;
        for (&s, &p) in next.iter().zip(prob) {
            if best.is_none_or(|(other, most)| p > most || (p == most && s < other)) {
                best = Some((s, p));
            }
        }
        best.map(|(s, _)| State(s))
    }
}

/// Transition probabilities in compressed rows, one row a pair, next states rising.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    pub(super) start: Vec<usize>,
    pub(super) next: Vec<u32>,
    pub(super) prob: Vec<f64>,
}

impl Rows {
    /// Number of stored entries.
    pub fn entries(&self) -> usize {
        self.next.len()
    }
}

/// The states that the marked pairs most likely lead to, terminals excluded.
pub fn entered<D: Dynamics>(task: &Task, dynamics: &D, marked: &[bool]) -> Vec<bool> {
    let mut entered = vec![false; task.states()];
    for pair in task.all_pairs().filter(|p| marked[p.at()]) {
        if let Some(next) = dynamics.likeliest(pair) {
            entered[next.at()] = !task.is_terminal(next);
        }
    }
    entered
}

/// `kappa(s') = sum_{s,a} P(s'|s,a) c(s,a)` under any dynamics; nothing is charged on terminals.
pub(crate) fn project<D: Dynamics>(dynamics: &D, task: &Task, cost: &[f64]) -> Vec<f64> {
    let mut kappa = vec![0.0; task.states()];
    for pair in task.all_pairs() {
        let c = cost[pair.at()];
        if c > 0.0 {
            let (next, prob) = dynamics.row(pair);
            for (&s, &p) in next.iter().zip(prob) {
                if !task.is_terminal(State(s)) {
                    kappa[s as usize] += p * c;
                }
            }
        }
    }
    kappa
}

impl Dynamics for Rows {
    #[inline]
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        let range = self.start[pair.at()]..self.start[pair.at() + 1];
        (&self.next[range.clone()], &self.prob[range])
    }
}
