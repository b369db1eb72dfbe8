//! How far a sweep is.

use serde::Serialize;

/// How far a sweep is that is still running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Live {
    /// Runs finished, those from before included.
    pub finished: usize,
    /// Runs asked for.
    pub planned: usize,
    /// Runs that failed.
    pub failed: usize,
    /// What runs at the moment, in words.
    pub running: Vec<String>,
    /// Whether the sweep has ended: then the page no longer asks for news.
    pub done: bool,
}
