//! Numbers for the page: no more digits than a reader can use.

use serde::{Serialize, Serializer};

/// A number with four significant digits; null if it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Short(pub(super) f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match four_digits(self.0) {
            x if !x.is_finite() => s.serialize_none(),
            // Without a point: 1, not 1.0.
            x if x.fract() == 0.0 && x.abs() < 1e15 => s.serialize_i64(x as i64),
            x => s.serialize_f64(x),
        }
    }
}

/// `x` with four significant digits.
pub(crate) fn four_digits(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// Whole numbers that are kept as floating point ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Whole(pub(super) f64);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_u64(self.0.round().max(0.0) as u64)
    }
}

pub(super) fn shorts(values: &[f64]) -> Vec<Short> {
    values.iter().map(|&x| Short(x)).collect()
}

pub(super) fn pairs(entries: &[(u32, f64)]) -> Vec<(u32, Short)> {
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
            serde_json::to_string(&shorts(&values)).unwrap(),
            "[0.007599,123500,-1,0,1e-9,3,null,null]"
        );
        assert_eq!(serde_json::to_string(&Whole(62400.0)).unwrap(), "62400");
        assert_eq!(
            serde_json::to_string(&pairs(&[(3, 0.12345)])).unwrap(),
            "[[3,0.1235]]"
        );
    }
}
