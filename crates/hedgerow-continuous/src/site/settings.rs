//! The parameters of runs in mazes.

use crate::learn::CostInference;
use hedgerow::param::{Parameter, Parameters, number, whole, word};

/// The name of the table: `--set maze.margin=0.2`.
pub const TABLE: &str = "maze";

/// The parameters.
pub const PARAMETERS: &[Parameter] = &[
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
];

/// The same, checked.
#[derive(Clone, Debug)]
pub(super) struct MazeSettings {
    pub(super) density: String,
    pub(super) inference: CostInference,
    pub(super) points: usize,
}

impl MazeSettings {
    pub(super) fn new(parameters: Option<&Parameters>) -> Self {
        let defaults = Parameters::defaults(PARAMETERS);
        let p = parameters.unwrap_or(&defaults);
        Self {
            density: p.word("density").to_owned(),
            inference: CostInference {
                margin: p.number("margin"),
                z: p.number("z"),
                share: p.number("share"),
            },
            points: p.whole("points") as usize,
        }
    }
}
