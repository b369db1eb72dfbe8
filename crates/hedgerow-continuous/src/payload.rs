//! What files of the domain keep beside what all domains do.
//!
//! | type | kept in |
//! |---|---|
//! | [`MazeGeometry`] | the file of an environment: [`hedgerow::results::EnvironmentFile::geometry`] |
//! | [`MazeSummary`] | the file of a run: [`hedgerow::run::RunResult::payload`] |
//! | [`Points`] | a snapshot of a run: [`hedgerow::run::Snapshot::payload`] |
//!
//! ```
//! use hedgerow::run::Payload;
//! use hedgerow_continuous::payload::Points;
//!
//! let points = Points { points: vec![[0.5, 1.5, 2.0]] };
//! let payload = Payload::new(&points)?;
//! assert_eq!(payload.text(), r#"{"points":[[0.5,1.5,2.0]]}"#);
//! assert_eq!(payload.read::<Points>()?, points);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use hedgerow::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// The name of the domain, as in files.
pub const DOMAIN: &str = "continuous";

/// A maze, in metres. Its cells are the states of the environment's map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MazeGeometry {
    /// Side of a cell.
    pub cell: f64,
    /// The lower left corner of the map.
    pub corner: [f64; 2],
    /// Radius of the ball.
    pub radius: f64,
    /// Where episodes start.
    pub starts: Vec<[f64; 2]>,
    /// Largest distance from a start on each axis.
    pub start_noise: f64,
    /// Centres of the goals.
    pub goals: Vec<[f64; 2]>,
    /// The goal is reached within this distance.
    pub goal_radius: f64,
    /// Centres of the constraint cells.
    pub constraints: Vec<[f64; 2]>,
    /// Trajectories of the expert, one per episode.
    pub paths: Vec<Vec<[f64; 2]>>,
}

/// What a run knew of its maze in the end, tile by tile and cell by cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MazeSummary {
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
    pub margin: f64,
    /// Samples with a cost that a cell needs before it counts as constrained.
    pub evidence: u64,
    /// What was concluded about entering each cell of the maze, by state.
    pub cells: Vec<CellEstimate>,
    /// Share of the charged weight that lies on cells that are free.
    #[serde(default)]
    pub overcharged: f64,
    /// The expert's value at the starts: fitted, if it is known, and true.
    #[serde(default)]
    pub value_at_start: Option<(Option<f64>, f64)>,
    /// What the strategy maximises, of the policy before each plan and of the one after.
    #[serde(default)]
    pub objectives: Vec<(f64, f64)>,
}

impl MazeSummary {
    /// Whether there is an entry for every tile.
    pub fn is_whole(&self) -> bool {
        let count = self.columns.checked_mul(self.rows);
        let as_many = |len: usize| len > 0 && count == Some(len);
        as_many(self.value.len()) && as_many(self.density.len()) && self.tile > 0.0
    }
}

/// What was concluded about entering a cell. An estimate: nothing is promised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellEstimate {
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
    /// Where that sample began: x, y in metres, then both in metres per second.
    pub from: Option<[f64; 4]>,
    /// Its action.
    pub action: Option<u32>,
    /// What the expert chose there.
    pub expert: Option<u32>,
}

/// The points where samples led that count as constrained, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// x and y in metres, and the inferred cost.
    pub points: Vec<[f64; 3]>,
}

/// At most `most` of the points, evenly chosen, that stand for the weight of all.
pub fn thinned(points: &[[f64; 3]], most: usize) -> Vec<[f64; 3]> {
    let n = points.len();
    let kept = n.min(most);
    let share = n as f64 / kept.max(1) as f64;
    (0..kept)
        .map(|i| points[i * n / kept])
        .map(|[x, y, weight]| [x, y, weight * share])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_points_keep_the_weight_of_all() {
        let many: Vec<[f64; 3]> = (0..2500).map(|i| [f64::from(i), 0.0, 0.5]).collect();
        let few = thinned(&many, 1000);
        assert_eq!(few.len(), 1000);
        let weight: f64 = few.iter().map(|p| p[2]).sum();
        assert!((weight - 1250.0).abs() < 1e-9);
        assert_eq!((few[0][0], few[999][0]), (0.0, 2497.0));
        assert_eq!(thinned(&many[..7], 1000), many[..7]);
        assert_eq!(thinned(&[], 1000), [] as [[f64; 3]; 0]);
    }
}
