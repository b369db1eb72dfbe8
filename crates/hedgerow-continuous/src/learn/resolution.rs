//! One resolution of the fitted value.

use super::fitted_value::ValueEstimate;
use crate::lattice::{Interpolation, Lattice};
use crate::maze::State;

/// Evidence that a node needs before its value counts, in samples.
const EVIDENCE: f64 = 0.5;

/// Share of a state's weight that must lie on nodes with evidence.
const SHARE: f64 = 0.4;

/// Least variance of a value: that of an error of 0.02.
const MIN_VARIANCE: f64 = 0.0004;

/// Values at the nodes of a lattice, each the mean of the targets around it.
#[derive(Debug)]
pub struct Resolution {
    lattice: Lattice,
    /// The interpolations of the state of each sample and of the state after it.
    pub(super) states: Vec<Interpolation>,
    pub(super) nexts: Vec<Interpolation>,
    value: Vec<f64>,
    /// Square of the standard error; infinite without evidence.
    error: Vec<f64>,
    weight: Vec<f64>,
    /// The same, each target by how far it is to be trusted.
    trusted: Vec<f64>,
    sum: Vec<f64>,
    squares: Vec<f64>,
    /// The nodes that any target counts for; all others are left alone.
    touched: Vec<usize>,
    in_touched: Vec<bool>,
}

impl Resolution {
    pub(super) fn new(lattice: Lattice) -> Self {
        let nodes = lattice.nodes();
        Self {
            lattice,
            states: Vec::new(),
            nexts: Vec::new(),
            value: vec![0.0; nodes],
            error: vec![f64::INFINITY; nodes],
            weight: vec![0.0; nodes],
            trusted: vec![0.0; nodes],
            sum: vec![0.0; nodes],
            squares: vec![0.0; nodes],
            touched: Vec::new(),
            in_touched: vec![false; nodes],
        }
    }

    /// The lattice.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Adds a sample from `state` to `next`.
    pub(super) fn observe(&mut self, state: &State, next: &State) {
        self.states.push(self.lattice.interpolation(state));
        self.nexts.push(self.lattice.interpolation(next));
    }

    /// Forgets the targets, but not the values that they led to.
    pub(super) fn clear(&mut self) {
        for &node in &self.touched {
            self.weight[node] = 0.0;
            self.trusted[node] = 0.0;
            self.sum[node] = 0.0;
            self.squares[node] = 0.0;
        }
    }

    /// Counts the target of a sample for the nodes around its state, as far as it is to be trusted.
    #[inline]
    pub(super) fn add_target(&mut self, sample: usize, target: f64, trust: f64) {
        for (node, w) in self.states[sample].iter() {
            let trusted = w * trust;
            self.weight[node] += w;
            self.trusted[node] += trusted;
            self.sum[node] += trusted * target;
            self.squares[node] += trusted * target * target;
        }
    }

    /// Sets values to the means of the targets; gives the largest change, infinite if nodes lost or
    /// gained their evidence.
    pub(super) fn average(&mut self) -> f64 {
        let mut change = 0.0_f64;
        for &node in &self.touched {
            let weight = self.weight[node];
            let before = self.error[node].is_finite();
            if weight < EVIDENCE {
                if before {
                    change = f64::INFINITY;
                }
                self.error[node] = f64::INFINITY;
                self.value[node] = 0.0;
                continue;
            }
            if !before {
                change = f64::INFINITY;
            }
            let mean = self.sum[node] / self.trusted[node];
            let variance = (self.squares[node] / self.trusted[node] - mean * mean).max(0.0);
            change = change.max((mean - self.value[node]).abs());
            self.value[node] = mean;
            self.error[node] = (variance + MIN_VARIANCE) / weight;
        }
        change
    }

    /// Assumes that all nodes around these samples have evidence, so that values can begin to
    /// build on each other.
    pub(super) fn assume_evidence(&mut self, samples: impl Iterator<Item = usize>) {
        self.clear();
        for i in samples {
            for (node, w) in self.states[i].iter() {
                if !self.in_touched[node] {
                    self.in_touched[node] = true;
                    self.touched.push(node);
                }
                self.weight[node] += w;
            }
        }
        for &node in &self.touched {
            let weight = self.weight[node];
            if weight >= EVIDENCE && self.error[node].is_infinite() {
                self.error[node] = MIN_VARIANCE / weight;
            }
        }
    }

    /// The interpolated value, if enough of the nodes have evidence.
    #[inline]
    pub(super) fn at(&self, interpolation: &Interpolation) -> Option<ValueEstimate> {
        let (mut all, mut value, mut error) = (0.0, 0.0, 0.0);
        for (node, w) in interpolation.iter() {
            if self.error[node].is_finite() {
                all += w;
                value += w * self.value[node];
                error += w * self.error[node];
            }
        }
        (all >= SHARE).then(|| ValueEstimate {
            value: value / all,
            variance: error / all,
        })
    }

    /// The value at a state.
    pub(super) fn at_state(&self, state: &State) -> Option<ValueEstimate> {
        self.at(&self.lattice.interpolation(state))
    }
}
