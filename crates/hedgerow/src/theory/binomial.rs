//! Exact statements about a probability from counted failures.

use crate::{Error, Result};

/// Bounds on a probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The smallest probability that is not ruled out.
    pub lower: f64,
    /// The largest.
    pub upper: f64,
}

/// The two-sided Clopper-Pearson interval for the probability of a failure, after `failures` in
/// `trials`, at confidence `level`.
///
/// With `alpha = 1 - level` and `X` binomial, the lower end solves `Pr(X >= failures) = alpha/2`
/// (0 without failures), the upper one `Pr(X <= failures) = alpha/2` (1 if all failed). It holds
/// the truth with probability at least `level`, for every number of trials.
pub fn clopper_pearson(failures: u64, trials: u64, level: f64) -> Result<Interval> {
    if trials == 0 || failures > trials {
        return Err(Error::invalid(
            "binomial interval",
            format!("{failures} failures in {trials} trials"),
            "use at least one trial and at most as many failures as trials",
        ));
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(Error::invalid(
            "binomial interval",
            format!("{level} is not a confidence level"),
            "use a number above 0 and below 1, such as 0.95",
        ));
    }
    let tail = 0.5 * (1.0 - level);
    let lower = match failures {
        0 => 0.0,
        _ => solve(|p| at_least(failures, trials, p) < tail),
    };
    let upper = match trials - failures {
        0 => 1.0,
        // Pr(X <= k) falls in p; as failures of the other kind: Pr(n - X >= n - k) at 1 - p.
        rest => 1.0 - solve(|q| at_least(rest, trials, q) < tail),
    };
    Ok(Interval { lower, upper })
}

/// The `p` in `[0, 1]` below which `too_small` holds, to the last digit.
fn solve(too_small: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if too_small(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// `Pr(X >= k)` for `X` binomial with `n` trials of probability `p`: how likely that many failures
/// are if each has probability `p`.
///
/// The terms beyond the mean are added outwards, each computed from its neighbour, so that only
/// the first needs gamma functions.
pub fn at_least(k: u64, n: u64, p: f64) -> f64 {
    if k == 0 || p >= 1.0 {
        return 1.0;
    }
    if p <= 0.0 || k > n {
        return 0.0;
    }
    if k as f64 > (n + 1) as f64 * p {
        falling_tail(k, n, p)
    } else {
        // The complement is the tail that falls from its first term on.
        1.0 - falling_tail(n + 1 - k, n, 1.0 - p)
    }
}

fn falling_tail(k: u64, n: u64, p: f64) -> f64 {
    let odds = p / (1.0 - p);
    let log = log_choose(n, k) + k as f64 * libm::log(p) + (n - k) as f64 * libm::log1p(-p);
    let mut term = libm::exp(log);
    let mut sum = 0.0;
    for i in k..=n {
        sum += term;
        term *= (n - i) as f64 / (i + 1) as f64 * odds;
        if term < 1e-17 * sum {
            break;
        }
    }
    sum.min(1.0)
}

fn log_choose(n: u64, k: u64) -> f64 {
    let log_factorial = |m: u64| libm::lgamma(m as f64 + 1.0);
    log_factorial(n) - log_factorial(k) - log_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Pr(X <= k)` by adding one trial after the other: no factorials, no logarithms.
    fn at_most_by_trials(k: usize, n: usize, p: f64) -> f64 {
        let mut share = vec![0.0; k + 1];
        share[0] = 1.0;
        for _ in 0..n {
            for i in (0..=k).rev() {
                let fail = if i > 0 { share[i - 1] * p } else { 0.0 };
                share[i] = share[i] * (1.0 - p) + fail;
            }
        }
        share.iter().sum()
    }

    #[test]
    fn known_intervals() {
        let near = |found: f64, known: f64, digits: f64| {
            assert!((found - known).abs() < digits, "{found} for {known}");
        };
        let none = clopper_pearson(0, 200, 0.95).unwrap();
        assert_eq!(none.lower, 0.0);
        near(none.upper, 1.0 - 0.025_f64.powf(1.0 / 200.0), 1e-14);
        near(none.upper, 0.018_275_34, 1e-8);
        let all = clopper_pearson(7, 7, 0.9).unwrap();
        assert_eq!(all.upper, 1.0);
        near(all.lower, 0.05_f64.powf(1.0 / 7.0), 1e-14);
        let five = clopper_pearson(5, 200, 0.95).unwrap();
        near(five.lower, 0.008_166_166, 1e-9);
        near(five.upper, 0.057_374_351, 1e-9);
        // One of one and none of one: the tails are p and 1 - p.
        near(clopper_pearson(1, 1, 0.8).unwrap().lower, 0.1, 1e-15);
        near(clopper_pearson(0, 1, 0.8).unwrap().upper, 0.9, 1e-15);
        // One of two: p^2 = 0.1 and 1 - (1-p)^2 = 0.1.
        let half = clopper_pearson(1, 2, 0.8).unwrap();
        near(half.upper, 0.9_f64.sqrt(), 1e-14);
        near(half.lower, 1.0 - 0.9_f64.sqrt(), 1e-14);
    }

    #[test]
    fn the_ends_leave_half_of_alpha_each() {
        for (n, level) in [(1, 0.5), (12, 0.95), (200, 0.95), (1000, 0.999)] {
            for k in [0, 1, n / 10, n / 2, n - 1, n] {
                let interval = clopper_pearson(k, n, level).unwrap();
                let tail = 0.5 * (1.0 - level);
                let (k, n) = (k as usize, n as usize);
                if k > 0 {
                    let above = 1.0 - at_most_by_trials(k - 1, n, interval.lower);
                    assert!((above - tail).abs() < 1e-10, "{k} of {n}: {above}");
                }
                if k < n {
                    let below = at_most_by_trials(k, n, interval.upper);
                    assert!((below - tail).abs() < 1e-10, "{k} of {n}: {below}");
                }
                assert!(interval.lower <= k as f64 / n as f64);
                assert!(interval.upper >= k as f64 / n as f64);
            }
        }
    }

    #[test]
    fn tails_of_a_fair_coin() {
        // 1, 4, 6, 4, 1 of 16.
        for (k, sixteenths) in [(0, 16.0), (1, 15.0), (2, 11.0), (3, 5.0), (4, 1.0)] {
            assert!((at_least(k, 4, 0.5) - sixteenths / 16.0).abs() < 1e-14);
        }
        assert_eq!(at_least(5, 4, 0.5), 0.0);
        assert_eq!((at_least(1, 4, 0.0), at_least(4, 4, 1.0)), (0.0, 1.0));
    }

    #[test]
    fn impossible_counts_and_levels_are_refused() {
        for (k, n, level, word) in [
            (1, 0, 0.95, "0 trials"),
            (3, 2, 0.95, "3 failures"),
            (1, 2, 1.0, "confidence"),
            (1, 2, f64::NAN, "confidence"),
        ] {
            let message = clopper_pearson(k, n, level).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
    }
}
