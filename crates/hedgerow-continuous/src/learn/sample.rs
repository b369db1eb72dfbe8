//! What one decision shows.

use crate::maze::State;

/// One decision: its state, its action, the expert's action there, and what followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The observed state.
    pub state: State,
    /// The action that was chosen.
    pub action: u8,
    /// The action that the expert would have chosen.
    pub expert: u8,
    /// The state observed after it.
    pub next: State,
    /// The reward.
    pub reward: f64,
    /// Whether the goal was reached.
    pub terminated: bool,
    /// Whether this is the last sample of its episode.
    pub last: bool,
}
