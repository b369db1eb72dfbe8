//! How the learner turns estimates into an inferred cost.

use crate::learn::Width;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

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

/// Parameters of the inference; the same for all strategies, so that they differ in what they
/// explore and in nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Inference {
    /// Probability with which the reported bound may fail. Default 0.1, in (0, 1).
    pub delta: f64,
    /// The largest cost of any pair. Default 1, positive.
    pub cost_max: f64,
    /// Standard errors an advantage must exceed to count. Default 2, at least 0.
    pub threshold_z: f64,
    /// Advantage that never counts, however sure it is. Default 0.001, at least 0.
    pub threshold: f64,
    /// How `zeta` is bounded. Default `uniform`.
    pub zeta: ZetaRule,
    /// Width of an estimated advantage.
    pub width: Width,
}

impl Default for Inference {
    fn default() -> Self {
        Self {
            delta: 0.1,
            cost_max: 1.0,
            threshold_z: 2.0,
            threshold: 0.001,
            zeta: ZetaRule::Uniform,
            width: Width::default(),
        }
    }
}

impl Inference {
    /// Checks every range.
    pub fn checked(self) -> Result<Self> {
        let check = |ok: bool, key: &str, value: f64, range: &str| {
            if ok {
                Ok(())
            } else {
                Err(Error::invalid(
                    key,
                    format!("{value} is out of range"),
                    range,
                ))
            }
        };
        check(
            self.delta > 0.0 && self.delta < 1.0,
            "delta",
            self.delta,
            "use a probability above 0 and below 1",
        )?;
        check(
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
            check(ok, key, value, "use a finite number of at least 0")?;
        }
        Ok(self)
    }
}
