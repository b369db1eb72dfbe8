//! One line of a run's history.

use serde::{Deserialize, Serialize};

/// The state after an iteration (0: before the first). Its fields are the columns of the history,
/// in this order; new ones are added at the end, and are blank in histories written before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Row {
    /// Iterations done.
    pub iteration: usize,
    /// Samples seen.
    pub samples: u64,
    /// True discounted reward of the best policy under the inferred cost.
    pub reward: f64,
    /// Its true discounted cost.
    pub cost: f64,
    /// Weighted generalised intersection over union with the true cells; `None` if the
    /// environment has no true cost to compare with.
    pub wgiou: Option<f64>,
    /// The error bound the strategy stops on.
    pub accuracy: f64,
    /// Generalised intersection over union.
    pub giou: Option<f64>,
    /// Intersection over union.
    pub iou: Option<f64>,
    /// Running score of sampled rewards.
    pub rollout_reward: f64,
    /// Running score of sampled costs.
    pub rollout_cost: f64,
    /// Pairs with a positive inferred cost.
    pub constrained: usize,
    /// Pairs never tried.
    pub unseen: usize,
    /// Intersection over union with the cells that exact inference finds; `None` where that is not
    /// known.
    pub map_iou: Option<f64>,
}
