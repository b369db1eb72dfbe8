//! Policies: a distribution over the available actions of every state.

use crate::index::{Pair, State};
use crate::model::{SUM_TOLERANCE, Task};
use crate::{Error, Result};
use rand::{Rng, RngExt};

/// `pi(a|s)` for every pair; the entries of one state sum to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    prob: Vec<f64>,
}

impl Policy {
    /// A validated policy from one probability a pair.
    pub fn new(task: &Task, prob: Vec<f64>) -> Result<Self> {
        if prob.len() != task.pairs() {
            return Err(Error::invalid(
                "policy",
                format!("{} probabilities for {} pairs", prob.len(), task.pairs()),
                "give one probability for every available pair",
            ));
        }
        for pair in task.all_pairs() {
            let p = prob[pair.at()];
            if !(p.is_finite() && p >= 0.0) {
                return Err(Error::invalid(
                    format!("policy at {}", task.pair_name(pair)),
                    format!("{p} is not a probability"),
                    "use a finite number of at least 0",
                ));
            }
        }
        for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
            let sum: f64 = prob[task.pairs_of(state)].iter().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(Error::invalid(
                    format!("policy at {}", task.state_name(state)),
                    format!("probabilities sum to {sum}, not 1 (tolerance {SUM_TOLERANCE:e})"),
                    "make the probabilities of every state sum to 1",
                ));
            }
        }
        Ok(Self { prob })
    }

    /// A policy whose entries are known to be right by the way they were made.
    pub(crate) fn from_raw(prob: Vec<f64>) -> Self {
        Self { prob }
    }

    /// All available actions alike.
    pub fn uniform(task: &Task) -> Self {
        let mut prob = vec![0.0; task.pairs()];
        for state in task.all_states() {
            let range = task.pairs_of(state);
            let share = 1.0 / range.len() as f64;
            prob[range].fill(share);
        }
        Self { prob }
    }

    /// One pair a state; `choice[s]` is ignored at terminals.
    ///
    /// A state without a choice (`None`) shares its actions equally, so that the result is a
    /// policy even where a solver had nothing to say.
    pub fn deterministic(task: &Task, choice: &[Option<Pair>]) -> Self {
        let mut policy = Self::uniform(task);
        for state in task.all_states() {
            if let Some(pair) = choice[state.at()] {
                policy.prob[task.pairs_of(state)].fill(0.0);
                policy.prob[pair.at()] = 1.0;
            }
        }
        policy
    }

    /// `pi(a|s)` of a pair.
    #[inline]
    pub fn prob(&self, pair: Pair) -> f64 {
        self.prob[pair.at()]
    }

    /// `pi(a|s)` of all pairs.
    pub fn probs(&self) -> &[f64] {
        &self.prob
    }

    /// Draws an action at a state that is not terminal.
    pub fn sample<R: Rng>(&self, task: &Task, state: State, rng: &mut R) -> Pair {
        let range = task.pairs_of(state);
        let pick = sample_weighted(&self.prob[range.clone()], rng);
        Pair::new(range.start + pick)
    }
}

/// Draws a position with probability proportional to its weight, with one uniform number.
pub fn sample_weighted<R: Rng>(weights: &[f64], rng: &mut R) -> usize {
    let total: f64 = weights.iter().sum();
    let mut left = rng.random::<f64>() * total;
    let mut last = 0;
    for (i, &w) in weights.iter().enumerate() {
        if w > 0.0 {
            last = i;
            left -= w;
            if left < 0.0 {
                break;
            }
        }
    }
    last
}
