//! One run.

use crate::error::OrRaise;
use crate::strategy::Learner;
use crate::table::{Column, Table};
use crate::work::work;
use crate::world::{AnyStrategy, AnyWorld, Settings, parameters};
use hedgerow::finite::{
    self, FiniteExploration, FinitePayload, FiniteSettings, RunOptions, run_until,
};
use hedgerow::run::{self, Row, RunSettings};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Histories as a table; `keys` come first.
pub fn histories(keys: Vec<(&str, Column)>, rows: &[Row]) -> PyResult<Table> {
    let whole = |of: fn(&Row) -> u64| Column::Whole(rows.iter().map(|r| Some(of(r))).collect());
    let number = |of: fn(&Row) -> Option<f64>| Column::Number(rows.iter().map(of).collect());
    let mut columns = keys;
    columns.extend([
        ("iteration", whole(|r| r.iteration as u64)),
        ("samples", whole(|r| r.samples)),
        ("reward", number(|r| Some(r.reward))),
        ("cost", number(|r| Some(r.cost))),
        ("wgiou", number(|r| r.wgiou)),
        ("accuracy", number(|r| Some(r.accuracy))),
        ("giou", number(|r| r.giou)),
        ("iou", number(|r| r.iou)),
        ("rollout_reward", number(|r| Some(r.rollout_reward))),
        ("rollout_cost", number(|r| Some(r.rollout_cost))),
        ("constrained", whole(|r| r.constrained as u64)),
        ("unseen", whole(|r| r.unseen as u64)),
    ]);
    Table::new(columns)
}

/// What comes out: why it stopped, samples to the expert's level, the expert's reward and cost, the
/// history, what the learner had seen in the end, and whether the user interrupted it.
type Done = (String, Option<u64>, (f64, f64), Table, Learner, bool);

/// Runs a strategy in a world.
#[pyfunction]
#[pyo3(signature = (world, strategy, *, seed, run_settings, settings, strategy_settings, progress=None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
fn run_one(
    py: Python<'_>,
    world: AnyWorld<'_>,
    strategy: AnyStrategy,
    seed: u64,
    run_settings: Settings,
    settings: Settings,
    strategy_settings: Settings,
    progress: Option<Py<PyAny>>,
) -> PyResult<Done> {
    let own = parameters(run::PARAMETERS, &run_settings)?;
    let domain = parameters(finite::PARAMETERS, &settings)?;
    let options = RunOptions {
        run: RunSettings::new(own.values()),
        finite: FiniteSettings::new(domain.values()).or_raise()?,
        seed,
    };
    let calls_python = world.calls_python() || strategy.calls_python();
    let mut chosen = strategy.build(py, &strategy_settings)?;
    let world = world.world();
    let (result, stopped) = work(py, calls_python, progress.as_ref(), |watch| {
        watch.begin(options.run.iterations as u64, 0);
        let mut observe = |row: &Row, _: &FiniteExploration| {
            watch.reach(row.iteration as u64, || format!("{} samples", row.samples));
            Ok(ControlFlow::Continue(()))
        };
        let halted = || watch.stopped();
        run_until(
            world.as_ref(),
            chosen.as_mut(),
            &options,
            &mut observe,
            &halted,
        )
    })?;
    let payload: FinitePayload = result.payload.read().or_raise()?;
    let learner = hedgerow::learn::Learner::recall(
        world.task().clone(),
        options.finite.inference,
        &payload.seen,
    )
    .or_raise()?;
    let summary = &result.summary;
    Ok((
        summary.stop.to_string(),
        summary.samples_to_expert,
        (summary.expert_reward, summary.expert_cost),
        histories(Vec::new(), &result.rows)?,
        Learner(Arc::new(learner)),
        stopped,
    ))
}

/// Name, range and purpose of the parameters of all runs in finite worlds.
#[pyfunction]
fn run_parameters() -> Vec<(&'static str, &'static str, String, &'static str)> {
    let row = |table: &'static str, p: &hedgerow::param::Parameter| {
        (table, p.name, p.range_text(), p.purpose)
    };
    let run = run::PARAMETERS.iter().map(|p| row("run", p));
    run.chain(finite::PARAMETERS.iter().map(|p| row("finite", p)))
        .collect()
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_one, module)?)?;
    module.add_function(wrap_pyfunction!(run_parameters, module)?)
}
