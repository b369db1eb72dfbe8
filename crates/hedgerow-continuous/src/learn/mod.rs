//! The learner of a continuous world: samples, the expert's fitted value, the inferred cost.
//!
//! It knows the walls, the discount, how long a decision takes, and what it has seen. Physics,
//! constraint cells and the expert itself are out of its reach: nothing here takes a
//! [`crate::maze::Maze`] or a [`crate::maze::World`].

mod best;
mod cells;
mod fit;
mod habits;
mod infer;
mod learner;
mod level;
mod sample;
mod stopping;
mod table;

pub use best::Best;
pub use cells::{Cells, EVIDENCE};
pub use fit::{Fit, Known};
pub use habits::Habits;
pub use infer::{Advantage, Inference};
pub use learner::{Learner, Terms};
pub use level::Level;
pub use sample::Sample;
pub use stopping::Stopping;
