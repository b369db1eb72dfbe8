//! Strategies written in Python, and what they may look at.

use crate::arrays::{Marks, Numbers, Rows, array, exactly, rows};
use crate::error::foreign;
use crate::model::Task;
use hedgerow::explore::{Context, Plan, Strategy};
use hedgerow::learn::Bound as CostBound;
use hedgerow::model::Policy;
use hedgerow::{Error, Result};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// What a learner has seen, and what follows from it.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Learner(pub Arc<hedgerow::learn::Learner>);

#[pymethods]
impl Learner {
    #[getter]
    fn task(&self) -> Task {
        Task(Arc::new(self.0.task().clone()))
    }

    #[getter]
    fn samples(&self) -> u64 {
        self.0.samples()
    }

    /// How often every pair was tried.
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let visits = self.0.estimate().all_visits();
        array(py, visits.iter().map(|&n| i64::from(n)).collect())
    }

    /// How often the expert was seen to choose every pair.
    fn expert_choices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let pairs = self.0.task().all_pairs();
        array(
            py,
            pairs.map(|p| i64::from(self.0.expert_choices(p))).collect(),
        )
    }

    /// The estimated values of the expert.
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.values())
    }

    /// The estimated advantage of every pair over the expert.
    fn advantage<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let pairs = self.0.task().all_pairs();
        array(py, pairs.map(|p| self.0.advantage(p)).collect())
    }

    /// The estimated reward of every pair.
    fn reward<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.reward())
    }

    /// The inferred cost of every pair.
    fn cost<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, self.0.cost())
    }

    /// The bound on the error of every pair's cost.
    fn bound<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let bound = CostBound::new(&self.0);
        let pairs = self.0.task().all_pairs();
        array(py, pairs.map(|p| bound.at(p)).collect())
    }

    /// The estimated dynamics as compressed rows.
    fn rows<'py>(&self, py: Python<'py>) -> Rows<'py> {
        rows(py, self.0.task(), self.0.estimate())
    }
}

/// A strategy written in Python, behind the package's adapter: `plan(learner, iteration, accuracy)`
/// gives weights, policies and where to imitate.
pub struct PythonStrategy(std::result::Result<Py<PyAny>, Option<Error>>);

impl PythonStrategy {
    /// The strategy behind an adapter.
    pub fn new(adapter: Py<PyAny>) -> Self {
        Self(Ok(adapter))
    }

    /// A strategy that could not be made, which the run finds out.
    pub fn failed(error: Error) -> Self {
        Self(Err(Some(error)))
    }

    fn adapter(&mut self) -> Result<&Py<PyAny>> {
        match &mut self.0 {
            Ok(adapter) => Ok(adapter),
            Err(error) => Err(error.take().unwrap_or_else(|| {
                Error::invalid("strategy", "it could not be made", "see the first error")
            })),
        }
    }
}

type Planned<'py> = (Vec<f64>, Vec<Numbers<'py>>, Option<Marks<'py>>);

fn planned(py: Python<'_>, adapter: &Py<PyAny>, at: &Context) -> PyResult<Plan> {
    let task = at.learner.task();
    let learner = Learner(Arc::new(at.learner.clone()));
    let answer = adapter.call_method1(py, "plan", (learner, at.iteration, at.accuracy))?;
    let (weights, policies, imitate): Planned = answer.extract(py)?;
    let mut mixture = Vec::new();
    for (weight, policy) in weights.iter().zip(&policies) {
        let probs = exactly("policy", policy, task.pairs())?.to_vec();
        let policy = Policy::new(task, probs).map_err(crate::error::exception)?;
        mixture.push((*weight, policy));
    }
    let imitate = match &imitate {
        Some(marks) => exactly("imitate", marks, task.states())?.to_vec(),
        None => Vec::new(),
    };
    Ok(Plan::Act { mixture, imitate })
}

impl Strategy for PythonStrategy {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let adapter = self.adapter()?;
        Python::attach(|py| planned(py, adapter, at)).map_err(foreign("strategy"))
    }

    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        Ok(CostBound::new(at.learner).max() / (1.0 - at.learner.task().gamma()))
    }
}
