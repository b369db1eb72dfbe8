//! A kernel density: samples nearby count too, the less the farther away they are.

use super::Density;
use crate::lattice::{Interpolation, Lattice};
use crate::maze::{ACTIONS, State};

/// The kernel density `rho_n(x) = 1/n sum_i K(x, x_i)` with `K(x, y) = phi(x).phi(y)`.
///
/// `phi(x)` holds the weights of the nodes around `x`, scaled to length 1, so `K(x, x) = 1` and one
/// sum of all `phi(x_i)` stands for all samples: adding and counting take 16 nodes, however many
/// samples there were. Learning-positive: `n rho_n(x)` grows by `K(x, x) = 1` while, by
/// Cauchy-Schwarz, `rho_n(x) <= 1`.
#[derive(Clone, Debug)]
pub struct Smooth {
    lattice: Lattice,
    sums: Vec<[f64; ACTIONS]>,
    total: u64,
}

impl Smooth {
    /// Without samples; the kernel is as wide as the distance between nodes of `lattice`.
    pub fn new(lattice: Lattice) -> Self {
        Self {
            sums: vec![[0.0; ACTIONS]; lattice.nodes()],
            lattice,
            total: 0,
        }
    }
}

/// The length of the weights, by which `phi` is scaled.
fn length(interpolation: &Interpolation) -> f64 {
    interpolation.iter().map(|(_, w)| w * w).sum::<f64>().sqrt()
}

impl Density for Smooth {
    fn observe(&mut self, state: &State, action: usize) {
        let interpolation = self.lattice.interpolation(state);
        let scale = 1.0 / length(&interpolation);
        for (node, weight) in interpolation.iter() {
            if let Some(sum) = self.sums[node].get_mut(action) {
                *sum += scale * weight;
            }
        }
        self.total += 1;
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn counts(&self, state: &State) -> [f64; ACTIONS] {
        let interpolation = self.lattice.interpolation(state);
        let scale = 1.0 / length(&interpolation);
        let mut counts = [0.0; ACTIONS];
        for (node, weight) in interpolation.iter() {
            for (count, sum) in counts.iter_mut().zip(&self.sums[node]) {
                *count += scale * weight * sum;
            }
        }
        counts
    }

    fn recoded(&self, state: &State, action: usize) -> f64 {
        (self.count(state, action) + 1.0) / (self.total as f64 + 1.0)
    }
}
