//! The file of a run: written last, it vouches for the history beside it.

use super::history;
use crate::Result;
use crate::fingerprint::Fingerprint;
use crate::io::sealed;
use crate::run::{Payload, RunId, RunResult, RunSpec, RunSummary, Snapshot};
use serde::{Deserialize, Serialize};

/// `SEED.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// `hedgerow-run/2`.
    pub format: String,
    /// What determined the run.
    pub spec: RunSpec,
    /// What tables need of it.
    pub summary: RunSummary,
    /// Fingerprint of the history file.
    pub history: String,
    /// Fingerprint of the file of samples, if they were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<String>,
    /// The inferred cost by rising iteration, the end last; entries not listed are 0. Where pairs
    /// and cells lie is said in [`super::EnvironmentFile`].
    pub snapshots: Vec<Snapshot>,
    /// What the domain keeps.
    pub payload: Payload,
}

impl RunFile {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-run/2";

    /// The history and the file of a run.
    pub(super) fn write(spec: &RunSpec, result: &RunResult) -> Result<(Vec<u8>, Vec<u8>)> {
        let rows = history::to_csv(&result.rows)?;
        let file = Self {
            format: Self::FORMAT.to_owned(),
            spec: spec.clone(),
            summary: result.summary,
            history: Fingerprint::of(&rows).to_string(),
            samples: (result.samples.as_ref()).map(|bytes| Fingerprint::of(bytes).to_string()),
            snapshots: result.snapshots.clone(),
            payload: result.payload.clone(),
        };
        Ok((rows, sealed::seal(&file)?))
    }

    /// The file in `bytes`, or what is wrong with it.
    pub fn read(bytes: &[u8]) -> std::result::Result<Self, String> {
        sealed::open(bytes, Self::FORMAT)
    }

    /// The whole run, if `history` is the file this one was written for; else what is wrong with
    /// it.
    pub fn result(self, history: &[u8]) -> std::result::Result<RunResult, String> {
        if Fingerprint::of(history).to_string() != self.history {
            return Err("it is truncated or was changed".to_owned());
        }
        let rows = history::from_csv(history).unwrap_or_default();
        let Some(&last) = rows.last() else {
            return Err("its columns are not those of a history".to_owned());
        };
        Ok(RunResult {
            summary: RunSummary {
                last,
                ..self.summary
            },
            rows,
            snapshots: self.snapshots,
            payload: self.payload,
            samples: None,
        })
    }

    /// What is wrong with the file of samples, which is none if the run kept none.
    pub(crate) fn check_samples(&self, bytes: Option<&[u8]>) -> std::result::Result<(), String> {
        match (&self.samples, bytes) {
            (None, _) => Ok(()),
            (Some(_), None) => Err("there is no such file".to_owned()),
            (Some(known), Some(bytes)) if Fingerprint::of(bytes).to_string() == *known => Ok(()),
            (Some(_), Some(_)) => Err("it is truncated or was changed".to_owned()),
        }
    }
}

/// `SEED.failed.json`: why a run failed. It is tried again when the sweep is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedRun {
    /// `hedgerow-failed-run/1`.
    pub format: String,
    /// The run.
    #[serde(flatten)]
    pub id: RunId,
    /// The reason.
    pub error: String,
}

impl FailedRun {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-failed-run/1";

    /// A run that failed.
    pub fn new(id: RunId, error: String) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            id,
            error,
        }
    }

    pub(super) fn read(bytes: &[u8]) -> std::result::Result<Self, String> {
        sealed::open(bytes, Self::FORMAT)
    }
}
