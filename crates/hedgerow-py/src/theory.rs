//! Sample sizes.

use crate::environment::Environment;
use crate::error::{OrRaise, exception};
use hedgerow::Error;
use hedgerow::learn::ZetaRule;
use hedgerow::theory::{self, PacParams};
use pyo3::prelude::*;

/// How many samples of every pair are enough: exactly, and by a closed bound.
#[pyfunction]
#[pyo3(signature = (method, *, pairs, horizon, gamma, reward_max, cost_max, zeta_max, delta, accuracy))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
fn sample_size(
    method: &str,
    pairs: usize,
    horizon: usize,
    gamma: f64,
    reward_max: f64,
    cost_max: f64,
    zeta_max: f64,
    delta: f64,
    accuracy: f64,
) -> PyResult<(f64, f64)> {
    let params = PacParams {
        pairs,
        horizon,
        gamma,
        reward_max,
        cost_max,
        zeta_max,
        delta,
        accuracy,
    };
    let size = match method {
        "uniform" => theory::uniform(&params),
        "bear" => theory::bear(&params),
        "pcse" => theory::pcse(&params, None),
        _ => Err(Error::invalid(
            "method",
            format!("`{method}` is unknown"),
            "use uniform, bear or pcse",
        )),
    };
    let size = size.or_raise()?;
    Ok((size.exact, size.closed))
}

/// The largest scale of a cost that explains the expert.
#[pyfunction]
fn zeta_max(py: Python<'_>, environment: &Environment, cost_max: f64) -> PyResult<f64> {
    let truth = environment.0.truth();
    let found = || theory::zeta_max_of(truth.model(), truth.expert(), cost_max, ZetaRule::Uniform);
    py.detach(found).or_raise()
}

/// An interval for a probability, from failures among trials.
#[pyfunction]
fn clopper_pearson(failures: u64, trials: u64, level: f64) -> PyResult<(f64, f64)> {
    let found = theory::clopper_pearson(failures, trials, level).map_err(exception)?;
    Ok((found.lower, found.upper))
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sample_size, module)?)?;
    module.add_function(wrap_pyfunction!(zeta_max, module)?)?;
    module.add_function(wrap_pyfunction!(clopper_pearson, module)?)
}
