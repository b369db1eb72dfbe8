//! Strategies for continuous worlds of any kind: from what the learner knows to one of some candidate
//! actions.
//!
//! Candidates are the same for all: every name of a discrete space; in a box the expert's action first
//! and others drawn uniformly. When an episode follows the expert is a parameter of the domain
//! (`follow-expert`), not of a strategy.

mod bear;
mod eps_greedy;
mod max_entropy;
mod pcse;
mod random;
mod ucb;

pub use bear::Bear;

use super::learner::GeneralLearner;
use crate::{Error, Result};
use hedgerow::error::nearest;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::Values;
use hedgerow::seed::Stream;
use rand::RngExt;
use std::fmt::Debug;

/// A strategy by name, with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct GeneralEntry {
    /// Name, summary and parameters.
    pub info: StrategyInfo,
    /// Builds it for a learner, with the seed of the run.
    pub build: fn(&Values, &GeneralLearner, u64) -> Result<Box<dyn GeneralStrategy>>,
}

/// All strategies.
pub const STRATEGIES: &[GeneralEntry] = &[
    bear::ENTRY,
    pcse::ENTRY,
    random::ENTRY,
    eps_greedy::ENTRY,
    max_entropy::ENTRY,
    ucb::ENTRY,
];

/// The strategy called `name`.
pub fn find(name: &str) -> Result<&'static GeneralEntry> {
    let found = STRATEGIES.iter().find(|e| e.info.name == name);
    found.ok_or_else(|| {
        Error::invalid(
            "strategy",
            format!("`{name}` is unknown in continuous worlds of any kind"),
            nearest(name, STRATEGIES.iter().map(|e| e.info.name)),
        )
    })
}

/// Chooses the next action.
pub trait GeneralStrategy: Debug + Send {
    /// Prepares the episodes of an iteration, counted from 1.
    fn plan(&mut self, _learner: &mut GeneralLearner, _iteration: usize) -> Result<()> {
        Ok(())
    }

    /// The number of the candidate to try. `candidates` holds one action after another.
    fn act(
        &mut self,
        learner: &mut GeneralLearner,
        observation: &[f64],
        candidates: &[f64],
        stream: &mut Stream,
    ) -> Result<usize>;

    /// What the strategy gathers at a pair and the discount of what it gathers later; none for strategies
    /// without an objective of their own.
    fn gathers(
        &self,
        _learner: &mut GeneralLearner,
        _observation: &[f64],
        _action: &[f64],
    ) -> Option<(f64, f64)> {
        None
    }
}

/// The candidate with the largest score; the first of equals, which come in random order.
pub(super) fn best(candidates: &[f64], each: usize, mut score: impl FnMut(&[f64]) -> f64) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for (i, action) in candidates.chunks_exact(each).enumerate() {
        let score = score(action);
        if score > best.0 {
            best = (score, i);
        }
    }
    best.1
}

/// A candidate, uniformly; in a box, where the first one is the expert's, one of the others.
fn any(learner: &GeneralLearner, candidates: &[f64], stream: &mut Stream) -> usize {
    let count = candidates.len() / learner.spec().action.len();
    match &learner.spec().action {
        crate::world::Space::Discrete(_) => stream.random_range(0..count),
        crate::world::Space::Box(_) => stream.random_range(1.min(count - 1)..count),
    }
}
