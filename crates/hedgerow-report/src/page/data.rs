//! What the script of the page reads.

use super::curve::{Labels, StrategyCurves, labels};
use super::number::{Short, pairs};
use super::run::{LeftOut, PageRun, runs};
use super::{Live, command};
use crate::curves::reached;
use crate::theme::{self, Style};
use hedgerow::Result;
use hedgerow::sweep::{
    EnvironmentFile, LayoutFile, ManifestEnvironment, Plane, Problem, Results, SavedRun, SummaryRow,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Shades that the page's colours of costs are picked from.
const SHADES: usize = 33;

#[derive(Serialize)]
pub(super) struct Page<'a> {
    format: &'static str,
    title: String,
    /// Of the program that made the results.
    version: &'a str,
    /// Of the program that made the page.
    made_by: &'static str,
    command: String,
    live: Option<&'a Live>,
    planned: usize,
    configuration: Configuration<'a>,
    problems: &'a [Problem],
    theme: Theme,
    labels: Labels,
    left_out: LeftOut,
    strategies: Vec<Strategy<'a>>,
    environments: Vec<Environment<'a>>,
    summary: Vec<Summary>,
    curves: Vec<StrategyCurves<'a>>,
    runs: Vec<PageRun<'a>>,
}

#[derive(Serialize)]
struct Configuration<'a> {
    environments: &'a [ManifestEnvironment],
    strategies: &'a [String],
    seeds: &'a [u64],
    settings: &'a BTreeMap<String, Value>,
    strategy_settings: &'a BTreeMap<String, BTreeMap<String, Value>>,
    tables: &'a BTreeMap<String, BTreeMap<String, Value>>,
}

#[derive(Serialize)]
struct Theme {
    heat: Vec<String>,
}

#[derive(Serialize)]
struct Strategy<'a> {
    name: &'a str,
    #[serde(flatten)]
    style: Style,
}

#[derive(Serialize)]
struct Environment<'a> {
    name: &'a str,
    gamma: f64,
    horizon: usize,
    budget: Short,
    expert_reward: Short,
    expert_cost: Short,
    states: usize,
    state_names: &'a [String],
    grid: Option<&'a LayoutFile>,
    true_cells: Vec<(u32, Short)>,
    expert_cells: Vec<(u32, Short)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<&'a Plane>,
}

#[derive(Serialize)]
struct Summary {
    env: String,
    strategy: String,
    seeds: usize,
    expert_reward: f64,
    expert_cost: Option<f64>,
    final_reward: Option<f64>,
    final_cost: Option<f64>,
    final_wgiou: Option<f64>,
    converged: Option<f64>,
    samples_to_expert: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl<'a> Page<'a> {
    pub(super) fn new(results: &'a Results, live: Option<&'a Live>) -> Result<Self> {
        let running = live.is_some_and(|l| !l.done);
        let c = &results.configuration;
        let (runs, left_out) = runs(results, running)?;
        Ok(Self {
            format: "hedgerow-page/1",
            title: title(results),
            version: &c.version,
            made_by: env!("CARGO_PKG_VERSION"),
            command: command(results),
            live,
            planned: results.planned,
            configuration: Configuration {
                environments: &c.environments,
                strategies: &c.strategies,
                seeds: &c.seeds,
                settings: &c.settings,
                strategy_settings: &c.strategy_settings,
                tables: &c.tables,
            },
            problems: &results.problems,
            theme: Theme {
                heat: (0..SHADES)
                    .map(|i| theme::hex(theme::heat(i as f64 / (SHADES - 1) as f64)))
                    .collect(),
            },
            labels: labels(),
            left_out,
            strategies: results
                .strategy_names()
                .into_iter()
                .map(|name| Strategy {
                    name,
                    style: theme::style(name),
                })
                .collect(),
            environments: results.environments.iter().map(environment).collect(),
            summary: results
                .summary()
                .iter()
                .map(|row| summary(results, row))
                .collect(),
            curves: StrategyCurves::all(results),
            runs,
        })
    }
}

/// The name of the folder.
fn title(results: &Results) -> String {
    let whole = results.folder.canonicalize().unwrap_or_default();
    let name = results.folder.file_name().or(whole.file_name());
    name.map_or("results".to_owned(), |n| n.to_string_lossy().into_owned())
}

fn environment(e: &EnvironmentFile) -> Environment<'_> {
    Environment {
        name: &e.name,
        gamma: e.gamma,
        horizon: e.horizon,
        budget: Short(e.budget),
        expert_reward: Short(e.expert_reward),
        expert_cost: Short(e.expert_cost),
        states: e.states,
        state_names: &e.state_names,
        grid: e.layout.as_ref(),
        true_cells: pairs(&e.true_cells),
        expert_cells: pairs(&e.expert_cells),
        plane: e.plane.as_ref().filter(|p| p.cell > 0.0),
    }
}

fn summary(results: &Results, row: &SummaryRow) -> Summary {
    let runs: Vec<&SavedRun> = results.runs_of(&row.env, &row.strategy).collect();
    let reached = reached(&runs);
    Summary {
        env: row.env.clone(),
        strategy: row.strategy.clone(),
        seeds: row.seeds,
        expert_reward: row.expert_reward,
        // Without a true cost to compare with nothing is known of any cost.
        expert_cost: row.final_wgiou.map(|_| row.expert_cost),
        final_reward: row.final_reward,
        final_cost: row.final_wgiou.and(row.final_cost),
        final_wgiou: row.final_wgiou,
        converged: row.converged,
        samples_to_expert: row.samples_to_expert,
        low: reached.low,
        high: reached.high,
    }
}
