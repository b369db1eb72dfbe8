//! A few policies that meet a few constraints together: what is asked, and the answer.

use crate::index::Pair;

/// The pair that is taken in every state.
pub type Choice = Vec<Option<Pair>>;

/// The constraint `V^{weights, pi}(mu0) <= bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearRow<'a> {
    /// `g(s, a)` of every pair; any sign.
    pub weights: &'a [f64],
    /// `b`.
    pub bound: f64,
}

/// How near an answer is near enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughly {
    /// The share of the numbers in it up to which it is right.
    pub share: f64,
    /// A value that no policy exceeds.
    pub most: f64,
}

/// A few deterministic policies with weights.
///
/// Sampling one of them for a whole episode earns the mixture's values exactly, so an agent needs no
/// occupancies to follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// Weights, which sum to 1, and the pair that each policy takes in every state: at most one more
    /// than there are constraints.
    pub policies: Vec<(f64, Choice)>,
    /// Discounted reward from `mu0`.
    pub value: f64,
    /// Certified upper bound on the reward of any policy that meets the constraints.
    pub bound: f64,
    /// One price for each constraint; `bound` is the dual value there.
    pub multipliers: Vec<f64>,
}
