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
    let finish = |mixture: Mixture| {
        let policy = blend(mdp, cost, budget, &mixture)?;
        Constrained::certified(mdp, cost, policy, mixture.multipliers[0], mixture.bound)
    };
    Ok(match mixture_within(mdp, cost, budget, limits)? {
        Outcome::Optimal(mixture) => Outcome::Optimal(finish(mixture)?),
        Outcome::LimitReached(mixture) => Outcome::LimitReached(finish(mixture)?),
        Outcome::Infeasible { least_cost } => Outcome::Infeasible { least_cost },
    })
}

/// The best mixture of deterministic policies within the budget.
pub(super) fn mixture_within<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    limits: &Limits,
) -> Result<Outcome<Mixture>> {
    let row = LinearRow {
        weights: cost,
        bound: budget,
    };
    let outcome = constrained_best(mdp, &[row], limits, &mut WarmStart::default())?;
    Ok(match outcome {
        // With one row the least violation is what the least cost has above the budget.
        Outcome::Infeasible { least_cost: excess } => Outcome::Infeasible {
            least_cost: budget + excess,
        },
        found => found,
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Pair;
    use crate::model::ModelBuilder;
    use crate::solve::linear_program;

    #[test]
    fn a_quarter_of_the_budget_buys_a_quarter_of_the_shortcut() -> Result<()> {
        // From the start, "fast" earns 1 and costs 1, "slow" earns 0.5 and costs nothing; both end.
        // With a budget of 0.25 fast is taken with probability a quarter: 0.25 * 1 + 0.75 * 0.5 = 0.625,
        // and one more unit of budget would buy 0.5.
        let mut b = ModelBuilder::new(2, ["fast", "slow"], 0.9);
        b.start(0, 1.0).terminal(1);
        b.transition(0, 0, 1, 1.0).reward(0, 0, 1.0);
        b.transition(0, 1, 1, 1.0).reward(0, 1, 0.5);
        let model = b.build()?;
        let mdp = Mdp::of(&model);
        let cost = [1.0, 0.0];
        for outcome in [
            lagrangian(&mdp, &cost, 0.25, &Limits::default())?,
            linear_program(&mdp, &cost, 0.25)?,
        ] {
            assert!(matches!(outcome, Outcome::Optimal(_)));
            assert!(outcome.solution().is_some_and(|found| {
                (found.reward - 0.625).abs() < 1e-8
                    && (found.cost - 0.25).abs() < 1e-8
                    && (found.multiplier - 0.5).abs() < 1e-6
                    && (found.policy.prob(Pair(0)) - 0.25).abs() < 1e-8
                    && found.gap < 1e-8
            }));
        }
        for outcome in [
            lagrangian(&mdp, &[1.0, 0.5], 0.25, &Limits::default())?,
            linear_program(&mdp, &[1.0, 0.5], 0.25)?,
        ] {
            assert!(
                matches!(outcome, Outcome::Infeasible { least_cost } if (least_cost - 0.5).abs() < 1e-12)
            );
        }
        Ok(())
    }
}
