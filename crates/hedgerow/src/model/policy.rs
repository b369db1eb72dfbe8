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
    /// A validated policy from one probability per pair.
    pub fn new(task: &Task, prob: Vec<f64>) -> Result<Self> {
        let policy = Self { prob };
        policy.check(task)?;
        Ok(policy)
    }

    /// Refuses a policy that is not one of `task`: it has other pairs.
    pub fn check(&self, task: &Task) -> Result<()> {
        self.check_length(task)?;
        let prob = &self.prob;
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
        Ok(())
    }

    /// Refuses a policy with another number of pairs than `task`, which would be out of bounds.
    pub(crate) fn check_length(&self, task: &Task) -> Result<()> {
        let (given, pairs) = (self.prob.len(), task.pairs());
        if given == pairs {
            return Ok(());
        }
        Err(Error::invalid(
            "policy",
            format!("{given} probabilities for {pairs} pairs"),
            "give one probability for every available pair",
        ))
    }

    /// A policy whose entries are valid by construction.
    pub(crate) fn from_raw(prob: Vec<f64>) -> Self {
        Self { prob }
    }

    /// All available actions with equal probability.
    pub fn uniform(task: &Task) -> Self {
        let mut prob = vec![0.0; task.pairs()];
        for state in task.all_states() {
            let range = task.pairs_of(state);
            let share = 1.0 / range.len() as f64;
            prob[range].fill(share);
        }
        Self { prob }
    }

    /// One pair per state.
    ///
    /// A state without a choice (`None`) shares its actions equally, so that the result is a
    /// policy even where a solver had nothing to say.
    ///
    /// # Panics
    /// If there is not one choice per state, or a choice is not a pair of its state.
    pub fn deterministic(task: &Task, choice: &[Option<Pair>]) -> Self {
        assert_eq!(
            choice.len(),
            task.states(),
            "one choice per state is needed"
        );
        let mut policy = Self::uniform(task);
        for state in task.all_states() {
            if let Some(pair) = choice[state.at()] {
                let own = task.pairs_of(state).contains(&pair.at());
                assert!(own, "{pair} is not a pair of {state}");
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

    /// Samples an action at a state that is not terminal.
    pub fn sample<R: Rng>(&self, task: &Task, state: State, rng: &mut R) -> Pair {
        let range = task.pairs_of(state);
        debug_assert!(!range.is_empty(), "{state} is terminal: there is no action");
        let pick = sample_weighted(&self.prob[range.clone()], rng);
        Pair::new(range.start + pick)
    }
}

/// Samples a position with probability proportional to its weight, from one uniform number.
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
