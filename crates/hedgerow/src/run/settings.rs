//! When the loop stops and how episodes are counted: the same in every domain.

use crate::param::{Parameter, Parameters, Values, number, whole};
use std::num::NonZeroUsize;
use std::time::Duration;

/// The parameters of the run loop, which every domain shares.
pub const PARAMETERS: &[Parameter] = &[
    whole(
        "iterations",
        200,
        0,
        1_000_000_000,
        "stop after this many iterations",
    ),
    whole(
        "samples",
        0,
        0,
        u64::MAX,
        "stop after this many samples; 0 for no limit",
    ),
    number(
        "seconds",
        0.0,
        0.0,
        1e9,
        "stop after this time (breaks reproducibility); 0 for no limit",
    ),
    number(
        "accuracy",
        0.0,
        0.0,
        f64::MAX,
        "stop when the strategy's error bound is at most this; 0 for no target",
    ),
    whole("episodes", 1, 1, 1_000_000, "episodes per iteration"),
    whole(
        "horizon",
        0,
        0,
        1_000_000_000,
        "steps per episode; 0 for the environment's own",
    ),
];

/// When the loop stops, and how many episodes make an iteration. No value is invalid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// Most iterations.
    pub iterations: usize,
    /// Most samples.
    pub samples: Option<u64>,
    /// Most time.
    pub time: Option<Duration>,
    /// Target accuracy.
    pub accuracy: Option<f64>,
    /// Episodes per iteration, `n_e`.
    pub episodes: usize,
    /// Steps per episode, `n_max`; the environment's own if `None`.
    pub horizon: Option<NonZeroUsize>,
}

impl RunSettings {
    /// Settings from the values of [`PARAMETERS`].
    pub fn new(values: &Values) -> Self {
        let positive = |n: u64| (n > 0).then_some(n);
        let seconds = Some(values.number("seconds")).filter(|&s| s > 0.0);
        Self {
            iterations: values.whole("iterations") as usize,
            samples: positive(values.whole("samples")),
            time: seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()),
            accuracy: Some(values.number("accuracy")).filter(|&a| a > 0.0),
            episodes: values.whole("episodes") as usize,
            horizon: NonZeroUsize::new(values.whole("horizon") as usize),
        }
    }

    /// Whether `accuracy` reaches the target.
    pub fn reaches(&self, accuracy: f64) -> bool {
        self.accuracy.is_some_and(|target| accuracy <= target)
    }
}

impl Default for RunSettings {
    fn default() -> Self {
        Self::new(Parameters::defaults(PARAMETERS).values())
    }
}
