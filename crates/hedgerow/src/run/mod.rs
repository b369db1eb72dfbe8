//! The loop: one for all strategies.
//!
//! Each iteration asks the strategy for a plan, gathers its samples, lets the learner catch up
//! and the evaluator judge, and stops on accuracy, samples, iterations or time.

mod course;
mod finite;
mod gather;
mod observe;
mod settings;
mod survey;

pub use course::{Course, History, drive, score};
pub(crate) use gather::Gather;
pub use observe::Observer;
pub use settings::{PARAMETERS, Settings};
pub use survey::{Finding, Survey};

use crate::Result;
use crate::env::Environment;
use crate::explore::Strategy;
use crate::learn::Seen;
use crate::metrics::Evaluator;
use crate::seed::Stream;
use serde::{Deserialize, Serialize};

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
    /// In a continuous world, where samples with a positive inferred cost led, and that cost:
    /// x, y, cost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<[f64; 3]>,
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
    /// All that the learner of a finite world had seen in the end.
    pub seen: Seen,
    /// What it knew of a continuous world in the end.
    pub survey: Option<Survey>,
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
    let mut gather = Gather::new(environment, settings.inference, seed);
    gather.horizon = settings.horizon.unwrap_or(environment.horizon());
    gather.samples = settings.samples;
    let mut course = finite::Finite {
        gather,
        evaluator: Evaluator::new(environment, settings.plan_in)?,
        strategy,
        observer,
        rollouts: Stream::new(seed, "rollouts"),
        settings,
    };
    let history = drive(&mut course, settings)?;
    Ok(Record {
        stop: history.stop,
        samples_to_expert: history.samples_to_expert,
        rows: history.rows,
        snapshots: history.snapshots,
        seen: course.gather.learner.seen(),
        survey: None,
        expert_reward: course.evaluator.expert_reward(),
        expert_cost: course.evaluator.expert_cost(),
    })
}
