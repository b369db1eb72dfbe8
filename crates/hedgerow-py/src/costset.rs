//! The set of costs that explain an expert.

use crate::arrays::{Numbers, array, exactly};
use crate::environment::Environment;
use crate::error::{OrRaise, exception};
use hedgerow::Error;
use hedgerow::costset::{CostSet as Set, Range, Rule};
use hedgerow::model::Rows;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// All costs that explain the expert of an environment.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct CostSet {
    environment: Arc<hedgerow::env::Environment>,
    cost_max: f64,
}

fn rule(name: &str) -> PyResult<Rule> {
    match name {
        "conditions" => Ok(Rule::Conditions),
        "optimality" => Ok(Rule::Optimality),
        _ => Err(exception(Error::invalid(
            "rule",
            format!("`{name}` is unknown"),
            "use conditions or optimality",
        ))),
    }
}

impl CostSet {
    fn set(&self) -> hedgerow::Result<Set<'_, Rows>> {
        let truth = self.environment.truth();
        Set::of(truth.model(), truth.expert(), truth.budget(), self.cost_max)
    }
}

#[pymethods]
impl CostSet {
    #[new]
    #[pyo3(signature = (environment, *, cost_max=1.0))]
    fn new(environment: &Environment, cost_max: f64) -> PyResult<Self> {
        let set = Self {
            environment: environment.0.clone(),
            cost_max,
        };
        set.set().or_raise()?;
        Ok(set)
    }

    /// The expert's advantages.
    fn advantage<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let set = self.set().or_raise()?;
        Ok(PyArray1::from_slice(py, set.advantage()))
    }

    /// The canonical cost of the set.
    fn canonical<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = py.detach(|| self.set()?.canonical()).or_raise()?;
        Ok(PyArray1::from_slice(py, found.values()))
    }

    /// Why a cost is not in the set; none if it is.
    fn violation(&self, py: Python<'_>, cost: Numbers<'_>, by: &str) -> PyResult<Option<String>> {
        let task = self.environment.task();
        let (cost, rule) = (exactly("cost", &cost, task.pairs())?, rule(by)?);
        let found = py.detach(|| self.set()?.contains(cost, rule)).or_raise()?;
        Ok(found.violation.map(|v| v.describe(task)))
    }

    /// The least and the greatest cost of every pair in the set; none if it is empty.
    #[expect(clippy::type_complexity, reason = "two arrays, or none")]
    fn ranges<'py>(
        &self,
        py: Python<'py>,
        by: &str,
    ) -> PyResult<Option<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)>> {
        let rule = rule(by)?;
        let found = py.detach(|| self.set()?.ranges(rule)).or_raise()?;
        Ok(found.map(|ranges: Vec<Range>| {
            (
                array(py, ranges.iter().map(|r| r.low).collect()),
                array(py, ranges.iter().map(|r| r.high).collect()),
            )
        }))
    }
}
