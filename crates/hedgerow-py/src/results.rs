//! Results folders.

use crate::arrays::array;
use crate::error::{OrRaise, exception};
use crate::run::histories;
use crate::table::{Column, Table};
use hedgerow::Error;
use hedgerow::results::SavedRun;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::path::PathBuf;

/// What a results folder holds, as far as it is whole.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Results(pub hedgerow::results::Results);

/// Iteration, samples, and the positive inferred costs with the states or pairs they belong to.
type Moment<'py> = (
    usize,
    u64,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
);

#[pymethods]
impl Results {
    #[new]
    #[pyo3(signature = (folder, *, env=Vec::new(), strategy=Vec::new()))]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        env: Vec<String>,
        strategy: Vec<String>,
    ) -> PyResult<Self> {
        let read = || {
            let mut results = hedgerow::results::Results::read(&folder)?;
            results.limit(&env, &strategy)?;
            Ok(results)
        };
        py.detach(read).or_raise().map(Self)
    }

    #[getter]
    fn planned(&self) -> usize {
        self.0.planned
    }

    #[getter]
    fn finished(&self) -> usize {
        self.0.runs.len()
    }

    #[getter]
    fn env_names(&self) -> Vec<String> {
        self.0.env_names().iter().map(|&n| n.to_owned()).collect()
    }

    #[getter]
    fn strategy_names(&self) -> Vec<String> {
        let names = self.0.strategy_names();
        names.iter().map(|&n| n.to_owned()).collect()
    }

    #[getter]
    fn problems(&self) -> Vec<String> {
        let line = |p: &hedgerow::results::FileProblem| format!("{}: {}", p.file, p.problem);
        self.0.problems.iter().map(line).collect()
    }

    /// One row per environment and strategy.
    fn summary(&self) -> PyResult<Table> {
        let rows = self.0.summary();
        let number = |of: fn(&hedgerow::results::SummaryRow) -> Option<f64>| {
            Column::Number(rows.iter().map(of).collect())
        };
        Table::new(vec![
            (
                "env",
                Column::Text(rows.iter().map(|r| r.env.clone()).collect()),
            ),
            (
                "strategy",
                Column::Text(rows.iter().map(|r| r.strategy.clone()).collect()),
            ),
            (
                "seeds",
                Column::Whole(rows.iter().map(|r| Some(r.seeds as u64)).collect()),
            ),
            ("expert_reward", number(|r| Some(r.expert_reward))),
            ("expert_cost", number(|r| Some(r.expert_cost))),
            ("final_reward", number(|r| r.final_reward)),
            ("final_cost", number(|r| r.final_cost)),
            ("final_wgiou", number(|r| r.final_wgiou)),
            ("converged", number(|r| r.converged)),
            ("samples_to_expert", number(|r| r.samples_to_expert)),
            ("converged_map", number(|r| r.converged_map)),
            ("samples_to_map", number(|r| r.samples_to_map)),
            ("final_iou", number(|r| r.final_iou)),
            ("exact_iou", number(|r| r.exact_iou)),
            ("exact_wgiou", number(|r| r.exact_wgiou)),
        ])
    }

    /// The histories of all runs, one row per iteration.
    fn history(&self) -> PyResult<Table> {
        let (mut env, mut strategy, mut seed) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows = Vec::new();
        for run in &self.0.runs {
            for row in &run.result.rows {
                env.push(run.id.env.clone());
                strategy.push(run.id.strategy.clone());
                seed.push(Some(run.id.seed));
                rows.push(*row);
            }
        }
        let keys = vec![
            ("env", Column::Text(env)),
            ("strategy", Column::Text(strategy)),
            ("seed", Column::Whole(seed)),
        ];
        histories(keys, &rows)
    }

    /// One row per run.
    fn runs(&self) -> PyResult<Table> {
        let runs = &self.0.runs;
        Table::new(vec![
            (
                "env",
                Column::Text(runs.iter().map(|r| r.id.env.clone()).collect()),
            ),
            (
                "strategy",
                Column::Text(runs.iter().map(|r| r.id.strategy.clone()).collect()),
            ),
            (
                "seed",
                Column::Whole(runs.iter().map(|r| Some(r.id.seed)).collect()),
            ),
            (
                "stop",
                Column::Text(runs.iter().map(|r| r.summary().stop.to_string()).collect()),
            ),
            (
                "samples_to_expert",
                Column::Whole(runs.iter().map(|r| r.summary().samples_to_expert).collect()),
            ),
            (
                "samples_to_map",
                Column::Whole(runs.iter().map(|r| r.summary().samples_to_map).collect()),
            ),
        ])
    }

    /// What was inferred at some moments of a run, on states or on pairs.
    fn snapshots<'py>(
        &self,
        py: Python<'py>,
        env: &str,
        strategy: &str,
        seed: u64,
        on_pairs: bool,
    ) -> PyResult<Vec<Moment<'py>>> {
        let is = |r: &&SavedRun| r.id.env == env && r.id.strategy == strategy && r.id.seed == seed;
        let Some(run) = self.0.runs.iter().find(is) else {
            return Err(exception(Error::invalid(
                "run",
                format!("there is no finished run of {strategy} in {env} with seed {seed}"),
                "choose one that `runs` lists",
            )));
        };
        let moments = run.result.snapshots.iter().map(|snapshot| {
            let costs = if on_pairs {
                &snapshot.pairs
            } else {
                &snapshot.cells
            };
            let places = array(py, costs.iter().map(|c| c.0).collect());
            let values = array(py, costs.iter().map(|c| c.1).collect());
            (snapshot.iteration, snapshot.samples, places, values)
        });
        Ok(moments.collect())
    }

    /// The description of an environment as JSON.
    fn environment(&self, name: &str) -> PyResult<String> {
        let Some(file) = self.0.environment(name) else {
            return Err(exception(Error::invalid(
                "environment",
                format!("`{name}` is not in these results"),
                format!("choose one of {}", self.0.env_names().join(", ")),
            )));
        };
        serde_json::to_string(file).map_err(|e| crate::error::raise("HedgerowError", e.to_string()))
    }
}
