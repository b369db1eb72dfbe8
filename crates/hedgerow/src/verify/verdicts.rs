//! Promise: no verdict is wrong, at any time of a search, and no interval misses the truth.

use super::{Tally, VerifyOptions, Watch, interval};
use crate::Result;
use crate::costset::advantage;
use crate::env::Environment;
use crate::run::Stop;
use crate::theory::median;
use crate::verdict::{Assume, Criteria, SearchOptions, Verdict, Verdicts, infer};
use std::ops::ControlFlow;

/// What rounding may add to a true advantage.
const ROUNDING: f64 = 1e-9;

/// How verdicts did over many searches.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictTally {
    /// Searches with a wrong verdict at any time.
    pub verdicts: Tally,
    /// Searches with an interval that missed the truth at any time. This is what is promised; a
    /// verdict can only be wrong where an interval is.
    pub intervals: Tally,
    /// Searches that ended with everything decided that matters.
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
    decided: bool,
    missed: bool,
    samples: u64,
    looseness: Option<f64>,
}

/// Checks verdicts in independent searches of at most `samples` each, in parallel.
pub fn verify_verdicts(
    environment: &Environment,
    criteria: &Criteria,
    samples: u64,
    options: &VerifyOptions,
    watch: &Watch,
) -> Result<VerdictTally> {
    options.check(samples)?;
    let truth = Truth::new(environment, criteria)?;
    let watched: Vec<Watched> = watch.over(options.runs, |run| {
        truth.watch(samples, options.seed.wrapping_add(run), watch)
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
}

impl<'a> Truth<'a> {
    fn new(environment: &'a Environment, criteria: &'a Criteria) -> Result<Self> {
        let truth = environment.truth();
        Ok(Self {
            environment,
            criteria,
            advantage: advantage(truth.model(), truth.expert())?,
        })
    }

    /// What one search showed; none if it was abandoned.
    fn watch(&self, samples: u64, seed: u64, watch: &Watch) -> Result<Option<Watched>> {
        let (mut wrong, mut outside) = (false, false);
        let options = SearchOptions {
            criteria: *self.criteria,
            samples: Some(samples),
            seed,
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
            decided: found.stop == Stop::Decided,
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
