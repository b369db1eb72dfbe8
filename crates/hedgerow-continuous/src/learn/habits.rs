//! Which actions the expert was seen to choose where.

use super::fit::Fit;
use super::sample::Sample;
use crate::lattice::{Between, Lattice};
use crate::maze::State;

/// Sightings of the expert that are enough to go by.
const ENOUGH: f64 = 2.0;

/// Sightings of the expert's actions around the nodes of several lattices, finest first.
#[derive(Debug)]
pub struct Habits {
    levels: Vec<Vec<[f32; 8]>>,
}

impl Habits {
    pub(super) fn new(lattices: &[Lattice]) -> Self {
        let level = |l: &Lattice| vec![[0.0; 8]; l.nodes()];
        Self {
            levels: lattices.iter().map(level).collect(),
        }
    }

    /// Sees what the expert chose at sample number `i`, which `fit` has seen.
    pub(super) fn see(&mut self, fit: &Fit, i: usize, sample: &Sample) {
        for (sightings, level) in self.levels.iter_mut().zip(fit.levels()) {
            for (node, weight) in level.here[i].iter() {
                if let Some(s) = sightings[node].get_mut(usize::from(sample.expert)) {
                    *s += weight as f32;
                }
            }
        }
    }

    /// The share of the expert's choices around sample `i` that were `action`.
    pub(super) fn share(&self, fit: &Fit, i: usize, action: usize) -> f64 {
        let around = |k: usize| fit.levels()[k].here[i];
        self.shares(around)
            .and_then(|s| s.get(action).copied())
            .unwrap_or(0.0)
    }

    /// The shares of all actions in what the expert chose around a state; none if it was not seen
    /// there.
    pub fn shares_at(&self, fit: &Fit, state: &State) -> Option<[f64; 8]> {
        self.shares(|k| fit.levels()[k].lattice().around(state))
    }

    fn shares(&self, around: impl Fn(usize) -> Between) -> Option<[f64; 8]> {
        for (k, sightings) in self.levels.iter().enumerate() {
            let mut counts = [0.0; 8];
            for (node, weight) in around(k).iter() {
                for (count, s) in counts.iter_mut().zip(&sightings[node]) {
                    *count += weight * f64::from(*s);
                }
            }
            let all: f64 = counts.iter().sum();
            if all >= ENOUGH || (k + 1 == self.levels.len() && all > 0.0) {
                return Some(counts.map(|c| c / all));
            }
        }
        None
    }
}
