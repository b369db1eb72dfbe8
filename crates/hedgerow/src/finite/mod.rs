//! Finite worlds as a domain: how one run is done in them.
//!
//! ```
//! use hedgerow::env::builtin;
//! use hedgerow::explore;
//! use hedgerow::finite::{RunOptions, run};
//!
//! let environment = builtin::environment("gridworld-3")?;
//! let mut strategy = explore::find("undecided")?.with_defaults();
//! let mut options = RunOptions::default();
//! options.run.iterations = 40;
//! options.seed = 7;
//!
//! let result = run(&environment, strategy.as_mut(), &options)?;
//!
//! let (first, last) = (&result.rows[0], &result.rows[40]);
//! assert!(last.constrained > 0);
//! // Under the inferred cost the best policy gives up reward, as the expert does.
//! assert!(last.reward < first.reward && last.cost < first.cost);
//! # Ok::<(), hedgerow::Error>(())
//! ```
//!
//! [`FiniteDomain`] is what sweeps use. It can be given strategies and worlds of other crates.

mod checkpoint;
mod describe;
mod domain;
mod exploration;
mod gather;
mod settings;

pub use describe::FiniteGeometry;
pub use domain::{FiniteDomain, NAME, WarmStart};
pub use exploration::{
    FiniteExploration, FiniteMoment, FiniteObserver, FinitePayload, RunOptions, run, run_observed,
    run_until,
};
pub(crate) use gather::{Gather, Sample};
pub use settings::{COST_MAX, DELTA, FiniteSettings, PARAMETERS};
