//! Stakes on the outcomes of one row, and what they have earned against a hypothesis.

/// Sums of the first four powers of the stakes that were settled on one outcome.
type Sums = [f64; 4];

/// All stakes on one row: a stake `b` on an outcome multiplies a fortune by `1 + b y`, where `y` is how
/// far the outcome lies above its mean under the hypothesis.
#[derive(Clone, Debug, Default)]
pub(super) struct Bets {
    /// The stake on the outcomes to come.
    pub stake: f64,
    least: f64,
    most: f64,
    sums: Vec<Sums>,
}

/// The logarithm of what was earned, near one value of `y`.
pub(super) struct Earned {
    /// At least the logarithm.
    pub log: f64,
    /// Its slope in `y`.
    pub slope: f64,
    /// How much less it may be elsewhere within reach than the slope says.
    pub bend: f64,
}

impl Bets {
    /// `times` outcomes came, all of them after the stake was set.
    pub fn settle(&mut self, outcome: usize, times: u32) {
        let b = self.stake;
        if b == 0.0 || times == 0 {
            return;
        }
        let n = f64::from(times);
        self.add(
            outcome,
            [n * b, n * b * b, n * b * b * b, n * b * b * b * b],
        );
        self.least = self.least.min(b);
        self.most = self.most.max(b);
    }

    /// Stakes `total` on a row that is known, in proportion to its probabilities: what is staked on a
    /// mean that is known earns exactly nothing.
    pub fn weigh(&mut self, total: f64, row: impl Iterator<Item = f64>) {
        self.sums.clear();
        self.sums.extend(row.map(|p| [total * p, 0.0, 0.0, 0.0]));
    }

    fn add(&mut self, outcome: usize, powers: Sums) {
        if self.sums.len() <= outcome {
            self.sums.resize(outcome + 1, [0.0; 4]);
        }
        for (sum, power) in self.sums[outcome].iter_mut().zip(powers) {
            *sum += power;
        }
    }

    /// The sum of all stakes so far.
    pub fn total(&self) -> f64 {
        self.sums.iter().map(|s| s[0]).sum()
    }

    /// The outcomes on which anything was staked.
    pub fn outcomes(&self) -> usize {
        self.sums.len()
    }

    /// What the stakes on `outcome` earned if it lies `y` above the mean, give or take `reach`, and
    /// within `range` at any rate.
    ///
    /// `log(1 + x) >= x - x^2 / 2 + x^3 / 3 - c x^4` with `c` of [`fourth`], and every power of `x = b y`
    /// is a power of `y` times a sum that is kept. The right side is concave in `y`: its second
    /// derivative is a negative definite form in the stakes because `c >= 1/4 > 1/12`.
    pub fn earned(&self, outcome: usize, y: f64, reach: f64, range: (f64, f64)) -> Earned {
        let [s1, s2, s3, s4] = self.sums[outcome];
        let (low, high) = ((y - reach).max(range.0), (y + reach).min(range.1));
        let worst = (self.most * low.min(0.0)).min(self.least * high.max(0.0));
        let c = fourth(worst);
        let y2 = y * y;
        let furthest = y.abs() + reach;
        let bend = s2 + 2.0 * s3.abs() * furthest + 12.0 * c * s4 * furthest * furthest;
        Earned {
            log: s1 * y - s2 * y2 / 2.0 + s3 * y2 * y / 3.0 - c * s4 * y2 * y2,
            slope: s1 - s2 * y + s3 * y2 - 4.0 * c * s4 * y2 * y,
            bend: 0.5 * bend * reach * reach,
        }
    }
}

/// No stake risks more than this of the fortune.
const RUIN: f64 = 0.999;

/// The least `c >= 1/4` that is sure to make `x - x^2 / 2 + x^3 / 3 - c x^4` a lower bound of
/// `log(1 + x)` for all `x >= worst`.
fn fourth(worst: f64) -> f64 {
    let x = worst.clamp(-RUIN, 0.0);
    let w = 1.0 + x;
    if x > -0.1 {
        // The remainder of Taylor's series; the quotient below would cancel.
        0.25 / (w * w * w * w)
    } else {
        // What is missing, over x^4, falls with x, so it is largest at the worst.
        (x - x * x / 2.0 + x * x * x / 3.0 - libm::log1p(x)) / (x * x * x * x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourth_power_makes_a_lower_bound_of_the_logarithm() {
        for step in 0..999 {
            let worst = -f64::from(step) / 1_000.0;
            let c = fourth(worst);
            assert!(c >= 0.25);
            for part in -20..=20 {
                let x = if part < 0 {
                    worst * f64::from(-part) / 20.0
                } else {
                    f64::from(part) / 10.0
                };
                let bound = x - x * x / 2.0 + x * x * x / 3.0 - c * x * x * x * x;
                assert!(bound <= x.ln_1p() + 1e-12, "{worst} {x}");
            }
        }
    }

    #[test]
    fn what_is_earned_is_bounded_all_around() {
        let mut bets = Bets::default();
        for (stake, outcome, times) in [(0.3, 0, 40), (-0.2, 1, 7), (0.5, 0, 3), (0.1, 1, 90)] {
            bets.stake = stake;
            bets.settle(outcome, times);
        }
        let exact = |y: f64| 40.0 * (0.3 * y).ln_1p() + 3.0 * (0.5 * y).ln_1p();
        for (y, reach) in [(0.4, 0.1), (-0.3, 0.2), (0.0, 0.5), (-1.2, 0.4), (1.0, 0.0)] {
            let at = bets.earned(0, y, reach, (y - reach, y + reach));
            for part in -10..=10 {
                let z = y + reach * f64::from(part) / 10.0;
                let bound = at.log + at.slope * (z - y) - at.bend;
                assert!(
                    bound <= exact(z) + 1e-12,
                    "{y} {reach} {z}: {bound} {}",
                    exact(z)
                );
            }
            // And not a useless one.
            assert!(at.log > exact(y) - 0.5 * exact(y).abs() - 1e-9, "{y}");
        }
    }
}
