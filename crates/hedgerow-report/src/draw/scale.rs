//! Axes: where a value lies, and which values get a label.

/// A linear or logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    log: bool,
    low: f64,
    high: f64,
}

/// A place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The value there.
    pub value: f64,
    /// Empty for a small tick.
    pub label: String,
}

impl Scale {
    /// From `low` to `high`; an empty range is widened.
    pub fn linear(low: f64, high: f64) -> Self {
        let (low, high) = match differ(low, high) {
            true => (low, high),
            false => {
                let half = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
                (low - half, low + half)
            }
        };
        let log = false;
        Self { log, low, high }
    }

    /// The same for positive values, equal ratios equally long.
    pub fn log(low: f64, high: f64) -> Self {
        let low = if low > 0.0 { low } else { 1.0 };
        let (low, high) = match differ(low, high) {
            true => (low, high),
            false => (low / 2.0, low * 2.0),
        };
        let log = true;
        Self { log, low, high }
    }

    /// With `share` of its length added at both ends.
    pub fn padded(self, share: f64) -> Self {
        let (low, high) = (self.inner(self.low), self.inner(self.high));
        let pad = share * (high - low);
        let outer = |v: f64| match self.log {
            true => libm::pow(10.0, v),
            false => v,
        };
        Self {
            log: self.log,
            low: outer(low - pad),
            high: outer(high + pad),
        }
    }

    fn inner(&self, value: f64) -> f64 {
        match self.log {
            true => libm::log10(value),
            false => value,
        }
    }

    /// Where `value` lies: 0 at the lower end, 1 at the upper one.
    pub fn place(&self, value: f64) -> f64 {
        let (low, high) = (self.inner(self.low), self.inner(self.high));
        (self.inner(value) - low) / (high - low)
    }

    /// What lies at `place`.
    pub fn value(&self, place: f64) -> f64 {
        let (low, high) = (self.inner(self.low), self.inner(self.high));
        let value = low + place * (high - low);
        match self.log {
            true => libm::pow(10.0, value),
            false => value,
        }
    }

    /// The axis that holds both.
    pub fn union(self, other: Self) -> Self {
        Self {
            log: self.log,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Whether `value` lies between the ends.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// About `count` labelled ticks at round values, and small ones between powers of ten.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        match self.log {
            true => self.log_ticks(count),
            false => self.linear_ticks(count),
        }
    }

    fn linear_ticks(&self, count: usize) -> Vec<Tick> {
        let step = nice_step((self.high - self.low) / count.max(1) as f64);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        let largest = self.low.abs().max(self.high.abs());
        let tick = |i: i64| Tick {
            value: i as f64 * step,
            label: label(i as f64 * step, step, largest),
        };
        (first..=last).map(tick).collect()
    }

    fn log_ticks(&self, count: usize) -> Vec<Tick> {
        let first = libm::log10(self.low).floor() as i32;
        let last = libm::log10(self.high).ceil() as i32;
        let powers = (first..=last).filter(|&e| self.holds(power(e))).count();
        if powers < 2 {
            return self.short_log_ticks(first..=last, count);
        }
        let every = powers.div_ceil(count.max(1)) as i32;
        let mut ticks = Vec::new();
        for exponent in first..=last {
            for digit in 1..=9 {
                let value = f64::from(digit) * power(exponent);
                let labelled = digit == 1 && exponent.rem_euclid(every) == 0;
                // Many powers: none between them.
                if !self.holds(value) || (digit > 1 && every > 1) {
                    continue;
                }
                let label = match labelled {
                    true => label(value, value, value),
                    false => String::new(),
                };
                ticks.push(Tick { value, label });
            }
        }
        ticks
    }
}

impl Scale {
    /// Less than two powers of ten: 1, 2, 5 times them; or round values, as on a linear axis.
    fn short_log_ticks(&self, powers: std::ops::RangeInclusive<i32>, count: usize) -> Vec<Tick> {
        let digits = powers.flat_map(|e| [1.0, 2.0, 5.0].map(|d| d * power(e)));
        let values: Vec<f64> = digits.filter(|v| self.holds(*v)).collect();
        if values.len() < 3 {
            return self.linear_ticks(count);
        }
        let tick = |value: f64| Tick {
            value,
            label: label(value, power(libm::log10(value).floor() as i32), value),
        };
        values.into_iter().map(tick).collect()
    }
}

/// Whether a range is more than rounding.
fn differ(low: f64, high: f64) -> bool {
    high - low > 1e-7 * low.abs().max(high.abs())
}

/// `10^exponent`, exact where a number can be.
fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// The smallest of 1, 2, 5 times a power of ten that is not much less than `step`.
fn nice_step(step: f64) -> f64 {
    let exponent = libm::log10(step).floor() as i32;
    let candidates = [1.0, 2.0, 5.0, 10.0].map(|d| d * power(exponent));
    let fits = |c: &f64| *c >= 0.7 * step;
    candidates
        .into_iter()
        .find(fits)
        .unwrap_or(10.0 * power(exponent))
}

/// A value of an axis whose ticks are `step` apart and at most `largest`, short but told from its
/// neighbours: `0.05`, `10k`, `2M`, `1e-6`, `0.116975`.
fn label(value: f64, step: f64, largest: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = |step: f64| (-libm::log10(step) - 1e-9).ceil().max(0.0) as usize;
    let size = value.abs();
    let order = |x: f64| (libm::log10(x) + 1e-9).floor();
    // Where a power of ten would need as many digits as the plain number has, it is no shorter.
    let plain = order(largest) - order(step) >= 3.0 && largest >= 0.01;
    if (decimals(step) > 4 && !plain) || size >= 1e9 {
        // As many digits as tell neighbours apart.
        let digits = (order(size) - order(step)).clamp(0.0, 12.0) as usize;
        return format!("{value:.digits$e}").replace('-', "\u{2212}");
    }
    for (unit, letter) in [(1e6, "M"), (1e3, "k")] {
        if size >= unit && decimals(step / unit) == 0 {
            return format!("{:.0}{letter}", value / unit).replace('-', "\u{2212}");
        }
    }
    format!("{value:.*}", decimals(step)).replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, count: usize) -> Vec<String> {
        let ticks = scale.ticks(count).into_iter().map(|t| t.label);
        ticks.filter(|l| !l.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(Scale::linear(0.0, 0.1), 2), ["0", "0.05", "0.10"]);
        assert_eq!(
            labels(Scale::linear(0.007, 0.108), 4),
            ["0.02", "0.04", "0.06", "0.08", "0.10"]
        );
        assert_eq!(
            labels(Scale::linear(-1.0, 1.0), 4),
            ["−1.0", "−0.5", "0", "0.5", "1.0"]
        );
        assert_eq!(labels(Scale::linear(3.0, 207.0), 2), ["100", "200"]);
        assert_eq!(
            labels(Scale::linear(0.0, 62_400.0), 3),
            ["0", "20k", "40k", "60k"]
        );
        assert_eq!(labels(Scale::linear(0.0, 4e-6), 2), ["0", "2e−6", "4e−6"]);
    }

    #[test]
    fn labels_tell_ticks_apart_on_the_narrowest_axis() {
        assert_eq!(
            labels(Scale::linear(0.116965, 0.116979), 3),
            ["0.116965", "0.116970", "0.116975"]
        );
        for (low, high) in [
            (0.116_965, 0.116_979),
            (-1_000.000_1, -1_000.0),
            (123_456.0, 123_456.2),
            (2.507e-10, 2.507_001e-10),
            (1.0, 1.000_001),
            (3e12, 3.000_01e12),
        ] {
            let mut all = labels(Scale::linear(low, high), 4);
            let count = all.len();
            all.dedup();
            assert!(count >= 2 && all.len() == count, "{low} to {high}: {all:?}");
        }
    }

    #[test]
    fn log_ticks_are_powers_of_ten() {
        let scale = Scale::log(8.0, 70_000.0);
        assert_eq!(labels(scale, 5), ["10", "100", "1k", "10k"]);
        let values: Vec<f64> = scale.ticks(5).iter().map(|t| t.value).collect();
        assert_eq!(values[..4], [8.0, 9.0, 10.0, 20.0]);
        assert_eq!(labels(Scale::log(1.0, 1e8), 3), ["1", "1k", "1M"]);
        assert_eq!(
            labels(Scale::log(0.001, 1.0), 4),
            ["0.001", "0.01", "0.1", "1"]
        );
        // Within one power of ten.
        assert_eq!(labels(Scale::log(1.2, 3.4), 3), ["2", "3"]);
        assert_eq!(
            labels(Scale::log(300.0, 6000.0), 3),
            ["500", "1k", "2k", "5k"]
        );
    }

    #[test]
    fn places_and_values_are_inverse() {
        let (linear, log) = (Scale::linear(-2.0, 6.0), Scale::log(1.0, 100.0));
        assert_eq!((linear.place(0.0), linear.value(0.25)), (0.25, 0.0));
        assert_eq!((log.place(10.0), log.value(0.5)), (0.5, 10.0));
        let padded = Scale::log(1.0, 100.0).padded(0.5);
        assert!((padded.place(1.0) - 0.25).abs() < 1e-12);
        assert!(padded.holds(0.11) && !padded.holds(1100.0));
    }

    #[test]
    fn an_empty_range_is_widened() {
        assert_eq!(Scale::linear(0.0, 0.0), Scale::linear(-1.0, 1.0));
        assert_eq!(Scale::linear(4.0, 4.0), Scale::linear(2.0, 6.0));
        assert_eq!(Scale::log(4.0, 4.0), Scale::log(2.0, 8.0));
        let rounded = 10.0 / 3.0 * (1.0 + f64::EPSILON);
        assert_eq!(
            labels(Scale::log(10.0 / 3.0, rounded), 4),
            ["2", "3", "4", "5", "6"]
        );
        assert!(Scale::log(0.0, 0.0).place(1.0).is_finite());
    }
}
