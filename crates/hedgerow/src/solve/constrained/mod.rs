//! Constrained problems: maximise discounted reward from `mu0` with discounted cost at most `b`.
//!
//! `max <x, r>` over occupancies `x >= 0` with
//! `sum_a x(s,a) - gamma sum_{s',a'} P(s|s',a') x(s',a') = mu0(s)` and `<x, c> <= b`.
//! Its dual has one multiplier, `min_{lambda >= 0} g(lambda)` with
//! `g(lambda) = max_pi [V^{r - lambda c, pi}(mu0)] + lambda b`, and every `g(lambda)` bounds the
//! optimum from above: that is the certificate every method here returns.

mod breakpoint;
mod column;
mod decomposition;
mod deterministic;
mod hard;
mod lagrangian;
mod linear_program;
mod master;
mod mixture;
mod search;
mod warm;
mod within;

pub use decomposition::{constrained_best, constrained_roughly};
pub use deterministic::deterministic;
pub use hard::{Hard, hard, thrifty};
pub use lagrangian::lagrangian;
pub(crate) use linear_program::interior_point;
pub use linear_program::{linear_program, without_dust};
pub use mixture::{Choice, LinearRow, Mixture, Roughly};
pub use warm::WarmStart;
pub use within::best_within;

use crate::error::in_range;
use crate::model::{Dynamics, Policy, check_weights};
use crate::solve::Mdp;
use crate::{Error, Result};

/// How far a discounted cost may exceed its budget by rounding, relative to the budget, or to the
/// least cost that can be reached if that is larger. Where several constraints are solved at once,
/// relative to `max(1, |b|)`.
pub const FEASIBILITY: f64 = 1e-9;

/// The best policy under a budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Constrained {
    /// The policy; it may have to randomise.
    pub policy: Policy,
    /// Its exact discounted reward from `mu0`.
    pub reward: f64,
    /// Its exact discounted cost from `mu0`.
    pub cost: f64,
    /// The price of one unit of budget.
    pub multiplier: f64,
    /// Certified bound on how much more reward any policy within the budget could earn.
    pub gap: f64,
}

impl Constrained {
    /// `policy` with its exact values, and the gap that the dual value `bound` proves.
    fn certified<D: Dynamics>(
        mdp: &Mdp<D>,
        cost: &[f64],
        policy: Policy,
        multiplier: f64,
        bound: f64,
    ) -> Result<Self> {
        let [reward, cost] = breakpoint::sums(mdp, &policy, cost)?;
        Ok(Self {
            reward: reward.value,
            cost: cost.value,
            multiplier,
            gap: (bound - reward.value + reward.error).max(0.0),
            policy,
        })
    }
}

impl Constrained {
    /// The refusal of a policy that could not be proved to be the best.
    pub fn uncertain(&self) -> Error {
        Error::Uncertain {
            place: "best reward within the budget".into(),
            value: self.reward,
            error: self.gap,
            remedy: "lower the discount, or give the expert's policy",
        }
    }
}

/// Refuses a constraint that is not one of `mdp`: other pairs, or numbers that are not finite.
fn check_constraint<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64], bound: f64) -> Result<()> {
    check_weights(mdp.task, cost)?;
    in_range(bound.is_finite(), "budget", bound, "use a finite number")
}

/// `r - lambda c` for every pair.
fn priced(reward: &[f64], cost: &[f64], multiplier: f64) -> Vec<f64> {
    reward
        .iter()
        .zip(cost)
        .map(|(r, c)| r - multiplier * c)
        .collect()
}
