//! Why a place or a pair counts as constrained.

use crate::constraint::Constraint;
use crate::environment::Environment;
use crate::error::{OrRaise, raise};
use hedgerow::explain::{Answer, Question};
use hedgerow::verdict::Scope;
use pyo3::prelude::*;

/// Why, as JSON and as text: with the true dynamics, and the verdicts of a constraint if one is
/// given. `state` or `pair` is named as on the command line.
#[pyfunction]
#[pyo3(signature = (environment, *, state=None, pair=None, constraint=None))]
fn explain(
    py: Python<'_>,
    environment: &Environment,
    state: Option<&str>,
    pair: Option<&str>,
    constraint: Option<&Constraint>,
) -> PyResult<(String, String)> {
    let environment = &environment.0;
    let (task, layout) = (environment.task(), environment.layout());
    let question = match pair {
        Some(pair) => Question::pair(task, layout, pair),
        None => Question::place(task, layout, state.unwrap_or_default()),
    };
    let question = question.or_raise()?;
    let answer = py.detach(|| match constraint {
        Some(saved) => Answer::saved(environment, &saved.0, "a constraint", question),
        None => {
            let soft = environment.truth().budget() > 0.0;
            Answer::exact(environment, Scope::usual(soft), question)
        }
    });
    let answer = answer.or_raise()?;
    let json = serde_json::to_string(&answer).map_err(|e| raise("HedgerowError", e.to_string()))?;
    Ok((json, answer.text(hedgerow::text::WIDTH)))
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(explain, module)?)
}
