//! Promise: for the true cost there is one in the estimated set within `C_k`, pair by pair.

use crate::Result;
use crate::costset::canonical;
use crate::env::Environment;
use crate::learn::{Bound, Inference};
use crate::verify::{Check, Checkpoint, Promise, nearest};

/// What rounding may add.
const ROUNDING: f64 = 1e-9;

pub(super) struct CostBound {
    truth: Vec<f64>,
}

impl CostBound {
    /// About the canonical cost of the environment's expert.
    pub(super) fn new(environment: &Environment, cost_max: f64) -> Result<Self> {
        let truth = environment.truth();
        let cost = canonical(truth.model(), truth.expert(), cost_max)?;
        Ok(Self {
            truth: cost.values().to_vec(),
        })
    }
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
