//! Forward problems.

use crate::arrays::{Marks, Numbers, array, exactly};
use crate::error::{OrRaise, exception};
use crate::model::Model;
use hedgerow::Error;
use hedgerow::model::Policy;
use hedgerow::solve::{self, Mdp, Outcome};
use numpy::PyArray1;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// Values, errors and the policy of an optimum.
#[pyfunction]
#[pyo3(signature = (model, *, allowed=None, reward=None))]
fn optimum<'py>(
    py: Python<'py>,
    model: &Model,
    allowed: Option<Marks<'py>>,
    reward: Option<Numbers<'py>>,
) -> PyResult<(Array<'py>, Array<'py>, Array<'py>)> {
    let task = model.0.task();
    let mut mdp = Mdp::of(&model.0);
    let allowed = allowed
        .as_ref()
        .map(|a| exactly("allowed", a, task.pairs()))
        .transpose()?;
    let reward = reward
        .as_ref()
        .map(|r| exactly("reward", r, task.pairs()))
        .transpose()?;
    if let Some(allowed) = allowed {
        mdp = mdp.with_allowed(allowed);
    }
    if let Some(reward) = reward {
        mdp = mdp.with_reward(reward);
    }
    let best = py.detach(|| solve::optimum(&mdp)).or_raise()?;
    let policy = Policy::deterministic(task, &best.choice);
    Ok((
        array(py, best.values),
        array(py, best.errors),
        PyArray1::from_slice(py, policy.probs()),
    ))
}

/// Values of a policy, and their errors.
#[pyfunction]
#[pyo3(signature = (model, policy, *, reward=None))]
fn evaluate<'py>(
    py: Python<'py>,
    model: &Model,
    policy: Numbers<'py>,
    reward: Option<Numbers<'py>>,
) -> PyResult<(Array<'py>, Array<'py>)> {
    let task = model.0.task();
    let policy = read_policy(model, &policy)?;
    let mut mdp = Mdp::of(&model.0);
    let reward = reward
        .as_ref()
        .map(|r| exactly("reward", r, task.pairs()))
        .transpose()?;
    if let Some(reward) = reward {
        mdp = mdp.with_reward(reward);
    }
    let found = py
        .detach(|| solve::evaluate_certified(&mdp, &policy))
        .or_raise()?;
    Ok((array(py, found.values), array(py, found.errors)))
}

/// How often a policy takes every pair, discounted.
#[pyfunction]
fn occupancy<'py>(py: Python<'py>, model: &Model, policy: Numbers<'py>) -> PyResult<Array<'py>> {
    let policy = read_policy(model, &policy)?;
    let found = py.detach(|| solve::occupancy(&Mdp::of(&model.0), &policy));
    Ok(array(py, found.or_raise()?))
}

/// The best policy within a budget, its reward and its cost.
#[pyfunction]
fn best_within<'py>(
    py: Python<'py>,
    model: &Model,
    cost: Numbers<'py>,
    budget: f64,
) -> PyResult<(Array<'py>, f64, f64)> {
    let cost = exactly("cost", &cost, model.0.task().pairs())?;
    let mdp = Mdp::of(&model.0);
    let best = match py
        .detach(|| solve::best_within(&mdp, cost, budget))
        .or_raise()?
    {
        Outcome::Optimal(best) => best,
        Outcome::LimitReached(best) => return Err(exception(best.uncertain())),
        Outcome::Infeasible { least_cost } => {
            return Err(exception(Error::invalid(
                "budget",
                format!("no policy keeps the cost within {budget}"),
                format!("use at least {least_cost}"),
            )));
        }
    };
    Ok((
        PyArray1::from_slice(py, best.policy.probs()),
        best.reward,
        best.cost,
    ))
}

fn read_policy(model: &Model, probs: &Numbers) -> PyResult<Policy> {
    let task = model.0.task();
    Policy::new(task, exactly("policy", probs, task.pairs())?.to_vec()).or_raise()
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(optimum, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(occupancy, module)?)?;
    module.add_function(wrap_pyfunction!(best_within, module)?)
}
