//! How the learner turns estimates into an inferred cost.

use crate::error::in_range;
use crate::learn::Width;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// How the scale `zeta` of the inferred cost is bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ZetaRule {
    /// `C_max / max+ |A|`: right for one `zeta` for all pairs.
    #[default]
    Uniform,
    /// `C_max / min+ |A|`: needed when every pair may have its own.
    PerPair,
}

/// Parameters of the inference, not yet checked; [`InferenceParams::check`] makes them an
/// [`Inference`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct InferenceParams {
    /// Probability with which the reported bound may fail. Default 0.1, in (0, 1).
    pub delta: f64,
    /// The largest cost of any pair. Default 1, positive.
    pub cost_max: f64,
    /// Standard errors an advantage must exceed to count. Default 2, at least 0.
    pub threshold_z: f64,
    /// Advantage that never counts, however sure it is, in units of the largest reward. Default
    /// 0.001, at least 0.
    pub threshold: f64,
    /// How `zeta` is bounded. Default `uniform`.
    pub zeta: ZetaRule,
    /// Width of an estimated advantage.
    pub width: Width,
}

/// Checked parameters of the inference; the same for all strategies, so that they differ in what
/// they explore and in nothing else.
///
/// ```
/// use hedgerow::learn::InferenceParams;
///
/// let params = InferenceParams { cost_max: 2.0, ..InferenceParams::DEFAULT };
/// assert_eq!(params.check()?.cost_max, 2.0);
/// let refused = InferenceParams { cost_max: -1.0, ..params }.check();
/// assert_eq!(refused.unwrap_err().to_string(), "cost-max: -1 is out of range; use a positive number");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "InferenceParams", into = "InferenceParams")]
pub struct Inference(InferenceParams);

impl InferenceParams {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        delta: 0.1,
        cost_max: 1.0,
        threshold_z: 2.0,
        threshold: 0.001,
        zeta: ZetaRule::Uniform,
        width: Width::DEFAULT,
    };

    /// Checks every range.
    pub fn check(self) -> Result<Inference> {
        in_range(
            self.delta > 0.0 && self.delta < 1.0,
            "delta",
            self.delta,
            "use a probability above 0 and below 1",
        )?;
        in_range(
            self.cost_max.is_finite() && self.cost_max > 0.0,
            "cost-max",
            self.cost_max,
            "use a positive number",
        )?;
        for (key, value) in [
            ("threshold-z", self.threshold_z),
            ("threshold", self.threshold),
            ("width.z", self.width.z),
            ("width.c", self.width.c),
        ] {
            let ok = value.is_finite() && value >= 0.0;
            in_range(ok, key, value, "use a finite number of at least 0")?;
        }
        Ok(Inference(self))
    }
}

impl Default for InferenceParams {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Deref for Inference {
    type Target = InferenceParams;

    fn deref(&self) -> &InferenceParams {
        &self.0
    }
}

impl TryFrom<InferenceParams> for Inference {
    type Error = Error;

    fn try_from(params: InferenceParams) -> Result<Self> {
        params.check()
    }
}

impl From<Inference> for InferenceParams {
    fn from(inference: Inference) -> Self {
        inference.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_refused_in_code_and_in_files() {
        let refused = |change: fn(&mut InferenceParams), start: &str| {
            let mut params = InferenceParams::DEFAULT;
            change(&mut params);
            let message = params.check().unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        };
        refused(|p| p.delta = 0.0, "delta: 0 ");
        refused(|p| p.delta = 1.0, "delta: 1 ");
        refused(|p| p.delta = f64::NAN, "delta: NaN");
        refused(|p| p.cost_max = -1.0, "cost-max: -1");
        refused(|p| p.cost_max = f64::INFINITY, "cost-max: inf");
        refused(|p| p.threshold = -0.1, "threshold: -0.1");
        refused(|p| p.threshold_z = f64::NAN, "threshold-z: NaN");
        refused(|p| p.width.z = -2.0, "width.z: -2");
        refused(|p| p.width.c = f64::NAN, "width.c: NaN");
        let file = |text: &str| serde_json::from_str::<Inference>(text);
        let message = file(r#"{"cost-max": -1}"#).unwrap_err().to_string();
        assert!(
            message.contains("cost-max: -1 is out of range"),
            "{message}"
        );
        assert!(file(r#"{"cost": 1}"#).is_err());
        assert_eq!(file("{}").unwrap(), Inference::default());
    }

    #[test]
    fn checked_parameters_are_written_as_they_were_read() {
        let params = InferenceParams {
            delta: 0.05,
            zeta: ZetaRule::PerPair,
            ..InferenceParams::DEFAULT
        };
        let checked = params.check().unwrap();
        let text = serde_json::to_string(&checked).unwrap();
        assert_eq!(text, serde_json::to_string(&params).unwrap());
        assert_eq!(serde_json::from_str::<Inference>(&text).unwrap(), checked);
    }
}
