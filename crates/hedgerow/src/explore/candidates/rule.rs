//! How the candidate set is drawn, as parameters say.

use crate::param::{Parameter, Values, number, word};

/// Parameters of the candidate set, shared by both solvers of PCSE.
pub const SET: Parameter = word(
    "set",
    &["local", "global"],
    "widths of the candidate set: per pair, or the paper's global constants",
);
/// See [`SET`].
pub const SHARE: Parameter = number(
    "share",
    0.9,
    0.0,
    1.0,
    "local: share of the best optimistic reward that a candidate must reach",
);
/// See [`SET`].
pub const SCALE: Parameter = number(
    "scale",
    0.001,
    0.0,
    1e6,
    "global: confidence scale; 1 gives the paper's constants, which exclude nothing",
);
/// See [`SET`].
pub const BUDGET: Parameter = number(
    "budget",
    0.0,
    0.0,
    1e300,
    "global: the expert's budget, if it is known; enters the cost slack twice",
);

/// How the candidate set is drawn.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Pairs with an inferred cost are out; with the optimistic reward `r + gamma min(1, w)` (1
    /// for unseen pairs), a candidate earns at least as much as the expert does without optimism
    /// and at least `share` of the best, but never more is asked than the expert itself earns.
    Local {
        /// Share of the best optimistic reward.
        share: f64,
    },
    /// `V^c <= scale (4 eps_k + 2 budget)` and `V^r >= V^r_E - scale R_k`.
    Global {
        /// Confidence scale.
        scale: f64,
        /// The expert's budget.
        budget: f64,
    },
}

impl Rule {
    /// The rule that the parameters describe.
    pub fn new(p: &Values) -> Self {
        match p.word("set") {
            "global" => Self::Global {
                scale: p.number("scale"),
                budget: p.number("budget"),
            },
            _ => Self::Local {
                share: p.number("share"),
            },
        }
    }
}
