//! Exploring until everything that can be reached and matters is decided.

use super::need::Need;
use super::{Criteria, Intervals, Verdicts};
use crate::Result;
use crate::env::Environment;
use crate::explore::{Plan, Situation, Strategy};
use crate::learn::{Inference, Learner};
use crate::run::Gather;
use serde::{Deserialize, Serialize};

/// Why exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Every pair of every state that was reached is decided or negligible.
    Decided,
    /// The samples ran out.
    Samples,
    /// Whoever watched asked it to stop.
    Interrupted,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// Why exploration ended.
    pub end: End,
    /// All that was seen.
    pub learner: Learner,
    /// The intervals the verdicts rest on.
    pub intervals: Intervals,
    /// The verdicts.
    pub verdicts: Verdicts,
}

/// Samples before the first look at the verdicts.
const FIRST: u64 = 500;

/// Verdicts are looked at, and the next episodes planned, whenever the samples have grown by this
/// share.
const GROWTH: f64 = 0.01;

/// Most samples between two plans, or [`STRIDE_A_PAIR`] for every pair if that is more: a plan does
/// not know that what it samples is worth less each time.
const STRIDE: u64 = 5_000;

/// Looking at the verdicts takes time that grows with the model.
const STRIDE_A_PAIR: u64 = 4;

/// Explores `environment` until all that can be reached and matters is decided, or the samples run
/// out. Without a `strategy` it samples what the open verdicts hang on. `watch` sees the verdicts
/// whenever they are renewed and may end the search with `false`.
pub fn infer(
    environment: &Environment,
    strategy: Option<Box<dyn Strategy>>,
    criteria: &Criteria,
    inference: Inference,
    samples: u64,
    seed: u64,
    watch: &mut dyn FnMut(&Verdicts) -> bool,
) -> Result<Inferred> {
    let mut gather = Gather::new(environment, inference, seed);
    gather.samples = Some(samples);
    let mut planner = Planner::new(strategy);
    let mut intervals = Intervals::new(environment.task());
    let stride = STRIDE.max(STRIDE_A_PAIR * environment.task().pairs() as u64);
    loop {
        intervals.tighten(&gather.learner, criteria);
        let verdicts = Verdicts::new(&gather.learner, &intervals, criteria);
        let seen = gather.learner.samples();
        let more = watch(&verdicts);
        let end = if seen > 0 && verdicts.open(environment.task()).next().is_none() {
            Some(End::Decided)
        } else if seen >= samples {
            Some(End::Samples)
        } else if !more {
            Some(End::Interrupted)
        } else {
            None
        };
        if let Some(end) = end {
            return Ok(Inferred {
                end,
                learner: gather.learner,
                intervals,
                verdicts,
            });
        }
        let step = ((seen as f64 * GROWTH) as u64).min(stride);
        let next = (seen + step).max(FIRST).min(samples);
        let mut plan = planner.plan(&gather.learner, &intervals, &verdicts)?;
        while gather.learner.samples() < next {
            gather.episode(&plan);
            if planner.replans() {
                gather.learner.refresh();
                plan = planner.plan(&gather.learner, &intervals, &verdicts)?;
            }
        }
        gather.learner.refresh();
    }
}

/// Who chooses what to sample.
enum Planner {
    Need(Need),
    Strategy {
        strategy: Box<dyn Strategy>,
        iteration: usize,
    },
}

impl Planner {
    fn new(strategy: Option<Box<dyn Strategy>>) -> Self {
        match strategy {
            None => Self::Need(Need::default()),
            Some(strategy) => Self::Strategy {
                strategy,
                iteration: 0,
            },
        }
    }

    /// Strategies plan every episode anew, as in a run.
    fn replans(&self) -> bool {
        matches!(self, Self::Strategy { .. })
    }

    fn plan(
        &mut self,
        learner: &Learner,
        intervals: &Intervals,
        verdicts: &Verdicts,
    ) -> Result<Plan> {
        match self {
            Self::Need(need) => Ok(need.plan(learner, intervals, verdicts)),
            Self::Strategy {
                strategy,
                iteration,
            } => {
                *iteration += 1;
                strategy.plan(&Situation {
                    learner,
                    iteration: *iteration,
                    oracle: None,
                })
            }
        }
    }
}
