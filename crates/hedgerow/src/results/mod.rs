//! Results on disk: written run by run, read back by reports and other programs.
//!
//! The folder `OUT` holds, every file written in one step (see [`crate::io::write_atomic`]):
//!
//! | file | content |
//! |---|---|
//! | `manifest.json` | what was asked for: [`Manifest`]; written once |
//! | `environments/ENV.json` | what drawings of the truth need: [`EnvironmentFile`] |
//! | `runs/ENV/STRATEGY/SEED.checkpoint.json` | where a long run goes on, while it is not finished |
//! | `runs/ENV/STRATEGY/SEED.csv` | the history of a run, one line per [`Row`](crate::run::Row) |
//! | `runs/ENV/STRATEGY/SEED.json` | what determined it and what came out; written last, marks the run as finished |
//! | `runs/ENV/STRATEGY/SEED.samples.safetensors` | all samples of the run, where they are to be kept |
//! | `runs/ENV/STRATEGY/SEED.failed.json` | why a run failed |
//! | `summary.csv` | one row per environment and strategy, over the seeds: [`SummaryRow`] |
//! | `timings.csv` | how long runs took; the only file that cannot be repeated |
//! | `.lock` | empty; locked while a sweep writes, so that no other does |
//!
//! Every JSON file ends in a checksum of what stands before it, and `SEED.json` has that of its
//! history and samples, so a damaged file is noticed wherever it is read. A run counts as finished when all
//! its files are whole. What a run costs to save does not depend on how many there are.
//!
//! ```
//! use hedgerow::results::Results;
//! use hedgerow::sweep::{Experiment, Silent, Sweep};
//!
//! let mut experiment = Experiment::default();
//! experiment.set_environments(["gridworld-3"])?;
//! experiment.set_strategies(["random"])?;
//! experiment.set("iterations", "5")?;
//! let folder = tempfile::tempdir()?;
//! Sweep::open(&experiment, folder.path())?.run(&Silent, &Default::default())?;
//!
//! let results = Results::read(folder.path())?;
//! assert_eq!(results.runs.len(), 5);
//! assert_eq!(results.runs[0].result.rows.len(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod environment_file;
mod figures;
mod history;
mod manifest;
mod problem;
mod reader;
mod run_file;
mod store;
mod summary;

pub use checkpoint::FileKeeper;
pub(crate) use environment_file::transition_rewards;
pub use environment_file::{
    EnvironmentFile, ExactFile, GraphFile, LayoutFile, environment_fingerprint,
};
pub use figures::Figures;
pub use history::{from_csv as history_from_csv, to_csv as history_to_csv};
pub use manifest::{Chosen, Manifest, ManifestEnvironment};
pub use problem::FileProblem;
pub use reader::{Results, SavedRun};
pub use run_file::{FailedRun, RunFile};
pub use store::{Saved, Store};
pub use summary::{SummaryRow, summarise, to_csv as summary_to_csv};
