//! Continuous worlds: the Point Maze, the networks and densities that learning in it takes.
//!
//! | module | holds |
//! |---|---|
//! | [`maze`] | maps, physics, files, episodes |
//! | [`net`] | networks: a plain forward pass, training, files |
//! | [`agent`] | agents that learn by practice: DQN, PPO |
//! | [`expert`] | experts of mazes, trained and played |
//! | [`lattice`] | nodes over positions and velocities, interpolation |
//! | [`density`] | densities and their pseudo-counts |
//! | [`learn`] | the learner: samples, fitted value, advantages, inferred cost |
//! | [`explore`] | strategies: from what the learner has seen to the next action |
//! | [`plan`] | planning with the true physics, for the evaluator |
//! | [`judge`] | the evaluator, which alone compares a learner with the truth |
//! | [`payload`] | what files of the domain keep |
//! | `report` | figures and the part of the page that show mazes; with the feature `report` |
//! | [`site`] | mazes as environments of a sweep |

pub mod agent;
pub mod density;
pub mod expert;
pub mod explore;
pub mod judge;
pub mod lattice;
pub mod learn;
pub mod maze;
pub mod net;
pub mod payload;
pub mod plan;
#[cfg(feature = "report")]
pub mod report;
pub mod site;

pub use hedgerow::{Error, Result};
