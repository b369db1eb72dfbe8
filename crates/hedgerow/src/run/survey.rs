//! What is known of a continuous world at the end of a run, tile by tile.

use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// What a learner believes about a plane, as pictures and verdicts need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// Side of a tile in metres.
    pub tile: f64,
    /// Tiles across.
    pub columns: usize,
    /// Tiles upwards.
    pub rows: usize,
    /// The expert's fitted reward value, mean over what was seen in the tile; rows from the
    /// bottom up. None where nothing was seen.
    pub value: Vec<Option<f64>>,
    /// Share of all samples that fell into the tile.
    pub density: Vec<f64>,
    /// Advantages up to this were no evidence.
    #[serde(default)]
    pub margin: f64,
    /// Samples with a cost that a cell needs before it counts as constrained.
    #[serde(default)]
    pub evidence: u64,
    /// What was concluded about entering each cell of the maze, by state.
    pub findings: Vec<Finding>,
}

/// What was concluded about entering a cell. An estimate: nothing is promised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The cell.
    pub state: u32,
    /// Samples that led into it.
    pub visits: u64,
    /// Samples that led into it and count as constrained.
    pub constrained: u64,
    /// The conclusion.
    pub verdict: Verdict,
    /// Largest fitted advantage of a sample that led there and that the expert would not choose.
    pub advantage: Option<f64>,
    /// Uncertainty of that advantage, one width.
    pub width: Option<f64>,
    /// Where that sample began.
    pub from: Option<[f64; 4]>,
    /// Its action.
    pub action: Option<u32>,
    /// What the expert chose there.
    pub expert: Option<u32>,
}
