//! How long an episode deviates from the expert before it follows the expert to its end.

use super::planning::expert_value_at_start;
use crate::learn::Learner;
use hedgerow::param::{Parameter, Values, number, word};
use hedgerow::seed::Stream;
use rand::RngExt;

/// Whether the expert is followed at all.
pub const FOLLOW: Parameter = word(
    "follow-expert",
    &["on", "off"],
    "whether an episode, after a random number of decisions, follows the expert to its end",
);
/// The longest deviation.
pub const DEVIATE: Parameter = number(
    "deviate",
    1.5,
    0.0,
    1e6,
    "longest deviation from the expert, in multiples of the expert's decisions to the goal",
);
/// The length of the expert's path before it is known.
pub const DECISIONS: Parameter = number(
    "decisions",
    20.0,
    0.0,
    1e6,
    "the expert's decisions to the goal, assumed until its value at the start is known",
);

/// For how long an episode deviates from the expert. After that the expert is followed, which tells
/// its value at the states that were reached; the length varies from episode to episode.
#[derive(Clone, Copy, Debug)]
pub struct Deviation {
    follow: bool,
    multiple: f64,
    decisions: f64,
    longest: f64,
    left: u32,
}

impl Deviation {
    /// With [`FOLLOW`], [`DEVIATE`] and [`DECISIONS`].
    pub fn new(parameters: &Values) -> Self {
        Self {
            follow: parameters.word(FOLLOW.name) == "on",
            multiple: parameters.number(DEVIATE.name),
            decisions: parameters.number(DECISIONS.name),
            longest: 0.0,
            left: 0,
        }
    }

    /// Estimates the expert's decisions to the goal: a value of `gamma^T` means `T` of them.
    pub fn plan(&mut self, learner: &Learner) {
        let gamma = learner.known_world().gamma;
        let value = expert_value_at_start(learner);
        let value = value.filter(|v| *v > 0.0 && *v < 1.0 && gamma > 0.0);
        let decisions = value.map_or(self.decisions, |v| libm::log(v) / libm::log(gamma));
        self.longest = self.multiple * decisions;
    }

    /// Draws the length for a new episode.
    pub fn begin(&mut self, rng: &mut Stream) {
        self.left = (rng.random::<f64>() * self.longest) as u32;
    }

    /// Whether to follow the expert; otherwise one decision of the deviation is used up.
    pub fn is_over(&mut self) -> bool {
        if !self.follow {
            return false;
        }
        let over = self.left == 0;
        self.left = self.left.saturating_sub(1);
        over
    }
}
