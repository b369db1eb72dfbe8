//! Seeing how a sweep goes.

use crate::Error;
use crate::run::{Row, RunId, RunSummary};

/// Is told how a sweep goes, from all its threads.
pub trait Observer: Sync {
    /// A run begins.
    fn started(&self, _run: &RunId) {}
    /// A run has done an iteration.
    fn iteration(&self, _run: &RunId, _row: &Row) {}
    /// A run is finished and on disk.
    fn finished(&self, _run: &RunId, _summary: &RunSummary) {}
    /// A run ended with an error.
    fn failed(&self, _run: &RunId, _error: &Error) {}
}

/// Ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Tells two.
pub struct Both<'a>(pub &'a dyn Observer, pub &'a dyn Observer);

impl Observer for Both<'_> {
    fn started(&self, run: &RunId) {
        self.0.started(run);
        self.1.started(run);
    }

    fn iteration(&self, run: &RunId, row: &Row) {
        self.0.iteration(run, row);
        self.1.iteration(run, row);
    }

    fn finished(&self, run: &RunId, summary: &RunSummary) {
        self.0.finished(run, summary);
        self.1.finished(run, summary);
    }

    fn failed(&self, run: &RunId, error: &Error) {
        self.0.failed(run, error);
        self.1.failed(run, error);
    }
}
