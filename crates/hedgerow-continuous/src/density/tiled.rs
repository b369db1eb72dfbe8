//! Counting in tiles.

use super::Density;
use crate::lattice::Lattice;
use crate::maze::{ACTIONS, State};

/// Every state counts for the tile around its nearest node, and for no other: the density is
/// `rho_n(x) = N(tile of x) / n`.
///
/// Learning-positive: `(N + 1)/(n + 1) >= N/n`, since `N <= n`.
#[derive(Clone, Debug)]
pub struct Tiled {
    lattice: Lattice,
    counts: Vec<[u32; ACTIONS]>,
    total: u64,
}

impl Tiled {
    /// Without samples; tiles lie around the nodes of `lattice`.
    pub fn new(lattice: Lattice) -> Self {
        Self {
            counts: vec![[0; ACTIONS]; lattice.nodes()],
            lattice,
            total: 0,
        }
    }
}

impl Density for Tiled {
    fn observe(&mut self, state: &State, action: usize) {
        let tile = self.lattice.interpolation(state).nearest();
        if let Some(count) = self.counts[tile].get_mut(action) {
            *count += 1;
        }
        self.total += 1;
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn counts(&self, state: &State) -> [f64; ACTIONS] {
        self.counts[self.lattice.interpolation(state).nearest()].map(f64::from)
    }

    fn recoded(&self, state: &State, action: usize) -> f64 {
        (self.count(state, action) + 1.0) / (self.total as f64 + 1.0)
    }
}
