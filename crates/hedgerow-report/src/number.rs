//! Numbers in reports: no more digits than a reader can use.
//!
//! ```
//! use hedgerow_report::number::{rounded, signed};
//!
//! assert_eq!(rounded(0.123_456), 0.1235);
//! assert_eq!(signed(0.25), "0.250");
//! ```

use serde::{Serialize, Serializer};

/// A number with four significant digits in JSON; null if it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Short(pub f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        json(four_digits(self.0), s)
    }
}

/// `x` with four significant digits.
pub fn four_digits(x: f64) -> f64 {
    significant(x, 4)
}

/// A number of a curve in JSON: digits that tell it from its neighbours; null if it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Within {
    value: f64,
    /// Significant digits.
    digits: usize,
}

/// Significant digits that no number needs more of.
const ALL: usize = 17;

impl Within {
    /// `value` on an axis that is `range` long, to 1/10000 of it and never to less than four
    /// digits.
    pub(crate) fn new(value: f64, range: f64) -> Self {
        let order = |x: f64| libm::log10(x.abs()).floor();
        let more = match range > 0.0 && value != 0.0 {
            true => (order(value) - order(range)).clamp(0.0, (ALL - 4) as f64),
            false => 0.0,
        };
        let digits = 4 + more as usize;
        Self { value, digits }
    }
}

impl Serialize for Within {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        json(significant(self.value, self.digits), s)
    }
}

/// A number in JSON; null if it is not finite.
fn json<S: Serializer>(x: f64, s: S) -> Result<S::Ok, S::Error> {
    match x {
        x if !x.is_finite() => s.serialize_none(),
        // Without a point: 1, not 1.0.
        x if x.fract() == 0.0 && x.abs() < 1e15 => s.serialize_i64(x as i64),
        x => s.serialize_f64(x),
    }
}

/// `x` with so many significant digits.
fn significant(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.saturating_sub(1))
        .parse()
        .unwrap_or(x)
}

/// A number with nine significant digits in JSON, so that what differs can be told apart; null if
/// it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fine(pub(crate) f64);

impl Serialize for Fine {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        json(significant(self.0, 9), s)
    }
}

/// Four significant digits of a difference, which is more than an estimate can promise.
pub fn rounded(x: f64) -> f64 {
    if x.abs() < 1e-12 {
        // What is left of a difference of equals.
        return 0.0;
    }
    four_digits(x)
}

/// Three decimals, with the minus sign that print has.
pub fn signed(x: f64) -> String {
    match x < 0.0 {
        true => format!("\u{2212}{:.3}", -x),
        false => format!("{x:.3}"),
    }
}

/// Whole numbers that are kept as floating point ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Whole(pub(crate) f64);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_u64(self.0.round().max(0.0) as u64)
    }
}

pub(crate) fn pairs(entries: &[(u32, f64)]) -> Vec<(u32, Short)> {
    entries.iter().map(|&(i, x)| (i, Short(x))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_stay_and_what_is_not_finite_is_null() {
        let values = [
            0.007599012,
            123456.7,
            -1.0,
            0.0,
            1e-9,
            2.99996,
            f64::INFINITY,
            f64::NAN,
        ];
        assert_eq!(
            serde_json::to_string(&values.map(Short)).unwrap(),
            "[0.007599,123500,-1,0,1e-9,3,null,null]"
        );
        assert_eq!(serde_json::to_string(&Whole(62400.0)).unwrap(), "62400");
        assert_eq!(
            serde_json::to_string(&pairs(&[(3, 0.12345)])).unwrap(),
            "[[3,0.1235]]"
        );
    }

    #[test]
    fn a_curve_keeps_the_digits_that_its_axis_shows() {
        let text = |x, range| serde_json::to_string(&Within::new(x, range)).unwrap();
        assert_eq!(text(0.116_979_123_4, 1.4e-5), "0.11697912");
        assert_eq!(text(0.116_965_123_4, 1.4e-5), "0.11696512");
        assert_eq!(text(0.116_979_123_4, 0.2), "0.117");
        assert_eq!(text(-1_000_000.25, 1.0), "-1000000.25");
        assert_eq!(text(1e-9, 1.0), "1e-9");
        assert_eq!(text(0.0, 1.0), "0");
        assert_eq!(text(1.5, 0.0), "1.5");
        assert_eq!(text(f64::INFINITY, 1.0), "null");
        assert_eq!(text(1.0 / 3.0, 1e-300), "0.3333333333333333");
        let fine = serde_json::to_string(&Fine(0.116_979_123_456)).unwrap();
        assert_eq!(fine, "0.116979123");
    }

    #[test]
    fn four_digits_of_a_difference_are_kept() {
        assert_eq!(rounded(0.123_456), 0.1235);
        assert_eq!(rounded(-98_766.0), -98_770.0);
        assert_eq!(
            (rounded(1e-13), rounded(f64::INFINITY)),
            (0.0, f64::INFINITY)
        );
        assert_eq!(
            (signed(-0.25), signed(1.0)),
            ("\u{2212}0.250".into(), "1.000".into())
        );
    }
}
