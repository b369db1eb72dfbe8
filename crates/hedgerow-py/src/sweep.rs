//! Sweeps, whole and in parts.

use crate::error::OrRaise;
use crate::work::{Watch, work};
use crate::world::{AnyStrategy, AnyWorld, Settings, domain};
use hedgerow::Error;
use hedgerow::run::{Row, RunId, RunSummary};
use hedgerow::sweep::{Experiment, Observer, Shard, Sweep, merge as merge_parts, seeds};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What a sweep is made of.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Spec<'py> {
    /// An experiment file, if there is one.
    file: Option<PathBuf>,
    /// Names and files of environments; none for those of the file, or the default.
    env: Option<Vec<String>>,
    /// Worlds given as objects, which `env` names.
    worlds: Vec<AnyWorld<'py>>,
    /// Strategies; none for those of the file, or all.
    strategy: Option<Vec<AnyStrategy>>,
    /// Seeds as the command takes them.
    seeds: Option<String>,
    /// Parameters by name.
    settings: Settings,
}

impl Spec<'_> {
    fn calls_python(&self) -> bool {
        let written = self
            .strategy
            .iter()
            .flatten()
            .any(AnyStrategy::calls_python);
        written || self.worlds.iter().any(AnyWorld::calls_python)
    }

    fn experiment(&self) -> PyResult<Experiment> {
        let strategies = self.strategy.as_deref().unwrap_or_default();
        let domains = hedgerow_cli::domains_around(domain(&self.worlds, strategies)?);
        let mut experiment = Experiment::new(domains);
        if let Some(path) = &self.file {
            experiment = experiment.reading(path).or_raise()?;
        }
        if let Some(names) = &self.env {
            experiment.set_environments(names).or_raise()?;
        }
        if self.strategy.is_some() {
            experiment
                .set_strategies(strategies.iter().map(AnyStrategy::name))
                .or_raise()?;
        }
        if let Some(text) = &self.seeds {
            experiment
                .set_seeds(seeds::parse(text).or_raise()?)
                .or_raise()?;
        }
        for (key, value) in &self.settings {
            experiment.set(key, value).or_raise()?;
        }
        Ok(experiment)
    }
}

impl Observer for Watch {
    fn iteration(&self, run: &RunId, row: &Row) {
        self.note(|| format!("{run}: iteration {}", row.iteration));
    }

    fn finished(&self, _: &RunId, _: &RunSummary) {
        self.one_more();
    }

    fn failed(&self, _: &RunId, _: &Error) {
        self.one_more();
    }
}

/// What came of it: runs, finished ones, failed ones with their errors, and whether the user
/// interrupted it.
type Outcome = (usize, usize, Vec<(String, String)>, bool);

/// Does a sweep, or a part of it like 2/8. `progress` is told how many runs are done.
#[pyfunction]
#[pyo3(signature = (spec, out, *, shard=None, fresh=false, progress=None))]
fn run_sweep(
    py: Python<'_>,
    spec: Spec<'_>,
    out: PathBuf,
    shard: Option<&str>,
    fresh: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let shard = match shard {
        Some(text) => text.parse().or_raise()?,
        None => Shard::WHOLE,
    };
    let experiment = spec.experiment()?;
    let calls_python = spec.calls_python();
    let (outcome, stopped) = work(py, calls_python, progress.as_ref(), |watch| {
        let sweep = Sweep::open_part(&experiment, &out, shard, fresh)?;
        watch.begin(sweep.runs() as u64, sweep.saved() as u64);
        sweep.run(watch, &watch.stop)
    })?;
    let failed = outcome
        .failed
        .iter()
        .map(|(run, why)| (run.to_string(), why.clone()));
    Ok((
        outcome.runs,
        outcome.finished,
        failed.collect(),
        stopped || outcome.interrupted,
    ))
}

/// How many runs a sweep has, how many are saved, and the parts that have runs left to do, if it is
/// divided into so many: one for every run if that is not said.
#[pyfunction]
#[pyo3(signature = (spec, out, *, shards=None, fresh=false))]
fn plan_shards(
    py: Python<'_>,
    spec: Spec<'_>,
    out: PathBuf,
    shards: Option<usize>,
    fresh: bool,
) -> PyResult<(usize, usize, Vec<String>)> {
    let experiment = spec.experiment()?;
    let (planned, _) = work(py, spec.calls_python(), None, |_| {
        let sweep = Sweep::open_part(&experiment, &out, Shard::WHOLE, fresh)?;
        let of = shards.unwrap_or(sweep.runs());
        let open = sweep.open_shards(of)?;
        Ok((
            sweep.runs(),
            sweep.saved(),
            open.iter().map(Shard::to_string).collect(),
        ))
    })?;
    Ok(planned)
}

/// Puts the parts of a sweep together: runs that were asked for, and those that are there.
#[pyfunction]
fn merge(py: Python<'_>, parts: Vec<PathBuf>, out: PathBuf) -> PyResult<(usize, usize)> {
    let merged = py.detach(|| merge_parts(&parts, &out)).or_raise()?;
    Ok((merged.planned, merged.finished))
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_sweep, module)?)?;
    module.add_function(wrap_pyfunction!(plan_shards, module)?)?;
    module.add_function(wrap_pyfunction!(merge, module)?)
}
