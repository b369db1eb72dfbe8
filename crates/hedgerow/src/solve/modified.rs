//! Modified policy iteration: the workhorse for models of every size.

use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::policy_rows::LARGE;
use crate::solve::turn::Turn;
use crate::solve::{Limits, Mdp, Outcome, Solution, endless, in_place, start_values, wide};

/// From this many states on, the order in which values flow pays for being found.
const MANY: usize = 2_000;

/// Evaluation sweeps between two improvements.
const EVALUATIONS: usize = 12;

/// Improve with one full Gauss-Seidel sweep, then follow the chosen pairs for a few cheap sweeps.
///
/// `warm` are values to start from (those of a similar problem); any start is correct. The last
/// full sweep is a plain Bellman backup, so its residual certifies the values that are returned.
/// From 2,000 states on, a model whose transitions mostly stay near is solved in place, in the order in which
/// values flow; from 20,000 on, this and all others share bands or blocks of states between threads, and the
/// result is the same to the last bit for any number of them.
/// When rounding alone keeps the error above the tolerance, the outcome is
/// [`Outcome::LimitReached`] with the error that could be certified.
///
/// # Panics
/// If `warm` is not one value per state.
pub fn modified_policy_iteration<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Solution> {
    if in_place::suits(mdp, MANY) {
        return in_place::solve(mdp, limits, warm);
    }
    if mdp.task.states() >= LARGE {
        return large(mdp, limits, warm);
    }
    let certificate = mdp.certificate();
    let mut values = start_values(mdp.task, warm);
    let mut choice = vec![None; mdp.task.states()];
    let mut sweeps = 0;
    let mut before = f64::INFINITY;
    let mut step = vec![0.0; mdp.task.states()];
    // Extrapolation pauses, longer each time, when the residual did not fall after it.
    let (mut pause, mut rest) = (0, 0);
    loop {
        let (residual, largest) = improve(mdp, &mut choice, &mut values);
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
        let stuck = certificate.stuck(residual, before, largest, limits.tolerance);
        if sweeps >= limits.sweeps || stuck {
            return Outcome::LimitReached(solution(values, choice));
        }
        if rest > 0 {
            rest -= 1;
        } else if residual > before {
            pause = 2 * pause + 1;
            rest = pause;
        }
        before = residual;
        let enough = 0.1 * limits.tolerance * (1.0 - mdp.gamma);
        let enough = enough.max(0.1 * certificate.floor(largest));
        let mut turn = Turn::default();
        for _ in 0..EVALUATIONS {
            turn = evaluate(mdp, &choice, &mut values, &mut step);
            sweeps += 1;
            if mdp.gamma * turn.change <= enough {
                break;
            }
        }
        if rest == 0 && mdp.gamma * turn.change > enough {
            turn.extrapolate(&mut values, &step);
        }
    }
}

/// Solves a large model whose transitions lead anywhere.
fn large<D: Dynamics>(mdp: &Mdp<D>, limits: &Limits, warm: Option<&[f64]>) -> Outcome<Solution> {
    match mdp.never_ends() {
        true => endless::solve(mdp, limits, warm),
        false => wide::solve(mdp, limits, warm),
    }
}

/// One sweep of Bellman backups; the largest change and the largest value.
fn improve<D: Dynamics>(
    mdp: &Mdp<D>,
    choice: &mut [Option<Pair>],
    values: &mut [f64],
) -> (f64, f64) {
    let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
    for state in mdp.task.all_states() {
        let (pair, v) = match mdp.best(state, values) {
            Some((pair, q)) => (Some(pair), q),
            None => (None, 0.0),
        };
        choice[state.at()] = pair;
        residual = residual.max((v - values[state.at()]).abs());
        largest = largest.max(v.abs());
        values[state.at()] = v;
    }
    (residual, largest)
}

/// One evaluation sweep along `choice`; `step` takes what it changed.
fn evaluate<D: Dynamics>(
    mdp: &Mdp<D>,
    choice: &[Option<Pair>],
    values: &mut [f64],
    step: &mut [f64],
) -> Turn {
    let mut turn = Turn::default();
    for (s, pair) in choice.iter().enumerate() {
        if let Some(pair) = *pair {
            let v = mdp.q(pair, values);
            let moved = v - values[s];
            turn.add(moved, step[s]);
            step[s] = moved;
            values[s] = v;
        }
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::model::ModelBuilder;

    #[test]
    fn extrapolation_makes_a_long_horizon_short() -> Result<()> {
        // Two states that earn 1 and 0 in turn: V0 = 1 / (1 - 0.999^2), V1 = 0.999 V0. Plain sweeps
        // shrink the error by 0.999^2 each and would need some ten thousand.
        let mut b = ModelBuilder::new(2, ["on"], 0.999);
        b.start(0, 1.0);
        b.transition(0, 0, 1, 1.0).reward(0, 0, 1.0);
        b.transition(1, 0, 0, 1.0);
        let model = b.build()?;
        let limits = Limits {
            tolerance: 1e-8,
            ..Limits::default()
        };
        let outcome = modified_policy_iteration(&Mdp::of(&model), &limits, None);
        assert!(matches!(outcome, Outcome::Optimal(_)), "{outcome:?}");
        let found = outcome.solution();
        let first = 1.0 / (1.0 - 0.999_f64.powi(2));
        assert!(found.is_some_and(|f| {
            f.sweeps < 200
                && (f.values[0] - first).abs() <= f.error
                && (f.values[1] - 0.999 * first).abs() <= f.error
        }));
        Ok(())
    }
}
