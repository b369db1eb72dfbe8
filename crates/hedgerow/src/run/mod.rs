//! A run: one strategy explores one environment, with one seed.
//!
//! What a run is does not depend on the kind of world. A [`RunSpec`] says all that determines it,
//! [`run_loop`] repeats "evaluate, stop or go on" over an [`Exploration`], and a [`RunResult`] is
//! what comes out: one [`Row`] per iteration, a [`Snapshot`] of what was inferred now and then,
//! and a [`Payload`] that only the [domain](crate::domain) understands.
//!
//! Runs in finite worlds are done by [`crate::finite::run`]; sweeps of many by [`crate::sweep`].
//!
//! ```
//! use hedgerow::Result;
//! use hedgerow::run::{Exploration, RunSettings, Stop, run_loop};
//! use std::ops::ControlFlow;
//!
//! /// Gathers ten samples per iteration, and is satisfied with fifty.
//! struct Ten(u64);
//!
//! impl Exploration for Ten {
//!     type Row = u64;
//!
//!     fn evaluate(&mut self, _iteration: usize) -> Result<u64> {
//!         Ok(self.0)
//!     }
//!
//!     fn samples(&self) -> u64 {
//!         self.0
//!     }
//!
//!     fn is_done(&self, row: &u64) -> Option<Stop> {
//!         (*row >= 50).then_some(Stop::Decided)
//!     }
//!
//!     fn advance(&mut self, _iteration: usize) -> Result<()> {
//!         self.0 += 10;
//!         Ok(())
//!     }
//! }
//!
//! let mut seen = Vec::new();
//! let stop = run_loop(&mut Ten(0), &RunSettings::default(), &mut |row, _| {
//!     seen.push(*row);
//!     Ok(ControlFlow::Continue(()))
//! })?;
//! assert_eq!((stop, seen.len()), (Stop::Decided, 6));
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod checkpoint;
mod payload;
mod result;
mod row;
mod run_loop;
mod settings;
mod spec;
mod trace;

pub use checkpoint::{KeepNothing, Keeper};
pub use payload::Payload;
pub use result::{RunResult, RunSummary, Snapshot};
pub use row::Row;
pub use run_loop::{Exploration, Observe, Stop, run_loop};
pub use settings::{PARAMETERS, RunSettings};
pub use spec::{RunId, RunSpec};
pub use trace::{MAP_LEVEL, Trace, running_score};
