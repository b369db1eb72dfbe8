//! Tasks and models.

use crate::arrays::{Indices, Marks, Numbers, Rows, array, exactly, index, rows};
use crate::error::OrRaise;
use hedgerow::index::State;
use hedgerow::model::{Dynamics, ModelBuilder};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// What is known to all: states, actions, rewards, start, discount.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Task(pub Arc<hedgerow::model::Task>);

#[pymethods]
impl Task {
    #[getter]
    fn states(&self) -> usize {
        self.0.states()
    }

    #[getter]
    fn actions(&self) -> usize {
        self.0.actions()
    }

    #[getter]
    fn pairs(&self) -> usize {
        self.0.pairs()
    }

    #[getter]
    fn gamma(&self) -> f64 {
        self.0.gamma()
    }

    #[getter]
    fn state_names(&self) -> Vec<String> {
        self.0.all_states().map(|s| self.0.state_name(s)).collect()
    }

    #[getter]
    fn action_names(&self) -> Vec<String> {
        self.0.action_names().to_vec()
    }

    fn start<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let mut start = vec![0.0; self.0.states()];
        for &(state, p) in self.0.start() {
            start[state.at()] = p;
        }
        array(py, start)
    }

    fn terminal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let task = &self.0;
        array(py, task.all_states().map(|s| task.is_terminal(s)).collect())
    }

    fn pair_state<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let task = &self.0;
        let of = |pair| task.state_of(pair).at() as i64;
        array(py, task.all_pairs().map(of).collect())
    }

    fn pair_action<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let task = &self.0;
        let of = |pair| task.action_of(pair).at() as i64;
        array(py, task.all_pairs().map(of).collect())
    }
}

/// A task with its dynamics.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Model(pub Arc<hedgerow::model::Model>);

#[pymethods]
impl Model {
    /// A model from its outcomes, one entry each.
    #[new]
    #[pyo3(signature = (*, states, actions, gamma, start, state, action, next_state, probability, reward, ends, terminal, state_names=None, value_range=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        states: usize,
        actions: Vec<String>,
        gamma: f64,
        start: Numbers<'_>,
        state: Indices<'_>,
        action: Indices<'_>,
        next_state: Indices<'_>,
        probability: Numbers<'_>,
        reward: Numbers<'_>,
        ends: Marks<'_>,
        terminal: Indices<'_>,
        state_names: Option<Vec<String>>,
        value_range: Option<(f64, f64)>,
    ) -> PyResult<Self> {
        let mut builder = ModelBuilder::new(states, actions, gamma);
        for (s, &p) in exactly("start", &start, states)?.iter().enumerate() {
            if p != 0.0 {
                builder.start(s, p);
            }
        }
        let from = state.as_slice()?;
        let action = exactly("action", &action, from.len())?;
        let next = exactly("next_state", &next_state, from.len())?;
        let prob = exactly("probability", &probability, from.len())?;
        let reward = exactly("reward", &reward, from.len())?;
        let ends = exactly("ends", &ends, from.len())?;
        for i in 0..from.len() {
            let pair = (index("state", from[i])?, index("action", action[i])?);
            let next = index("next_state", next[i])?;
            builder.outcome(pair, next, prob[i], reward[i], ends[i]);
        }
        for &s in terminal.as_slice()? {
            builder.terminal(index("terminal", s)?);
        }
        if let Some(names) = state_names {
            builder.state_names(names);
        }
        if let Some((low, high)) = value_range {
            builder.value_range(low, high);
        }
        let model = py.detach(|| builder.build()).or_raise()?;
        Ok(Self(Arc::new(model)))
    }

    #[getter]
    fn task(&self) -> Task {
        Task(self.0.task().clone())
    }

    /// The expected reward of every pair.
    fn reward<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.reward())
    }

    /// The dynamics as compressed rows.
    fn rows<'py>(&self, py: Python<'py>) -> Rows<'py> {
        rows(py, self.0.task(), self.0.rows())
    }

    /// What every outcome of these rows earns.
    fn rewards<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let (task, rows) = (self.0.task(), self.0.rows());
        let mut reward = Vec::new();
        for pair in task.all_pairs() {
            let earned = |&s: &u32| task.reward_of(pair, State(s));
            reward.extend(rows.row(pair).0.iter().map(earned));
        }
        array(py, reward)
    }
}
