//! Environments: the true model, the true cost, the expert, and the door through which a run
//! may act in them.
//!
//! [`Environment`] owns the truth. A run acts through a [`Simulator`], which answers with samples
//! only; learners and strategies are handed neither, so code of theirs that reaches for the
//! truth does not compile.

pub mod builtin;
mod expert;
pub mod grid;
mod layout;
mod world;

pub use expert::{sharing_ties, without_dust};
pub use layout::{Cell, Layout};
pub use world::{FiniteWorld, Simulator, TableSimulator};
pub(crate) use world::{draw_next, draw_start};

use crate::model::{Cost, Model, Policy, Task};
use crate::{Error, Result};
use std::sync::Arc;

/// A world with its hidden constraint and the expert who keeps to it.
#[derive(Clone, Debug)]
pub struct Environment {
    name: String,
    horizon: usize,
    layout: Option<Layout>,
    truth: Truth,
}

/// What no learner may see.
#[derive(Clone, Debug)]
pub struct Truth {
    model: Model,
    cost: Cost,
    budget: f64,
    expert: Policy,
}

impl Truth {
    /// The truth about an environment.
    pub fn new(model: Model, cost: Cost, budget: f64, expert: Policy) -> Result<Self> {
        if !(budget.is_finite() && budget >= 0.0) {
            return Err(Error::invalid(
                "budget",
                format!("{budget} is not a budget"),
                "use a finite number of at least 0",
            ));
        }
        Ok(Self {
            model,
            cost,
            budget,
            expert,
        })
    }

    /// The model with its true dynamics.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The true cost.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// The expert's budget: 0 for a hard constraint.
    pub fn budget(&self) -> f64 {
        self.budget
    }

    /// The expert's policy.
    pub fn expert(&self) -> &Policy {
        &self.expert
    }
}

impl Environment {
    /// An environment of at most `horizon` steps an episode.
    pub fn new(
        name: impl Into<String>,
        horizon: usize,
        layout: Option<Layout>,
        truth: Truth,
    ) -> Result<Self> {
        if horizon == 0 {
            return Err(Error::invalid(
                "horizon",
                "0 steps an episode",
                "use at least 1",
            ));
        }
        Ok(Self {
            name: name.into(),
            horizon,
            layout,
            truth,
        })
    }

    /// The same environment with another expert.
    pub fn with_expert(mut self, expert: &Policy) -> Result<Self> {
        self.truth.expert = Policy::new(self.task(), expert.probs().to_vec())?;
        Ok(self)
    }

    /// The name results are filed under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The longest episode, in steps.
    pub fn horizon(&self) -> usize {
        self.horizon
    }

    /// Where the states lie on a grid, if they do.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// What everybody may know.
    pub fn task(&self) -> &Arc<Task> {
        self.truth.model.task()
    }

    /// What only experts and the evaluator may know.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }
}
