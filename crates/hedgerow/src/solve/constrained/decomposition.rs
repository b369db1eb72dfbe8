//! A few linear constraints on occupancies, by column generation.

use crate::Result;
use crate::model::Dynamics;
use crate::solve::constrained::check_constraint;
use crate::solve::constrained::mixture::{LinearRow, Mixture, Roughly};
use crate::solve::constrained::search::Search;
use crate::solve::constrained::warm::WarmStart;
use crate::solve::{Limits, Mdp, Outcome};

/// Maximises `V^{r, pi}(mu0)` subject to `V^{g_i, pi}(mu0) <= b_i` for a few rows `i`.
///
/// Dantzig-Wolfe decomposition: the columns of a small master program are deterministic policies
/// with their values in `r, g_1, ..`; its multipliers `lambda` price the reward
/// `r - sum_i lambda_i g_i`, and one sparse solve either finds a better column or proves
/// `g(lambda) = V_lambda(mu0) + <lambda, b>` to be the optimum. With one row this is the secant
/// method on the piecewise linear dual. A first phase minimises the total violation
/// `sum_i max(0, V^{g_i} - b_i)`; if it stays positive the outcome is [`Outcome::Infeasible`] and
/// its `least_cost` is that least total violation.
///
/// Constraints hold up to [`FEASIBILITY`](super::FEASIBILITY). `limits.tolerance` applies to each solve and, up to
/// rounding and that times the multipliers, to the gap between `value` and `bound`.
pub fn constrained_best<D: Dynamics>(
    mdp: &Mdp<D>,
    rows: &[LinearRow],
    limits: &Limits,
    warm: &mut WarmStart,
) -> Result<Outcome<Mixture>> {
    search(mdp, rows, limits, None, warm)
}

/// The same roughly, for plans in large worlds that are made again and again.
///
/// Only `bound` is certified; `value` and the constraints hold as nearly as `share` says.
pub fn constrained_roughly<D: Dynamics>(
    mdp: &Mdp<D>,
    rows: &[LinearRow],
    limits: &Limits,
    roughly: Roughly,
    warm: &mut WarmStart,
) -> Result<Outcome<Mixture>> {
    search(mdp, rows, limits, Some(roughly), warm)
}

fn search<D: Dynamics>(
    mdp: &Mdp<D>,
    rows: &[LinearRow],
    limits: &Limits,
    rough: Option<Roughly>,
    warm: &mut WarmStart,
) -> Result<Outcome<Mixture>> {
    for row in rows {
        check_constraint(mdp, row.weights, row.bound)?;
    }
    let mut search = Search::new(mdp, rows, limits, rough, warm)?;
    let outcome = match search.least_violation()? {
        Some(violation) => Outcome::Infeasible {
            least_cost: violation,
        },
        None => search.best()?,
    };
    search.leave(&outcome, warm);
    Ok(outcome)
}
