//! What a picture of a maze in the plane needs.

use serde::{Deserialize, Serialize};

/// A maze in the plane, in metres. Its cells are the states of the environment's map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plane {
    /// Side of a cell.
    pub cell: f64,
    /// The lower left corner of the map.
    pub corner: [f64; 2],
    /// Radius of the ball.
    pub radius: f64,
    /// Where episodes start, and how far from there on each axis.
    pub starts: Vec<[f64; 2]>,
    /// Largest distance from a start on each axis.
    pub start_noise: f64,
    /// Centres of the goals.
    pub goals: Vec<[f64; 2]>,
    /// The goal is reached within this distance.
    pub goal_radius: f64,
    /// Centres of the constraint cells.
    pub constraints: Vec<[f64; 2]>,
    /// Ways of the expert, one an episode.
    pub paths: Vec<Vec<[f64; 2]>>,
}
