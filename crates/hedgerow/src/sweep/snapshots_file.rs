//! What a run had inferred at some moments, as a file to draw from.

use crate::run::Snapshot;
use crate::sweep::RunId;
use serde::{Deserialize, Serialize};

/// `SEED.snapshots.json`. Where pairs and cells lie is said in [`super::EnvironmentFile`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotsFile {
    /// `hedgerow-snapshots/1`.
    pub format: String,
    /// The run.
    #[serde(flatten)]
    pub run: RunId,
    /// The inferred cost by rising iteration, the end last; entries not listed are 0.
    pub snapshots: Vec<Snapshot>,
}

impl SnapshotsFile {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-snapshots/1";

    /// The snapshots of a run.
    pub fn new(run: &RunId, snapshots: &[Snapshot]) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            run: run.clone(),
            snapshots: snapshots.to_vec(),
        }
    }
}
