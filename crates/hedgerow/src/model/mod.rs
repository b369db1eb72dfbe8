//! Finite constrained decision problems, cut along the line of who may know what.
//!
//! A model without cost is `(S, A(s), P, r, mu0, gamma)`. Everything but `P` is the [`Task`],
//! which a learner is told; `P` is a set of [`Rows`]. [`Model`] is the two together and only
//! environments, experts and the evaluator hold one. Costs ([`Cost`]) and budgets stand apart,
//! because one model is solved under many of them.

mod build;
mod cells;
mod cost;
mod policy;
mod reach;
mod rows;
mod task;

pub use build::ModelBuilder;
pub use cells::{entered, project, significant_cells};
pub use cost::Cost;
pub use policy::{Policy, sample_weighted};
pub use reach::reachable;
pub use rows::{Dynamics, Rows};
pub use task::Task;

use std::sync::Arc;

/// How far a sum of probabilities may be from 1.
pub const SUM_TOLERANCE: f64 = 1e-9;

/// A task together with its true dynamics.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    task: Arc<Task>,
    rows: Rows,
}

impl Model {
    pub(crate) fn from_parts(task: Task, rows: Rows) -> Self {
        Self {
            task: Arc::new(task),
            rows,
        }
    }

    /// What a learner may know of this model.
    pub fn task(&self) -> &Arc<Task> {
        &self.task
    }

    /// The transition probabilities.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }
}
