//! Promise: for the true cost there is one in the estimated set within `C_k`, pair by pair.

use crate::Result;
use crate::learn::{Bound, Inference};
use crate::verify::{Check, Checkpoint, Promise, nearest};

/// What rounding may add.
const ROUNDING: f64 = 1e-9;

pub(super) struct CostBound {
    /// The true cost.
    pub(super) truth: Vec<f64>,
}

impl Promise for CostBound {
    fn name(&self) -> &'static str {
        "cost within C_k"
    }

    fn may_fail(&self, inference: &Inference) -> f64 {
        inference.delta
    }

    fn check(&mut self, at: &Checkpoint) -> Result<Check> {
        let found = nearest(at.learner, &self.truth);
        let bound = Bound::new(at.learner).max();
        Ok(Check {
            kept: found.excess <= ROUNDING,
            looseness: (found.error > ROUNDING).then(|| bound / found.error),
        })
    }
}
