//! Promise: the values of good policies under the inferred and the true cost differ by at most the
//! accuracy that the run reports, and so by at most `eps` when it stops on it.

use crate::Result;
use crate::learn::Inference;
use crate::model::Policy;
use crate::solve::{Mdp, optimum, value_at_start};
use crate::verify::{Check, Checkpoint, Promise, nearest};

/// What rounding may add.
const ROUNDING: f64 = 1e-8;

pub(super) struct Values {
    /// The true cost.
    pub(super) truth: Vec<f64>,
}

impl Values {
    /// The policies the criterion is about: the expert, and the best ones that pay nothing under
    /// the true and under the inferred cost, each in its own dynamics.
    fn policies(&self, at: &Checkpoint, found: &[f64]) -> Result<Vec<Policy>> {
        let (truth, learner) = (at.environment.truth(), at.learner);
        let task = learner.task();
        let (mut open, mut kept) = (vec![true; task.pairs()], vec![true; task.pairs()]);
        for i in 0..task.pairs() {
            open[i] = self.truth[i] == 0.0;
            kept[i] = found[i] == 0.0;
        }
        let real = Mdp::of(truth.model()).with_allowed(&open);
        let estimated = Mdp::new(task, learner.estimate()).with_allowed(&kept);
        let best = [optimum(&real)?.choice, optimum(&estimated)?.choice];
        let mut all = vec![truth.expert().clone()];
        all.extend(
            best.iter()
                .map(|choice| Policy::deterministic(task, choice)),
        );
        Ok(all)
    }
}

impl Promise for Values {
    fn name(&self) -> &'static str {
        "values within the accuracy"
    }

    fn may_fail(&self, inference: &Inference) -> f64 {
        inference.delta
    }

    fn check(&mut self, at: &Checkpoint) -> Result<Check> {
        let found = nearest(at.learner, &self.truth).cost;
        let off: Vec<f64> = self.truth.iter().zip(&found).map(|(a, b)| a - b).collect();
        let mdp = Mdp::of(at.environment.truth().model()).with_reward(&off);
        let mut worst = 0.0_f64;
        for policy in self.policies(at, &found)? {
            worst = worst.max(value_at_start(&mdp, &policy)?.value.abs());
        }
        Ok(Check {
            kept: worst <= at.row.accuracy + ROUNDING,
            looseness: (worst > ROUNDING).then(|| at.row.accuracy / worst),
        })
    }
}
