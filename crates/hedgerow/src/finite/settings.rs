//! How costs are inferred and evaluated in finite worlds.

use crate::Result;
use crate::learn::{Inference, InferenceParams, Width, ZetaRule};
use crate::metrics::{PlanIn, ROLLOUTS};
use crate::param::{Parameter, Values, number, whole, word};

/// The probability with which the reported bound may fail, in any domain that reports one.
pub const DELTA: Parameter = number(
    "delta",
    InferenceParams::DEFAULT.delta,
    1e-300,
    0.999,
    "probability with which the reported bound may fail",
);

/// The largest cost, likewise.
pub const COST_MAX: Parameter = number(
    "cost-max",
    InferenceParams::DEFAULT.cost_max,
    1e-300,
    1e300,
    "the largest cost of a pair",
);

/// The parameters of all runs in finite worlds.
pub const PARAMETERS: &[Parameter] = &[
    DELTA,
    COST_MAX,
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
        "dynamics in which the evaluated policy is planned",
    ),
    whole(
        "rollouts",
        ROLLOUTS as u64,
        1,
        1_000_000,
        "episodes that evaluate a policy where no tables are known",
    ),
    whole(
        "judge-every",
        1,
        1,
        1_000_000_000,
        "iterations between two comparisons with the truth; rows between them keep the last one's columns",
    ),
    word(
        "oracle",
        &["off", "on"],
        "tell strategies the true estimation errors, as the paper does; for reproduction only",
    ),
];

/// How costs are inferred and evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiniteSettings {
    /// How the cost is inferred.
    pub inference: Inference,
    /// Where the evaluated policy is planned.
    pub plan_in: PlanIn,
    /// Whether strategies are told how wrong the estimates truly are.
    pub oracle: bool,
    /// Episodes that evaluate a policy where no tables are known.
    pub rollouts: usize,
    /// Iterations between two comparisons with the truth.
    pub judge_every: usize,
}

impl Default for FiniteSettings {
    fn default() -> Self {
        Self {
            inference: Inference::default(),
            plan_in: PlanIn::default(),
            oracle: false,
            rollouts: ROLLOUTS,
            judge_every: 1,
        }
    }
}

impl FiniteSettings {
    /// Settings from the values of [`PARAMETERS`].
    pub fn new(values: &Values) -> Result<Self> {
        let inference = InferenceParams {
            delta: values.number("delta"),
            cost_max: values.number("cost-max"),
            threshold_z: values.number("threshold-z"),
            threshold: values.number("threshold"),
            zeta: match values.word("zeta") {
                "per-pair" => ZetaRule::PerPair,
                _ => ZetaRule::Uniform,
            },
            width: Width {
                z: values.number("width-z"),
                c: values.number("width-c"),
            },
        };
        Ok(Self {
            inference: inference.check()?,
            oracle: values.is_on("oracle"),
            rollouts: values.whole("rollouts") as usize,
            judge_every: values.whole("judge-every") as usize,
            plan_in: match values.word("plan-in") {
                "estimate" => PlanIn::Estimate,
                _ => PlanIn::Truth,
            },
        })
    }
}
