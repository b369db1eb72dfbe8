//! Exploring until everything that can be reached and matters is decided.

use super::certificate::{Certificates, PART};
use super::excess::{Excess, ROWS};
use super::informed::Informed;
use super::need::{Need, Wanted};
use super::{
    Classes, Criteria, Explained, Goal, Intervals, Knowledge, PairVerdict, Verdict, Verdicts,
};
use crate::Result;
use crate::env::FiniteWorld;
use crate::explore::{Context, Plan, Strategy};
use crate::finite::{Gather, Sample};
use crate::index::Pair;
use crate::learn::{Inference, Learner};
use crate::model::Task;
use crate::run::{Exploration, RunSettings, Stop, run_loop};
use std::cell::RefCell;
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
    /// When the last pair was found to be constrained; none if none was.
    pub milestone: Option<Milestone>,
    /// How well the constraint explains the expert, if that was asked.
    pub explained: Option<Explained>,
    /// What was declared of the dynamics, if it fits what was seen.
    pub knowledge: Option<Arc<Knowledge>>,
    /// Why what was declared does not fit; the answer then does without it.
    pub contradiction: Option<String>,
}

/// The moment at which every pair that was found to be constrained was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Milestone {
    /// Samples until then.
    pub samples: u64,
    /// How many pairs were constrained.
    pub constrained: usize,
    /// What any other pair of a state that was reached could gain at most, at that moment.
    pub others_gain_at_most: f64,
}

impl Milestone {
    /// Where `verdicts` stand.
    fn new(verdicts: &Verdicts, learner: &Learner) -> Self {
        let task = learner.task();
        let other = |p: &Pair| {
            let found = verdicts.at(*p);
            let free = matches!(found.verdict, Verdict::Undecided | Verdict::NoGain);
            free && found.in_scope && verdicts.is_seen(task.state_of(*p))
        };
        let others = task.all_pairs().filter(other);
        Self {
            samples: verdicts.samples(),
            constrained: verdicts.count(Verdict::Constrained),
            others_gain_at_most: others.map(|p| verdicts.at(p).high).fold(0.0, f64::max),
        }
    }
}

/// Samples before the first look at the verdicts.
const FIRST: u64 = 500;

/// Verdicts are looked at whenever the samples have grown by this share.
const GROWTH: f64 = 0.02;

/// Samples after which the next episodes are planned anew: a plan does not know that each further
/// sample of a row says less.
const REPLAN: u64 = 150;

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
    /// What the search is for.
    pub goal: Goal,
    /// What is known of the dynamics beforehand, besides the task.
    pub knowledge: Option<Arc<Knowledge>>,
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
        milestone: search.milestone,
        explained: search.explained,
        knowledge: search.informed.map(|i| i.known),
        contradiction: search.contradiction,
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
    informed: Option<Informed>,
    contradiction: Option<String>,
    excess: Option<Excess>,
    explained: Option<Explained>,
    goal: Goal,
    milestone: Option<Milestone>,
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
        let known = options.knowledge.as_ref();
        let (intervals, certificates, excess) = begin(world.task(), options.goal, known);
        let inform = |k| Informed::new(k, world.task(), options.inference);
        Ok(Self {
            verdicts: Verdicts::new(&gather.learner, &intervals, &criteria),
            planner: Planner::new(options.strategy),
            stride: STRIDE.max(STRIDE_A_PAIR * world.task().pairs() as u64),
            certificates,
            informed: options.knowledge.map(inform),
            contradiction: None,
            excess,
            explained: None,
            goal: options.goal,
            milestone: None,
            gather,
            criteria,
            classes: options.classes,
            intervals,
        })
    }

    /// Goes on without what was declared if that does not fit what was seen.
    fn drop_contradicted(&mut self) {
        let learner = &self.gather.learner;
        let known = self.informed.as_ref().map(|i| &i.known);
        let Some(why) = known.and_then(|k| k.contradiction(learner)) else {
            return;
        };
        self.contradiction = Some(why);
        self.informed = None;
        (self.intervals, self.certificates, self.excess) =
            begin(learner.shared_task(), self.goal, None);
    }
}

/// Nothing staked and nothing known but what is declared.
fn begin(
    task: &Arc<Task>,
    goal: Goal,
    known: Option<&Arc<Knowledge>>,
) -> (Intervals, Option<Certificates>, Option<Excess>) {
    let staked = task.pairs() <= LARGEST;
    let (rest, excess) = match goal {
        Goal::Verdicts => (1.0, None),
        Goal::Explain(within) => (1.0 - ROWS, Some(Excess::new(task, within))),
    };
    let share = if staked { 1.0 - PART } else { 1.0 };
    let intervals = Intervals::new(task).with_share(rest * share);
    (
        intervals.with_knowledge(known.cloned()),
        staked.then(|| Certificates::new(task, rest * PART)),
        excess,
    )
}

impl Exploration for Search<'_> {
    type Row = Verdicts;

    fn evaluate(&mut self, _iteration: usize) -> Result<Verdicts> {
        self.drop_contradicted();
        let counted = &self.gather.learner;
        let informed = self.informed.as_ref();
        let learner = informed.map_or(counted, |i| i.learner(counted));
        self.intervals.tighten(learner, &self.criteria);
        if let Some(certificates) = &mut self.certificates {
            let goal = self.goal;
            let in_question = |found: &PairVerdict| match goal {
                Goal::Verdicts => found.is_open() || !found.in_scope,
                Goal::Explain(_) => matches!(found.verdict, Verdict::Undecided | Verdict::Taken),
            };
            certificates.look(learner, &mut self.intervals, &self.verdicts, in_question);
        }
        let verdicts = Verdicts::new(learner, &self.intervals, &self.criteria);
        if let Some(excess) = &mut self.excess {
            self.explained = Some(excess.renew(learner, &self.intervals, &verdicts));
        }
        let verdicts = match informed.and_then(Informed::reachable) {
            Some(reachable) => verdicts.counted_by(counted, reachable),
            None => verdicts,
        };
        Ok(match &self.classes {
            Some(classes) => verdicts.within(counted.task(), classes),
            None => verdicts,
        })
    }

    fn samples(&self) -> u64 {
        self.gather.learner.samples()
    }

    fn is_done(&self, verdicts: &Verdicts) -> Option<Stop> {
        let task = self.gather.learner.task();
        if self.samples() == 0 {
            return None;
        }
        match self.explained {
            None => {
                let decided = verdicts.open(task).next().is_none();
                decided.then_some(Stop::Decided)
            }
            Some(explained) => explained.is_close().then_some(Stop::Explained),
        }
    }

    fn record(&mut self, verdicts: &Verdicts, _stop: Option<Stop>) -> Result<()> {
        let known = self.milestone.map_or(0, |m| m.constrained);
        if verdicts.count(Verdict::Constrained) > known {
            self.milestone = Some(Milestone::new(verdicts, &self.gather.learner));
        }
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
            informed,
            excess,
            ..
        } = self;
        // Told of every sample, and asked for plans in between.
        let informed = RefCell::new(informed);
        let mut witness = |learner: &Learner, sample: Sample| {
            if let Some(informed) = informed.borrow_mut().as_mut() {
                informed.see(sample);
            }
            let Some(certificates) = certificates else {
                return;
            };
            certificates.see_answer(sample.answer);
            if let Some(outcome) = learner.estimate().outcome(sample.pair, sample.next) {
                certificates.see_step(sample.pair, outcome);
            }
        };
        while gather.learner.samples() < next && !(gather.halted)() {
            let plan = {
                let informed = informed.borrow();
                let counted = &gather.learner;
                let learner = informed.as_ref().map_or(counted, |i| i.learner(counted));
                planner.plan(learner, intervals, (verdicts, excess.as_ref()))?
            };
            let replan = next.min(gather.learner.samples() + REPLAN);
            while gather.learner.samples() < replan && !(gather.halted)() {
                gather.episode_before(&plan, &mut witness)?;
                if planner.replans() {
                    break;
                }
            }
            gather.learner.refresh();
            if let Some(informed) = informed.borrow_mut().as_mut() {
                informed.refresh();
            }
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
        (verdicts, excess): (&Verdicts, Option<&Excess>),
    ) -> Result<Plan> {
        match self {
            Self::Need(need) => {
                let wanted = match excess {
                    None => Wanted::open(learner.task(), verdicts),
                    Some(excess) => Wanted {
                        pairs: excess.visits.clone(),
                        everything: false,
                        settled: vec![false; learner.task().pairs()],
                    },
                };
                Ok(need.plan(learner, intervals, &wanted))
            }
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
