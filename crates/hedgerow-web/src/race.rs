//! One strategy of a race: its run, iteration by iteration.

use hedgerow::Result;
use hedgerow::env::Environment;
use hedgerow::explore;
use hedgerow::finite::{FiniteExploration, RunOptions, run_observed};
use hedgerow::index::Pair;
use hedgerow::model::significant_cells;
use hedgerow::run::{Row, RunSummary};
use serde::Serialize;
use std::ops::ControlFlow;

/// A run after an iteration (0: before the first).
#[derive(Debug, Serialize)]
pub struct Frame {
    /// The line of its history.
    #[serde(flatten)]
    pub row: Row,
    /// Positive entries of the inferred cost on cells: state, cost.
    pub cells: Vec<(u32, f64)>,
    /// The states of the last episode, in order.
    pub walk: Vec<u32>,
    /// How often each state was acted in.
    pub seen: Vec<u32>,
}

/// Runs `strategy` with its defaults in `environment`; `observe` sees every iteration, and may
/// break the run off.
///
/// ```
/// use hedgerow::env::builtin;
/// use hedgerow_web::race;
/// use std::ops::ControlFlow;
///
/// let environment = builtin::environment("gridworld-3")?;
/// let mut samples = Vec::new();
/// let summary = race::run(&environment, "pcse", 7, 3, &mut |frame| {
///     samples.push(frame.row.samples);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((samples.len(), samples[0]), (4, 0));
/// assert_eq!(summary.last.samples, samples[3]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn run(
    environment: &Environment,
    strategy: &str,
    seed: u64,
    iterations: usize,
    observe: &mut dyn FnMut(&Frame) -> ControlFlow<()>,
) -> Result<RunSummary> {
    let mut strategy = explore::find(strategy)?.with_defaults();
    let mut options = RunOptions {
        seed,
        ..RunOptions::default()
    };
    options.run.iterations = iterations;
    let mut observe = |row: &Row, at: &FiniteExploration| Ok(observe(&frame(row, at)));
    let result = run_observed(environment, strategy.as_mut(), &options, &mut observe)?;
    Ok(result.summary)
}

fn frame(row: &Row, at: &FiniteExploration) -> Frame {
    let learner = at.learner();
    let task = learner.task();
    let tries = |i: usize| learner.estimate().visits(Pair::new(i));
    let cells = significant_cells(learner.cost_on_cells());
    let positive = cells.into_iter().enumerate().filter(|(_, c)| *c > 0.0);
    Frame {
        row: *row,
        cells: positive.map(|(s, c)| (s as u32, c)).collect(),
        walk: at.trajectory().iter().map(|s| s.0).collect(),
        seen: task
            .all_states()
            .map(|s| task.pairs_of(s).map(tries).sum())
            .collect(),
    }
}
