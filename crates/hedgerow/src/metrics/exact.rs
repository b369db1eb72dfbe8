//! What the best inference there can be would score: a reference for what was inferred from samples.

use crate::Result;
use crate::costset::canonical_within;
use crate::env::Environment;
use crate::learn::InferenceParams;
use crate::metrics::{Overlap, overlap};
use crate::model::{project, reached, significant_cells};

/// What exact inference with known dynamics finds.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactInference {
    /// The inferred cost on cells, as that of a learner is compared.
    pub cells: Vec<f64>,
    /// How well it fits the truth.
    pub overlap: Overlap,
}

/// The canonical cost that explains the expert, with known dynamics, compared with the true cost
/// as what a learner infers is: on cells, in states that can be reached, without what is only slips. `None` without a true cost.
///
/// A constraint where nothing can be gained leaves no trace in what the expert does. So even this
/// may find less than the truth has, and its scores, not 1, are what samples can lead to.
///
/// ```
/// use hedgerow::env::builtin;
/// use hedgerow::metrics::exact_inference;
///
/// let of = |name| exact_inference(&builtin::environment(name)?);
/// assert_eq!(of("gridworld-3")?.unwrap().overlap.iou, 1.0);
/// assert!(of("gridworld-4")?.unwrap().overlap.iou < 1.0);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn exact_inference(environment: &Environment) -> Result<Option<ExactInference>> {
    let (task, truth) = (environment.task(), environment.truth());
    if truth.cost().support() == 0 {
        return Ok(None);
    }
    let cost_max = InferenceParams::DEFAULT.cost_max;
    let rows = truth.model().rows();
    let states = reached(task, rows, |_| true);
    let cost = canonical_within(truth.model(), truth.expert(), cost_max, &states)?;
    let cells = significant_cells(project(rows, task, cost.values()));
    let overlap = overlap(&cells, &truth.cost().by_state(task), environment.layout())?;
    Ok(Some(ExactInference { cells, overlap }))
}
