//! Value iteration: the simplest solver, and the one that runs in parallel.

use crate::model::Dynamics;
use crate::solve::sweep::{sweep, values_alone};
use crate::solve::{Limits, Mdp, Outcome, Solution, start_values};

/// Jacobi sweeps `V <- max_a (r + gamma P V)` until the residual certifies the values.
///
/// Every sweep reads the old values and writes new ones, so the result is the same to the last
/// bit for any number of threads. In a model where episodes never end MacQueen's bounds,
/// `V* - V_{n+1}` between `gamma/(1-gamma)` times the least and the greatest change of a sweep, are
/// often far tighter than the residual; then the values jump to their middle, and the
/// residual of the next sweep certifies the jump.
///
/// `warm` are values to start from; any start is correct.
///
/// # Panics
/// If `warm` is not one value per state.
pub fn value_iteration<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Solution> {
    let certificate = mdp.certificate();
    let endless = mdp.never_ends();
    let reach = mdp.gamma / (1.0 - mdp.gamma);
    let mut values = start_values(mdp.task, warm);
    let mut next = values.clone();
    let mut sweeps = 0;
    let mut before = f64::INFINITY;
    let (error, solved) = loop {
        let change = values_alone(mdp, &values, &mut next);
        std::mem::swap(&mut values, &mut next);
        sweeps += 1;
        let residual = change.residual();
        let error = certificate.error(mdp.gamma * residual, change.largest);
        if error <= limits.tolerance {
            break (error, true);
        }
        let stuck = certificate.stuck(residual, before, change.largest, limits.tolerance);
        if sweeps >= limits.sweeps || stuck {
            break (error, false);
        }
        before = residual;
        let half_width = 0.5 * reach * change.span();
        if endless && half_width <= 0.5 * (1.0 - mdp.gamma) * limits.tolerance {
            let middle = change.to_come(mdp.gamma);
            for v in &mut values {
                *v += middle;
            }
        }
    };
    // The pairs that made the last values, from those before them; they are worth what they were.
    let mut choice = vec![None; values.len()];
    let mut same = next.clone();
    sweep(mdp, &next, &mut same, &mut choice);
    let solution = Solution {
        choice,
        values,
        error,
        sweeps,
    };
    Outcome::of(solution, solved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::model::ModelBuilder;

    #[test]
    fn bounds_jump_to_the_answer_where_nothing_ends() -> Result<()> {
        // One state that earns 1 for ever: V = 1 / (1 - 0.99) = 100. Both of MacQueen's bounds are
        // exact after one sweep, where the residual alone would need some 2,500 sweeps.
        let mut b = ModelBuilder::new(1, ["stay"], 0.99);
        b.start(0, 1.0).transition(0, 0, 0, 1.0).reward(0, 0, 1.0);
        let model = b.build()?;
        let outcome = value_iteration(&Mdp::of(&model), &Limits::default(), None);
        let Outcome::Optimal(found) = outcome else {
            return Err(crate::Error::invalid("outcome", "not optimal", "fix it"));
        };
        assert!((found.values[0] - 100.0).abs() <= found.error);
        assert!(found.sweeps <= 3, "{} sweeps", found.sweeps);
        Ok(())
    }
}
