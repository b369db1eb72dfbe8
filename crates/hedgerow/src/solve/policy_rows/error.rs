//! Bounds on the errors of values, proved by the rows of their policy.

use super::{PolicyRows, SWEEPS};
use crate::solve::bands::Chained;
use crate::solve::shape::{TINY, alike, shaped};
use crate::solve::turn::Close;

impl PolicyRows {
    /// What a backup of `values` changes in every state, and what rounding may hide of that.
    pub(crate) fn offsets(&self, reward: &[f64], values: &[f64]) -> Vec<f64> {
        self.map(values, |s, later| {
            let (next, prob) = self.row(s);
            let sizes = next.iter().zip(prob);
            let size: f64 = sizes.map(|(&to, &p)| p * values[to as usize].abs()).sum();
            let terms = reward[s].abs() + self.gamma * size + values[s].abs();
            let off = (reward[s] + later - values[s]).abs() + self.rounding * terms;
            if off > 0.0 { off + TINY } else { off }
        })
    }

    /// A bound on the error of `values` whose backups are `off`, state by state: `u` with
    /// `u >= off + gamma P u`. `None` if none was found.
    pub(crate) fn bound(&self, values: &[f64], off: &[f64]) -> Option<Vec<f64>> {
        let mut off = off.to_vec();
        spread(&mut off, |s, off| {
            let mut next = self.row(s).0.iter();
            next.any(|&to| off[to as usize] > 0.0)
        });
        let shape = || shaped(values, &off, self.gamma, self.rounding);
        let found = alike(values, &off, self.gamma).or_else(shape);
        if let Some(bound) = found.and_then(|bound| self.proved(&off, bound)) {
            return Some(bound);
        }
        let mut guess = off.clone();
        // Half of what is off is left for what the guess is not exact to.
        [Close::to_reward(0.2), Close::to_terms(1e-4)]
            .into_iter()
            .find_map(|close| {
                let settled = self.settle(&off, &mut guess, close, SWEEPS);
                settled
                    .all
                    .then(|| self.proved(&off, guess.iter().map(|g| 2.0 * g).collect()))?
            })
    }

    /// `bound`, if it is one.
    fn proved(&self, off: &[f64], mut bound: Vec<f64>) -> Option<Vec<f64>> {
        nothing_where_nothing_is_off(&mut bound, off);
        let rounded_up = 1.0 + 2.0 * self.rounding;
        let holds = self.map(&bound, |s, later| {
            let need = rounded_up * (off[s] + later);
            need.is_finite() && bound[s] >= need
        });
        holds.into_iter().all(|holds| holds).then_some(bound)
    }
}

/// Where nothing is off, nothing that follows is.
pub(in crate::solve) fn nothing_where_nothing_is_off(bound: &mut [f64], off: &[f64]) {
    for (bound, &off) in bound.iter_mut().zip(off) {
        *bound = if off > 0.0 { bound.max(0.0) } else { 0.0 };
    }
}

/// Makes every state at least a little off that leads, by `leads`, to one that is.
///
/// What is off by next to nothing vanishes on the way to states that are far away, but a bound that is 0
/// there could not be proved.
pub(in crate::solve) fn spread(off: &mut [f64], leads: impl Fn(usize, &[f64]) -> bool) {
    let states = off.len();
    let (mut back, mut more) = (false, true);
    while more {
        (back, more) = (!back, false);
        let mut visit = |s: usize| {
            if off[s] == 0.0 && leads(s, off) {
                (off[s], more) = (TINY, true);
            }
        };
        match back {
            true => (0..states).rev().for_each(&mut visit),
            false => (0..states).for_each(&mut visit),
        }
    }
}
