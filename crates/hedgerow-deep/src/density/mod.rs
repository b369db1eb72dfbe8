//! Densities and pseudo-counts.
