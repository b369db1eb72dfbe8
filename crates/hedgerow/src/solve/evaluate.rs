//! Values of a given policy.

use crate::Result;
use crate::model::{Dynamics, Policy};
use crate::solve::chain::Chain;
use crate::solve::{Limits, Mdp, Outcome, Values, start_values};

/// `V = (I - gamma P_pi)^{-1} r_pi` by a sparse LU factorisation.
///
/// One step of iterative refinement follows the solve, and the residual of the result certifies
/// it. Where nothing is allowed the episode ends and the value is 0.
pub fn evaluate_exact<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Values> {
    let chain = Chain::new(mdp, policy)?;
    let values = chain.values(|state| {
        mdp.task
            .pairs_of(state)
            .map(|i| policy.probs()[i] * mdp.reward[i])
            .sum()
    });
    let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
    for state in mdp.task.all_states().filter(|&s| mdp.goes_on(s)) {
        let v = values[state.at()];
        residual = residual.max((mdp.backup(policy, state, &values) - v).abs());
        largest = largest.max(v.abs());
    }
    Ok(Values {
        error: mdp.certificate().error(residual, largest),
        values,
        sweeps: 1,
    })
}

/// The same values by Gauss-Seidel sweeps, for models too large or too dense to factorise.
///
/// `warm` are values to start from; any start is correct.
///
/// # Panics
/// If `policy` has other pairs than the task, or `warm` other states.
pub fn evaluate_iterative<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Values> {
    let task = mdp.task;
    let certificate = mdp.certificate();
    let given = policy.probs().len();
    assert_eq!(given, task.pairs(), "a policy of this task is needed");
    let mut values = start_values(task, warm);
    let mut sweeps = 0;
    let mut before = f64::INFINITY;
    loop {
        let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
        for state in task.all_states() {
            let v = if mdp.goes_on(state) {
                mdp.backup(policy, state, &values)
            } else {
                0.0
            };
            residual = residual.max((v - values[state.at()]).abs());
            largest = largest.max(v.abs());
            values[state.at()] = v;
        }
        sweeps += 1;
        let error = certificate.error(mdp.gamma * residual, largest);
        let stuck = certificate.stuck(residual, before, largest, limits.tolerance);
        before = residual;
        if error <= limits.tolerance || stuck || sweeps >= limits.sweeps {
            let found = Values {
                values,
                error,
                sweeps,
            };
            return Outcome::of(found, error <= limits.tolerance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;
    use crate::solve::{occupancy, policy_of};

    #[test]
    fn a_chain_that_stays_half_the_time() -> Result<()> {
        // V = 1 + 0.8 * 0.5 V, so V = 1 / 0.6; the only pair is visited 1 / 0.6 discounted times,
        // a share of 0.2 / 0.6 of all time, and the rest comes after the end.
        let mut b = ModelBuilder::new(2, ["go"], 0.8);
        b.start(0, 1.0).terminal(1);
        b.transition(0, 0, 0, 0.5).transition(0, 0, 1, 0.5);
        b.reward(0, 0, 1.0);
        let model = b.build()?;
        let mdp = Mdp::of(&model);
        let policy = Policy::uniform(model.task());
        let exact = evaluate_exact(&mdp, &policy)?;
        assert!((exact.values[0] - 5.0 / 3.0).abs() < 1e-15);
        assert_eq!(exact.values[1], 0.0);
        assert!(exact.error < 1e-13);
        let rho = occupancy(&mdp, &policy)?;
        assert!((rho[0] - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!(policy_of(model.task(), &rho), policy);
        Ok(())
    }

    #[test]
    fn nothing_is_earned_where_nothing_is_allowed() -> Result<()> {
        // State 0 leads to state 1, which would earn 1 for ever but may not act.
        let mut b = ModelBuilder::new(2, ["go"], 0.5);
        b.start(0, 1.0);
        b.transition(0, 0, 1, 1.0).reward(0, 0, 0.25);
        b.transition(1, 0, 1, 1.0).reward(1, 0, 1.0);
        let model = b.build()?;
        let policy = Policy::uniform(model.task());
        let free = evaluate_exact(&Mdp::of(&model), &policy)?;
        assert!((free.values[0] - 1.25).abs() < 1e-15);
        let mdp = Mdp::of(&model).with_allowed(&[true, false]);
        assert_eq!(evaluate_exact(&mdp, &policy)?.values, [0.25, 0.0]);
        let swept = evaluate_iterative(&mdp, &policy, &Limits::default(), None);
        assert_eq!(swept.solution().map(|v| v.values), Some(vec![0.25, 0.0]));
        Ok(())
    }
}
