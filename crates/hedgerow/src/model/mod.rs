//! Finite Markov decision processes: what is known, what is not, costs and policies.
//!
//! A model without cost is `(S, A(s), P, r, mu0, gamma)`. Everything but `P` is the [`Task`], which a
//! learner is told; `P` is a set of [`Rows`]. [`Model`] is the two together and only environments,
//! experts and the evaluator hold one. Costs ([`Cost`]) and budgets are separate, because one model
//! is solved under many of them.
//!
//! A two-state model, a policy of it and a cost:
//!
//! ```
//! use hedgerow::index::Pair;
//! use hedgerow::model::{Cost, ModelBuilder, Policy};
//!
//! let mut b = ModelBuilder::new(2, ["stay", "go"], 0.9);
//! b.start(0, 1.0).terminal(1);
//! b.transition(0, 0, 0, 1.0).reward(0, 0, 0.1);
//! b.transition(0, 1, 1, 0.8).transition(0, 1, 0, 0.2).reward(0, 1, 1.0);
//! let model = b.build()?;
//!
//! // Vectors over pairs have one entry per available action of each state, state by state.
//! let policy = Policy::new(model.task(), vec![0.25, 0.75])?;
//! let cost = Cost::new(model.task(), vec![0.0, 1.0])?;
//! let go = Pair(1);
//! assert_eq!(model.task().pair_name(go), "(s0, go)");
//! assert_eq!((policy.prob(go), cost.at(go)), (0.75, 1.0));
//!
//! // What cannot be is refused, with the place, the value and the remedy.
//! let refused = Policy::new(model.task(), vec![0.5, 0.75]).unwrap_err();
//! assert!(refused.to_string().starts_with("policy at s0: probabilities sum to 1.25, not 1"));
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod build;
mod cells;
mod class_row;
mod compressed;
mod cost;
mod ends;
mod part;
mod policy;
mod reach;
mod rows;
mod rows_builder;
mod stencils;
mod streamed;
pub(crate) mod strips;
mod task;
mod time;
mod transitions;

pub(crate) use build::END;
pub use build::ModelBuilder;
pub(crate) use cells::CELL_SHARE;
pub use cells::{entered, project, significant_cells};
pub use class_row::ClassRow;
pub(crate) use compressed::Compressed;
pub use cost::Cost;
pub(crate) use cost::check_weights;
pub use part::Part;
pub use policy::{Policy, sample_weighted};
pub use reach::{reachable, reached};
pub(crate) use rows::expect_in_turn;
pub use rows::{Dynamics, Rows};
use rows_builder::RowsBuilder;
pub(crate) use streamed::Streamed;
pub use task::Task;
pub(crate) use transitions::Transitions;

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

    /// The expected reward of every pair, what its transitions earn included.
    pub fn reward(&self) -> &[f64] {
        self.rows.reward(&self.task)
    }
}
