//! Continuous worlds: the Point Maze, the networks and densities that learning in it takes.
//!
//! | module | holds |
//! |---|---|
//! | [`maze`] | maps, physics, files, episodes |
//! | [`net`] | networks: a plain forward pass, training, files |
//! | [`agent`] | agents that learn by practice: DQN, PPO |
//! | [`density`] | densities and their pseudo-counts |

pub mod agent;
pub mod density;
pub mod explore;
pub mod lattice;
pub mod learn;
pub mod maze;
pub mod net;
pub mod plan;

pub use hedgerow::{Error, Result};
