//! Continuous worlds: the Point Maze, and the networks and densities that learning in it takes.
//!
//! | module | holds |
//! |---|---|
//! | [`world`] | continuous worlds of any kind: spaces, episodes, experts |
//! | [`maze`] | maps, physics, files, episodes |
//! | [`car`] | a car on a road: box actions, a speed limit or a stop line |
//! | [`net`] | networks: a plain forward pass, training, files |
//! | [`agent`] | reinforcement learning: DQN, PPO |
//! | [`expert`] | experts of mazes, trained and evaluated |
//! | [`lattice`] | nodes over positions and velocities, interpolation |
//! | [`density`] | densities and their pseudo-counts |
//! | [`learn`] | the learner: samples, fitted value, advantages, inferred cost |
//! | [`explore`] | strategies: from what the learner has observed to the next action |
//! | [`general`] | learning in worlds of any kind with networks, as a domain of sweeps |
//! | [`plan`] | planning with the true physics, for the evaluator |
//! | [`evaluator`] | the evaluator, which alone compares a learner with the truth |
//! | [`payload`] | what files of the domain keep |
//! | [`sample_file`] | all samples of a run in one file |
//! | `report` | figures and the part of the page that show mazes; with the feature `report` |
//! | [`domain`] | continuous worlds as a domain of sweeps |

pub mod agent;
pub mod car;
pub mod density;
pub mod domain;
pub mod evaluator;
pub mod expert;
pub mod explore;
pub mod general;
pub mod lattice;
pub mod learn;
pub mod maze;
pub mod net;
pub mod payload;
pub mod plan;
#[cfg(feature = "report")]
pub mod report;
pub mod sample_file;
mod select;
pub mod world;

pub use domain::ContinuousDomain;
pub use general::GeneralDomain;
pub use hedgerow::{Error, Result};
