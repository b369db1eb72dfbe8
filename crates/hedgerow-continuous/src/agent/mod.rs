//! Agents that learn by practice.
//!
//! | module | learns |
//! |---|---|
//! | [`dqn`] | the value of every action, from many lanes of a world at once |
//! | [`ppo`] | a random policy, from whole episodes, across the iterations of a run |

pub mod dqn;
mod loss;
pub mod ppo;
mod practice;
mod replay;

pub use practice::{Practice, Steps};
