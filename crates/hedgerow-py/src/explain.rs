//! Why a place or a pair counts as constrained.

use crate::constraint::Constraint;
use crate::environment::Environment;
use crate::error::{OrRaise, raise};
use hedgerow::constraint::visited_by_expert;
use hedgerow::explain::ExplanationContext;
use hedgerow::io::{find_pair, find_state};
use pyo3::prelude::*;
use serde::Serialize;

/// Why, as JSON: with the true dynamics, and the verdicts of a constraint if one is given. `state`
/// or `pair` is named as on the command line.
#[pyfunction]
#[pyo3(signature = (environment, *, state=None, pair=None, constraint=None, visited=false))]
fn explain(
    py: Python<'_>,
    environment: &Environment,
    state: Option<&str>,
    pair: Option<&str>,
    constraint: Option<&Constraint>,
    visited: bool,
) -> PyResult<String> {
    let environment = &environment.0;
    let (task, layout) = (environment.task(), environment.layout());
    let mut context = py
        .detach(|| ExplanationContext::exact(environment))
        .or_raise()?;
    if let Some(constraint) = constraint {
        context.take_verdicts(&constraint.0.verdicts_in(task).or_raise()?);
    } else if visited {
        context.limit_to(&visited_by_expert(environment));
    }
    if let Some(pair) = pair {
        let pair = find_pair(task, layout, pair).or_raise()?;
        return json(&py.detach(|| context.witness(pair)).or_raise()?);
    }
    let state = find_state(task, layout, state.unwrap_or_default()).or_raise()?;
    json(&py.detach(|| context.explain(state, None)).or_raise()?)
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|e| raise("HedgerowError", e.to_string()))
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(explain, module)?)
}
