//! The answer: a constraint, with what only the terminal shows.

use super::evidence::Evidence;
use super::report_text;
use hedgerow::constraint::{Background, Constraint, Origin};
use hedgerow::index::Pair;
use hedgerow::model::Dynamics;
use std::ops::Deref;

/// The answer.
pub struct Report {
    /// What is saved and printed as JSON.
    pub constraint: Constraint,
    /// Whether any reward was seen to be earned: without one nothing tells actions apart.
    pub(super) earns: bool,
    pub(super) drawing: Option<String>,
}

impl Deref for Report {
    type Target = Constraint;

    fn deref(&self) -> &Constraint {
        &self.constraint
    }
}

impl Report {
    /// The answer that the evidence gives.
    pub fn new(evidence: &Evidence) -> Self {
        let learner = &evidence.learner;
        let layout = evidence.layout.as_ref();
        let origin = Origin {
            stop: evidence.stop,
            seed: evidence.seed,
            strategy: evidence.strategy.clone(),
            records: evidence.records.clone(),
        };
        let background = Background {
            layout,
            warnings: &evidence.warnings,
            contradictions: &evidence.contradictions,
        };
        let constraint = Constraint::explored(
            &evidence.env,
            learner,
            &evidence.verdicts,
            origin,
            background,
        );
        let task = learner.task();
        let reward = learner.estimate().reward(task);
        let earned = |pair: Pair| learner.estimate().visits(pair) > 0 && reward[pair.at()] != 0.0;
        Self {
            earns: task.all_pairs().any(earned),
            drawing: layout.map(|layout| report_text::draw(layout, &constraint)),
            constraint,
        }
    }
}
