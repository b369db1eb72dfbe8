//! The loop itself, without a word about what is learned or where.

use crate::Result;
use crate::run::RunSettings;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Instant;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The strategy's accuracy reached the target.
    Accuracy,
    /// Everything that can be reached and matters is decided.
    Decided,
    /// The expert is explained as closely as was asked for.
    Explained,
    /// The samples ran out.
    Samples,
    /// The iterations ran out.
    Iterations,
    /// The time ran out.
    Time,
    /// The observer asked it to stop.
    Interrupted,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Accuracy => "accuracy",
            Self::Decided => "decided",
            Self::Explained => "explained",
            Self::Samples => "samples",
            Self::Iterations => "iterations",
            Self::Time => "time",
            Self::Interrupted => "interrupted",
        })
    }
}

/// Something that learns by gathering samples and can be evaluated at any moment.
///
/// Runs in finite and in continuous worlds and the search for verdicts differ in all of it.
/// Iterating, stopping and reporting are the same for all, and belong to [`run_loop`].
pub trait Exploration {
    /// What an evaluation yields.
    type Row;

    /// The state after `iteration` iterations (0: before the first).
    fn evaluate(&mut self, iteration: usize) -> Result<Self::Row>;

    /// The iteration to evaluate first: above 0 where it goes on from the middle.
    fn first(&self) -> usize {
        0
    }

    /// Samples gathered so far.
    fn samples(&self) -> u64;

    /// Whether the goal of the exploration is reached, and which.
    fn is_done(&self, row: &Self::Row) -> Option<Stop>;

    /// Does the iteration with this number, counted from 1: plan, gather, learn.
    fn advance(&mut self, iteration: usize) -> Result<()>;

    /// Keeps what has to be kept of a row; `stop` is given after the last one.
    fn record(&mut self, _row: &Self::Row, _stop: Option<Stop>) -> Result<()> {
        Ok(())
    }
}

/// Is handed every row of an exploration, and the exploration behind it, and may break it off.
pub type Observe<'a, E> = dyn FnMut(&<E as Exploration>::Row, &E) -> Result<ControlFlow<()>> + 'a;

/// Iterates until the exploration is done, samples, iterations or time run out, or `observe`
/// breaks off. `observe` sees every row, and the exploration behind it.
pub fn run_loop<E: Exploration>(
    exploration: &mut E,
    settings: &RunSettings,
    observe: &mut Observe<E>,
) -> Result<Stop> {
    // A clock is asked only where there is a limit: not every platform has one.
    let started = settings.time.map(|limit| (Instant::now(), limit));
    for iteration in exploration.first().. {
        let row = exploration.evaluate(iteration)?;
        let flow = observe(&row, exploration)?;
        let stop = exploration.is_done(&row).or_else(|| {
            let samples = settings.samples;
            if samples.is_some_and(|limit| exploration.samples() >= limit) {
                Some(Stop::Samples)
            } else if iteration >= settings.iterations {
                Some(Stop::Iterations)
            } else if flow.is_break() {
                Some(Stop::Interrupted)
            } else {
                let is_up = started.is_some_and(|(at, limit)| at.elapsed() >= limit);
                is_up.then_some(Stop::Time)
            }
        });
        exploration.record(&row, stop)?;
        if let Some(stop) = stop {
            return Ok(stop);
        }
        exploration.advance(iteration + 1)?;
    }
    unreachable!("iterations run out before numbers do")
}
