//! Modified policy iteration: the workhorse for models of every size.

use crate::model::Dynamics;
use crate::solve::{Limits, Mdp, Outcome, Solution};

/// Evaluation sweeps between two improvements.
const EVALUATIONS: usize = 12;

/// Improve with one full Gauss-Seidel sweep, then follow the chosen pairs for a few cheap sweeps.
///
/// `warm` are values to start from (those of a similar problem); any start is correct. The last
/// full sweep is a plain Bellman backup, so its residual certifies the values that are returned.
/// When rounding alone keeps the error above the tolerance, the outcome is
/// [`Outcome::LimitReached`] with the error that could be certified.
pub fn modified_policy_iteration<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Solution> {
    let task = mdp.task;
    let certificate = mdp.certificate();
    let mut values = warm.map_or_else(|| vec![0.0; task.states()], <[f64]>::to_vec);
    let mut choice = vec![None; task.states()];
    let mut sweeps = 0;
    loop {
        let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
        for state in task.all_states() {
            let (pair, v) = match mdp.best(state, &values) {
                Some((pair, q)) => (Some(pair), q),
                None => (None, 0.0),
            };
            choice[state.at()] = pair;
            residual = residual.max((v - values[state.at()]).abs());
            largest = largest.max(v.abs());
            values[state.at()] = v;
        }
        sweeps += 1;
        // A Gauss-Seidel sweep contracts by gamma too, so its residual certifies the values
        // before it up to 1/(1-gamma) and those after it up to gamma/(1-gamma).
        let error = certificate.error(mdp.gamma * residual, largest);
        let solution = |values, choice| Solution {
            values,
            choice,
            error,
            sweeps,
        };
        if error <= limits.tolerance {
            return Outcome::Optimal(solution(values, choice));
        }
        // Below the floor more sweeps only shuffle the last digits.
        if sweeps >= limits.sweeps || residual <= certificate.floor(largest) {
            return Outcome::LimitReached(solution(values, choice));
        }
        for _ in 0..EVALUATIONS {
            let mut change = 0.0_f64;
            for (s, pair) in choice.iter().enumerate() {
                if let Some(pair) = *pair {
                    let v = mdp.q(pair, &values);
                    change = change.max((v - values[s]).abs());
                    values[s] = v;
                }
            }
            sweeps += 1;
            let enough = 0.1 * limits.tolerance * (1.0 - mdp.gamma);
            if mdp.gamma * change <= enough.max(certificate.floor(largest)) {
                break;
            }
        }
    }
}
