//! Whether probabilities of the constraint mean what they say: a reliability curve.

use serde::{Deserialize, Serialize};

/// Bins of the curve.
pub const BINS: usize = 10;

/// One bin of a reliability curve: pairs whose predicted probability lies in one tenth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Pairs.
    pub count: u64,
    /// Their mean predicted probability.
    pub predicted: f64,
    /// Share of them that is charged.
    pub observed: f64,
}

/// A reliability curve with its summary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// The bins, by rising probability.
    pub bins: Vec<Bin>,
    /// Mean difference between predicted and observed, weighted by pairs.
    pub error: f64,
    /// Mean square difference between probability and label.
    pub brier: f64,
}

/// The curve of predicted probabilities and true labels.
pub fn reliability(pairs: &[(f64, bool)]) -> Reliability {
    let mut bins = vec![Bin::default(); BINS];
    let mut brier = 0.0;
    for &(p, charged) in pairs {
        let bin = &mut bins[((p * BINS as f64) as usize).min(BINS - 1)];
        let label = f64::from(u8::from(charged));
        bin.count += 1;
        bin.predicted += p;
        bin.observed += label;
        brier += (p - label) * (p - label);
    }
    let all = pairs.len().max(1) as f64;
    let mut error = 0.0;
    for bin in &mut bins {
        let n = bin.count.max(1) as f64;
        bin.predicted /= n;
        bin.observed /= n;
        error += bin.count as f64 / all * (bin.predicted - bin.observed).abs();
    }
    Reliability {
        bins,
        error,
        brier: brier / all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_worked_out_by_hand() {
        let curve = reliability(&[(0.05, false), (0.05, true), (0.95, true), (1.0, true)]);
        assert_eq!(curve.bins[0].count, 2);
        assert_eq!(curve.bins[0].observed, 0.5);
        assert!((curve.bins[9].predicted - 0.975).abs() < 1e-12);
        // 0.5 |0.05 - 0.5| + 0.5 |0.975 - 1|.
        assert!((curve.error - 0.2375).abs() < 1e-12);
        let brier = (0.0025 + 0.9025 + 0.0025) / 4.0;
        assert!((curve.brier - brier).abs() < 1e-12);
    }
}
