//! The problem every solver works on, and its Bellman backups.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Model, Policy, Rows, Task};

/// A decision problem to solve: maximise the discounted sum of `reward`.
///
/// The reward is a vector of its own because exploration, Lagrangians and costs all plan with
/// other rewards than the task's; the discount because exploration may look further ahead.
#[derive(Debug)]
pub struct Mdp<'a, D: Dynamics> {
    /// States and available pairs.
    pub task: &'a Task,
    /// Transition rows, true or estimated. A pair with an empty row earns its reward and ends.
    pub dynamics: &'a D,
    /// Reward of every pair; any sign.
    pub reward: &'a [f64],
    /// Discount in `[0, 1)`.
    pub gamma: f64,
    /// Pairs that may be chosen; `None` for all.
    pub allowed: Option<&'a [bool]>,
}

// Not derived: a derived Clone would ask for `D: Clone`, which references do not need.
impl<D: Dynamics> Clone for Mdp<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D: Dynamics> Copy for Mdp<'_, D> {}

impl<'a> Mdp<'a, Rows> {
    /// The model's own problem: its reward, its discount, all pairs.
    pub fn of(model: &'a Model) -> Self {
        Self {
            task: model.task(),
            dynamics: model.rows(),
            reward: model.task().reward(),
            gamma: model.task().gamma(),
            allowed: None,
        }
    }
}

impl<'a, D: Dynamics> Mdp<'a, D> {
    /// The same problem with another reward.
    #[must_use]
    pub fn with_reward(self, reward: &'a [f64]) -> Self {
        Self { reward, ..self }
    }

    /// The same problem where only some pairs may be chosen.
    #[must_use]
    pub fn with_allowed(self, allowed: &'a [bool]) -> Self {
        Self {
            allowed: Some(allowed),
            ..self
        }
    }

    /// Whether `pair` may be chosen.
    #[inline]
    pub fn allows(&self, pair: Pair) -> bool {
        self.allowed.is_none_or(|a| a[pair.at()])
    }

    /// `Q(pair) = r + gamma P V`.
    #[inline]
    pub fn q(&self, pair: Pair, values: &[f64]) -> f64 {
        self.reward[pair.at()] + self.gamma * self.dynamics.expect(pair, values)
    }

    /// The best allowed pair of `state` and its `Q`; the first of equals.
    #[inline]
    pub fn best(&self, state: State, values: &[f64]) -> Option<(Pair, f64)> {
        let mut best: Option<(Pair, f64)> = None;
        for i in self.task.pairs_of(state) {
            let pair = Pair::new(i);
            if self.allows(pair) {
                let q = self.q(pair, values);
                if best.is_none_or(|(_, b)| q > b) {
                    best = Some((pair, q));
                }
            }
        }
        best
    }

    /// `sum_a pi(a|s) Q(s, a)`.
    #[inline]
    pub fn backup(&self, policy: &Policy, state: State, values: &[f64]) -> f64 {
        let mut v = 0.0;
        for i in self.task.pairs_of(state) {
            let p = policy.probs()[i];
            if p > 0.0 {
                v += p * self.q(Pair::new(i), values);
            }
        }
        v
    }

    /// Whether an episode goes on in `state`: it is not terminal and some pair is allowed.
    #[inline]
    pub(crate) fn goes_on(&self, state: State) -> bool {
        match self.allowed {
            None => !self.task.is_terminal(state),
            Some(allowed) => allowed[self.task.pairs_of(state)].iter().any(|&a| a),
        }
    }

    /// What turns the residuals of this problem into certified errors.
    pub(crate) fn certificate(&self) -> Certificate {
        let widest = self
            .task
            .all_pairs()
            .map(|pair| self.dynamics.row(pair).0.len())
            .max()
            .unwrap_or(0);
        // A sum of n products is off by at most n units in the last place of its largest term.
        Certificate {
            gamma: self.gamma,
            rounding: f64::EPSILON * (widest + 4) as f64,
        }
    }
}

/// Turns the residual of a sweep into a bound on the error of its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Certificate {
    gamma: f64,
    rounding: f64,
}

impl Certificate {
    /// `residual / (1 - gamma)`, with room for the rounding of one backup.
    pub(crate) fn error(&self, residual: f64, largest: f64) -> f64 {
        (residual + self.floor(largest)) / (1.0 - self.gamma)
    }

    /// The residual below which a backup of values up to `largest` is only rounding.
    pub(crate) fn floor(&self, largest: f64) -> f64 {
        self.rounding * largest
    }

    /// Whether more sweeps would only shuffle the last digits: the residual is down to rounding,
    /// and it stopped falling or rounding alone exceeds the tolerance.
    pub(crate) fn stuck(&self, residual: f64, before: f64, largest: f64, tolerance: f64) -> bool {
        residual <= self.floor(largest)
            && (residual >= before || self.error(0.0, largest) > tolerance)
    }
}
