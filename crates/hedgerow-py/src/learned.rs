//! Learning in continuous worlds, and what was learned.

use crate::arrays::array;
use crate::continuous::ContinuousWorld;
use crate::error::{OrRaise, exception};
use crate::table::{Column, Table};
use crate::work::work;
use crate::world::{Settings, parameters};
use hedgerow::Error;
use hedgerow::domain::World;
use hedgerow::param::Parameter;
use hedgerow::run::{self, Row, RunId, RunResult, RunSpec};
use hedgerow_continuous::general::{
    GeneralLearner, OpenWorld, PARAMETERS, strategy, world::DOMAIN,
};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Rows of numbers from Python.
type RowsIn<'py> = PyReadonlyArray2<'py, f64>;

/// Observations, actions, the expert's actions and rewards, row after row; the first sample of every
/// episode.
type Gathered<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
);

/// What was learned in a continuous world.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Learned {
    learner: Mutex<GeneralLearner>,
    result: RunResult,
    has_cost: bool,
}

impl Learned {
    /// Something of every pair.
    fn each<T>(
        &self,
        observations: &RowsIn<'_>,
        actions: &RowsIn<'_>,
        mut of: impl FnMut(&mut GeneralLearner, &[f64], &[f64]) -> T,
    ) -> PyResult<Vec<T>> {
        let mut learner = self.learner.lock().unwrap_or_else(PoisonError::into_inner);
        let spec = learner.spec();
        let (width, each) = (spec.observation.len(), spec.action.len());
        let (observations, actions) = (observations.as_slice()?, actions.as_slice()?);
        let count = observations.len() / width.max(1);
        if observations.len() != count * width || actions.len() != count * each {
            return Err(exception(Error::invalid(
                "actions",
                format!("{} numbers for {count} observations", actions.len()),
                format!("give one action of {each} for every observation of {width}"),
            )));
        }
        let rows = observations
            .chunks_exact(width)
            .zip(actions.chunks_exact(each));
        Ok(rows.map(|(o, a)| of(&mut learner, o, a)).collect())
    }
}

#[pymethods]
impl Learned {
    /// The probability that every pair is charged.
    fn probability<'py>(
        &self,
        py: Python<'py>,
        observations: RowsIn<'py>,
        actions: RowsIn<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.each(&observations, &actions, |l, o, a| l.probability(o, a))?;
        Ok(array(py, found))
    }

    /// The expert's fitted value of every pair, and its width.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn value<'py>(
        &self,
        py: Python<'py>,
        observations: RowsIn<'py>,
        actions: RowsIn<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let found = self.each(&observations, &actions, |l, o, a| l.action_value(o, a))?;
        let values = found.iter().map(|e| e.value).collect();
        let widths = found.iter().map(|e| e.width).collect();
        Ok((array(py, values), array(py, widths)))
    }

    #[getter]
    fn samples(&self) -> u64 {
        self.result.summary.last.samples
    }

    #[getter]
    fn stop(&self) -> String {
        self.result.summary.stop.to_string()
    }

    #[getter]
    fn expert(&self) -> (f64, Option<f64>) {
        let summary = &self.result.summary;
        let cost = self.has_cost.then_some(summary.expert_cost);
        (summary.expert_reward, cost)
    }

    /// What the learner knew in the end and how it compares with the truth, as JSON.
    #[getter]
    fn summary(&self) -> &str {
        self.result.payload.text()
    }

    /// One row per iteration.
    fn history(&self) -> PyResult<Table> {
        let rows = &self.result.rows;
        let whole = |of: fn(&Row) -> u64| Column::Whole(rows.iter().map(|r| Some(of(r))).collect());
        let cost = |r: &Row| self.has_cost.then_some(r.cost);
        Table::new(vec![
            ("iteration", whole(|r| r.iteration as u64)),
            ("samples", whole(|r| r.samples)),
            (
                "reward",
                Column::Number(rows.iter().map(|r| Some(r.reward)).collect()),
            ),
            ("cost", Column::Number(rows.iter().map(cost).collect())),
            ("iou", Column::Number(rows.iter().map(|r| r.iou).collect())),
        ])
    }

    /// All samples.
    fn gathered<'py>(&self, py: Python<'py>) -> Gathered<'py> {
        let learner = self.learner.lock().unwrap_or_else(PoisonError::into_inner);
        let samples = learner.samples();
        let all = 0..samples.len();
        let flat = |of: &dyn Fn(usize) -> Vec<f64>| array(py, all.clone().flat_map(of).collect());
        (
            flat(&|i| samples.observation(i).to_vec()),
            flat(&|i| samples.action(i).to_vec()),
            flat(&|i| samples.expert(i).to_vec()),
            flat(&|i| vec![samples.reward(i)]),
            array(py, samples.starts().iter().map(|&i| i as i64).collect()),
        )
    }
}

/// Learns in a continuous world; the second value says whether the user interrupted it.
#[pyfunction]
#[pyo3(signature = (world, *, strategy, seed, run_settings, settings, strategy_settings, progress=None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
fn infer_continuous(
    py: Python<'_>,
    world: &ContinuousWorld,
    strategy: &str,
    seed: u64,
    run_settings: Settings,
    settings: Settings,
    strategy_settings: Settings,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Learned, bool)> {
    let entry = strategy::find(strategy).or_raise()?;
    let run = parameters(run::PARAMETERS, &run_settings)?;
    let domain = parameters(PARAMETERS, &settings)?;
    let own = parameters(entry.info.parameters, &strategy_settings)?;
    let iterations = run.values().whole("iterations");
    let world = &world.0;
    let ((result, learner), stopped) = work(py, true, progress.as_ref(), |watch| {
        watch.begin(iterations, 0);
        let open = OpenWorld::new(world.clone());
        world.check()?;
        let open = open?;
        let spec = RunSpec {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            domain: DOMAIN.to_owned(),
            environment: open.file().fingerprint.clone(),
            settings: run.values().clone().and(domain.values()),
            strategy_settings: own.values().clone(),
            variant_of: None,
            id: RunId {
                env: open.file().name.clone(),
                strategy: strategy.to_owned(),
                seed,
            },
        };
        let learned = open.learn(&spec, &mut |row| {
            watch.reach(row.iteration as u64, || format!("{} samples", row.samples));
            match watch.stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        world.check()?;
        learned
    })?;
    let learned = Learned {
        learner: Mutex::new(learner),
        result,
        has_cost: world.has_cost(),
    };
    Ok((learned, stopped))
}

/// Table, name, range and purpose of the parameters of a strategy in continuous worlds.
#[pyfunction]
fn continuous_parameters(
    strategy: &str,
) -> PyResult<Vec<(&'static str, &'static str, String, &'static str)>> {
    let entry = strategy::find(strategy).or_raise()?;
    let row =
        |table: &'static str, p: &'static Parameter| (table, p.name, p.range_text(), p.purpose);
    let run = run::PARAMETERS.iter().map(|p| row("run", p));
    let domain = PARAMETERS.iter().map(|p| row("general", p));
    let own = entry.info.parameters.iter().map(|p| row("strategy", p));
    Ok(run.chain(domain).chain(own).collect())
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(infer_continuous, module)?)?;
    module.add_function(wrap_pyfunction!(continuous_parameters, module)?)
}
