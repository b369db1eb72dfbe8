//! Howard's policy iteration: few, expensive, exact steps.

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
        return Ok(if error <= limits.tolerance {
            Outcome::Optimal(solution)
        } else {
            Outcome::LimitReached(solution)
        });
    }
}
