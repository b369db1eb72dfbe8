//! Sweeps: environments x strategies x seeds, in parallel, saved run by run.
//!
//! An [`Experiment`] says what to run; [`Sweep::open`] builds its environments, takes the results
//! folder and looks at what it already holds, [`Sweep::run`] does the rest. Results do not depend
//! on the number of threads or on how often the sweep was interrupted, unless runs are limited by
//! time (the parameter `seconds`): how far a run gets in a second cannot be repeated.
//!
//! A sweep can be spread over machines: each does one [`Shard`], and [`merge`] puts the folders
//! together, with the bytes of the whole sweep.
//!
//! ```
//! use hedgerow::sweep::{Experiment, Silent, Sweep};
//!
//! let mut experiment = Experiment::default();
//! experiment.set_environments(["gridworld-1"])?;
//! experiment.set_strategies(["pcse", "random"])?;
//! experiment.set_seeds(vec![0, 1])?;
//! experiment.set("iterations", "10")?;
//! experiment.set("pcse.lookahead", "2")?;
//!
//! let folder = tempfile::tempdir()?;
//! let outcome = Sweep::open(&experiment, folder.path())?.run(&Silent, &Default::default())?;
//! assert_eq!((outcome.runs, outcome.finished), (4, 4));
//! assert_eq!(outcome.summary[0].strategy, "pcse");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One strategy can take part several times, with other parameters, as
//! [variants](Experiment::add_variant) with names of their own.
//!
//! What the folder holds: [`crate::results`].

mod execute;
mod experiment;
mod experiment_file;
mod merge;
mod observer;
mod resolve;
pub mod seeds;
mod shard;
mod variant;

pub use execute::{Sweep, SweepOutcome};
pub use experiment::{Experiment, GRIDWORLDS, SEEDS};
pub use merge::{Merged, merge};
pub use observer::{Both, Observer, Silent};
pub use shard::Shard;
