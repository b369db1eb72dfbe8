//! Explicit models as text, as PRISM and Storm write and read them.
//!
//! A model is several files beside each other: `x.tra` with the transitions, `x.lab` with the initial
//! states, rewards (PRISM: `x.srew`, `x.trew`; Storm: `x.state.rew`, `x.rew` or `x.trans.rew`) and,
//! from PRISM, `x.sta` with the states. Neither knows a discount, terminal states, costs or experts:
//! those are in `x.hedgerow.json`, which other programs leave alone. See `docs/formats.md`.
//!
//! ```
//! use hedgerow::io::{Defaults, explicit, open};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("grid.tra");
//! let environment = open("gridworld-3")?;
//! explicit::write(&path, &environment, explicit::Form::Storm)?;
//! let again = explicit::read(&path, &Defaults::default())?;
//! assert_eq!(again.truth().model(), environment.truth().model());
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod extra;
mod labels;
mod lines;
mod read;
mod rewards;
mod transitions;
mod write;

pub use read::read;
pub use write::write;

use std::path::{Path, PathBuf};

/// Whose conventions text files follow. Reading tells them apart by the first line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `x.tra` begins with the numbers of states, choices and transitions.
    #[default]
    Prism,
    /// `x.tra` begins with the line `mdp`.
    Storm,
}

/// The ending of the file of what other programs do not know.
const EXTRA: &str = "hedgerow.json";

/// The neighbour of `x.tra` with another ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    path.with_extension(ending)
}
