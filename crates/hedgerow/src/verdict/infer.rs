//! Exploring until everything that can be reached and matters is decided.

use super::certificate::{Certificates, PART};
use super::need::Need;
use super::{Classes, Criteria, Intervals, Verdicts};
use crate::Result;
use crate::env::FiniteWorld;
use crate::explore::{Context, Plan, Strategy};
use crate::finite::{Gather, Sample};
use crate::learn::{Inference, Learner};
use crate::run::{Exploration, RunSettings, Stop, run_loop};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was found.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// Why exploration ended.
    pub stop: Stop,
    /// All that was seen.
    pub learner: Learner,
    /// The intervals the verdicts rest on.
    pub intervals: Intervals,
    /// The verdicts.
    pub verdicts: Verdicts,
}

/// Samples before the first look at the verdicts.
const FIRST: u64 = 500;

/// Verdicts are looked at whenever the samples have grown by this share.
const GROWTH: f64 = 0.02;

/// Samples after which the next episodes are planned anew: a plan does not know that each further
/// sample of a row says less.
const REPLAN: u64 = 500;

/// Most samples between two looks, or [`STRIDE_A_PAIR`] for every pair if that is more.
const STRIDE: u64 = 5_000;

/// Looking at the verdicts takes time that grows with the model.
const STRIDE_A_PAIR: u64 = 4;

/// The most pairs for which certificates are kept: each is looked at along the expert's way from it, which
/// grows with the square of the model. Above that intervals alone give the verdicts.
const LARGEST: usize = 1_000;

/// The longest episode of a search. Where it starts anew does not matter to the verdicts, and an
/// endless one would never let them be looked at.
const LONGEST: usize = 100_000;

/// How to search for verdicts.
#[derive(Default)]
pub struct SearchOptions {
    /// When a pair gets a verdict.
    pub criteria: Criteria,
    /// How the cost is estimated.
    pub inference: Inference,
    /// Classes of pairs that are declared to be forbidden as a whole or not at all.
    pub classes: Option<Classes>,
    /// Who chooses what to sample; by default what the open verdicts hang on.
    pub strategy: Option<Box<dyn Strategy>>,
    /// Most samples; no limit if `None`.
    pub samples: Option<u64>,
    /// The seed of all randomness.
    pub seed: u64,
    /// Breaks the search off when it is raised, even within an episode.
    pub stop: Option<Arc<AtomicBool>>,
}

/// Explores `world` until all that can be reached and matters is decided, or the samples run out.
/// `observe` sees the verdicts whenever they are renewed and may break the search off.
pub fn infer(
    world: &dyn FiniteWorld,
    options: SearchOptions,
    observe: &mut dyn FnMut(&Verdicts) -> ControlFlow<()>,
) -> Result<Inferred> {
    let limits = RunSettings {
        iterations: usize::MAX,
        samples: options.samples,
        ..RunSettings::default()
    };
    let mut search = Search::new(world, options)?;
    let stop = run_loop(&mut search, &limits, &mut |verdicts, search| {
        let flow = observe(verdicts);
        Ok(match (search.gather.halted)() {
            true => ControlFlow::Break(()),
            false => flow,
        })
    })?;
    Ok(Inferred {
        stop,
        learner: search.gather.learner,
        intervals: search.intervals,
        verdicts: search.verdicts,
    })
}

/// A search for verdicts, as the run loop sees it: an iteration lasts until they are renewed.
struct Search<'a> {
    gather: Gather<'a>,
    planner: Planner,
    criteria: Criteria,
    classes: Option<Classes>,
    intervals: Intervals,
    verdicts: Verdicts,
    /// None in a large world.
    certificates: Option<Certificates>,
    stride: u64,
}

impl<'a> Search<'a> {
    fn new(world: &'a dyn FiniteWorld, options: SearchOptions) -> Result<Self> {
        let criteria = options.criteria;
        let mut gather = Gather::new(world, options.inference, options.seed)?;
        gather.samples = options.samples;
        gather.horizon = gather.horizon.min(LONGEST);
        if let Some(stop) = options.stop {
            gather.halted = Box::new(move || stop.load(Ordering::Relaxed));
        }
        let small = world.task().pairs() <= LARGEST;
        let share = if small { 1.0 - PART } else { 1.0 };
        let intervals = Intervals::new(world.task()).with_share(share);
        Ok(Self {
            verdicts: Verdicts::new(&gather.learner, &intervals, &criteria),
            planner: Planner::new(options.strategy),
            stride: STRIDE.max(STRIDE_A_PAIR * world.task().pairs() as u64),
            certificates: small.then(|| Certificates::new(world.task())),
            gather,
            criteria,
            classes: options.classes,
            intervals,
        })
    }
}

impl Exploration for Search<'_> {
    type Row = Verdicts;

    fn evaluate(&mut self, _iteration: usize) -> Result<Verdicts> {
        let learner = &self.gather.learner;
        self.intervals.tighten(learner, &self.criteria);
        if let Some(certificates) = &mut self.certificates {
            certificates.look(learner, &mut self.intervals, &self.verdicts);
        }
        let verdicts = Verdicts::new(learner, &self.intervals, &self.criteria);
        Ok(match &self.classes {
            Some(classes) => verdicts.within(learner.task(), classes),
            None => verdicts,
        })
    }

    fn samples(&self) -> u64 {
        self.gather.learner.samples()
    }

    fn is_done(&self, verdicts: &Verdicts) -> Option<Stop> {
        let task = self.gather.learner.task();
        let decided = self.samples() > 0 && verdicts.open(task).next().is_none();
        decided.then_some(Stop::Decided)
    }

    fn record(&mut self, verdicts: &Verdicts, _stop: Option<Stop>) -> Result<()> {
        self.verdicts = verdicts.clone();
        Ok(())
    }

    fn advance(&mut self, _iteration: usize) -> Result<()> {
        let seen = self.samples();
        let step = ((seen as f64 * GROWTH) as u64).min(self.stride);
        let next = (seen + step).max(FIRST);
        let next = self.gather.samples.map_or(next, |limit| next.min(limit));
        let Self {
            gather,
            planner,
            intervals,
            verdicts,
            certificates,
            ..
        } = self;
        let mut witness = |learner: &Learner, sample: Sample| {
            let Some(certificates) = certificates else {
                return;
            };
            certificates.see_answer(sample.answer);
            if let Some(outcome) = learner.estimate().outcome(sample.pair, sample.next) {
                certificates.see_step(sample.pair, outcome);
            }
        };
        while gather.learner.samples() < next && !(gather.halted)() {
            let plan = planner.plan(&gather.learner, intervals, verdicts)?;
            let replan = next.min(gather.learner.samples() + REPLAN);
            while gather.learner.samples() < replan && !(gather.halted)() {
                gather.episode_before(&plan, &mut witness)?;
                if planner.replans() {
                    break;
                }
            }
            gather.learner.refresh();
        }
        Ok(())
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
                strategy.plan(&Context {
                    learner,
                    iteration: *iteration,
                    accuracy: None,
                    oracle: None,
                })
            }
        }
    }
}
