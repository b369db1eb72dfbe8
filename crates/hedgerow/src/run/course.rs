//! The loop itself, without a word about what is learned or where.

use crate::Result;
use crate::run::{Row, Settings, Snapshot, Stop};
use std::time::{Duration, Instant};

/// Something that learns by gathering samples, and can be judged at any moment.
///
/// Finite worlds and continuous ones differ in all of it; iterating, stopping and keeping a
/// history are the same for both, and belong to [`drive`].
pub trait Course {
    /// The state after `iteration` iterations (0: before the first). `before` is the last row.
    fn judge(&mut self, iteration: usize, before: Option<&Row>) -> Result<Row>;

    /// Tells whoever watches; `false` ends the run.
    fn tell(&mut self, row: &Row) -> Result<bool>;

    /// What is inferred at this moment.
    fn snapshot(&mut self, row: &Row) -> Result<Snapshot>;

    /// Does the iteration with this number, counted from 1: plan, gather, learn.
    fn advance(&mut self, iteration: usize) -> Result<()>;

    /// Whether a row is at the expert's level.
    fn at_expert(&self, row: &Row) -> bool;
}

/// The history that a course leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Why it ended.
    pub stop: Stop,
    /// One row an iteration, the state before the first included.
    pub rows: Vec<Row>,
    /// The inferred cost at some moments and at the end.
    pub snapshots: Vec<Snapshot>,
    /// Samples after which the rows stayed at the expert's level.
    pub samples_to_expert: Option<u64>,
}

/// Drives a course until accuracy, samples, iterations or time are reached, or whoever watches
/// has seen enough.
pub fn drive(course: &mut dyn Course, settings: &Settings) -> Result<History> {
    let started = Instant::now();
    let mut rows: Vec<Row> = Vec::with_capacity(settings.iterations + 1);
    let mut snapshots = Vec::new();
    let stop = loop {
        let iteration = rows.len();
        let row = course.judge(iteration, rows.last())?;
        rows.push(row);
        let interrupted = !course.tell(&row)?;
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
            snapshots.push(course.snapshot(&row)?);
        }
        if let Some(stop) = stop {
            break stop;
        }
        course.advance(iteration + 1)?;
    };
    let away = rows.iter().rposition(|row| !course.at_expert(row));
    let stays = rows.get(away.map_or(0, |i| i + 1));
    Ok(History {
        stop,
        samples_to_expert: stays.map(|row| row.samples),
        rows,
        snapshots,
    })
}

/// The running score of sampled episodes: `0.2 old + 0.8 new`.
pub fn score(old: Option<f64>, new: f64) -> f64 {
    old.map_or(new, |old| 0.2 * old + 0.8 * new)
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
