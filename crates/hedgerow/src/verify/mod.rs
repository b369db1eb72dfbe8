//! Are the promises kept? Many independent runs, and how often something failed in them.
//!
//! A [`Promise`] is checked at checkpoints of a run; a run in which it fails at any of them is one
//! failure. Over many runs that gives an exact binomial interval for the probability of a failure,
//! next to the probability that was promised, and a figure of how loose the promise is.
//!
//! To add a promise: write a file with a type that implements [`Promise`] and list it in
//! [`promises`].
//!
//! ```
//! use hedgerow::env::grid::Grid;
//! use hedgerow::verdict::Criteria;
//! use hedgerow::verify::{Searches, VerifyOptions, Watch, verify_verdicts};
//!
//! let environment = Grid::new("small", Grid::symbols_of("x.G\nS..")).environment()?;
//! let options = VerifyOptions { runs: 5, ..VerifyOptions::default() };
//! let searches = Searches::new(Criteria::default(), 2_000);
//! let found = verify_verdicts(&environment, &searches, &options, &Watch::default())?;
//! assert_eq!(found.verdicts.failures, 0);
//! assert!(found.verdicts.kept());
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod cost;
mod counts;
mod nearest;
mod values;
mod verdicts;

use crate::costset::canonical;
use crate::env::Environment;
use crate::error::in_range;
use crate::explore::{Plan, StrategyEntry};
use crate::finite::{FiniteExploration, RunOptions, run_until};
use crate::learn::{Inference, Learner};
use crate::model::{Policy, Rows};
use crate::param::Values;
use crate::run::{Row, Stop};
use crate::theory::{Interval, LONGEST, PseudoCounts, clopper_pearson, median};
use crate::{Error, Result};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use nearest::{NearestCost, nearest};
pub use verdicts::{Searches, VerdictTally, verify_verdicts};

/// A moment of a run, with the truth beside it.
pub struct Checkpoint<'a> {
    /// The truth.
    pub environment: &'a Environment,
    /// What the run reports.
    pub row: &'a Row,
    /// What was learned.
    pub learner: &'a Learner,
    /// Expected visits of the policies that were followed, in the true dynamics.
    pub expected: &'a PseudoCounts<'a, Rows>,
}

/// What a promise finds at a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Whether it is kept.
    pub kept: bool,
    /// How many times what was needed it allows; `None` if nothing was needed.
    pub looseness: Option<f64>,
}

/// A promise, checked during one run.
pub trait Promise {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The probability with which it may fail in a run.
    fn may_fail(&self, inference: &Inference) -> f64;

    /// Checks it at a checkpoint.
    fn check(&mut self, at: &Checkpoint) -> Result<Check>;
}

/// All promises, for a new run in `environment`.
pub fn promises(environment: &Environment, run: &RunOptions) -> Result<Vec<Box<dyn Promise>>> {
    let truth = true_cost(environment, run.finite.inference.cost_max)?;
    Ok(vec![
        Box::new(cost::CostBound {
            truth: truth.clone(),
        }),
        Box::new(counts::Counts),
        Box::new(values::Values { truth }),
    ])
}

/// The canonical cost of the environment's expert: what the bounds are about.
fn true_cost(environment: &Environment, cost_max: f64) -> Result<Vec<f64>> {
    let truth = environment.truth();
    let cost = canonical(truth.model(), truth.expert(), cost_max)?;
    Ok(cost.values().to_vec())
}

/// How often a promise failed over all runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// The promise.
    pub name: &'static str,
    /// The probability of a failure that it allows.
    pub may_fail: f64,
    /// Runs in which it failed at some checkpoint.
    pub failures: u64,
    /// Runs that ended.
    pub runs: u64,
    /// What the probability of a failure may be, given that.
    pub interval: Interval,
    /// The median looseness over all checkpoints that needed anything.
    pub looseness: Option<f64>,
}

impl Tally {
    /// Whether the promised probability is not ruled out.
    pub fn kept(&self) -> bool {
        self.interval.lower <= self.may_fail
    }
}

/// How many runs to check, and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerifyOptions {
    /// Independent runs. Default 200.
    pub runs: u64,
    /// The seed of the first; the others follow.
    pub seed: u64,
    /// A checkpoint every this many iterations, and at the end. Default 10.
    pub every: usize,
    /// Confidence of the interval. Default 0.95.
    pub level: f64,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            runs: 200,
            seed: 0,
            every: 10,
            level: 0.95,
        }
    }
}

impl VerifyOptions {
    /// Refuses what cannot be before any run; `length` is iterations of a run, or samples of a search.
    fn check(&self, length: u64) -> Result<()> {
        if self.runs == 0 || self.every == 0 || length == 0 {
            let remedy = "use at least 1 run, 1 iteration and 1 sample";
            return Err(Error::invalid("verify", "nothing to check", remedy));
        }
        let remedy = "use a number above 0 and below 1, such as 0.95";
        let ok = self.level > 0.0 && self.level < 1.0;
        in_range(ok, "level", self.level, remedy)
    }
}

/// Who is told of every run that ends, and can end it all.
pub struct Watch<'a> {
    /// Called after every run.
    pub ended: &'a (dyn Fn() + Sync),
    /// Once it is raised, runs in flight are abandoned and no other begins; what has ended counts.
    pub stop: Arc<AtomicBool>,
}

impl Default for Watch<'_> {
    /// Nobody.
    fn default() -> Self {
        Self {
            ended: &|| {},
            stop: Arc::default(),
        }
    }
}

impl Watch<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What `one` finds in each of `runs` runs, in order; those that were abandoned are left out.
    fn over<T: Send>(
        &self,
        runs: u64,
        one: impl Fn(u64) -> Result<Option<T>> + Sync,
    ) -> Result<Vec<T>> {
        let one = |run: u64| {
            if self.is_stopped() {
                return Ok(None);
            }
            let found = one(run)?;
            if found.is_some() {
                (self.ended)();
            }
            Ok(found)
        };
        let found: Result<Vec<Option<T>>> = (0..runs).into_par_iter().map(one).collect();
        Ok(found?.into_iter().flatten().collect())
    }
}

/// What the probability of a failure may be; anything, if nothing was tried.
fn interval(failures: u64, runs: u64, level: f64) -> Result<Interval> {
    match runs {
        0 => Ok(Interval {
            lower: 0.0,
            upper: 1.0,
        }),
        _ => clopper_pearson(failures, runs, level),
    }
}

/// Checks the promises in independent runs of a strategy, in parallel.
pub fn verify(
    environment: &Environment,
    strategy: (&StrategyEntry, &Values),
    run: &RunOptions,
    options: &VerifyOptions,
    watch: &Watch,
) -> Result<Vec<Tally>> {
    options.check(run.run.iterations as u64)?;
    let horizon = run.run.horizon.map_or(environment.horizon(), |h| h.get());
    if horizon > LONGEST {
        return Err(Error::invalid(
            "horizon",
            format!("episodes of {horizon} steps are too long to check every run to its end"),
            format!("set a horizon of at most {LONGEST} steps in the file"),
        ));
    }
    if run.run.samples.is_some() || run.run.time.is_some() {
        let problem = "a run may be cut within an episode";
        let remedy = "limit the iterations instead";
        return Err(Error::invalid("verify", problem, remedy));
    }
    let watched: Vec<Vec<Watched>> = watch.over(options.runs, |i| {
        watched(environment, strategy, run, options, (i, watch))
    })?;
    let ended = watched.len() as u64;
    let promises = promises(environment, run)?;
    let tally = |i: usize, promise: &dyn Promise| {
        let runs = || watched.iter().map(|run| &run[i]);
        let failures = runs().filter(|w| w.failed).count() as u64;
        let looseness = runs().flat_map(|w| w.looseness.iter().copied()).collect();
        Ok(Tally {
            name: promise.name(),
            may_fail: promise.may_fail(&run.finite.inference),
            failures,
            runs: ended,
            interval: interval(failures, ended, options.level)?,
            looseness: median(looseness),
        })
    };
    let all = promises.iter().enumerate();
    all.map(|(i, promise)| tally(i, promise.as_ref())).collect()
}

/// What one promise showed in one run.
#[derive(Default)]
struct Watched {
    failed: bool,
    looseness: Vec<f64>,
}

/// What each promise showed in one run; none if it was abandoned.
fn watched(
    environment: &Environment,
    (entry, values): (&StrategyEntry, &Values),
    run: &RunOptions,
    options: &VerifyOptions,
    (number, watch): (u64, &Watch),
) -> Result<Option<Vec<Watched>>> {
    let horizon = run.run.horizon.map_or(environment.horizon(), |h| h.get());
    let rows = environment.truth().model().rows();
    let promises = promises(environment, run)?;
    let mut watcher = Watcher {
        environment,
        run,
        every: options.every,
        expected: PseudoCounts::new(environment.task(), rows, horizon),
        watched: promises.iter().map(|_| Watched::default()).collect(),
        promises,
    };
    let mut strategy = entry.build(values);
    let run = RunOptions {
        seed: options.seed.wrapping_add(number),
        ..*run
    };
    let mut observe = |row: &Row, exploration: &FiniteExploration| {
        watcher.look(row, exploration)?;
        Ok(ControlFlow::Continue(()))
    };
    let halted = || watch.is_stopped();
    let strategy = strategy.as_mut();
    let result = run_until(environment, strategy, &run, &mut observe, &halted)?;
    let is_whole = result.summary.stop != Stop::Interrupted;
    Ok(is_whole.then_some(watcher.watched))
}

struct Watcher<'a> {
    environment: &'a Environment,
    run: &'a RunOptions,
    every: usize,
    expected: PseudoCounts<'a, Rows>,
    promises: Vec<Box<dyn Promise>>,
    watched: Vec<Watched>,
}

impl Watcher<'_> {
    fn look(&mut self, row: &Row, exploration: &FiniteExploration) -> Result<()> {
        if let Some(plan) = exploration.plan() {
            let task = self.environment.task();
            self.expect(&plan.clone().spread(task))?;
        }
        let limits = &self.run.run;
        let last = limits.reaches(row.accuracy) || row.iteration >= limits.iterations;
        // Before the first sample every promise is kept, and says nothing.
        if !last && (row.iteration == 0 || !row.iteration.is_multiple_of(self.every)) {
            return Ok(());
        }
        let at = Checkpoint {
            environment: self.environment,
            row,
            learner: exploration.learner(),
            expected: &self.expected,
        };
        for (promise, watched) in self.promises.iter_mut().zip(&mut self.watched) {
            let check = promise.check(&at)?;
            watched.failed |= !check.kept;
            watched.looseness.extend(check.looseness);
        }
        Ok(())
    }

    /// Adds the visits that are expected of an iteration with this plan.
    fn expect(&mut self, plan: &Plan) -> Result<()> {
        let episodes = self.run.run.episodes as f64;
        match plan {
            Plan::Act { mixture, imitate } => {
                let total: f64 = mixture.iter().map(|(weight, _)| weight).sum();
                for (weight, policy) in mixture {
                    let followed = self.followed(policy, imitate);
                    self.expected.add(&followed, episodes * weight / total)?;
                }
            }
            Plan::Seen(_) => {}
            Plan::Generate(each) => self.expected.add_each(episodes * f64::from(*each))?,
        }
        Ok(())
    }

    /// The policy, acting as the expert where the plan imitates.
    fn followed(&self, policy: &Policy, imitate: &[bool]) -> Policy {
        let task = self.environment.task();
        let expert = self.environment.truth().expert();
        let mut prob = policy.probs().to_vec();
        for state in task
            .all_states()
            .filter(|s| imitate.get(s.at()) == Some(&true))
        {
            let range = task.pairs_of(state);
            prob[range.clone()].copy_from_slice(&expert.probs()[range]);
        }
        Policy::from_raw(prob)
    }
}
