//! What one decision shows.

use crate::maze::State;

/// One decision: where it was made, what was done, what the expert would have done, what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The state that was observed.
    pub state: State,
    /// The force that was chosen.
    pub action: u8,
    /// The force the expert would have chosen.
    pub expert: u8,
    /// The state observed after it.
    pub next: State,
    /// The reward.
    pub reward: f64,
    /// Whether the goal was reached.
    pub ended: bool,
    /// Whether this is the last sample of its episode.
    pub last: bool,
}
