//! Showing how the sweep goes.

use crate::progress::Progress;
use hedgerow::Error;
use hedgerow::run::{Row, RunId, RunSummary};
use hedgerow::sweep::Observer;

impl Observer for Progress {
    fn iteration(&self, run: &RunId, row: &Row) {
        self.say(|| format!("{run}: iteration {}", row.iteration));
    }

    fn finished(&self, _: &RunId, _: &RunSummary) {
        self.one_more();
    }

    fn failed(&self, _: &RunId, _: &Error) {
        self.one_more();
    }
}
