//! Values of a given policy.

use crate::model::{Dynamics, Policy, Task};
use crate::solve::bound::{Of, by_sweeps, offsets, polished, proved};
use crate::solve::chain::Chain;
use crate::solve::policy_rows::{LARGE, PolicyRows, SWEEPS};
use crate::solve::turn::Close;
use crate::solve::{Limits, Mdp, Outcome, Values, start_values};
use crate::{Error, Result};

/// The largest error, relative to the discounted size `V^|r|` of the rewards, that a number may have:
/// one that cannot be certified to this is refused.
pub const ACCURACY: f64 = 1e-6;

/// Values with an error for every state.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    /// `V(s)`; 0 at terminals.
    pub values: Vec<f64>,
    /// Certified bound on the error of each.
    pub errors: Vec<f64>,
}

/// A discounted sum from the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// The sum.
    pub value: f64,
    /// Certified bound on its error.
    pub error: f64,
}

impl Certified {
    /// The sum from the start of `task`.
    pub fn at_start(&self, task: &Task) -> Sum {
        Sum {
            value: task.at_start(&self.values),
            error: task.at_start(&self.errors),
        }
    }
}

/// `V = (I - gamma P_pi)^{-1} r_pi` by a sparse LU factorisation.
///
/// One step of iterative refinement follows the solve, and the residual of the result certifies
/// it. Where nothing is allowed the episode ends and the value is 0. Values that overflow, or that
/// cannot be certified to [`ACCURACY`], are an error.
pub fn evaluate_exact<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Values> {
    let found = evaluate_certified(mdp, policy)?;
    Ok(Values {
        error: found.errors.iter().copied().fold(0.0, f64::max),
        values: found.values,
        sweeps: 1,
    })
}

/// The same values with an error for every state, which is small where the values are.
///
/// From 20,000 states on by sweeps, and by factors only where those do not settle.
pub fn evaluate_certified<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Certified> {
    policy.check_length(mdp.task)?;
    let mut refusal = None;
    if mdp.task.states() >= LARGE {
        let rows = PolicyRows::new(mdp, policy);
        let found = by_rows(mdp, policy, &rows, None)?;
        let sizes = sizes_by_rows(mdp, policy, &rows, &found);
        match precise(mdp, &found, &sizes) {
            Ok(()) => return Ok(found),
            Err(error) => refusal = Some(error),
        }
    }
    if let Some(error) = refusal.filter(|_| mdp.task.states() > MOST_FACTORS) {
        return Err(error);
    }
    let chain = Chain::new(mdp, policy)?;
    let found = by_factors(mdp, policy, &chain)?;
    precise(mdp, &found, &sizes(mdp, policy, &chain, &found))?;
    Ok(found)
}

/// States up to which factors stand in for sweeps that do not settle: more would take all memory.
const MOST_FACTORS: usize = 300_000;

/// Refuses values of which any is not certain to [`ACCURACY`] of its size.
fn precise<D: Dynamics>(mdp: &Mdp<D>, found: &Certified, sizes: &[f64]) -> Result<()> {
    // What underflows is 0 beside the rest.
    let nothing = NOTHING * sizes.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    for state in mdp.task.all_states() {
        let (error, size) = (found.errors[state.at()], sizes[state.at()]);
        if error > ACCURACY * size + nothing {
            let place = format!("value of {}", mdp.task.state_name(state));
            return Err(uncertain(place, found.values[state.at()], error));
        }
    }
    Ok(())
}

/// `r_pi`: what `policy` earns in every state, each reward changed by `of`.
pub(super) fn earned<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy, of: fn(f64) -> f64) -> Vec<f64> {
    let one = |state| match mdp.goes_on(state) {
        true => mdp
            .task
            .pairs_of(state)
            .map(|i| policy.probs()[i] * of(mdp.reward[i]))
            .sum(),
        false => 0.0,
    };
    mdp.task.all_states().map(one).collect()
}

/// The values of `policy` and their errors by sweeps over its rows, whatever the errors are. `warm` are
/// values to start from.
pub(super) fn by_rows<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    rows: &PolicyRows,
    warm: Option<&[f64]>,
) -> Result<Certified> {
    let reward = earned(mdp, policy, |r| r);
    let mut values = start_values(mdp.task, warm);
    // Values of a policy that is as good need no order to be found.
    if !(warm.is_some() && rows.holds(&reward, &values)) {
        rows.settle(&reward, &mut values, Close::default(), SWEEPS);
    }
    finite(mdp, &values)?;
    let off = rows.offsets(&reward, &values);
    let errors = rows.bound(&values, &off).unwrap_or_else(|| {
        let most = off.iter().copied().fold(0.0, f64::max);
        vec![most / (1.0 - mdp.gamma); values.len()]
    });
    Ok(Certified { values, errors })
}

/// `V^|r|` of every state.
fn sizes_by_rows<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    rows: &PolicyRows,
    found: &Certified,
) -> Vec<f64> {
    let mut sizes: Vec<f64> = found.values.iter().map(|v| v.abs()).collect();
    if mixed_signs(mdp.reward) {
        let close = Close::to_terms(1e-3);
        rows.settle(&earned(mdp, policy, f64::abs), &mut sizes, close, SWEEPS);
    }
    sizes
}

fn mixed_signs(reward: &[f64]) -> bool {
    reward.iter().any(|&r| r < 0.0) && reward.iter().any(|&r| r > 0.0)
}

/// The values of `policy` and their errors by the factors of its chain, whatever the errors are.
pub(super) fn by_factors<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    chain: &Chain,
) -> Result<Certified> {
    let values = chain.values(|state| {
        mdp.task
            .pairs_of(state)
            .map(|i| policy.probs()[i] * mdp.reward[i])
            .sum()
    });
    finite(mdp, &values)?;
    let off = offsets(mdp, Of::Policy(policy), &values);
    let guess = chain.values(|state| off[state.at()]);
    let errors = proved(mdp, Of::Policy(policy), &off, &guess);
    let errors = errors.or_else(|| by_sweeps(mdp, Of::Policy(policy), &off));
    let errors = errors.unwrap_or_else(|| {
        // The factors are too poor to prove anything finer than what holds for any values.
        let most = off.iter().copied().fold(0.0, f64::max);
        vec![most / (1.0 - mdp.gamma); values.len()]
    });
    Ok(Certified { values, errors })
}

/// `V^|r|` of every state: what the values are small or large against.
fn sizes<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy, chain: &Chain, found: &Certified) -> Vec<f64> {
    if mixed_signs(mdp.reward) {
        return chain.values(|state| {
            let pairs = mdp.task.pairs_of(state);
            pairs.map(|i| policy.probs()[i] * mdp.reward[i].abs()).sum()
        });
    }
    found.values.iter().map(|v| v.abs()).collect()
}

/// The discounted sum of `mdp`'s reward from the start under `policy`, certified to [`ACCURACY`].
///
/// Sweeps where they settle soon, factors where the discount is near 1 or the sum too small for an
/// error that is the same in all states.
pub fn value_at_start<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Sum> {
    value_at_start_from(mdp, policy, None)
}

/// The same, with values to start from where there are many states.
pub(super) fn value_at_start_from<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    warm: Option<&[f64]>,
) -> Result<Sum> {
    policy.check_length(mdp.task)?;
    if mdp.task.states() >= LARGE {
        let rows = PolicyRows::new(mdp, policy);
        let refused = match start_by_rows(mdp, policy, &rows, warm) {
            Ok(sum) => return Ok(sum),
            Err(refused) => refused,
        };
        if mdp.task.states() > MOST_FACTORS {
            return Err(refused);
        }
        return start_by_factors(mdp, policy);
    }
    let limits = Limits {
        tolerance: 1e-13 * magnitude(mdp.largest_reward()),
        sweeps: patience(mdp.task),
    };
    // Its error is certified whether or not the tolerance was reached.
    if let Some(found) = evaluate_iterative(mdp, policy, &limits, None).solution() {
        finite(mdp, &found.values)?;
        let value = mdp.task.at_start(&found.values);
        if found.error <= ENOUGH * value.abs() {
            let error = found.error;
            return Ok(Sum { value, error });
        }
        let of = Of::Policy(policy);
        if let Some(values) = polished(mdp, of, found.values)
            && let Some(errors) = by_sweeps(mdp, of, &offsets(mdp, of, &values))
        {
            let sum = Certified { values, errors }.at_start(mdp.task);
            if sum.error <= ENOUGH * sum.value.abs() {
                return Ok(sum);
            }
        }
    }
    start_by_factors(mdp, policy)
}

/// What a policy earns and pays from the start, each as [`value_at_start`] gives it.
///
/// `warm` are values close to what it earns in every state, if there are any.
///
/// # Panics
/// If `warm` is not one value per state.
pub fn value_and_cost<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    policy: &Policy,
    warm: Option<&[f64]>,
) -> Result<[Sum; 2]> {
    let paid = mdp.with_reward(cost);
    if mdp.task.states() < LARGE {
        return Ok([value_at_start(mdp, policy)?, value_at_start(&paid, policy)?]);
    }
    policy.check_length(mdp.task)?;
    let rows = PolicyRows::new(mdp, policy);
    let sum = |of: &Mdp<D>, warm| match start_by_rows(of, policy, &rows, warm) {
        Err(_) if of.task.states() <= MOST_FACTORS => start_by_factors(of, policy),
        found => found,
    };
    let (reward, cost) = rayon::join(|| sum(mdp, warm), || sum(&paid, None));
    Ok([reward?, cost?])
}

/// The sum from the start by sweeps, refused if it is not certain to [`ACCURACY`] of its size.
pub(super) fn start_by_rows<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    rows: &PolicyRows,
    warm: Option<&[f64]>,
) -> Result<Sum> {
    let found = by_rows(mdp, policy, rows, warm)?;
    let sum = found.at_start(mdp.task);
    if sum.error <= ENOUGH * sum.value.abs() {
        return Ok(sum);
    }
    certain(mdp, &found, sum, &sizes_by_rows(mdp, policy, rows, &found))
}

fn start_by_factors<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Sum> {
    let chain = Chain::new(mdp, policy)?;
    let found = by_factors(mdp, policy, &chain)?;
    let sum = found.at_start(mdp.task);
    certain(mdp, &found, sum, &sizes(mdp, policy, &chain, &found))
}

/// `sum`, refused unless it is certain to [`ACCURACY`] of its size.
fn certain<D: Dynamics>(mdp: &Mdp<D>, found: &Certified, sum: Sum, sizes: &[f64]) -> Result<Sum> {
    let largest = found
        .values
        .iter()
        .fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
    if sum.error > ACCURACY * mdp.task.at_start(sizes) + NOTHING * largest {
        return Err(uncertain("value at the start".into(), sum.value, sum.error));
    }
    Ok(sum)
}

/// A size, relative to the largest value, that counts as 0.
const NOTHING: f64 = 1e-280;

/// Sweeps before factors take over: soon where those are cheap, late where they would fill up.
pub(super) fn patience(task: &Task) -> usize {
    match task.states() {
        0..20_000 => 5_000,
        _ => 100_000,
    }
}

/// An error, relative to the sum, that needs no finer method.
const ENOUGH: f64 = 1e-9;

/// Refuses values that are not finite.
pub(super) fn finite<D: Dynamics>(mdp: &Mdp<D>, values: &[f64]) -> Result<()> {
    if values.iter().all(|v| v.is_finite()) {
        return Ok(());
    }
    Err(Error::invalid(
        "values",
        format!(
            "discounted sums of numbers up to {:e} overflow at a discount of {}",
            mdp.largest_reward(),
            mdp.gamma
        ),
        "scale rewards and costs down",
    ))
}

/// The refusal of a number that could not be certified.
pub(super) fn uncertain(place: String, value: f64, error: f64) -> Error {
    Error::Uncertain {
        place,
        value,
        error,
        remedy: "lower the discount, or give numbers of more similar size",
    }
}

/// The power of two at or below `size`, which scales without rounding; 1 for 0.
pub(crate) fn magnitude(size: f64) -> f64 {
    if size > 0.0 && size.is_finite() {
        f64::from_bits(size.to_bits() & (0x7FF << 52)).max(f64::MIN_POSITIVE)
    } else {
        1.0
    }
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
