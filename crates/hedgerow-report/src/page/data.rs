//! What the script of the page reads.

use super::answer::{Answer, answers};
use super::command::command;
use super::costliest::{Names, costliest, is_cut, is_none};
use super::curve::{Label, StrategyCurves, axes, moving_metrics};
use super::live::Live;
use super::run::{LeftOut, PageRun, runs};
use crate::Reports;
use crate::curves::reached;
use crate::number::{Fine, Short, pairs};
use crate::theme::{self, Style};
use crate::verdicts::is_too_large;
use hedgerow::Result;
use hedgerow::param::Values;
use hedgerow::results::{
    EnvironmentFile, FileProblem, GraphFile, LayoutFile, ManifestEnvironment, Results, SavedRun,
    SummaryRow,
};
use hedgerow::run::Payload;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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
    problems: Vec<FileProblem>,
    /// What is different in some domains.
    remarks: Vec<String>,
    theme: Theme,
    metrics: Vec<Label>,
    axes: Vec<Label>,
    left_out: LeftOut,
    strategies: Vec<Strategy<'a>>,
    environments: Vec<Environment<'a>>,
    /// What was found in each environment, to begin with.
    answers: Vec<Answer<'a>>,
    summary: Vec<Summary>,
    curves: Vec<StrategyCurves<'a>>,
    runs: Vec<PageRun<'a>>,
}

#[derive(Serialize)]
struct Configuration<'a> {
    environments: &'a [ManifestEnvironment],
    strategies: Vec<&'a str>,
    seeds: &'a [u64],
    /// By domain.
    settings: &'a BTreeMap<String, Values>,
    /// By domain and strategy.
    strategy_settings: &'a BTreeMap<String, BTreeMap<String, Values>>,
}

/// Colours that the style sheet does not know.
#[derive(Serialize)]
pub(super) struct Theme {
    heat: Vec<String>,
}

impl Theme {
    pub(super) fn new() -> Self {
        let shade = |i: usize| theme::hex(theme::heat(i as f64 / (SHADES - 1) as f64));
        Self {
            heat: (0..SHADES).map(shade).collect(),
        }
    }
}

#[derive(Serialize)]
struct Strategy<'a> {
    name: &'a str,
    #[serde(flatten)]
    style: Style,
}

#[derive(Serialize)]
pub(super) struct Environment<'a> {
    name: &'a str,
    domain: &'a str,
    /// Whether this program has a report for its domain.
    known: bool,
    gamma: f64,
    horizon: usize,
    budget: Short,
    expert_reward: Fine,
    expert_cost: Fine,
    states: usize,
    state_names: Names<'a>,
    grid: Option<&'a LayoutFile>,
    /// Where the states of a model without a grid are drawn.
    graph: Option<&'a GraphFile>,
    /// The states of all pairs, for the arrows of a graph.
    pair_states: Vec<u32>,
    /// Where episodes start.
    start: Vec<u32>,
    /// States in which nobody acts.
    ends: Vec<u32>,
    /// Symbol and reward of every kind of goal on the map.
    goals: Vec<(char, Option<Fine>)>,
    true_cells: Vec<(u32, Short)>,
    /// States that the truth charges besides, too many to be listed.
    #[serde(skip_serializing_if = "is_none")]
    more_true: usize,
    /// What exact inference with known dynamics finds and scores.
    exact: Option<Exact>,
    expert_cells: Vec<(u32, Short)>,
    /// Cells along a side of a square that stands for many.
    #[serde(skip_serializing_if = "Option::is_none")]
    per_square: Option<usize>,
    /// Whether there is too much of it for verdicts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    too_large: bool,
    /// What the domain's part of the page needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<Payload>,
}

#[derive(Serialize)]
struct Exact {
    iou: Fine,
    wgiou: Fine,
    cells: Vec<(u32, Short)>,
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
    final_iou: Option<f64>,
    final_wgiou: Option<f64>,
    exact_iou: Option<f64>,
    exact_wgiou: Option<f64>,
    converged: Option<f64>,
    samples_to_expert: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        results: &'a Results,
        reports: &Reports,
        live: Option<&'a Live>,
    ) -> Result<Self> {
        let running = live.is_some_and(|l| !l.done);
        let manifest = &results.manifest;
        let mut problems = results.problems.clone();
        let environments = environments(results, reports, &mut problems);
        let (runs, left_out) = runs(results, reports, running, &mut problems)?;
        Ok(Self {
            format: "hedgerow-page/3",
            title: title(results),
            version: &manifest.version,
            made_by: env!("CARGO_PKG_VERSION"),
            command: command(results),
            live,
            planned: results.planned,
            configuration: Configuration {
                environments: &manifest.environments,
                strategies: manifest.strategies(),
                seeds: &manifest.seeds,
                settings: &manifest.settings,
                strategy_settings: &manifest.strategy_settings,
            },
            problems,
            remarks: reports.remarks(results, &results.env_names()),
            theme: Theme::new(),
            metrics: moving_metrics(results),
            axes: axes(),
            left_out,
            strategies: results
                .strategy_names()
                .into_iter()
                .map(|name| Strategy {
                    name,
                    style: theme::style(name),
                })
                .collect(),
            environments,
            answers: answers(results),
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

/// What is known of each environment; what its domain cannot read is a problem.
fn environments<'a>(
    results: &'a Results,
    reports: &Reports,
    problems: &mut Vec<FileProblem>,
) -> Vec<Environment<'a>> {
    let mut all = Vec::new();
    for file in &results.environments {
        let report = reports.of(&file.domain);
        let extra = report.map_or(Ok(None), |r| r.environment(file));
        let extra = extra.unwrap_or_else(|error| {
            problems.push(FileProblem {
                file: format!("environments/{}.json", file.name),
                problem: error.to_string(),
            });
            None
        });
        let names = Names::of(file, results);
        all.push(environment(file, names, report.is_some(), extra));
    }
    all
}

/// The states that no pair begins in.
fn ends(e: &EnvironmentFile) -> Vec<u32> {
    let acting: BTreeSet<u32> = e.pairs.iter().map(|&(s, _)| s).collect();
    let all = 0..u32::try_from(e.states).unwrap_or(0);
    all.filter(|s| !acting.contains(s)).collect()
}

/// An environment as scripts need it; `known` if there is a report for its domain.
pub(super) fn environment<'a>(
    e: &'a EnvironmentFile,
    state_names: Names<'a>,
    known: bool,
    extra: Option<Payload>,
) -> Environment<'a> {
    let cut = is_cut(e);
    let (true_cells, more_true) = costliest(&e.true_cells, cut);
    let graph = e.graph.as_ref().filter(|_| e.layout.is_none());
    Environment {
        name: &e.name,
        domain: &e.domain,
        known,
        gamma: e.gamma,
        horizon: e.horizon,
        budget: Short(e.budget),
        expert_reward: Fine(e.expert_reward),
        expert_cost: Fine(e.expert_cost),
        states: e.states,
        state_names,
        grid: e.layout.as_ref(),
        graph,
        pair_states: match graph {
            Some(_) => e.pairs.iter().map(|&(s, _)| s).collect(),
            None => Vec::new(),
        },
        start: e.start.iter().map(|&(s, _)| s).collect(),
        ends: if cut { Vec::new() } else { ends(e) },
        goals: e
            .goals()
            .into_iter()
            .map(|(c, r)| (c, r.map(Fine)))
            .collect(),
        true_cells: pairs(&true_cells),
        more_true,
        exact: e.exact.as_ref().map(|exact| Exact {
            iou: Fine(exact.iou),
            wgiou: Fine(exact.wgiou),
            cells: pairs(&costliest(&exact.cells, cut).0),
        }),
        expert_cells: pairs(&costliest(&e.expert_cells, cut).0),
        per_square: e.layout.as_ref().map(|l| l.per_square).filter(|&n| n > 1),
        too_large: is_too_large(e),
        extra,
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
        final_iou: row.final_iou,
        final_wgiou: row.final_wgiou,
        exact_iou: row.exact_iou,
        exact_wgiou: row.exact_wgiou,
        converged: row.converged,
        samples_to_expert: row.samples_to_expert,
        low: reached.low,
        high: reached.high,
    }
}
