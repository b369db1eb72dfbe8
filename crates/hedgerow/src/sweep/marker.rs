//! The completion marker: written last, it vouches for a run's other files.

use crate::fingerprint::Fingerprint;
use crate::run::{Record, Row, Stop};
use crate::sweep::{Identity, history};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `SEED.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// `hedgerow-run/1`.
    pub format: String,
    /// What determined the run.
    pub identity: Identity,
    /// Fingerprint of `identity`.
    pub fingerprint: String,
    /// Why the run ended.
    pub stop: Stop,
    /// Samples after which it stayed at the expert's level.
    pub samples_to_expert: Option<u64>,
    /// The expert's discounted reward.
    pub expert_reward: f64,
    /// The expert's discounted cost.
    pub expert_cost: f64,
    /// The last row of the history, for readers; numbers that are not finite are null.
    #[serde(rename = "final")]
    pub last: Value,
    /// Fingerprint of the history file.
    pub history: String,
    /// Fingerprint of the snapshots file.
    pub snapshots: String,
    /// Fingerprint of the learner file.
    pub learner: String,
    /// Fingerprint of all of the above.
    pub checksum: String,
}

/// A finished run as far as summaries need it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Why it ended.
    pub stop: Stop,
    /// Samples after which it stayed at the expert's level.
    pub samples_to_expert: Option<u64>,
    /// The expert's discounted reward.
    pub expert_reward: f64,
    /// The expert's discounted cost.
    pub expert_cost: f64,
    /// The last row of its history.
    pub last: Row,
}

impl Finished {
    /// The summary of a record; a record without rows is a defect of the loop.
    pub(super) fn of(record: &Record) -> Result<Self> {
        let last = record.rows.last().copied().ok_or_else(|| Error::Numeric {
            place: "run".into(),
            problem: "the history is empty".into(),
        })?;
        Ok(Self {
            stop: record.stop,
            samples_to_expert: record.samples_to_expert,
            expert_reward: record.expert_reward,
            expert_cost: record.expert_cost,
            last,
        })
    }
}

impl Marker {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-run/1";

    /// The marker of a run whose files hold these bytes: history, snapshots, learner.
    pub(super) fn new(
        identity: Identity,
        finished: &Finished,
        [history, snapshots, learner]: [&[u8]; 3],
    ) -> Result<Self> {
        let mut marker = Self {
            format: Self::FORMAT.to_owned(),
            fingerprint: Fingerprint::of(&super::manifest::to_json(&identity)?).to_string(),
            identity,
            stop: finished.stop,
            samples_to_expert: finished.samples_to_expert,
            expert_reward: finished.expert_reward,
            expert_cost: finished.expert_cost,
            last: super::manifest::to_value(&finished.last)?,
            history: Fingerprint::of(history).to_string(),
            snapshots: Fingerprint::of(snapshots).to_string(),
            learner: Fingerprint::of(learner).to_string(),
            checksum: String::new(),
        };
        marker.checksum = marker.own_checksum()?;
        Ok(marker)
    }

    /// The marker in `bytes`; `None` unless it is whole.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut marker: Self = serde_json::from_slice(bytes).ok()?;
        let checksum = std::mem::take(&mut marker.checksum);
        let whole = marker.format == Self::FORMAT && marker.own_checksum().ok()? == checksum;
        marker.checksum = checksum;
        whole.then_some(marker)
    }

    /// The run, if its other files (history, snapshots, learner) are the ones this marker was
    /// written for.
    pub fn finished(&self, files: [&[u8]; 3]) -> Option<Finished> {
        let [history, ..] = files;
        let fingerprints = [&self.history, &self.snapshots, &self.learner];
        let matches = |(file, f): (&[u8], &String)| Fingerprint::of(file).to_string() == *f;
        if !files.into_iter().zip(fingerprints).all(matches) {
            return None;
        }
        // Read from the history, where every number is exact, infinite ones included.
        let last = *history::from_csv(std::str::from_utf8(history).ok()?)?.last()?;
        Some(self.with_last(last))
    }

    /// The run whose history ends in `last`.
    pub(super) fn with_last(&self, last: Row) -> Finished {
        Finished {
            stop: self.stop,
            samples_to_expert: self.samples_to_expert,
            expert_reward: self.expert_reward,
            expert_cost: self.expert_cost,
            last,
        }
    }

    fn own_checksum(&self) -> Result<String> {
        let blank = Self {
            checksum: String::new(),
            ..self.clone()
        };
        Ok(Fingerprint::of(&super::manifest::to_json(&blank)?).to_string())
    }
}
