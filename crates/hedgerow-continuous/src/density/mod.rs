//! Densities over states and actions, and the pseudo-counts that take the place of visits where no
//! state is ever visited twice.
//!
//! With `rho_n(x)` the probability that a density gives to `x` after `n` samples, the pseudo-count
//! of `x` is `N^(x) = n rho_n(x)`. It makes sense for a density that is *learning-positive*: observing
//! `x` once more never makes `x` less probable.
//!
//! ```
//! use hedgerow_continuous::density;
//! use hedgerow_continuous::lattice::Lattice;
//! use hedgerow_continuous::maze::builtin;
//!
//! let maze = builtin::maze("point-maze")?;
//! let mut density = density::named("smooth", Lattice::new(maze.map(), 0.2, 9)?);
//! let (state, nearby) = ([-1.0, -1.0, 0.0, 0.0], [-0.95, -1.0, 0.0, 0.0]);
//! density.observe(&state, 3);
//! assert!((density.count(&state, 3) - 1.0).abs() < 1e-9);
//! assert!(density.count(&nearby, 3) > 0.5 && density.count(&nearby, 4) == 0.0);
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

mod smooth;
mod tiled;

pub use smooth::Smooth;
pub use tiled::Tiled;

use crate::lattice::Lattice;
use crate::maze::{ACTIONS, State};
use std::fmt::Debug;

/// A density over states and actions that learns from samples.
pub trait Density: Debug + Send {
    /// Adds a sample.
    fn observe(&mut self, state: &State, action: usize);

    /// Number of samples, `n`.
    fn total(&self) -> u64;

    /// The pseudo-counts of all actions at a state.
    fn counts(&self, state: &State) -> [f64; ACTIONS];

    /// The pseudo-count `N^(s,a) = n rho_n(s,a)`.
    fn count(&self, state: &State, action: usize) -> f64 {
        self.counts(state).get(action).copied().unwrap_or(0.0)
    }

    /// `rho_n(s,a)`; 0 before the first sample.
    fn density(&self, state: &State, action: usize) -> f64 {
        match self.total() {
            0 => 0.0,
            n => self.count(state, action) / n as f64,
        }
    }

    /// `rho'_n(s,a)`: what the density would be if the pair were observed once more.
    fn recoded(&self, state: &State, action: usize) -> f64;
}

/// The density called `name`: `tiled` or `smooth`.
pub fn named(name: &str, lattice: Lattice) -> Box<dyn Density> {
    match name {
        "tiled" => Box::new(Tiled::new(lattice)),
        _ => Box::new(Smooth::new(lattice)),
    }
}
