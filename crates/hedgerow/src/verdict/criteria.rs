//! When a pair gets a verdict, how sure that has to be, and what is assumed of the expert.

use crate::error::in_range;
use crate::learn::{Inference, InferenceParams};
use crate::model::Task;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// What is assumed of an expert that does different things in the same state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assume {
    /// Nothing: its actions in a state are independent draws from some distribution.
    #[default]
    Mixed,
    /// All that it does in a state has the same value to it. A deterministic expert is one case,
    /// an expert that randomises among ties another. One answer of the expert then gives its value.
    Ties,
}

/// In which states pairs get verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// In all states.
    #[default]
    All,
    /// In states that the expert visits. With a soft budget nothing else is known: what an expert
    /// would do where it never comes does not count towards its cost or reward.
    Visited,
}

impl Scope {
    /// The usual one: states that the expert visits if its budget is `soft`, else all.
    pub fn usual(soft: bool) -> Self {
        match soft {
            true => Self::Visited,
            false => Self::All,
        }
    }
}

/// When a pair is constrained, and how sure that has to be, not yet checked;
/// [`CriteriaParams::check`] makes them [`Criteria`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct CriteriaParams {
    /// Probability that all verdicts at all times are right. Default 0.95, in (0, 1).
    pub confidence: f64,
    /// What is assumed of the expert's choices. Default `mixed`.
    pub assume: Assume,
    /// Advantages up to this do not count: the expert may be that far from its best. Default 0.
    pub tolerance: f64,
    /// A pair that surely gains no more than this beyond the tolerance need not be decided. Default
    /// 0.01, positive.
    pub margin: f64,
    /// A `mixed` expert avoids a pair if it surely takes it less often than this. Default 0.1, in
    /// (0, 1].
    pub rare: f64,
    /// In which states pairs get verdicts. Default `all`.
    pub scope: Scope,
}

/// Checked criteria.
///
/// ```
/// use hedgerow::verdict::CriteriaParams;
///
/// let criteria = CriteriaParams { confidence: 0.99, ..CriteriaParams::DEFAULT }.check()?;
/// assert_eq!(criteria.margin, 0.01);
/// assert!(CriteriaParams { margin: 0.0, ..CriteriaParams::DEFAULT }.check().is_err());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CriteriaParams", into = "CriteriaParams")]
pub struct Criteria(CriteriaParams);

impl CriteriaParams {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        confidence: 0.95,
        assume: Assume::Mixed,
        tolerance: 0.0,
        margin: 0.01,
        rare: 0.1,
        scope: Scope::All,
    };

    /// The usual ones in `task`: a margin of 0.01 of the largest reward, and verdicts in states that
    /// the expert visits if its budget is `soft`.
    pub fn usual_for(task: &Task, soft: bool) -> Self {
        let margin = Self::DEFAULT.margin * task.reward_scale();
        Self {
            margin: match margin > 0.0 {
                true => margin,
                false => Self::DEFAULT.margin,
            },
            scope: Scope::usual(soft),
            ..Self::DEFAULT
        }
    }

    /// Checks every range.
    pub fn check(self) -> Result<Criteria> {
        in_range(
            self.confidence > 0.0 && self.confidence < 1.0,
            "confidence",
            self.confidence,
            "use a probability above 0 and below 1",
        )?;
        in_range(
            self.tolerance.is_finite() && self.tolerance >= 0.0,
            "tolerance",
            self.tolerance,
            "use a finite number of at least 0",
        )?;
        in_range(
            self.margin.is_finite() && self.margin > 0.0,
            "margin",
            self.margin,
            "use a positive number",
        )?;
        in_range(
            self.rare > 0.0 && self.rare <= 1.0,
            "rare",
            self.rare,
            "use a probability above 0 and at most 1",
        )?;
        Ok(Criteria(self))
    }
}

impl Criteria {
    /// How to estimate the cost of `task`: what the tolerance forgives costs nothing.
    pub fn inference(&self, task: &Task) -> Result<Inference> {
        let usual = InferenceParams::DEFAULT;
        let unit = match task.reward_scale() {
            scale if scale > 0.0 => scale,
            _ => 1.0,
        };
        InferenceParams {
            threshold: usual.threshold + self.tolerance / unit,
            ..usual
        }
        .check()
    }

    /// What is promised, in one sentence.
    ///
    /// ```
    /// use hedgerow::verdict::Criteria;
    /// let promise = Criteria::default().promise();
    /// assert!(promise.starts_with("With probability at least 0.95, "));
    /// assert!(promise.contains("takes it less than 10 % of the time"));
    /// ```
    pub fn promise(&self) -> String {
        let gain = match self.tolerance > 0.0 {
            true => format!("by more than {} ", self.tolerance),
            false => String::new(),
        };
        let avoids = match self.assume {
            Assume::Mixed => {
                // A product may be off in the last digits.
                let percent = (self.rare * 1e8).round() / 1e6;
                format!("takes it less than {percent} % of the time")
            }
            Assume::Ties => {
                "never takes it, if all that it does in a state has the same value".to_owned()
            }
        };
        format!(
            "With probability at least {}, every constrained pair earns more {gain}than the expert, which {avoids}, and no pair with nothing to gain earns more {gain}than the expert.",
            self.confidence
        )
    }

    /// A pair whose advantage seems larger than this is rather constrained than without gain.
    pub(super) fn likely(&self) -> f64 {
        self.tolerance + 0.5 * self.margin
    }

    /// The probability with which one of `sets` confidence sets may fail.
    pub(super) fn each(&self, sets: usize) -> f64 {
        (1.0 - self.confidence) / sets.max(1) as f64
    }
}

impl Default for CriteriaParams {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Deref for Criteria {
    type Target = CriteriaParams;

    fn deref(&self) -> &CriteriaParams {
        &self.0
    }
}

impl TryFrom<CriteriaParams> for Criteria {
    type Error = Error;

    fn try_from(params: CriteriaParams) -> Result<Self> {
        params.check()
    }
}

impl From<Criteria> for CriteriaParams {
    fn from(criteria: Criteria) -> Self {
        criteria.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_gets_wrong_is_an_error() {
        let file = |text: &str| serde_json::from_str::<Criteria>(text);
        let message = file(r#"{"rare": 0}"#).unwrap_err().to_string();
        assert!(message.contains("rare: 0 is out of range"), "{message}");
        assert!(file(r#"{"sure": 1}"#).is_err());
        assert_eq!(file("{}").unwrap(), Criteria::default());
    }
}
