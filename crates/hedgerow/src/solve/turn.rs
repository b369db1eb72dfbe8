//! Sums of the steps that sweeps begin.

use crate::solve::bellman::{larger, smaller};

/// How one evaluation sweep compares with the one before it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Turn {
    /// The largest change of a value.
    pub(crate) change: f64,
    /// `<step, previous step>`.
    pub(crate) along: f64,
    /// `<previous step, previous step>`.
    pub(crate) before: f64,
    /// `<step, step>`.
    pub(crate) now: f64,
}

/// What a sweep may still change: a share of all terms that a state adds up, but at least what rounding
/// does, a share of its reward, and what is the same for all states.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Close {
    pub(crate) terms: f64,
    pub(crate) reward: f64,
    pub(crate) any: f64,
    /// Whether steps are left as they are, and not summed up.
    pub(crate) plain: bool,
}

impl Close {
    /// A share of the terms.
    pub(crate) fn to_terms(terms: f64) -> Self {
        Self {
            terms,
            ..Self::default()
        }
    }

    /// The same for all states.
    pub(crate) fn to(any: f64) -> Self {
        Self {
            any,
            ..Self::default()
        }
    }

    /// A share of the reward.
    pub(crate) fn to_reward(reward: f64) -> Self {
        Self {
            reward,
            ..Self::default()
        }
    }
}

/// When to leave sums of steps alone: longer each time that the change grew after one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    last: f64,
    length: usize,
    left: usize,
}

impl Default for Pause {
    fn default() -> Self {
        Self {
            last: f64::INFINITY,
            length: 0,
            left: 0,
        }
    }
}

impl Pause {
    /// Whether the pause is over, given the change since it was last asked.
    pub(crate) fn over(&mut self, change: f64) -> bool {
        if self.left > 0 {
            self.left -= 1;
        } else if change > self.last {
            self.length = 2 * self.length + 1;
            self.left = self.length;
        }
        self.last = change;
        self.left == 0
    }
}

impl Turn {
    /// Adds a state that moved now and moved before.
    #[inline]
    pub(crate) fn add(&mut self, now: f64, before: f64) {
        self.change = self.change.max(now.abs());
        self.along += now * before;
        self.before += before * before;
        self.now += now * now;
    }

    /// Whether the last two steps point the same way, as those of one slow mode do: the square of the
    /// cosine between them is above `share`.
    pub(crate) fn points_along(&self, share: f64) -> bool {
        self.along > 0.0 && self.along * self.along > share * self.now * self.before
    }

    /// What two parts of a sweep did together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            change: self.change.max(other.change),
            along: self.along + other.along,
            before: self.before + other.before,
            now: self.now + other.now,
        }
    }

    /// Adds the geometric series that the last two steps begin.
    ///
    /// With a discount near 1 the steps soon point along one slow mode and shrink by a constant
    /// factor; its sum saves hundreds of sweeps. A poor guess costs some sweeps and no accuracy.
    pub(crate) fn extrapolate(self, values: &mut [f64], step: &[f64]) {
        let factor = self.along / self.before;
        if factor > 0.0 && factor < 1.0 {
            let rest = factor / (1.0 - factor);
            for (v, d) in values.iter_mut().zip(step) {
                *v += rest * d;
            }
        }
    }
}

/// The least and the greatest change of a sweep, and the largest value after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) least: f64,
    pub(super) greatest: f64,
    pub(super) largest: f64,
}

impl Change {
    pub(super) const NONE: Self = Self {
        least: f64::INFINITY,
        greatest: f64::NEG_INFINITY,
        largest: 0.0,
    };

    /// Of one state, whose value became `new`.
    #[inline]
    pub(super) fn of(old: f64, new: f64) -> Self {
        Self {
            least: new - old,
            greatest: new - old,
            largest: new.abs(),
        }
    }

    /// Minima and maxima are exact, so the order of merging does not show.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            least: smaller(self.least, other.least),
            greatest: larger(self.greatest, other.greatest),
            largest: larger(self.largest, other.largest),
        }
    }

    /// The largest change of a state.
    pub(super) fn residual(self) -> f64 {
        self.greatest.max(-self.least).max(0.0)
    }

    /// How much more it changed one state than another.
    pub(super) fn span(self) -> f64 {
        self.greatest - self.least
    }

    /// The middle of MacQueen's bounds on what is still to come where no episode ends.
    pub(super) fn to_come(self, gamma: f64) -> f64 {
        gamma / (1.0 - gamma) * 0.5 * (self.greatest + self.least)
    }
}
