//! The plug-in width of an estimated advantage: what exploration is guided by.

use crate::index::Pair;
use crate::learn::Learner;
use serde::{Deserialize, Serialize};

/// Empirical-Bernstein width `w(s,a) = z gamma sqrt(Var/N) + c gamma / N`.
///
/// It never saturates, so it ranks pairs long before the clipped bound does. It is plug-in: it
/// guides exploration and is never printed as a confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Width {
    /// Standard errors. Default 2.
    pub z: f64,
    /// Weight of the `1/N` term, in units of the largest reward. Default 0.1.
    pub c: f64,
}

impl Default for Width {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Width {
    /// The defaults.
    pub const DEFAULT: Self = Self { z: 2.0, c: 0.1 };

    /// The width after `n >= 1` visits when the next value has variance `variance` and the largest
    /// reward is `scale`.
    #[inline]
    pub fn of(&self, gamma: f64, variance: f64, n: u32, scale: f64) -> f64 {
        let n = f64::from(n);
        gamma * (self.z * (variance / n).sqrt() + self.c * scale / n)
    }
}

/// What is known of the sign of a pair's advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairStatus {
    /// Never tried.
    Unseen,
    /// The expert was seen to take it.
    Taken,
    /// `A^ > w`: earns more than the expert, who avoids it.
    Constrained,
    /// `A^ < -w`: earns less than the expert, nothing to explain.
    NoGain,
    /// Neither.
    Undecided,
}

impl Learner {
    /// `w(s,a)` of a pair that was tried; infinite for one that was not.
    #[inline]
    pub fn width(&self, pair: Pair) -> f64 {
        match self.estimate().visits(pair) {
            0 => f64::INFINITY,
            n => {
                let (width, scale) = (&self.inference().width, self.task().reward_scale());
                width.of(self.outlook(), self.variance(pair), n, scale)
            }
        }
    }

    /// What is known of the sign of `pair`'s advantage.
    pub fn status(&self, pair: Pair) -> PairStatus {
        if self.expert_chose(pair) {
            return PairStatus::Taken;
        }
        let w = self.width(pair);
        let a = self.advantage(pair);
        if w.is_infinite() {
            PairStatus::Unseen
        } else if a > w {
            PairStatus::Constrained
        } else if a < -w {
            PairStatus::NoGain
        } else {
            PairStatus::Undecided
        }
    }
}
