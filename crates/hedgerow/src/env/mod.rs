//! Environments: the true model, the true cost and the expert, and the simulator that runs act in.
//!
//! [`Environment`] owns the truth. A run acts through a [`Simulator`], which answers with samples
//! only; learners and strategies are handed neither, so code of theirs that reaches for the
//! truth does not compile.
//!
//! ```
//! use hedgerow::env::{Simulator, TableSimulator, grid::Grid};
//!
//! let map = "
//!     . . G
//!     x x .
//!     S . .";
//! let environment = Grid::new("corner", Grid::symbols_of(map)).environment()?;
//! assert_eq!(environment.task().states(), 10); // nine cells and the end
//!
//! // One episode of the expert.
//! let mut world = TableSimulator::new(&environment, 7);
//! let mut state = world.reset()?;
//! while !environment.task().is_terminal(state) {
//!     let pair = world.ask_expert(state)?;
//!     state = world.step(pair)?.next;
//! }
//! # Ok::<(), hedgerow::Error>(())
//! ```

pub mod builtin;
mod graph;
pub mod grid;
mod layout;
mod name;
pub mod online;
mod world;

pub use graph::{Graph, LARGEST_AUTOMATIC, Positions};
pub use layout::{Cell, Layout};
pub use name::check_name;
pub use world::{FiniteWorld, Simulator, Step, TableSimulator};
pub(crate) use world::{draw_next, draw_start};

use crate::model::{Cost, Model, Policy, Task};
use crate::{Error, Result};
use std::sync::Arc;

/// The longest episode, in steps, where none is given.
pub(crate) const HORIZON: usize = 50;

/// A model with its hidden constraint and the expert who keeps to it.
#[derive(Clone, Debug)]
pub struct Environment {
    name: String,
    horizon: usize,
    layout: Option<Layout>,
    positions: Option<Positions>,
    truth: Truth,
}

/// What learners must not see.
#[derive(Clone, Debug)]
pub struct Truth {
    model: Model,
    cost: Cost,
    budget: f64,
    expert: Policy,
}

impl Truth {
    /// The truth about an environment. Cost and expert must be of this model.
    pub fn new(model: Model, cost: Cost, budget: f64, expert: Policy) -> Result<Self> {
        cost.check(model.task())?;
        expert.check(model.task()).map_err(|e| e.within("expert"))?;
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
    /// An environment with episodes of at most `horizon` steps. Results are filed in a folder of
    /// its name, so the name must be safe as one, and a layout must be of as many states as the
    /// model.
    pub fn new(
        name: impl Into<String>,
        horizon: usize,
        layout: Option<Layout>,
        truth: Truth,
    ) -> Result<Self> {
        let name = name.into();
        check_name(&name)?;
        if horizon == 0 {
            return Err(Error::invalid(
                "horizon",
                "0 steps per episode",
                "use at least 1",
            ));
        }
        let states = truth.model.task().states();
        if let Some(layout) = layout.as_ref().filter(|l| l.states() != states) {
            return Err(Error::invalid(
                "layout",
                format!("{} states, the model has {states}", layout.states()),
                "give the layout of this model",
            ));
        }
        Ok(Self {
            name,
            horizon,
            layout,
            positions: None,
            truth,
        })
    }

    /// The same environment, drawn as a graph with its states at `positions`. They must be as many
    /// as the states, and an environment on a grid has none.
    pub fn with_positions(mut self, positions: Positions) -> Result<Self> {
        let states = self.task().states();
        let problem = if self.layout.is_some() {
            "the states already lie on a grid".to_owned()
        } else if positions.states() != states {
            format!("{} states, the model has {states}", positions.states())
        } else {
            self.positions = Some(positions);
            return Ok(self);
        };
        Err(Error::invalid(
            "layout",
            problem,
            "give one layout, that of this model",
        ))
    }

    /// The same environment with another expert.
    pub fn with_expert(mut self, expert: &Policy) -> Result<Self> {
        expert.check(self.task())?;
        self.truth.expert = expert.clone();
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

    /// Where the states are drawn that lie on no grid, if the model says so.
    pub fn positions(&self) -> Option<&Positions> {
        self.positions.as_ref()
    }

    /// What is known to all.
    pub fn task(&self) -> &Arc<Task> {
        self.truth.model.task()
    }

    /// What only experts and the evaluator may know.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }
}
