//! Howard's policy iteration: a few exact evaluations.

use crate::Result;
use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::{Limits, Mdp, Outcome, Solution, evaluate_exact};

/// Evaluates exactly, improves wherever another pair is strictly better, until none is.
///
/// A pair is better when its `Q` exceeds that of the present one by more than rounding, and the
/// search also ends when an improvement moved no value upwards, so equal pairs cannot make it
/// cycle. The error is certified by the optimality residual of the last evaluation.
/// `limits.sweeps` bounds the number of evaluations.
pub fn policy_iteration<D: Dynamics>(mdp: &Mdp<D>, limits: &Limits) -> Result<Outcome<Solution>> {
    let task = mdp.task;
    let certificate = mdp.certificate();
    let zero = vec![0.0; task.states()];
    let mut choice: Vec<Option<Pair>> = task
        .all_states()
        .map(|s| mdp.best(s, &zero).map(|(pair, _)| pair))
        .collect();
    let mut before = vec![f64::NEG_INFINITY; task.states()];
    let mut sweeps = 0;
    loop {
        let policy = crate::model::Policy::deterministic(task, &choice);
        let values = evaluate_exact(mdp, &policy)?.values;
        sweeps += 1;
        let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let slack = certificate.floor(largest);
        let rose = values.iter().zip(&before).any(|(v, b)| v - b > slack);
        let (mut residual, mut improved) = (0.0_f64, false);
        for state in task.all_states() {
            let Some((best, q)) = mdp.best(state, &values) else {
                continue;
            };
            residual = residual.max((q - values[state.at()]).abs());
            let slot = &mut choice[state.at()];
            let stays = slot.is_some_and(|now| q <= mdp.q(now, &values) + slack);
            if rose && !stays && sweeps < limits.sweeps {
                *slot = Some(best);
                improved = true;
            }
        }
        if improved {
            before = values;
            continue;
        }
        let error = certificate.error(residual, largest);
        let solution = Solution {
            values,
            choice,
            error,
            sweeps,
        };
        return Ok(Outcome::of(solution, error <= limits.tolerance));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn waiting_pays_only_if_the_discount_allows() -> Result<()> {
        // Take 0.5 now, or walk two steps to 1, with the value gamma^2, so better from 0.5^(1/2) = 0.707 on.
        for (gamma, value, walks) in [(0.6, 0.5, false), (0.8, 0.64, true)] {
            let mut b = ModelBuilder::new(4, ["take", "walk"], gamma);
            b.start(0, 1.0).terminal(3);
            b.transition(0, 0, 3, 1.0).reward(0, 0, 0.5);
            b.transition(0, 1, 1, 1.0);
            b.transition(1, 1, 2, 1.0);
            b.transition(2, 0, 3, 1.0).reward(2, 0, 1.0);
            let model = b.build()?;
            let outcome = policy_iteration(&Mdp::of(&model), &Limits::default())?;
            assert!(matches!(outcome, Outcome::Optimal(_)));
            let found = outcome.solution();
            assert!(found.is_some_and(|f| {
                (f.values[0] - value).abs() < 1e-15 && f.choice[0] == Some(Pair(u32::from(walks)))
            }));
        }
        Ok(())
    }
}
