//! From pairs to the cells they lead to.

use crate::index::State;
use crate::model::{Dynamics, Task};

/// Entries of a cost on cells below this share of the largest are slips, not constraints.
pub(crate) const CELL_SHARE: f64 = 0.05;

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

/// `kappa(s') = sum_{s,a} P(s'|s,a) c(s,a)`: a cost on pairs as a cost on the states they lead to,
/// under any dynamics. Terminals cost nothing.
pub fn project<D: Dynamics>(dynamics: &D, task: &Task, cost: &[f64]) -> Vec<f64> {
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

/// A cost on cells with everything below 5 % of the largest entry set to zero.
pub fn significant_cells(mut kappa: Vec<f64>) -> Vec<f64> {
    let cut = CELL_SHARE * kappa.iter().copied().fold(0.0, f64::max);
    for k in &mut kappa {
        if *k < cut {
            *k = 0.0;
        }
    }
    kappa
}
