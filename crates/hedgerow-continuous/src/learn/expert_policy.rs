//! Which actions the expert was observed to choose, and where.

use super::fitted_value::FittedValue;
use super::sample::Sample;
use crate::lattice::{Interpolation, Lattice};
use crate::maze::{ACTIONS, State};

/// Observed choices of the expert that make an estimate reliable.
const ENOUGH: f64 = 2.0;

/// The expert's policy, estimated from its observed choices around the nodes of several lattices,
/// finest first.
#[derive(Debug)]
pub struct ExpertPolicyEstimate {
    counts: Vec<Vec<[f32; ACTIONS]>>,
}

impl ExpertPolicyEstimate {
    pub(super) fn new(lattices: &[Lattice]) -> Self {
        let zeros = |l: &Lattice| vec![[0.0; ACTIONS]; l.nodes()];
        Self {
            counts: lattices.iter().map(zeros).collect(),
        }
    }

    /// Adds what the expert chose at sample number `i`, which `fit` has observed.
    pub(super) fn observe(&mut self, fit: &FittedValue, i: usize, sample: &Sample) {
        for (counts, resolution) in self.counts.iter_mut().zip(fit.resolutions()) {
            for (node, weight) in resolution.states[i].iter() {
                if let Some(count) = counts[node].get_mut(usize::from(sample.expert)) {
                    *count += weight as f32;
                }
            }
        }
    }

    /// The estimated probability that the expert chooses `action` around sample `i`.
    pub(super) fn probability(&self, fit: &FittedValue, i: usize, action: usize) -> f64 {
        let around = |k: usize| fit.resolutions()[k].states[i];
        self.estimate(around)
            .and_then(|p| p.get(action).copied())
            .unwrap_or(0.0)
    }

    /// The estimated probabilities of all actions at a state; none if the expert was not observed
    /// there.
    pub fn probabilities(&self, fit: &FittedValue, state: &State) -> Option<[f64; ACTIONS]> {
        self.estimate(|k| fit.resolutions()[k].lattice().interpolation(state))
    }

    fn estimate(&self, around: impl Fn(usize) -> Interpolation) -> Option<[f64; ACTIONS]> {
        for (k, counts) in self.counts.iter().enumerate() {
            let mut nearby = [0.0; ACTIONS];
            for (node, weight) in around(k).iter() {
                for (sum, count) in nearby.iter_mut().zip(&counts[node]) {
                    *sum += weight * f64::from(*count);
                }
            }
            let all: f64 = nearby.iter().sum();
            if all >= ENOUGH || (k + 1 == self.counts.len() && all > 0.0) {
                return Some(nearby.map(|c| c / all));
            }
        }
        None
    }
}
