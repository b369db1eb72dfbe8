//! The learner of a continuous world: samples, the expert's fitted value, the inferred cost.
//!
//! It knows the walls, the discount, how long a decision takes, and what it has observed. Physics,
//! constraint cells and the expert itself are out of its reach: nothing here takes a
//! [`crate::maze::Maze`] or a [`crate::maze::MazeEnv`].
//!
//! ```
//! use hedgerow_continuous::learn::{CostInference, KnownWorld, Learner, Sample};
//! use hedgerow_continuous::maze::builtin;
//!
//! let known = KnownWorld {
//!     map: builtin::maze("point-maze")?.map().clone(),
//!     gamma: 0.95,
//!     seconds: 0.05,
//! };
//! let mut learner = Learner::new(known, CostInference::default(), "smooth")?;
//! // The expert's last decision before the goal.
//! let state = [-0.8, 1.0, -2.0, 0.0];
//! learner.observe(Sample {
//!     state,
//!     action: 2,
//!     expert: 2,
//!     next: [-0.95, 1.0, -3.0, 0.0],
//!     reward: 1.0,
//!     terminated: true,
//!     last: true,
//! });
//! learner.refresh();
//! assert_eq!(learner.fitted_value().at(&state).map(|v| v.value), Some(1.0));
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

mod action_stats;
mod braking;
mod cell_costs;
mod expert_policy;
mod fitted_q;
mod fitted_value;
mod infer;
mod learner;
mod resolution;
mod sample;

pub use braking::Braking;
pub use cell_costs::{CellCosts, EVIDENCE};
pub use expert_policy::ExpertPolicyEstimate;
pub use fitted_q::{Ending, FittedQ};
pub use fitted_value::{FittedValue, ValueEstimate};
pub use infer::{Advantage, CostInference};
pub use learner::{KnownWorld, Learner};
pub use resolution::Resolution;
pub use sample::Sample;
