//! Who is told how the sweep goes.

use crate::progress::Progress;
use hedgerow::Error;
use hedgerow::run::Row;
use hedgerow::sweep::{Finished, Observer, RunId};

impl Observer for Progress {
    fn iteration(&self, run: &RunId, row: &Row) {
        self.say(|| format!("{run}: iteration {}", row.iteration));
    }

    fn finished(&self, _: &RunId, _: &Finished) {
        self.one_more();
    }

    fn failed(&self, _: &RunId, _: &Error) {
        self.one_more();
    }
}

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

    fn finished(&self, run: &RunId, finished: &Finished) {
        self.0.finished(run, finished);
        self.1.finished(run, finished);
    }

    fn failed(&self, run: &RunId, error: &Error) {
        self.0.failed(run, error);
        self.1.failed(run, error);
    }
}
