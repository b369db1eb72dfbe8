//! The shape of an error that rounding leaves in values that are never negative.
//!
//! Rounding is off by a share `k` of the value in every state, and adds up on the way to the goal. That way
//! has about `log(V_max / V) / L` steps, `L = log(1 / gamma)`, since every step costs at least the discount,
//! so that
//!
//! `u = k V (1 + (1 + h) / L)`, with `h = log(V_max / V)`,
//!
//! should bound the error; and it does. With non-negative rewards every allowed pair has
//! `V >= gamma P V`, so `Q = gamma P V / V` adds up to some `q <= 1`, and the log-sum inequality gives
//! `sum Q log(V / V') = sum Q log(gamma P / Q) <= q log(gamma / q) <= (1 - q) - q L`. Hence
//! `u - gamma P u >= (k V / L) ((1 - q)(1 + L + h) - (1 - q) + q L) >= k V`, which is what `off` is at most.
//!
//! So a bound takes no sweeps. It is proved once more with the numbers themselves, whose rounding the
//! argument leaves out.

/// The least that is off where anything is: next to nothing, and far from where numbers lose digits.
pub(super) const TINY: f64 = f64::MIN_POSITIVE * 2.0 * (1_u64 << 63) as f64;

/// Values below this are too small for shares of them: the least that is off would be a large one.
const SMALL: f64 = TINY * (1_u64 << 60) as f64;

/// A share of every value that may be off everywhere alike.
const ALIKE: f64 = 1e-10;

/// More than the argument asks for, since numbers are rounded.
const MORE: f64 = 1.1;

/// A bound on the errors of `values` whose backups are `off`, still to be proved. `None` if a value is
/// negative, or some state is off by more than a few times `rounding`.
pub(super) fn shaped(values: &[f64], off: &[f64], gamma: f64, rounding: f64) -> Option<Vec<f64>> {
    let (mut share, mut rest, mut largest) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (&v, &off) in values.iter().zip(off) {
        if v.is_nan() || v < 0.0 {
            return None;
        }
        largest = largest.max(v);
        if v >= SMALL {
            share = share.max(off / v);
        } else {
            rest = rest.max(off);
        }
    }
    if share > 16.0 * rounding {
        return None;
    }
    let discount = -libm::log(gamma);
    let (share, rest) = (MORE * share, MORE * rest / (1.0 - gamma));
    let bound = |&v: &f64| match v > 0.0 {
        true => share * v * (1.0 + (1.0 + libm::log(largest / v)) / discount) + rest,
        false => rest,
    };
    Some(values.iter().map(bound).collect())
}

/// The bound that holds for any values, `max off / (1 - gamma)` everywhere, if it is small beside each of
/// them that is off: where values are of similar size, there is no need for another.
pub(super) fn alike(values: &[f64], off: &[f64], gamma: f64) -> Option<Vec<f64>> {
    let most = MORE * off.iter().copied().fold(0.0, f64::max) / (1.0 - gamma);
    let small = |(v, off): (&f64, &f64)| *off == 0.0 || most <= ALIKE * v.abs();
    let all = values.iter().zip(off).all(small);
    all.then(|| vec![most; values.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_a_corridor_is_a_bound_and_not_a_wide_one() {
        // V(n) = gamma^n and the way has n steps, each off by a share of 1e-15 of its value: the error is
        // (n + 1) 1e-15 V(n), and the bound may be twice that at most.
        let (gamma, share) = (0.9_f64, 1e-15);
        let values: Vec<f64> = (0..2000).map(|n| gamma.powi(n)).collect();
        let off: Vec<f64> = values.iter().map(|v| share * v).collect();
        let bound = shaped(&values, &off, gamma, share).expect("a bound");
        for n in 1..2000 {
            assert!(bound[n] >= off[n] + gamma * bound[n - 1], "{n}");
        }
        let error = 2000.0 * share * values[1999];
        assert!((1.0..2.0).contains(&(bound[1999] / error)));
    }

    #[test]
    fn what_has_no_such_shape_is_refused() {
        assert_eq!(shaped(&[1.0, -1.0], &[1e-16, 1e-16], 0.9, 1e-15), None);
        assert_eq!(shaped(&[1.0, 0.5], &[1e-16, 1e-9], 0.9, 1e-15), None);
        assert_eq!(alike(&[-10.0, -1e-6], &[1e-14, 1e-14], 0.9), None);
        let even = alike(&[-10.0, -9.0], &[1e-14, 2e-14], 0.5).expect("a bound");
        assert!(even.iter().all(|u| (4e-14..5e-14).contains(u)));
    }
}
