//! Lagrangian decomposition: one sparse solve per multiplier.

use crate::Result;
use crate::model::Dynamics;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::breakpoint::breakpoint;
use crate::solve::constrained::within::mixed;
use crate::solve::{Mdp, Outcome};

/// Minimises the dual `g(lambda)`, then mixes the two policies that meet at its minimum.
///
/// `g` is convex and piecewise linear, one line for each deterministic policy. The lines of one
/// policy within the budget and one beyond it meet at the next multiplier to try; when the solve
/// there finds no line above that point, the point is the minimum. The two policies are mixed in
/// occupancy space so that a binding budget is met exactly. Where neither leads, the policy is the
/// best in `r - lambda c`. [`super::best_within`] shares what is equal instead.
///
/// The outcome is [`Outcome::LimitReached`] if the gap exceeds [`crate::solve::ACCURACY`] of the reward.
pub fn lagrangian<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
) -> Result<Outcome<Constrained>> {
    let found = match breakpoint(mdp, cost, budget)? {
        Outcome::Infeasible { least_cost } => return Ok(Outcome::Infeasible { least_cost }),
        Outcome::Optimal(found) | Outcome::LimitReached(found) => found,
    };
    let policy = mixed(mdp, cost, budget, &found)?;
    let answer = Constrained::certified(mdp, cost, policy, found.multiplier, found.bound)?;
    let proved = found.proves(mdp, &answer)?;
    Ok(Outcome::of(answer, proved))
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
            lagrangian(&mdp, &cost, 0.25)?,
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
            lagrangian(&mdp, &[1.0, 0.5], 0.25)?,
            linear_program(&mdp, &[1.0, 0.5], 0.25)?,
        ] {
            assert!(
                matches!(outcome, Outcome::Infeasible { least_cost } if (least_cost - 0.5).abs() < 1e-12)
            );
        }
        Ok(())
    }
}
