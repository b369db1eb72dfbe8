//! Continuous worlds: the Point Maze, and the networks and densities that learning in it takes.
//!
//! | module | holds |
//! |---|---|
//! | [`maze`] | maps, physics, files, episodes |
//! | [`net`] | networks: a plain forward pass, training, files |
//! | [`agent`] | reinforcement learning: DQN, PPO |
//! | [`expert`] | experts of mazes, trained and evaluated |
//! | [`lattice`] | nodes over positions and velocities, interpolation |
//! | [`density`] | densities and their pseudo-counts |
//! | [`learn`] | the learner: samples, fitted value, advantages, inferred cost |
//! | [`explore`] | strategies: from what the learner has observed to the next action |
//! | [`plan`] | planning with the true physics, for the evaluator |
//! | [`evaluator`] | the evaluator, which alone compares a learner with the truth |
//! | [`site`] | mazes as environments of a sweep |

pub mod agent;
pub mod density;
pub mod evaluator;
pub mod expert;
pub mod explore;
pub mod lattice;
pub mod learn;
pub mod maze;
pub mod net;
pub mod plan;
mod select;
pub mod site;

pub use hedgerow::{Error, Result};
