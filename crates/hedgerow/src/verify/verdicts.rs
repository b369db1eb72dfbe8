//! Promise: no verdict is wrong, at any time of a search, and no interval misses the truth.

use super::{Tally, VerifyOptions, Watch, interval};
use crate::Result;
use crate::costset::advantage;
use crate::env::Environment;
use crate::index::Pair;
use crate::run::Stop;
use crate::solve::{Mdp, optimum, value_at_start};
use crate::theory::median;
use crate::verdict::{
    Assume, Criteria, Explained, Goal, Knowledge, SearchOptions, Verdict, Verdicts, infer,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What rounding may add to a true advantage.
const ROUNDING: f64 = 1e-9;

/// The searches to be checked.
#[derive(Clone, Debug)]
pub struct Searches {
    /// When a pair gets a verdict.
    pub criteria: Criteria,
    /// Most samples of each.
    pub samples: u64,
    /// What they are for.
    pub goal: Goal,
    /// What is declared of the dynamics.
    pub knowledge: Option<Arc<Knowledge>>,
}

impl Searches {
    /// Searches for verdicts by these criteria in at most so many samples, with nothing declared.
    pub fn new(criteria: Criteria, samples: u64) -> Self {
        Self {
            criteria,
            samples,
            goal: Goal::Verdicts,
            knowledge: None,
        }
    }
}

/// How verdicts did over many searches.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictTally {
    /// Searches with a wrong verdict at any time.
    pub verdicts: Tally,
    /// Searches with an interval that missed the truth at any time. This is what is promised; a
    /// verdict can only be wrong where an interval is.
    pub intervals: Tally,
    /// Searches whose constraint explains the expert less well, or better, than they said at the end, if
    /// that is what they were for.
    pub explained: Option<Tally>,
    /// Searches that ended with all that was asked for.
    pub decided: u64,
    /// Searches that left a pair undecided whose advantage exceeds the tolerance by more than the
    /// margin.
    pub missed: u64,
    /// The median of their samples.
    pub samples: f64,
    /// The most samples any of them took.
    pub most_samples: u64,
}

/// What one search showed.
struct Watched {
    wrong: bool,
    outside: bool,
    unexplained: bool,
    decided: bool,
    missed: bool,
    samples: u64,
    looseness: Option<f64>,
}

/// Checks verdicts in independent searches of at most `samples` each, in parallel.
pub fn verify_verdicts(
    environment: &Environment,
    searches: &Searches,
    options: &VerifyOptions,
    watch: &Watch,
) -> Result<VerdictTally> {
    options.check(searches.samples)?;
    let criteria = &searches.criteria;
    let truth = Truth::new(environment, criteria)?;
    let watched: Vec<Watched> = watch.over(options.runs, |run| {
        truth.watch(searches, options.seed.wrapping_add(run), watch)
    })?;
    let ended = watched.len() as u64;
    let count = |which: fn(&Watched) -> bool| watched.iter().filter(|w| which(w)).count() as u64;
    let looseness: Vec<f64> = watched.iter().filter_map(|w| w.looseness).collect();
    let tally = |name, failures| -> Result<Tally> {
        Ok(Tally {
            name,
            may_fail: rounded(1.0 - criteria.confidence),
            failures,
            runs: ended,
            interval: interval(failures, ended, options.level)?,
            looseness: median(looseness.clone()),
        })
    };
    let taken: Vec<f64> = watched.iter().map(|w| w.samples as f64).collect();
    Ok(VerdictTally {
        verdicts: tally("verdicts right", count(|w| w.wrong))?,
        intervals: tally("advantages in their intervals", count(|w| w.outside))?,
        explained: match searches.goal {
            Goal::Verdicts => None,
            Goal::Explain(_) => Some(tally("expert explained", count(|w| w.unexplained))?),
        },
        decided: count(|w| w.decided),
        missed: count(|w| w.missed),
        samples: median(taken).unwrap_or(0.0),
        most_samples: watched.iter().map(|w| w.samples).max().unwrap_or(0),
    })
}

/// Without the digits that subtracting from 1 leaves.
fn rounded(p: f64) -> f64 {
    (p * 1e12).round() / 1e12
}

/// What verdicts are compared with.
struct Truth<'a> {
    environment: &'a Environment,
    criteria: &'a Criteria,
    advantage: Vec<f64>,
    /// What the expert earns from the start.
    earned: f64,
}

impl<'a> Truth<'a> {
    fn new(environment: &'a Environment, criteria: &'a Criteria) -> Result<Self> {
        let truth = environment.truth();
        Ok(Self {
            environment,
            criteria,
            advantage: advantage(truth.model(), truth.expert())?,
            earned: value_at_start(&Mdp::of(truth.model()), truth.expert())?.value,
        })
    }

    /// What one search showed; none if it was abandoned.
    fn watch(&self, searches: &Searches, seed: u64, watch: &Watch) -> Result<Option<Watched>> {
        let (mut wrong, mut outside) = (false, false);
        let options = SearchOptions {
            criteria: *self.criteria,
            inference: self.criteria.inference(self.environment.task())?,
            samples: Some(searches.samples),
            seed,
            goal: searches.goal,
            knowledge: searches.knowledge.clone(),
            stop: Some(watch.stop.clone()),
            ..SearchOptions::default()
        };
        let found = infer(self.environment, options, &mut |verdicts| {
            wrong |= self.is_wrong(verdicts);
            outside |= self.is_outside(verdicts);
            ControlFlow::Continue(())
        })?;
        if found.stop == Stop::Interrupted {
            return Ok(None);
        }
        let verdicts = &found.verdicts;
        Ok(Some(Watched {
            wrong,
            outside,
            unexplained: match found.explained {
                Some(explained) => self.is_unexplained(verdicts, explained)?,
                None => false,
            },
            decided: matches!(found.stop, Stop::Decided | Stop::Explained),
            missed: self.misses(verdicts),
            samples: verdicts.samples(),
            looseness: self.looseness(verdicts),
        }))
    }

    /// Whether a pair is called constrained, taken or without gain that is not.
    fn is_wrong(&self, verdicts: &Verdicts) -> bool {
        let expert = self.environment.truth().expert();
        let tolerance = self.criteria.tolerance;
        self.environment.task().all_pairs().any(|pair| {
            let (a, share) = (self.advantage[pair.at()], expert.prob(pair));
            let avoided = match self.criteria.assume {
                Assume::Mixed => share < self.criteria.rare,
                Assume::Ties => share == 0.0,
            };
            match verdicts.at(pair).verdict {
                Verdict::Constrained => !avoided || a <= tolerance,
                Verdict::Taken => share == 0.0,
                Verdict::NoGain => a > tolerance + ROUNDING,
                Verdict::Undecided => false,
            }
        })
    }

    /// Whether the best policy under the constrained pairs is further from the expert than was said.
    fn is_unexplained(&self, verdicts: &Verdicts, explained: Explained) -> Result<bool> {
        let (truth, task) = (self.environment.truth(), self.environment.task());
        let allowed = |p: Pair| verdicts.at(p).verdict != Verdict::Constrained;
        let allowed: Vec<bool> = task.all_pairs().map(allowed).collect();
        let best = optimum(&Mdp::of(truth.model()).with_allowed(&allowed))?;
        let above = best.at_start(task).value - self.earned;
        Ok(above > explained.at_most_above + ROUNDING
            || -above > explained.at_most_below + ROUNDING)
    }

    fn is_outside(&self, verdicts: &Verdicts) -> bool {
        let pairs = verdicts.all().iter().zip(&self.advantage);
        pairs
            .into_iter()
            .any(|(f, &a)| a < f.low - ROUNDING || a > f.high + ROUNDING)
    }

    fn misses(&self, verdicts: &Verdicts) -> bool {
        let (tolerance, margin) = (self.criteria.tolerance, self.criteria.margin);
        let pairs = verdicts.all().iter().zip(&self.advantage);
        pairs
            .into_iter()
            .any(|(f, &a)| f.in_scope && f.verdict == Verdict::Undecided && a - tolerance > margin)
    }

    /// Half the width of an interval over the error of the estimate; the median over pairs.
    fn looseness(&self, verdicts: &Verdicts) -> Option<f64> {
        let pairs = verdicts.all().iter().zip(&self.advantage);
        let loose = pairs.filter_map(|(f, &a)| {
            let error = (f.estimate? - a).abs();
            (error > ROUNDING).then(|| 0.5 * (f.high - f.low) / error)
        });
        median(loose.collect())
    }
}
