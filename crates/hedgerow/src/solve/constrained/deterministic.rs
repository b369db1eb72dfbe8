//! A budget that a deterministic policy spends exactly.

use crate::Result;
use crate::model::Dynamics;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::breakpoint::breakpoint;
use crate::solve::constrained::within::completed;
use crate::solve::{Mdp, Outcome};

/// The cheaper deterministic policy of the best mixture within `budget`.
///
/// The optimum under a budget may have to randomise between two deterministic policies. Both are
/// best in `r - lambda c` at the optimal price `lambda`, so each is optimal for the budget it
/// spends itself. Lowering the budget to `cost` of the answer, which is at most `budget`, gives a
/// problem whose optimum is deterministic; the gap certifies it for that lower budget. The policy
/// is best in `r - lambda c` from every state, also from those it never reaches.
pub fn deterministic<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
) -> Result<Outcome<Constrained>> {
    let found = match breakpoint(mdp, cost, budget)? {
        Outcome::Infeasible { least_cost } => return Ok(Outcome::Infeasible { least_cost }),
        Outcome::Optimal(found) | Outcome::LimitReached(found) => found,
    };
    // The same dual line at a lower budget.
    let bound = found.bound - found.multiplier * (budget - found.within.cost.value);
    let policy = completed(mdp, &found);
    let answer = Constrained::certified(mdp, cost, policy, found.multiplier, bound)?;
    let proved = found.proves(mdp, &answer)?;
    Ok(Outcome::of(answer, proved))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn of_two_policies_that_meet_at_a_price_the_cheaper_one_stays() -> Result<()> {
        // Values 1, 0.7, 0.3 for a cost of 1, 0.4, 0. A budget of 0.6 mixes the first two at the price
        // (1 - 0.7) / (1 - 0.4) = 0.5; alone, the second is optimal for a budget of 0.4. A budget of
        // 0.2 mixes the last two at (0.7 - 0.3) / 0.4 = 1, and the last needs no budget at all.
        let mut b = ModelBuilder::new(2, ["fast", "fair", "slow"], 0.9);
        b.start(0, 1.0).terminal(1);
        for (a, r) in [1.0, 0.7, 0.3].into_iter().enumerate() {
            b.transition(0, a, 1, 1.0).reward(0, a, r);
        }
        let model = b.build()?;
        let (mdp, cost) = (Mdp::of(&model), [1.0, 0.4, 0.0]);
        for (budget, prob, spent, price) in [
            (0.6, [0.0, 1.0, 0.0], 0.4, 0.5),
            (0.2, [0.0, 0.0, 1.0], 0.0, 1.0),
            (1.5, [1.0, 0.0, 0.0], 1.0, 0.0),
        ] {
            let outcome = deterministic(&mdp, &cost, budget)?;
            assert!(matches!(outcome, Outcome::Optimal(_)), "{outcome:?}");
            assert!(outcome.solution().is_some_and(|found| {
                found.policy.probs() == prob
                    && (found.cost - spent).abs() < 1e-12
                    && (found.multiplier - price).abs() < 1e-9
            }));
        }
        let none = deterministic(&mdp, &[1.0, 0.4, 0.3], 0.2)?;
        assert!(
            matches!(none, Outcome::Infeasible { least_cost } if (least_cost - 0.3).abs() < 1e-9)
        );
        Ok(())
    }
}
