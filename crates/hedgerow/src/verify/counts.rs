//! Promise: no count falls short of half its expectation by more than its slack.

use crate::Result;
use crate::learn::Inference;
use crate::theory::count_slack;
use crate::verify::{Check, Checkpoint, Promise};

pub(super) struct Counts;

impl Promise for Counts {
    fn name(&self) -> &'static str {
        "counts near their expectation"
    }

    fn may_fail(&self, inference: &Inference) -> f64 {
        0.5 * inference.delta
    }

    fn check(&mut self, at: &Checkpoint) -> Result<Check> {
        let delta = at.learner.inference().delta;
        let slack = count_slack(at.learner.task().pairs(), delta, at.expected.horizon());
        let counts = at.learner.estimate().all_visits();
        // The share of what it may fall short that a pair does fall short.
        let used = counts.iter().zip(at.expected.counts()).map(|(&n, e)| {
            let short = e - f64::from(n);
            short / (0.5 * e + slack)
        });
        let worst = used.fold(0.0, f64::max);
        Ok(Check {
            kept: worst <= 1.0,
            looseness: (worst > 0.0).then(|| 1.0 / worst),
        })
    }
}
