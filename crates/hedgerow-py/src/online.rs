//! Worlds that are acted in through Python: `reset` and `step` as Gymnasium has them.

use crate::arrays::{Indices, Numbers, exactly, index};
use crate::environment::read_layout;
use crate::error::foreign;
use crate::model::Task;
use hedgerow::Result;
use hedgerow::env::FiniteWorld;
use hedgerow::env::online::{BlackBox, Observed, OnlineExpert, OnlineOptions};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// A world that is acted in through Python.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct OnlineWorld(pub Arc<hedgerow::env::online::OnlineWorld>);

#[pymethods]
impl OnlineWorld {
    /// `make` makes an independent copy of the environment; `ask` is called with a state and gives
    /// the expert's action, unless its policy is given as a table of states by actions.
    #[new]
    #[pyo3(signature = (make, *, name, states, actions, gamma, reward_range, horizon, seed=0, state_names=None, available=None, value_range=None, start=None, start_samples=1000, expert=None, ask=None, cost=None, layout=None, version=""))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        make: Py<PyAny>,
        name: String,
        states: usize,
        actions: Vec<String>,
        gamma: f64,
        reward_range: (f64, f64),
        horizon: usize,
        seed: u64,
        state_names: Option<Vec<String>>,
        available: Option<(Indices<'_>, Indices<'_>)>,
        value_range: Option<(f64, f64)>,
        start: Option<Numbers<'_>>,
        start_samples: usize,
        expert: Option<Numbers<'_>>,
        ask: Option<Py<PyAny>>,
        cost: Option<Numbers<'_>>,
        layout: Option<&str>,
        version: &str,
    ) -> PyResult<Self> {
        let rows = |place: &str, table: Numbers<'_>| -> PyResult<Vec<Vec<f64>>> {
            let table = exactly(place, &table, states * actions.len())?;
            Ok(table.chunks(actions.len()).map(<[f64]>::to_vec).collect())
        };
        let expert = match expert {
            Some(table) => OnlineExpert::Policy(rows("expert", table)?),
            None => OnlineExpert::Ask,
        };
        let cost = cost.map(|table| rows("cost", table)).transpose()?;
        let start = start.map(|s| exactly("start", &s, states).map(<[f64]>::to_vec));
        let options = OnlineOptions {
            state_names: state_names.unwrap_or_default(),
            available: pairs(available)?,
            gamma,
            reward_range,
            value_range,
            start: start.transpose()?,
            start_samples,
            horizon,
            seed,
            expert,
            cost,
            layout: layout.map(read_layout).transpose()?,
            version: version.to_owned(),
            ..OnlineOptions::new(name, states, actions)
        };
        let open = move || -> Result<Box<dyn BlackBox>> {
            let opened = Python::attach(|py| PythonBox::open(py, &make, ask.as_ref()));
            Ok(Box::new(opened.map_err(foreign("environment"))?))
        };
        let (world, _) = crate::work::work(py, true, None, |_| {
            hedgerow::env::online::OnlineWorld::new(options, Arc::new(open))
        })?;
        Ok(Self(Arc::new(world)))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn task(&self) -> Task {
        Task(self.0.task().clone())
    }

    #[getter]
    fn horizon(&self) -> usize {
        self.0.horizon()
    }
}

fn pairs(given: Option<(Indices<'_>, Indices<'_>)>) -> PyResult<Vec<(usize, usize)>> {
    let Some((states, actions)) = given else {
        return Ok(Vec::new());
    };
    let states = states.as_slice()?;
    let actions = exactly("available", &actions, states.len())?;
    let pair = |(&s, &a): (&i64, &i64)| Ok((index("available", s)?, index("available", a)?));
    states.iter().zip(actions).map(pair).collect()
}

/// A copy of the environment, its methods looked up once.
struct PythonBox {
    reset: Py<PyAny>,
    step: Py<PyAny>,
    ask: Option<Py<PyAny>>,
}

impl PythonBox {
    fn open(py: Python<'_>, make: &Py<PyAny>, ask: Option<&Py<PyAny>>) -> PyResult<Self> {
        let env = make.call0(py)?;
        Ok(Self {
            reset: env.getattr(py, "reset")?,
            step: env.getattr(py, "step")?,
            ask: ask.map(|f| f.clone_ref(py)),
        })
    }

    fn begin(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<usize> {
        let answer = match seed {
            None => self.reset.bind(py).call0()?,
            Some(seed) => {
                let keywords = PyDict::new(py);
                // Generators of NumPy take any whole number, others 32 bits.
                keywords.set_item(intern!(py, "seed"), seed as u32)?;
                self.reset.bind(py).call((), Some(&keywords))?
            }
        };
        answer.cast::<PyTuple>()?.get_item(0)?.extract()
    }

    fn act(&self, py: Python<'_>, action: usize) -> PyResult<Observed> {
        let answer = self.step.bind(py).call1((action,))?;
        let answer = answer.cast::<PyTuple>()?;
        Ok(Observed {
            state: answer.get_item(0)?.extract()?,
            reward: answer.get_item(1)?.extract()?,
            terminated: answer.get_item(2)?.extract()?,
            truncated: answer.get_item(3)?.extract()?,
        })
    }

    fn asked(&self, py: Python<'_>, state: usize) -> PyResult<usize> {
        match &self.ask {
            Some(ask) => ask.bind(py).call1((state,))?.extract(),
            None => Err(crate::error::raise(
                "InputError",
                "expert: there is none; give its policy, or a function of the state".to_owned(),
            )),
        }
    }
}

impl BlackBox for PythonBox {
    fn reset(&mut self, seed: Option<u64>) -> Result<usize> {
        Python::attach(|py| self.begin(py, seed)).map_err(foreign("reset"))
    }

    fn step(&mut self, action: usize) -> Result<Observed> {
        Python::attach(|py| self.act(py, action)).map_err(foreign("step"))
    }

    fn expert(&mut self, state: usize) -> Result<usize> {
        Python::attach(|py| self.asked(py, state)).map_err(foreign("expert"))
    }
}
