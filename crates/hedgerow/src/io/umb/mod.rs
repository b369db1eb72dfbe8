//! UMB, the binary format in which Storm, PRISM and Modest exchange Markov models.
//!
//! A file is a tar archive, perhaps packed with gzip, of an index (`index.json`) and little-endian
//! arrays: choices by state, branches by choice, targets, probabilities, rewards. The format has no
//! discount, no start distribution, no terminal states, no cost and no expert; those are annotations
//! of a group of our own, `hedgerow`, which other programs leave alone. See `docs/formats.md`.
//!
//! ```
//! use hedgerow::io::{Defaults, open, umb};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("grid.umb");
//! let environment = open("gridworld-3")?;
//! umb::write(&path, &environment)?;
//! let again = umb::read(&path, &Defaults::default())?;
//! assert_eq!(again.truth().model(), environment.truth().model());
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod archive;
mod arrays;
mod index;
mod read;
mod write;

pub use read::{parse, read};
pub use write::write;

/// The major version of the format that is read and written.
const VERSION: u64 = 1;

/// The group of annotations that only Hedgerow knows.
const GROUP: &str = "hedgerow";

/// The reward that counts where there are several.
const REWARD: &str = "reward";

const INDEX: &str = "index.json";
const STATE_TO_CHOICES: &str = "state-to-choices.bin";
const STATE_IS_INITIAL: &str = "state-is-initial.bin";
const CHOICE_TO_BRANCHES: &str = "choice-to-branches.bin";
const BRANCH_TO_TARGET: &str = "branch-to-target.bin";
const BRANCH_TO_PROBABILITY: &str = "branch-to-probability.bin";
const CHOICE_ACTIONS: &str = "actions/choices";
/// Names of states. No annotation, because Storm reads none that hold text.
const STATE_NAMES: &str = "names/states";

/// The array of an annotation on `states`, `choices` or `branches`.
fn annotation(group: &str, id: &str, on: &str) -> String {
    format!("annotations/{group}/{id}/{on}/values.bin")
}
