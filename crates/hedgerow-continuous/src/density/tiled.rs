//! Counting in tiles.

use super::Density;
use crate::lattice::Lattice;
use crate::maze::State;

/// Every state counts for the tile around its nearest node, and for no other: the density is
/// `rho_n(x) = N(tile of x) / n`.
///
/// Learning-positive: `(N + 1)/(n + 1) >= N/n`, since `N <= n`.
#[derive(Clone, Debug)]
pub struct Tiled {
    lattice: Lattice,
    counts: Vec<[u32; 8]>,
    total: u64,
}

impl Tiled {
    /// Nothing seen yet; tiles lie around the nodes of `lattice`.
    pub fn new(lattice: Lattice) -> Self {
        Self {
            counts: vec![[0; 8]; lattice.nodes()],
            lattice,
            total: 0,
        }
    }
}

impl Density for Tiled {
    fn see(&mut self, state: &State, action: usize) {
        let tile = self.lattice.around(state).nearest();
        if let Some(count) = self.counts[tile].get_mut(action) {
            *count += 1;
        }
        self.total += 1;
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn counts(&self, state: &State) -> [f64; 8] {
        self.counts[self.lattice.around(state).nearest()].map(f64::from)
    }

    fn recoded(&self, state: &State, action: usize) -> f64 {
        (self.count(state, action) + 1.0) / (self.total as f64 + 1.0)
    }
}
