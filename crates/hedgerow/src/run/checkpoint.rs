//! Checkpoints within a run.

use crate::Result;

/// Where a run keeps what it needs to go on from the middle, should it be interrupted.
///
/// A run reaches the same moments at which it could go on whether or not it was interrupted before, and goes
/// on from them in the same way. So the time decides whether a checkpoint is written, and never what
/// is computed.
pub trait Keeper {
    /// What the last checkpoint of this run holds, if there is one that is whole.
    fn kept(&mut self) -> Option<Vec<u8>>;

    /// Whether a checkpoint is worth its writing by now.
    fn is_due(&self) -> bool;

    /// Keeps `bytes` in place of the last checkpoint.
    fn keep(&mut self, bytes: &[u8]) -> Result<()>;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepNothing;

impl Keeper for KeepNothing {
    fn kept(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn is_due(&self) -> bool {
        false
    }

    fn keep(&mut self, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }
}
