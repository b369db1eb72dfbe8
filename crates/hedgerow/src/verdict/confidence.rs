//! Confidence sets for the mean of a bounded variable, at all times at once.
//!
//! Let `X_1, X_2, ...` be independent draws of a variable with values in `[l, b]` and mean `m`.
//! Betting on or against the mean with a portfolio of the two fair bets `(X - l) / (m - l)` and
//! `(b - X) / (b - m)` gives a fortune that is a martingale. Mixed over all portfolios with
//! Dirichlet(1/2, 1/2) weights it is one too, so by Ville's inequality it ever reaches
//! `1 / delta` with probability at most `delta`; and it is never less than the best portfolio's
//! fortune over `sqrt(pi) Gamma(n+1) / Gamma(n+1/2) <= sqrt(pi n + 1)`. Hence, with probability
//! `1 - delta`, for all `n` at once,
//!
//! ```text
//! m <= sup { E_G X : G on [l, b], KL(F^_n, G) <= d_n },   d_n = (log(1/delta) + log(pi n + 1) / 2) / n,
//! ```
//!
//! and the same from below. The set does not grow with the number of values `X` can take, because
//! only one mean is asked for. `G` may put weight on the ends `l` and `b` although they were never
//! seen: that is how successors not seen yet are accounted for.

/// `d_n`: how far, in Kullback-Leibler divergence, the truth may be from `n` draws.
pub fn radius(n: u32, delta: f64) -> f64 {
    let n = f64::from(n);
    (0.5 * libm::log(std::f64::consts::PI * n + 1.0) - libm::log(delta)) / n
}

/// The largest mean of `values` over the distributions within `radius` of `weights`, which may
/// also put weight on `top`, not below any value.
///
/// By duality it is the least `v - exp(sum_i w_i log(v - x_i) - d)` over `v >= top`. Every such `v`
/// gives an upper bound, so what is returned is one even where the search stops early.
pub fn greatest_mean(weights: &[f64], values: &[f64], top: f64, radius: f64) -> f64 {
    bound(weights, values, top, radius, 1.0)
}

/// The least mean of `values`, which may also put weight on `bottom`, not above any value.
pub fn least_mean(weights: &[f64], values: &[f64], bottom: f64, radius: f64) -> f64 {
    -bound(weights, values, -bottom, radius, -1.0)
}

/// The greatest mean of `sign * values`.
fn bound(weights: &[f64], values: &[f64], top: f64, radius: f64, sign: f64) -> f64 {
    let (mut mean, mut second, mut largest) = (0.0, 0.0, f64::NEG_INFINITY);
    for (&w, &x) in weights.iter().zip(values) {
        let x = sign * x;
        mean += w * x;
        second += w * x * x;
        largest = largest.max(x);
    }
    // Rounding may leave a value a hair above the top.
    let top = top.max(largest);
    let room = top - mean;
    if room <= 0.0 {
        return top;
    }
    if largest < top {
        let at = Slope::new(weights, values, sign, top, room);
        if at.divergence <= radius {
            return at.value(top, radius);
        }
    }
    // The optimum has divergence `radius`. It falls with v, roughly like variance / (v - mean)^2 / 2,
    // so 1 / sqrt(divergence) is nearly straight and Newton's method on it ends in a few steps.
    let variance = (second - mean * mean).max(0.0);
    let (mut low, mut high) = (top, f64::INFINITY);
    let mut v = (mean + (0.5 * variance / radius).sqrt()).max(top + 1e-3 * room);
    let mut best = top;
    for _ in 0..60 {
        let at = Slope::new(weights, values, sign, v, room);
        best = best.min(at.value(v, radius));
        if (at.divergence - radius).abs() <= 1e-9 * radius {
            break;
        }
        if at.divergence > radius {
            low = v;
        } else {
            high = v;
        }
        let f = at.divergence.max(f64::MIN_POSITIVE);
        let step = v + 2.0 * f * ((f / radius).sqrt() - 1.0) / -at.slope;
        v = if step > low && step < high {
            step
        } else if high.is_finite() {
            0.5 * (low + high)
        } else {
            v + 2.0 * (v - mean)
        };
        if high - low <= 1e-12 * room {
            break;
        }
    }
    best
}

/// The divergence that the dual variable `v` stands for, with its slope in `v`.
///
/// Logarithms are those of shares of `unit`, so that they round the same in any unit of reward.
struct Slope {
    log_mean: f64,
    divergence: f64,
    slope: f64,
    unit: f64,
}

impl Slope {
    fn new(weights: &[f64], values: &[f64], sign: f64, v: f64, unit: f64) -> Self {
        let (mut log_mean, mut first, mut second) = (0.0, 0.0, 0.0);
        for (&w, &x) in weights.iter().zip(values) {
            let gap = (v - sign * x) / unit;
            log_mean += w * libm::log(gap);
            first += w / gap;
            second += w / (gap * gap);
        }
        Self {
            log_mean,
            divergence: log_mean + libm::log(first),
            slope: (first - second / first) / unit,
            unit,
        }
    }

    fn value(&self, v: f64, radius: f64) -> f64 {
        v - self.unit * libm::exp(self.log_mean - radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_of_mixing_bounds_the_exact_one() {
        for n in [0_u32, 1, 2, 5, 40, 1_000] {
            let n = f64::from(n);
            let exact = 0.5 * libm::log(std::f64::consts::PI) + libm::lgamma(n + 1.0)
                - libm::lgamma(n + 0.5);
            let ours = 0.5 * libm::log(std::f64::consts::PI * n + 1.0);
            assert!(ours >= exact - 1e-12 && ours <= exact + 0.08, "{n}");
        }
    }

    #[test]
    fn a_value_always_seen_leaves_the_mass_that_could_have_hidden() {
        // KL((1), (1-q, q)) = -log(1-q) <= d: q = 1 - exp(-d) may sit at the top.
        let d: f64 = 0.1;
        let hidden = 1.0 - (-d).exp();
        let up = greatest_mean(&[1.0], &[0.2], 1.0, d);
        assert!((up - (0.2 + 0.8 * hidden)).abs() < 1e-12);
        let down = least_mean(&[1.0], &[0.2], 0.0, d);
        assert!((down - 0.2 * (1.0 - hidden)).abs() < 1e-12);
    }

    #[test]
    fn a_coin_is_bounded_by_the_binary_divergence() {
        // Values 0 and 1, ends 0 and 1: the set is { q : kl(p, q) <= d }.
        let kl = |p: f64, q: f64| p * (p / q).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).ln();
        for (p, d) in [(0.5, 0.01), (0.3, 0.2), (0.9, 0.05), (0.01, 0.02)] {
            let up = greatest_mean(&[1.0 - p, p], &[0.0, 1.0], 1.0, d);
            assert!(up > p && (kl(p, up) - d).abs() < 1e-6, "{p} {d} {up}");
            let down = least_mean(&[1.0 - p, p], &[0.0, 1.0], 0.0, d);
            assert!(down < p && (kl(p, down) - d).abs() < 1e-6, "{p} {d} {down}");
        }
    }

    #[test]
    fn nothing_to_gain_stays_where_it_is() {
        assert_eq!(greatest_mean(&[0.5, 0.5], &[1.0, 1.0], 1.0, 0.3), 1.0);
        assert_eq!(least_mean(&[1.0], &[0.0], 0.0, 0.3), 0.0);
    }
}
