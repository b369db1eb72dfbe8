//! Values of a given policy.

use crate::Result;
use crate::model::{Dynamics, Policy};
use crate::solve::chain::Chain;
use crate::solve::{Limits, Mdp, Outcome, Values};

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
pub fn evaluate_iterative<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Values> {
    let task = mdp.task;
    let certificate = mdp.certificate();
    let mut values = warm.map_or_else(|| vec![0.0; task.states()], <[f64]>::to_vec);
    let mut sweeps = 0;
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
        let stuck = sweeps >= limits.sweeps || residual <= certificate.floor(largest);
        if error <= limits.tolerance || stuck {
            let solved = error <= limits.tolerance;
            let found = Values {
                values,
                error,
                sweeps,
            };
            return if solved {
                Outcome::Optimal(found)
            } else {
                Outcome::LimitReached(found)
            };
        }
    }
}
