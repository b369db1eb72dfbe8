//! Environments: the truth, the expert, and where states lie.

use crate::arrays::{Numbers, array, exactly};
use crate::error::OrRaise;
use crate::model::{Model, Task};
use hedgerow::env::{Layout, Truth};
use hedgerow::io;
use hedgerow::model::{Cost, Policy};
use hedgerow::results::LayoutFile;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A model with its hidden constraint and the expert who keeps to it.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Environment(pub Arc<hedgerow::env::Environment>);

/// Steps per episode where none are given.
const HORIZON: usize = 1_000;

#[pymethods]
impl Environment {
    /// An environment of a model. Without an expert it is the best policy within the budget.
    #[new]
    #[pyo3(signature = (model, *, cost, budget, expert=None, name, horizon=None, layout=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        model: &Model,
        cost: Numbers<'_>,
        budget: f64,
        expert: Option<Numbers<'_>>,
        name: String,
        horizon: Option<usize>,
        layout: Option<&str>,
    ) -> PyResult<Self> {
        let task = model.0.task();
        let cost = exactly("cost", &cost, task.pairs())?.to_vec();
        let cost = Cost::new(task, cost).or_raise()?;
        let said = match expert {
            None => None,
            Some(probs) => {
                let probs = exactly("expert", &probs, task.pairs())?.to_vec();
                Some(
                    Policy::new(task, probs)
                        .map_err(|e| e.within("expert"))
                        .or_raise()?,
                )
            }
        };
        let layout = layout.map(read_layout).transpose()?;
        let made = py.detach(|| {
            let expert = match said {
                Some(policy) => policy,
                None => io::best_within(&model.0, &cost, budget)?,
            };
            let truth = Truth::new((*model.0).clone(), cost, budget, expert)?;
            hedgerow::env::Environment::new(name, horizon.unwrap_or(HORIZON), layout, truth)
        });
        Ok(Self(Arc::new(made.or_raise()?)))
    }

    /// The environment called so: built in, or a file; with a discount for files that have none.
    #[staticmethod]
    #[pyo3(signature = (source, gamma=None))]
    fn open(py: Python<'_>, source: &str, gamma: Option<f64>) -> PyResult<Self> {
        let opened = py.detach(|| {
            let defaults = io::Defaults {
                gamma,
                ..io::Defaults::default()
            };
            io::open_with(source, &defaults)
        });
        Ok(Self(Arc::new(opened.or_raise()?)))
    }

    /// Writes the environment as the ending of the name says.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| io::write(&path, &self.0)).or_raise()
    }

    /// An environment from the text of a model file.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let parsed = py.detach(|| io::model_file::parse(text, name)).or_raise()?;
        Ok(Self(Arc::new(parsed)))
    }

    /// An environment drawn as a map, from the text of its file.
    #[staticmethod]
    fn drawn(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let parsed = || io::grid_file::parse(text, name)?.environment();
        Ok(Self(Arc::new(py.detach(parsed).or_raise()?)))
    }

    /// The text of a model file.
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| io::to_json(&self.0))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn horizon(&self) -> usize {
        self.0.horizon()
    }

    #[getter]
    fn budget(&self) -> f64 {
        self.0.truth().budget()
    }

    #[getter]
    fn task(&self) -> Task {
        Task(self.0.task().clone())
    }

    #[getter]
    fn model(&self) -> Model {
        Model(Arc::new(self.0.truth().model().clone()))
    }

    /// The true cost of every pair.
    fn cost<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.truth().cost().values())
    }

    /// The expert's probability of every pair.
    fn expert<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.truth().expert().probs())
    }

    /// The same environment with another expert.
    fn with_expert(&self, expert: Numbers<'_>) -> PyResult<Self> {
        let probs = exactly("expert", &expert, self.0.task().pairs())?.to_vec();
        let policy = Policy::new(self.0.task(), probs).or_raise()?;
        let made = (*self.0).clone().with_expert(&policy).or_raise()?;
        Ok(Self(Arc::new(made)))
    }

    /// Where the states lie on a grid, as JSON.
    fn layout(&self) -> Option<String> {
        let layout = self.0.layout()?;
        serde_json::to_string(&LayoutFile::new(layout)).ok()
    }

    /// The states that the expert visits.
    fn visited_by_expert<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        array(py, hedgerow::constraint::visited_by_expert(&self.0))
    }
}

/// A layout from its JSON.
pub fn read_layout(text: &str) -> PyResult<Layout> {
    let file: Option<LayoutFile> = serde_json::from_str(text).ok();
    file.and_then(|f| f.layout()).ok_or_else(|| {
        crate::error::exception(hedgerow::Error::invalid(
            "layout",
            "it does not describe a grid",
            "give its shape, rows and columns",
        ))
    })
}
