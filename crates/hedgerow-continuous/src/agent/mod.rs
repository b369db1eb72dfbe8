//! Reinforcement learning with networks.
//!
//! | module | learns |
//! |---|---|
//! | [`dqn`] | the value of every action, from many copies of an environment at once |
//! | [`ppo`] | a stochastic policy, from whole episodes, across the iterations of a run |
//!
//! ```no_run
//! use hedgerow_continuous::agent::{DqnSettings, dqn};
//! use hedgerow_continuous::expert::MazeVecEnv;
//! use hedgerow_continuous::maze::builtin;
//! use std::sync::Arc;
//!
//! let maze = Arc::new(builtin::maze("point-maze")?);
//! let mut env = MazeVecEnv::new(&maze, 32, 1.0, 7);
//! let settings = DqnSettings {
//!     updates: 5_000,
//!     ..DqnSettings::default()
//! };
//! let net = dqn::train(&mut env, &settings, 7, &mut |p| p.loss.is_finite())?;
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

pub mod dqn;
mod loss;
mod n_step;
pub mod ppo;
mod replay_buffer;
mod settings;
mod vec_env;

pub use settings::{DqnSettings, PpoSettings};
pub use vec_env::{VecEnv, VecStep};
