//! The eight forces to choose from.

use std::f64::consts::FRAC_1_SQRT_2 as D;

/// Number of actions: one per force.
pub const ACTIONS: usize = FORCES.len();

/// Unit forces `[x, y]` in the eight compass directions, in the order of the moves of grids.
pub const FORCES: [(&str, [f64; 2]); 8] = [
    ("up", [0.0, 1.0]),
    ("down", [0.0, -1.0]),
    ("left", [-1.0, 0.0]),
    ("right", [1.0, 0.0]),
    ("up-left", [-D, D]),
    ("up-right", [D, D]),
    ("down-left", [-D, -D]),
    ("down-right", [D, -D]),
];
