//! A learner that was told what is declared of the dynamics.

use super::{Know, Knowledge};
use crate::finite::Sample;
use crate::learn::{Inference, Learner};
use crate::model::{Task, reached};
use std::sync::Arc;

/// A row that is declared counts as seen this many times.
const CERTAIN: f64 = 1e9;

/// What is declared, and what follows from it and the samples.
///
/// The learner of a search counts what was seen and nothing else. Beside it this one is told of a
/// sample as one of every pair of its class, and knows rows that are declared. For any one pair
/// these are independent draws of its row as well, so all that is computed pair by pair holds.
pub(super) struct Informed {
    pub known: Arc<Knowledge>,
    /// None if nothing but successors is known: what was seen is then all there is.
    learner: Option<Learner>,
}

impl Informed {
    pub fn new(known: Arc<Knowledge>, task: &Arc<Task>, inference: Inference) -> Self {
        let new = || Learner::new(task.clone(), inference);
        let learner = match known.know() {
            Know::Successors => None,
            Know::Classes => Some(new()),
            Know::Dynamics => {
                let mut learner = new();
                for pair in task.all_pairs() {
                    let (next, prob) = known.row(pair).unwrap_or_default();
                    for (&s, &p) in next.iter().zip(prob) {
                        let times = ((CERTAIN * p) as u32).max(1);
                        learner.see_transitions(pair, crate::index::State(s), times);
                    }
                }
                Some(learner)
            }
        };
        Self { known, learner }
    }

    /// Whoever knows most: this learner, or the one that `counted`.
    pub fn learner<'a>(&'a self, counted: &'a Learner) -> &'a Learner {
        self.learner.as_ref().unwrap_or(counted)
    }

    /// Tells of a sample.
    pub fn see(&mut self, sample: Sample) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        learner.see_expert(sample.answer);
        match self.known.class_of(sample.pair) {
            [] => {}
            // Alone in its class, and perhaps nothing is declared of it.
            [_] => learner.see_transition(sample.pair, sample.next),
            _ => {
                for (pair, next) in self.known.alike(sample.pair, sample.next) {
                    if !learner.is_full(pair) {
                        learner.see_transition(pair, next);
                    }
                }
            }
        }
    }

    /// Brings estimates up to date.
    pub fn refresh(&mut self) {
        if let Some(learner) = &mut self.learner {
            learner.refresh();
        }
    }

    /// The states that can be reached from the start by what is declared and was seen.
    pub fn reachable(&self) -> Option<Vec<bool>> {
        let learner = self.learner.as_ref()?;
        Some(reached(learner.task(), learner.estimate(), |_| true))
    }
}
