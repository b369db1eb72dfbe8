//! A car on a road: a continuous world with box actions and constraints that are not cells.
//!
//! A kinematic car drives along `x` on a straight road and chooses acceleration and steering every
//! quarter of a second; its reward is how far it got along the road, in metres. One of two hidden
//! constraints holds: a speed limit, or a stop line (the half-plane beyond it is closed).
//!
//! | module | holds |
//! |---|---|
//! | [`dynamics`] | one decision of the car |
//! | [`planner`] | values under the true constraint, on a lattice, and the expert that reads them |
//! | [`world`](mod@world) | the car as a [`ContinuousWorld`](crate::world::ContinuousWorld) |
//!
//! ```
//! use hedgerow_continuous::car::{CarWorld, Constraint};
//! use hedgerow_continuous::world::ContinuousWorld;
//!
//! let world = CarWorld::new(Constraint::SpeedLimit);
//! // Faster than 4 m/s after the decision: at 3.9 m/s, with full acceleration.
//! assert_eq!(world.true_cost(&[0.0, 0.0, 0.0, 3.9], &[4.0, 0.0]), Some(1.0));
//! assert_eq!(world.true_cost(&[0.0, 0.0, 0.0, 3.9], &[0.0, 0.0]), Some(0.0));
//! ```

pub mod dynamics;
pub mod planner;
pub mod world;

pub use dynamics::{Car, Constraint};
pub use world::{CarWorld, NAMES};
