//! Continuous worlds: the Point Maze, the networks and densities that learning in it takes.
//!
//! | module | holds |
//! |---|---|
//! | [`maze`] | maps, physics, files, episodes |
//! | [`net`] | networks: a plain forward pass, training, files |
//! | [`agent`] | agents that learn by practice: DQN, PPO |
//! | [`expert`] | experts of mazes, trained and played |
//! | [`density`] | densities and their pseudo-counts |

pub mod agent;
pub mod density;
pub mod expert;
pub mod maze;
pub mod net;

pub use hedgerow::{Error, Result};
