//! The parameters of runs in continuous worlds.

use crate::explore::Deviation;
use crate::explore::deviation::{DECISIONS, DEVIATE, FOLLOW};
use crate::learn::CostInference;
use hedgerow::Result;
use hedgerow::finite::{COST_MAX, DELTA};
use hedgerow::learn::{Inference, InferenceParams};
use hedgerow::param::{Parameter, Values, number, whole, word};

/// The parameters of all runs in continuous worlds.
pub const PARAMETERS: &[Parameter] = &[
    whole(
        "demonstrations",
        5,
        0,
        1_000_000,
        "episodes of the expert that every run begins with; they count as samples",
    ),
    FOLLOW,
    DEVIATE,
    DECISIONS,
    number(
        "refresh",
        0.05,
        0.0,
        1.0,
        "share by which samples grow until everything is learned and planned anew",
    ),
    word(
        "density",
        &["smooth", "tiled"],
        "the density that pseudo-counts come from",
    ),
    number(
        "margin",
        0.1,
        0.0,
        1.0,
        "advantages up to this are no evidence: a trained expert is not exactly optimal",
    ),
    number(
        "z",
        2.0,
        0.0,
        100.0,
        "widths of advantages, in standard errors",
    ),
    number(
        "share",
        0.1,
        0.0,
        1.0,
        "an action that the expert chooses more often than this nearby is its own",
    ),
    whole(
        "points",
        400,
        1,
        1_000_000,
        "most inferred points that a snapshot keeps",
    ),
    word(
        "keep-samples",
        &["off", "on"],
        "whether all samples are kept in a file beside that of the run",
    ),
    DELTA,
    COST_MAX,
];

/// The same, checked.
#[derive(Clone, Debug)]
pub(super) struct MazeSettings {
    pub(super) density: String,
    pub(super) inference: CostInference,
    pub(super) points: usize,
    pub(super) demonstrations: usize,
    pub(super) deviation: Deviation,
    pub(super) refresh: f64,
    pub(super) keep_samples: bool,
    /// What the reported bound is computed with.
    pub(super) bound: Inference,
}

impl MazeSettings {
    pub(super) fn new(values: &Values) -> Result<Self> {
        Ok(Self {
            density: values.word("density").to_owned(),
            inference: CostInference {
                margin: values.number("margin"),
                z: values.number("z"),
                share: values.number("share"),
            },
            points: values.whole("points") as usize,
            demonstrations: values.whole("demonstrations") as usize,
            deviation: Deviation::new(values),
            refresh: values.number("refresh"),
            keep_samples: values.word("keep-samples") == "on",
            bound: InferenceParams {
                delta: values.number("delta"),
                cost_max: values.number("cost-max"),
                ..InferenceParams::DEFAULT
            }
            .check()?,
        })
    }
}
