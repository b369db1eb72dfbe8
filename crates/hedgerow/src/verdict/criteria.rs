//! When a pair gets a verdict, how sure that has to be, and what is assumed of the expert.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// What is assumed of an expert that does different things in the same state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assume {
    /// Nothing: its actions in a state are independent draws from some distribution.
    #[default]
    Mixed,
    /// All that it does in a state is worth the same to it. A deterministic expert is one case, an
    /// expert that shares ties another. One answer of the expert then tells its value.
    Ties,
}

/// When a pair is constrained or free, and how sure that has to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Criteria {
    /// Probability that all verdicts at all times are right. Default 0.95, in (0, 1).
    pub confidence: f64,
    /// What is assumed of the expert's choices. Default `mixed`.
    pub assume: Assume,
    /// Advantages up to this do not count: the expert may be that far from its best. Default 0.
    pub tolerance: f64,
    /// A pair whose advantage is surely within this of the tolerance need not be decided.
    /// Default 0.01, positive.
    pub margin: f64,
    /// A `mixed` expert avoids a pair if it surely takes it less often than this. Default 0.1, in
    /// (0, 1].
    pub rare: f64,
}

impl Default for Criteria {
    fn default() -> Self {
        Self {
            confidence: 0.95,
            assume: Assume::Mixed,
            tolerance: 0.0,
            margin: 0.01,
            rare: 0.1,
        }
    }
}

impl Criteria {
    /// Checks every range.
    pub fn checked(self) -> Result<Self> {
        let inside = |x: f64, low: f64, high: f64| x > low && x < high;
        for (ok, key, value, remedy) in [
            (
                inside(self.confidence, 0.0, 1.0),
                "confidence",
                self.confidence,
                "use a probability above 0 and below 1",
            ),
            (
                self.tolerance.is_finite() && self.tolerance >= 0.0,
                "tolerance",
                self.tolerance,
                "use a finite number of at least 0",
            ),
            (
                self.margin.is_finite() && self.margin > 0.0,
                "margin",
                self.margin,
                "use a positive number",
            ),
            (
                self.rare > 0.0 && self.rare <= 1.0,
                "rare",
                self.rare,
                "use a probability above 0 and at most 1",
            ),
        ] {
            if !ok {
                let problem = format!("{value} is out of range");
                return Err(Error::invalid(key, problem, remedy));
            }
        }
        Ok(self)
    }

    /// The probability with which one of `sets` confidence sets may fail.
    pub(super) fn each(&self, sets: usize) -> f64 {
        (1.0 - self.confidence) / sets.max(1) as f64
    }
}
