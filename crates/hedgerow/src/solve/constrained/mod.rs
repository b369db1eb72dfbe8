//! Constrained problems: maximise discounted reward from `mu0` with discounted cost at most `b`.
//!
//! `max <x, r>` over occupancies `x >= 0` with
//! `sum_a x(s,a) - gamma sum_{s',a'} P(s|s',a') x(s',a') = mu0(s)` and `<x, c> <= b`.
//! Its dual has one multiplier, `min_{lambda >= 0} g(lambda)` with
//! `g(lambda) = max_pi [V^{r - lambda c, pi}(mu0)] + lambda b`, and every `g(lambda)` bounds the
//! optimum from above: that is the certificate every method here returns.

mod column;
mod decomposition;
mod deterministic;
mod hard;
mod lagrangian;
mod linear_program;
mod master;

pub use decomposition::{LinearRow, Mixture, WarmStart, constrained_best};
pub use deterministic::deterministic;
pub use hard::{Hard, hard};
pub use lagrangian::lagrangian;
pub(crate) use linear_program::interior_point;
pub use linear_program::{linear_program, without_dust};

use crate::Result;
use crate::error::in_range;
use crate::model::{Dynamics, Policy, check_weights};
use crate::solve::occupancy::{dot, visits};
use crate::solve::{Limits, Mdp, modified_policy_iteration};

/// How far a discounted cost may exceed its budget by rounding, relative to `max(1, |b|)`.
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
        let x = visits(mdp, &policy)?;
        let reward = dot(&x, mdp.reward);
        Ok(Self {
            reward,
            cost: dot(&x, cost),
            multiplier,
            gap: (bound - reward).max(0.0),
            policy,
        })
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

/// The dual value `g(lambda)`, rounded up by its certified error.
fn dual_bound<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    multiplier: f64,
    limits: &Limits,
) -> f64 {
    let reward = priced(mdp.reward, cost, multiplier);
    let outcome = modified_policy_iteration(&mdp.with_reward(&reward), limits, None);
    outcome.solution().map_or(f64::INFINITY, |best| {
        mdp.task.at_start(&best.values) + best.error + multiplier * budget
    })
}

/// The least discounted cost of any policy, and the policy that has it.
fn cheapest<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64], limits: &Limits) -> Result<(f64, Policy)> {
    let reward: Vec<f64> = cost.iter().map(|c| -c).collect();
    let outcome = modified_policy_iteration(&mdp.with_reward(&reward), limits, None);
    let policy = match outcome.solution() {
        Some(best) => best.policy(mdp.task),
        None => Policy::uniform(mdp.task),
    };
    let x = visits(mdp, &policy)?;
    Ok((dot(&x, cost), policy))
}
