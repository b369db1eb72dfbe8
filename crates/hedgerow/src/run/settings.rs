//! The settings of a run, from one table of parameters.

use crate::Result;
use crate::learn::{Inference, InferenceParams, Width, ZetaRule};
use crate::metrics::PlanIn;
use crate::param::{Parameter, Parameters, number, whole, word};

/// The parameters that all strategies share.
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
    whole("episodes", 1, 1, 1_000_000, "episodes an iteration"),
    whole(
        "horizon",
        0,
        0,
        1_000_000_000,
        "steps an episode; 0 for the environment's own",
    ),
    number(
        "delta",
        InferenceParams::DEFAULT.delta,
        1e-300,
        0.999,
        "probability with which the reported bound may fail",
    ),
    number(
        "cost-max",
        InferenceParams::DEFAULT.cost_max,
        1e-300,
        1e300,
        "the largest cost of a pair",
    ),
    number(
        "threshold-z",
        InferenceParams::DEFAULT.threshold_z,
        0.0,
        1e6,
        "standard errors an advantage must exceed to count",
    ),
    number(
        "threshold",
        InferenceParams::DEFAULT.threshold,
        0.0,
        1e300,
        "advantage that never counts, however sure",
    ),
    word(
        "zeta",
        &["uniform", "per-pair"],
        "how the scale of the inferred cost is bounded",
    ),
    number(
        "width-z",
        Width::DEFAULT.z,
        0.0,
        1e6,
        "standard errors in the exploration width",
    ),
    number(
        "width-c",
        Width::DEFAULT.c,
        0.0,
        1e6,
        "weight of the 1/N term in the exploration width",
    ),
    word(
        "plan-in",
        &["truth", "estimate"],
        "dynamics in which the judged policy is planned",
    ),
    word(
        "oracle",
        &["off", "on"],
        "tell strategies the true estimation errors, as the paper does; for reproduction only",
    ),
];

/// Checked settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Most iterations.
    pub iterations: usize,
    /// Most samples.
    pub samples: Option<u64>,
    /// Most seconds.
    pub seconds: Option<f64>,
    /// Target accuracy.
    pub accuracy: Option<f64>,
    /// Episodes an iteration, `n_e`.
    pub episodes: usize,
    /// Steps an episode, `n_max`; the environment's own if `None`.
    pub horizon: Option<usize>,
    /// How the cost is inferred.
    pub inference: Inference,
    /// Where the judged policy is planned.
    pub plan_in: PlanIn,
    /// Whether strategies are told how wrong the estimates truly are.
    pub oracle: bool,
}

impl Settings {
    /// Settings from their parameters.
    pub fn new(p: &Parameters) -> Result<Self> {
        let positive = |n: u64| (n > 0).then_some(n);
        let inference = InferenceParams {
            delta: p.number("delta"),
            cost_max: p.number("cost-max"),
            threshold_z: p.number("threshold-z"),
            threshold: p.number("threshold"),
            zeta: match p.word("zeta") {
                "per-pair" => ZetaRule::PerPair,
                _ => ZetaRule::Uniform,
            },
            width: Width {
                z: p.number("width-z"),
                c: p.number("width-c"),
            },
        };
        Ok(Self {
            iterations: p.whole("iterations") as usize,
            samples: positive(p.whole("samples")),
            seconds: Some(p.number("seconds")).filter(|&s| s > 0.0),
            accuracy: Some(p.number("accuracy")).filter(|&a| a > 0.0),
            episodes: p.whole("episodes") as usize,
            horizon: positive(p.whole("horizon")).map(|h| h as usize),
            inference: inference.check()?,
            oracle: p.word("oracle") == "on",
            plan_in: match p.word("plan-in") {
                "estimate" => PlanIn::Estimate,
                _ => PlanIn::Truth,
            },
        })
    }
}

impl Default for Settings {
    fn default() -> Self {
        let inference = Inference::default();
        Self {
            iterations: 200,
            samples: None,
            seconds: None,
            accuracy: None,
            episodes: 1,
            horizon: None,
            inference,
            plan_in: PlanIn::Truth,
            oracle: false,
        }
    }
}
