//! From which `x` on a line stays above a logarithm: `x >= a log(b x^2)`.

use lambert_w::lambert_wm1;
use std::f64::consts::E;

/// The least `x` from which on `x >= a log(b x^2)` holds for ever, with `a >= 0` and `b > 0`.
///
/// With `z = 2 a sqrt(b)`, equality at `x` says `-x/(2a) exp(-x/(2a)) = -1/z`, so
///
/// ```text
/// x = -2 a W_{-1}(-1/z)    where z > e,
/// ```
///
/// on the lower branch `W_{-1}`: the principal branch gives the smaller of two solutions, and
/// between them the inequality fails. Where `z <= e` the line never goes below the logarithm and
/// the answer is 0.
pub(super) fn least_root(a: f64, b: f64) -> f64 {
    let z = 2.0 * a * b.sqrt();
    if z > E {
        -2.0 * a * lambert_wm1(-1.0 / z)
    } else {
        0.0
    }
}

/// `4 a log(2 a sqrt(b))`, at least [`least_root`]: by `-W_{-1}(-1/z) <= 2 log z`, which follows from
/// `-W_{-1}(-e^{-u-1}) < 1 + sqrt(2u) + u`.
pub(super) fn closed_bound(a: f64, b: f64) -> f64 {
    let z = 2.0 * a * b.sqrt();
    if z > E { 4.0 * a * libm::log(z) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The larger root by bisection, without any special function.
    fn bisected(a: f64, b: f64) -> f64 {
        let gap = |x: f64| x - a * (b * x * x).ln();
        // The gap falls until 2a and rises from there on.
        let (mut low, mut high) = (2.0 * a, 4.0 * a);
        while gap(high) < 0.0 {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if gap(middle) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    #[test]
    fn the_least_x_is_the_larger_root() {
        for a in [0.3, 1.0, 17.0, 1e4, 1e12, 1e60] {
            for b in [40.0, 1e3, 1e9] {
                let (exact, known) = (least_root(a, b), bisected(a, b));
                assert!(
                    (exact / known - 1.0).abs() < 1e-12,
                    "{a} {b}: {exact} {known}"
                );
                assert!(
                    closed_bound(a, b) >= exact && closed_bound(a, b) < 2.0 * exact,
                    "{a} {b}"
                );
            }
        }
        // a = 1/2, b = e^4: z = e^2, W_{-1}(-e^-2) = -3.146193220620583, a known constant.
        let x = least_root(0.5, libm::exp(4.0));
        assert!((x - 3.146_193_220_620_583).abs() < 1e-12, "{x}");
        assert!((closed_bound(0.5, libm::exp(4.0)) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn the_principal_branch_would_be_wrong() {
        // Between the two roots the inequality fails.
        let (a, b) = (1.0, 40.0_f64);
        let small = -2.0 * a * lambert_w::lambert_w0(-1.0 / (2.0 * a * b.sqrt()));
        let middle = 0.5 * (small + least_root(a, b));
        assert!(small < middle && middle < a * (b * middle * middle).ln());
    }

    #[test]
    fn nothing_is_needed_where_the_line_is_above_anyway() {
        // z = 2 * 0.2 * 6 = 2.4 < e.
        assert_eq!((least_root(0.2, 36.0), closed_bound(0.2, 36.0)), (0.0, 0.0));
        for x in [0.01, 0.1, 0.4, 1.0, 10.0_f64] {
            assert!(x >= 0.2 * (36.0 * x * x).ln());
        }
        assert_eq!(least_root(0.0, 36.0), 0.0);
    }
}
