//! What files keep of runs in continuous worlds of any kind.

use super::calibration::Reliability;
use super::evaluator::{Comparison, Played};
use serde::{Deserialize, Serialize};

/// Pairs of a comparison that a snapshot keeps.
pub const KEPT: usize = 400;

/// A world, for figures: the geometry of its environment file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldGeometry {
    /// Labels and bounds of the observation's coordinates; names of a discrete one.
    pub observation: Vec<Axis>,
    /// Labels and bounds of the action's coordinates; names of a discrete one.
    pub action: Vec<Axis>,
    /// What the expert observed in some episodes, and did.
    pub expert: Vec<Vec<Vec<f64>>>,
    /// How figures show pairs; none where no true cost is known.
    #[serde(default)]
    pub shown: Option<ShownPairs>,
}

/// The pairs that constraints are compared on, on two axes that the world names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownPairs {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Where the pairs of [`Moment::pairs`] lie, in their order.
    pub places: Vec<[f64; 2]>,
    /// Lines where the true constraint begins, with what they are.
    pub boundaries: Vec<(String, Vec<[f64; 2]>)>,
}

/// A coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Name with unit.
    pub label: String,
    /// Smallest value; none without a bound.
    pub low: Option<f64>,
    /// Largest value; none without a bound.
    pub high: Option<f64>,
}

/// What a run inferred at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Against the truth; none where no cost is known.
    pub comparison: Option<Comparison>,
    /// The agent under the inferred constraint.
    pub agent: Played,
    /// Pairs of the comparison: observation, action, probability, whether truly constrained.
    pub pairs: Vec<(Vec<f64>, Vec<f64>, f64, bool)>,
    /// What the strategy maximises, before and after its training; none where nobody asked for it.
    pub objective: Option<(f64, f64)>,
}

/// What a run knew in the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneralSummary {
    /// Against the truth; none where no cost is known.
    pub comparison: Option<Comparison>,
    /// Probabilities of the constraint against the labels of pairs held out from all training.
    pub held_out: Reliability,
    /// Pairs held out whose label is open, as a share.
    pub open: f64,
    /// The expert's fitted value at the starts of episodes, and its true one.
    pub value_at_start: (f64, f64),
    /// Advantages up to this were no evidence.
    pub threshold: f64,
    /// What the strategy maximises, played in the true world before and after its training, iteration by
    /// iteration; empty without `objective-episodes`.
    pub objectives: Vec<(f64, f64)>,
    /// The same of whoever takes what gathers most at once, without looking ahead.
    #[serde(default)]
    pub at_once: Vec<f64>,
}
