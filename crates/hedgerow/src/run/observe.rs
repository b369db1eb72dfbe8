//! Watching a run from outside.

use crate::Result;
use crate::explore::Plan;
use crate::learn::Learner;
use crate::run::Row;

/// Sees a run as it goes on. It cannot change what is learned or planned.
pub trait Observer {
    /// The state after an iteration (0: before the first); `false` ends the run.
    fn state(&mut self, row: &Row, learner: &Learner) -> Result<bool>;

    /// How the samples of the next iteration will be gathered.
    fn plan(&mut self, _plan: &Plan) -> Result<()> {
        Ok(())
    }
}

/// Sees the rows only.
pub(super) struct Rows<'a>(pub &'a mut dyn FnMut(&Row) -> bool);

impl Observer for Rows<'_> {
    fn state(&mut self, row: &Row, _learner: &Learner) -> Result<bool> {
        Ok((self.0)(row))
    }
}
