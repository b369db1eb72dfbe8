//! What a run in a finite world needs to go on from the middle.

use crate::Result;
use crate::io::sealed;
use crate::learn::Seen;
use crate::results::{history_from_csv, history_to_csv};
use crate::run::{Row, RunSpec, Snapshot};
use serde::{Deserialize, Serialize};

/// A moment after an iteration was learned from and before it is evaluated.
pub(super) struct Checkpoint {
    /// The iteration.
    pub iteration: usize,
    /// All that the learner had seen.
    pub seen: Seen,
    /// What the strategy remembers.
    pub strategy: String,
    /// How far the random streams were read.
    pub simulator: Vec<u64>,
    pub acting: u64,
    pub rollouts: u64,
    /// The last episode, for pictures.
    pub trajectory: Vec<u32>,
    /// The history before it.
    pub rows: Vec<Row>,
    pub snapshots: Vec<Snapshot>,
}

const FORMAT: &str = "hedgerow-checkpoint/1";

/// As it is written: rows as a history, since some of their numbers may be infinite.
#[derive(Serialize, Deserialize)]
struct CheckpointFile {
    format: String,
    spec: RunSpec,
    iteration: usize,
    strategy: String,
    simulator: Vec<u64>,
    acting: u64,
    rollouts: u64,
    trajectory: Vec<u32>,
    history: String,
    snapshots: Vec<Snapshot>,
    seen: Seen,
}

impl Checkpoint {
    /// The checkpoint in `bytes`, if it is a whole one of the run that `spec` determines.
    pub fn read(bytes: &[u8], spec: &RunSpec) -> Option<Self> {
        let file: CheckpointFile = sealed::open(bytes, FORMAT).ok()?;
        if file.spec.id != spec.id || spec.difference(&file.spec).is_some() {
            return None;
        }
        Some(Self {
            iteration: file.iteration,
            seen: file.seen,
            strategy: file.strategy,
            simulator: file.simulator,
            acting: file.acting,
            rollouts: file.rollouts,
            trajectory: file.trajectory,
            rows: history_from_csv(file.history.as_bytes())?,
            snapshots: file.snapshots,
        })
    }

    /// The file of this checkpoint.
    pub fn write(self, spec: &RunSpec) -> Result<Vec<u8>> {
        sealed::seal(&CheckpointFile {
            format: FORMAT.to_owned(),
            spec: spec.clone(),
            iteration: self.iteration,
            strategy: self.strategy,
            simulator: self.simulator,
            acting: self.acting,
            rollouts: self.rollouts,
            trajectory: self.trajectory,
            history: String::from_utf8_lossy(&history_to_csv(&self.rows)?).into_owned(),
            snapshots: self.snapshots,
            seen: self.seen,
        })
    }
}
