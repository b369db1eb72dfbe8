//! The inputs of networks.

use crate::maze::{Map, State};
use std::f64::consts::PI;

/// How many numbers describe a state.
pub const FEATURES: usize = 14;

/// Fastest speed along an axis, in metres per second.
const FASTEST: f64 = 5.0;
/// Deceleration under full force, in metres per second squared: 100 N on 4.19 kg.
const BRAKE: f64 = 23.9;

/// A state as inputs of a network, all of order 1.
///
/// Per axis, with `u` the position in cells and `v` the velocity: the position over half the map,
/// `v / 5`, the place where full force against `v` would stop the ball, `x + v |v| / (2 b)`, and
/// `sin` and `cos` of `pi u` and `2 pi u`, which repeat with the cells and so are the same at all
/// walls.
pub fn features(state: &State, map: &Map) -> [f32; FEATURES] {
    let [x, y, vx, vy] = *state;
    let mut out = [0.0; FEATURES];
    let cells = [map.columns() as f64, map.rows() as f64];
    for (axis, (x, v)) in [(x, vx), (y, vy)].into_iter().enumerate() {
        let half = 0.5 * cells[axis] * map.size();
        let u = x / map.size() + 0.5 * cells[axis];
        let turn = PI * u;
        let found = [
            x / half,
            v / FASTEST,
            (x + v * v.abs() / (2.0 * BRAKE)) / half,
            libm::sin(turn),
            libm::cos(turn),
            libm::sin(2.0 * turn),
            libm::cos(2.0 * turn),
        ];
        for (i, f) in found.into_iter().enumerate() {
            out[2 * i + axis] = f as f32;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_worked_out_by_hand() {
        let map = Map::drawn(&vec![vec![false; 5]; 5], 1.0).unwrap();
        let f = features(&[1.0, 0.0, 5.0, -2.5], &map);
        let near = |i: usize, wanted: f64| assert!((f64::from(f[i]) - wanted).abs() < 1e-6, "{i}");
        near(0, 0.4);
        near(1, 0.0);
        near(2, 1.0);
        near(3, -0.5);
        near(4, (1.0 + 25.0 / 47.8) / 2.5);
        near(5, -6.25 / 47.8 / 2.5);
        // u = 3.5 and 2.5: sin is -1 and 1, cos 0.
        near(6, -1.0);
        near(7, 1.0);
        near(8, 0.0);
        near(12, -1.0);
    }
}
