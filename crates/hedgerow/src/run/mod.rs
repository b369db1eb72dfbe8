//! The loop: one for all strategies.
//!
//! Each iteration asks the strategy for a plan, gathers its samples, lets the learner catch up
//! and the evaluator judge, and stops on accuracy, samples, iterations or time.

mod gather;
mod observe;
mod settings;

pub(crate) use gather::Gather;
pub use observe::Observer;
pub use settings::{PARAMETERS, Settings};

use crate::Result;
use crate::env::Environment;
use crate::explore::{Situation, Strategy};
use crate::learn::{Learner, Seen};
use crate::metrics::Evaluator;
use crate::seed::Stream;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The strategy's accuracy reached the target.
    Accuracy,
    /// The samples ran out.
    Samples,
    /// The iterations ran out.
    Iterations,
    /// The time ran out.
    Time,
    /// Whoever watched the run asked it to stop.
    Interrupted,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Accuracy => "accuracy",
            Self::Samples => "samples",
            Self::Iterations => "iterations",
            Self::Time => "time",
            Self::Interrupted => "interrupted",
        })
    }
}

/// One line of a run's history: the state after an iteration (0: before the first).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Iterations done.
    pub iteration: usize,
    /// Samples seen.
    pub samples: u64,
    /// True discounted reward of the best policy under the inferred cost.
    pub reward: f64,
    /// Its true discounted cost.
    pub cost: f64,
    /// Weighted generalised intersection over union with the true cells; `None` if the
    /// environment has no true cost to compare with.
    pub wgiou: Option<f64>,
    /// The error bound the strategy stops on.
    pub accuracy: f64,
    /// Generalised intersection over union.
    pub giou: Option<f64>,
    /// Intersection over union.
    pub iou: Option<f64>,
    /// Running score of sampled rewards.
    pub rollout_reward: f64,
    /// Running score of sampled costs.
    pub rollout_cost: f64,
    /// Pairs with a positive inferred cost.
    pub constrained: usize,
    /// Pairs never tried.
    pub unseen: usize,
}

/// The inferred cost at one moment, for pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Iterations done.
    pub iteration: usize,
    /// Samples seen.
    pub samples: u64,
    /// Positive entries of the inferred cost: pair, cost.
    pub pairs: Vec<(u32, f64)>,
    /// Positive entries of the inferred cost on cells: state, cost.
    pub cells: Vec<(u32, f64)>,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Why it ended.
    pub stop: Stop,
    /// The history, one row an iteration, the state before the first included.
    pub rows: Vec<Row>,
    /// The inferred cost at some moments and at the end.
    pub snapshots: Vec<Snapshot>,
    /// All that the learner had seen in the end.
    pub seen: Seen,
    /// Samples after which the run stayed at the expert's level until its end.
    pub samples_to_expert: Option<u64>,
    /// The expert's exact discounted reward.
    pub expert_reward: f64,
    /// The expert's exact discounted cost.
    pub expert_cost: f64,
}

/// Runs `strategy` in `environment`. `watch` sees every row and may end the run with `false`.
pub fn run(
    environment: &Environment,
    strategy: &mut dyn Strategy,
    settings: &Settings,
    seed: u64,
    watch: &mut dyn FnMut(&Row) -> bool,
) -> Result<Record> {
    let mut rows = observe::Rows(watch);
    observed(environment, strategy, settings, seed, &mut rows)
}

/// The same with an observer that also sees the learner and the plans.
pub fn observed(
    environment: &Environment,
    strategy: &mut dyn Strategy,
    settings: &Settings,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Record> {
    let started = Instant::now();
    let mut evaluator = Evaluator::new(environment, settings.plan_in)?;
    let mut gather = Gather::new(environment, settings.inference, seed);
    gather.horizon = settings.horizon.unwrap_or(environment.horizon());
    gather.samples = settings.samples;
    let mut rollouts = Stream::new(seed, "rollouts");
    let mut rows: Vec<Row> = Vec::with_capacity(settings.iterations + 1);
    let mut snapshots = Vec::new();
    let stop = loop {
        let iteration = rows.len();
        let learner = &gather.learner;
        let at = Situation {
            learner,
            iteration: iteration + 1,
            oracle: settings.oracle.then(|| evaluator.oracle(learner)),
        };
        let row = judge(&at, strategy, &mut evaluator, &mut rollouts, rows.last())?;
        rows.push(row);
        let interrupted = !observer.state(&row, learner)?;
        let time_is_up = || {
            let limit = settings.seconds.map(Duration::from_secs_f64);
            limit.is_some_and(|limit| started.elapsed() >= limit)
        };
        let stop = if interrupted {
            Some(Stop::Interrupted)
        } else if settings
            .accuracy
            .is_some_and(|target| row.accuracy <= target)
        {
            Some(Stop::Accuracy)
        } else if settings.samples.is_some_and(|limit| row.samples >= limit) {
            Some(Stop::Samples)
        } else if iteration >= settings.iterations {
            Some(Stop::Iterations)
        } else if time_is_up() {
            Some(Stop::Time)
        } else {
            None
        };
        if stop.is_some() || is_snapshot(iteration) {
            snapshots.push(snapshot(&row, learner));
        }
        if let Some(stop) = stop {
            break stop;
        }
        let plan = strategy.plan(&at)?;
        observer.plan(&plan)?;
        for _ in 0..settings.episodes {
            gather.episode(&plan);
        }
        gather.learner.refresh();
    };
    Ok(Record {
        stop,
        samples_to_expert: samples_to_expert(&rows, &evaluator),
        rows,
        snapshots,
        seen: gather.learner.seen(),
        expert_reward: evaluator.expert_reward(),
        expert_cost: evaluator.expert_cost(),
    })
}

fn judge(
    at: &Situation,
    strategy: &mut dyn Strategy,
    evaluator: &mut Evaluator,
    rollouts: &mut Stream,
    before: Option<&Row>,
) -> Result<Row> {
    let learner = at.learner;
    let judged = evaluator.judge(learner)?;
    let (reward, cost) = evaluator.rollout(rollouts);
    let score = |old: Option<f64>, new: f64| old.map_or(new, |old| 0.2 * old + 0.8 * new);
    Ok(Row {
        iteration: at.iteration - 1,
        samples: learner.samples(),
        reward: judged.reward,
        cost: judged.cost,
        wgiou: judged.wgiou,
        accuracy: strategy.accuracy(at)?,
        giou: judged.giou,
        iou: judged.iou,
        rollout_reward: score(before.map(|b| b.rollout_reward), reward),
        rollout_cost: score(before.map(|b| b.rollout_cost), cost),
        constrained: learner.constrained().iter().filter(|&&c| c).count(),
        unseen: learner.estimate().unseen(),
    })
}

/// Snapshots are taken at 1, 2 and 5 times the powers of ten: early learning moves fastest.
fn is_snapshot(iteration: usize) -> bool {
    let mut unit = 1;
    while unit <= iteration {
        if [1, 2, 5].iter().any(|m| m * unit == iteration) {
            return true;
        }
        unit *= 10;
    }
    iteration == 0
}

fn snapshot(row: &Row, learner: &Learner) -> Snapshot {
    let positive = |values: Vec<f64>| {
        let entries = values.into_iter().enumerate();
        entries
            .filter(|(_, v)| *v > 0.0)
            .map(|(i, v)| (i as u32, v))
            .collect()
    };
    Snapshot {
        iteration: row.iteration,
        samples: row.samples,
        pairs: positive(learner.cost()),
        cells: positive(crate::metrics::on_cells(learner.cost_on_cells())),
    }
}

fn samples_to_expert(rows: &[Row], evaluator: &Evaluator) -> Option<u64> {
    let away = rows
        .iter()
        .rposition(|r| !evaluator.at_expert(r.reward, r.cost));
    rows.get(away.map_or(0, |i| i + 1)).map(|r| r.samples)
}
