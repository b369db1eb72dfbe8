//! What comes out of a run.

use crate::run::{Payload, Row, Stop};
use serde::{Deserialize, Serialize};

/// The inferred cost at one moment, for pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Iterations done.
    pub iteration: usize,
    /// Samples seen.
    pub samples: u64,
    /// Positive entries of the inferred cost: pair, cost.
    pub pairs: Vec<(u32, f64)>,
    /// Positive entries of the inferred cost on cells: state, cost.
    pub cells: Vec<(u32, f64)>,
    /// What else the domain has to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Payload>,
}

/// A finished run as far as tables need it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Why it ended.
    pub stop: Stop,
    /// Samples after which it stayed at the expert's level until its end.
    pub samples_to_expert: Option<u64>,
    /// The expert's discounted reward.
    pub expert_reward: f64,
    /// The expert's discounted cost.
    pub expert_cost: f64,
    /// Samples after which it stayed there with its map of cells right too ([`crate::run::MAP_LEVEL`]).
    #[serde(default)]
    pub samples_to_map: Option<u64>,
    /// The last row of its history. Files keep it in the history only.
    #[serde(skip)]
    pub last: Row,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// What tables need.
    pub summary: RunSummary,
    /// The history: one row per iteration, the state before the first included.
    pub rows: Vec<Row>,
    /// The inferred cost at some moments and at the end.
    pub snapshots: Vec<Snapshot>,
    /// What the domain keeps, for example all that the learner had seen.
    pub payload: Payload,
    /// All samples as the bytes of a file, if they were to be kept: it is written beside the run, and not
    /// read again with it.
    pub samples: Option<Vec<u8>>,
}
