//! The costs that explain an expert, when the dynamics are known.
//!
//! With `A_E = Q - V` the expert's advantage, a cost explains the expert if it charges exactly
//! the pairs the expert leaves alone although they would pay: `pi_E(a|s) = 0` and
//! `A_E(s, a) > 0`. [`canonical`] is one such cost.

mod canonical;

pub use canonical::{advantage, canonical};

use crate::metrics;
use crate::model::{self, Dynamics, Task};

/// A cost on pairs as a cost on cells, `kappa(s') = sum_{s,a} P(s'|s,a) c(s,a)`, without the
/// entries below 5 % of the largest.
pub fn on_cells<D: Dynamics>(dynamics: &D, task: &Task, cost: &[f64]) -> Vec<f64> {
    metrics::on_cells(model::project(dynamics, task, cost))
}
