//! Sweeps: environments x strategies x seeds, in parallel, saved run by run.
//!
//! An [`Experiment`] says what to run; [`Sweep::open`] builds its environments and looks at what
//! the results folder already holds, [`Sweep::run`] does the rest. Results do not depend on the
//! number of threads or on how often the sweep was interrupted, unless runs are limited by time
//! (the parameter `seconds`): how far a run gets in a second is nobody's to repeat.
//!
//! The folder `OUT` holds, every file written in one step (see [`crate::io::write_atomic`]):
//!
//! | file | content |
//! |---|---|
//! | `manifest.json` | the resolved configuration and the status of every run |
//! | `summary.csv` | one row an environment and strategy, over the seeds: [`SummaryRow`] |
//! | `environments/ENV.json` | what drawings of the truth need: [`EnvironmentFile`] |
//! | `runs/ENV/STRATEGY/SEED.csv` | the history of a run: [`history`] |
//! | `runs/ENV/STRATEGY/SEED.snapshots.json` | what it inferred, and when: [`SnapshotsFile`] |
//! | `runs/ENV/STRATEGY/SEED.learner.json` | what its learner had seen: [`LearnerFile`] |
//! | `runs/ENV/STRATEGY/SEED.json` | written last, marks the run as finished: [`Marker`] |
//!
//! A run counts as finished when its marker is whole, says what determined the run, and matches
//! the other files. Such a run is never repeated, and never overwritten by a different one.
//! [`Results::read`] reads it all back, for reports.

mod environment_file;
mod execute;
mod experiment;
mod experiment_file;
pub mod history;
mod identity;
mod learner_file;
mod manifest;
mod marker;
mod plane;
mod results;
pub mod seeds;
mod site;
mod snapshots_file;
mod store;
mod summary;

pub use environment_file::{EnvironmentFile, LayoutFile};
pub use execute::{Observer, Outcome, Silent, Sweep};
pub use experiment::{Experiment, GRIDWORLDS, SEEDS};
pub use identity::{Identity, RunId, environment_fingerprint};
pub use learner_file::LearnerFile;
pub use manifest::{Configuration, ManifestEnvironment, ManifestRun, Status};
pub use marker::{Finished, Marker};
pub use plane::Plane;
pub use results::{Problem, Results, SavedRun};
pub use site::{Opener, Order, Site};
pub use snapshots_file::SnapshotsFile;
pub use store::Store;
pub use summary::{COLUMNS as SUMMARY_COLUMNS, SummaryRow, summarise};
