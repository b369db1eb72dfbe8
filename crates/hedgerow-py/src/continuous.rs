//! Continuous worlds that are acted in through Python.

use crate::arrays::array;
use crate::error::{OrRaise, foreign};
use hedgerow::seed::fingerprint;
use hedgerow::{Error, Result};
use hedgerow_continuous::world::{
    self, Callback, Coordinate, Episodes, Expert, Space, Step, Trajectories, Trajectory, WorldSpec,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A space from Python: names, or the bounds of coordinates.
#[derive(FromPyObject)]
enum AnySpace {
    Names(Vec<String>),
    Bounds(Vec<(f64, f64)>),
}

impl AnySpace {
    fn read(self, what: &str) -> Space {
        match self {
            Self::Names(names) => Space::Discrete(names),
            Self::Bounds(bounds) => {
                let named = |(i, (low, high))| {
                    let name = format!("{what}[{i}]");
                    Coordinate::new(&name, "", low, high)
                };
                Space::Box(bounds.into_iter().enumerate().map(named).collect())
            }
        }
    }
}

/// A recorded episode from Python: observations and actions row after row, rewards, whether it ended.
type Recorded = (Vec<f64>, Vec<f64>, Vec<f64>, bool);

/// A continuous world that is acted in through Python.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct ContinuousWorld(pub Arc<PythonWorld>);

#[pymethods]
impl ContinuousWorld {
    /// `make` makes an independent copy with `reset(seed)` and `step(action)`, both on flat arrays of
    /// numbers; `ask` is called with an observation and gives the expert's action, unless episodes of
    /// the expert are given; `cost` is called with both and gives the true cost.
    #[new]
    #[pyo3(signature = (make, *, name, observation, action, gamma, horizon, version, ask=None, recorded=None, cost=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        make: Py<PyAny>,
        name: String,
        observation: AnySpace,
        action: AnySpace,
        gamma: f64,
        horizon: usize,
        version: String,
        ask: Option<Py<PyAny>>,
        recorded: Option<Vec<Recorded>>,
        cost: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let spec = WorldSpec {
            name,
            observation: observation.read("observation"),
            action: action.read("action"),
            gamma,
            horizon,
        };
        spec.check().or_raise()?;
        let expert = match (ask, recorded) {
            (Some(ask), _) => asked(ask),
            (None, recorded) => {
                let episodes = recorded.unwrap_or_default().into_iter().map(trajectory);
                let all = Trajectories::new(episodes.collect(), &spec);
                let all = all.map_err(|e| e.within("expert")).or_raise()?;
                Expert::Data(Arc::new(all))
            }
        };
        Ok(Self(Arc::new(PythonWorld {
            make,
            spec,
            version,
            expert,
            cost: cost.map(Arc::new),
            failed: Mutex::new(None),
        })))
    }
}

fn trajectory((observations, actions, rewards, ended): Recorded) -> Trajectory {
    Trajectory {
        observations,
        actions,
        rewards,
        ended,
    }
}

/// The expert that a function in Python is.
fn asked(ask: Py<PyAny>) -> Expert {
    let act = move |observation: &[f64], action: &mut [f64]| {
        Python::attach(|py| {
            let seen = PyArray1::from_slice(py, observation);
            copy("expert", &ask.bind(py).call1((seen,))?, action)
        })
        .map_err(foreign("expert"))
    };
    Expert::Policy(Arc::new(Callback::new(act)))
}

/// Copies an array from Python to where it belongs.
fn copy(place: &str, from: &Bound<'_, PyAny>, to: &mut [f64]) -> PyResult<()> {
    let from: PyReadonlyArray1<'_, f64> = from.extract()?;
    to.copy_from_slice(crate::arrays::exactly(place, &from, to.len())?);
    Ok(())
}

/// The world as the library takes it.
#[derive(Debug)]
pub struct PythonWorld {
    make: Py<PyAny>,
    spec: WorldSpec,
    version: String,
    expert: Expert,
    cost: Option<Arc<Py<PyAny>>>,
    /// What the cost raised where the library cannot be told.
    failed: Mutex<Option<Error>>,
}

impl PythonWorld {
    /// Whether the true cost is known.
    pub fn has_cost(&self) -> bool {
        self.cost.is_some()
    }

    /// What went wrong in the function that knows the cost, if anything did.
    pub fn check(&self) -> Result<()> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.take().map_or(Ok(()), Err)
    }
}

fn cost_of(cost: &Py<PyAny>, observation: &[f64], action: &[f64]) -> Result<f64> {
    let asked = Python::attach(|py| {
        let seen = PyArray1::from_slice(py, observation);
        let done = PyArray1::from_slice(py, action);
        cost.bind(py).call1((seen, done))?.extract()
    });
    asked.map_err(foreign("cost"))
}

impl world::ContinuousWorld for PythonWorld {
    fn spec(&self) -> &WorldSpec {
        &self.spec
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn episodes(&self, seed: u64, purpose: &str) -> Result<Box<dyn Episodes>> {
        let env = Python::attach(|py| self.make.call0(py)).map_err(foreign("environment"))?;
        Ok(Box::new(PythonEpisodes {
            env,
            // Generators of NumPy take any whole number, others 32 bits.
            seed: Some(fingerprint(format!("{seed} {purpose}").as_bytes()) as u32),
            cost: self.cost.clone(),
            last: vec![0.0; self.spec.observation.len()],
        }))
    }

    fn expert(&self) -> Result<Expert> {
        Ok(self.expert.clone())
    }

    fn true_cost(&self, observation: &[f64], action: &[f64]) -> Option<f64> {
        match cost_of(self.cost.as_ref()?, observation, action) {
            Ok(cost) => Some(cost),
            Err(error) => {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(error);
                None
            }
        }
    }
}

/// Episodes of one copy. Only its first reset is seeded: what follows is drawn from there.
#[derive(Debug)]
struct PythonEpisodes {
    env: Py<PyAny>,
    seed: Option<u32>,
    cost: Option<Arc<Py<PyAny>>>,
    last: Vec<f64>,
}

impl Episodes for PythonEpisodes {
    fn reset(&mut self, observation: &mut [f64]) -> Result<()> {
        let seed = self.seed.take();
        Python::attach(|py| {
            let seen = self
                .env
                .bind(py)
                .call_method1(intern!(py, "reset"), (seed,))?;
            copy("reset", &seen, observation)
        })
        .map_err(foreign("reset"))?;
        self.last.copy_from_slice(observation);
        Ok(())
    }

    fn step(&mut self, action: &[f64], observation: &mut [f64]) -> Result<Step> {
        let cost = match &self.cost {
            Some(cost) => Some(cost_of(cost, &self.last, action)?),
            None => None,
        };
        let step = Python::attach(|py| {
            let chosen = array(py, action.to_vec());
            let env = self.env.bind(py);
            let (seen, reward, ended, truncated): (Bound<'_, PyAny>, f64, bool, bool) = env
                .call_method1(intern!(py, "step"), (chosen,))?
                .extract()?;
            copy("step", &seen, observation)?;
            Ok(Step {
                reward,
                ended,
                truncated,
                cost,
            })
        });
        let step = step.map_err(foreign("step"))?;
        self.last.copy_from_slice(observation);
        Ok(step)
    }
}
