//! Lagrangian decomposition: one sparse solve per multiplier.

use crate::Result;
use crate::model::{Dynamics, Policy};
use crate::solve::constrained::{Constrained, LinearRow, Mixture, WarmStart, constrained_best};
use crate::solve::occupancy::{dot, policy_or, visits};
use crate::solve::{Limits, Mdp, Outcome};

/// Minimises the dual `g(lambda)`, then mixes the two policies that meet at its minimum.
///
/// `g` is convex and piecewise linear, one line for each deterministic policy. The lines of one
/// policy within the budget and one beyond it meet at the next multiplier to try; when the solve
/// there finds no line above that point, the point is the minimum. The two policies are mixed in
/// occupancy space so that a binding budget is met exactly.
pub fn lagrangian<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    limits: &Limits,
) -> Result<Outcome<Constrained>> {
    let row = LinearRow {
        weights: cost,
        bound: budget,
    };
    let finish = |mixture: Mixture| {
        let policy = blend(mdp, cost, budget, &mixture)?;
        Constrained::certified(mdp, cost, policy, mixture.multipliers[0], mixture.bound)
    };
    Ok(
        match constrained_best(mdp, &[row], limits, &mut WarmStart::default())? {
            Outcome::Optimal(mixture) => Outcome::Optimal(finish(mixture)?),
            Outcome::LimitReached(mixture) => Outcome::LimitReached(finish(mixture)?),
            // With one row the least violation is what the least cost has above the budget.
            Outcome::Infeasible { least_cost: excess } => Outcome::Infeasible {
                least_cost: budget + excess,
            },
        },
    )
}

/// The policy whose occupancy is the mixture's, with the weights redone from exact costs.
fn blend<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    mixture: &Mixture,
) -> Result<Policy> {
    let policies: Vec<Policy> = mixture
        .policies
        .iter()
        .map(|(_, s)| s.policy(mdp.task))
        .collect();
    let [first, second] = policies.as_slice() else {
        return Ok(policies
            .into_iter()
            .next()
            .unwrap_or_else(|| Policy::uniform(mdp.task)));
    };
    let mut x = visits(mdp, first)?;
    let y = visits(mdp, second)?;
    let (a, b) = (dot(&x, cost), dot(&y, cost));
    let share = if a == b {
        mixture.policies[1].0
    } else {
        ((budget - a) / (b - a)).clamp(0.0, 1.0)
    };
    for (x, y) in x.iter_mut().zip(&y) {
        *x += share * (y - *x);
    }
    Ok(policy_or(mdp.task, &x, 0.0, first))
}
