//! A lattice over positions and velocities, and multilinear interpolation on it.
//!
//! Values that are fitted or planned are numbers at its nodes; between nodes they are interpolated.
//! Interpolation only ever averages, so repeated backups through it converge.
//!
//! ```
//! use hedgerow_continuous::lattice::Lattice;
//! use hedgerow_continuous::maze::builtin;
//!
//! let maze = builtin::maze("point-maze")?;
//! let lattice = Lattice::new(maze.map(), 0.2, 5)?;
//! let x: Vec<f64> = (0..lattice.nodes()).map(|n| lattice.state(n)[0]).collect();
//! // Linear functions are interpolated exactly.
//! let value = lattice.interpolation(&[-0.93, -1.0, 0.4, 0.0]).value(&x);
//! assert!((value + 0.93).abs() < 1e-9);
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

use crate::maze::contact::RADIUS;
use crate::maze::{Map, State};
use crate::{Error, Result};

/// Largest speed an axis is resolved to; the physics clips there.
const FASTEST: f64 = 5.0;

/// Nodes a state lies between at most: two on each of four axes.
pub const CORNERS: usize = 16;

/// The nodes that a state lies between, with their weights.
#[derive(Clone, Copy, Debug)]
pub struct Interpolation {
    nodes: [u32; CORNERS],
    weights: [f64; CORNERS],
    count: usize,
}

impl Interpolation {
    /// Node and weight, the weights summing to 1.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let weights = &self.weights[..self.count];
        self.nodes
            .iter()
            .zip(weights)
            .map(|(&n, &w)| (n as usize, w))
    }

    /// The node with the largest weight.
    #[inline]
    pub fn nearest(&self) -> usize {
        let (mut best, mut most) = (0, 0.0);
        for (node, weight) in self.iter() {
            if weight > most {
                (best, most) = (node, weight);
            }
        }
        best
    }

    /// The interpolated value.
    #[inline]
    pub fn value(&self, values: &[f64]) -> f64 {
        self.iter().map(|(n, w)| w * values[n]).sum()
    }
}

/// Nodes over the open space of a maze.
#[derive(Clone, Debug)]
pub struct Lattice {
    corner: [f64; 2],
    spacing: f64,
    columns: usize,
    rows: usize,
    /// Number of every position on the grid among those that the ball can be at.
    number: Vec<Option<u32>>,
    positions: Vec<[f64; 2]>,
    speeds: usize,
    speed_step: f64,
}

impl Lattice {
    /// A lattice with this distance between positions (metres) and this many speeds per axis.
    pub fn new(map: &Map, spacing: f64, speeds: usize) -> Result<Self> {
        if speeds < 3 || !(spacing >= 0.02 && spacing <= map.size()) {
            return Err(Error::invalid(
                "lattice",
                format!("spacing {spacing} m, {speeds} speeds"),
                "use a spacing from 0.02 m to a cell and at least 3 speeds",
            ));
        }
        let half = |cells: usize| cells as f64 * map.size() / 2.0;
        let [left, bottom] = [-half(map.columns()), -half(map.rows())];
        // The outermost places the ball can be at are a radius away from walls.
        let corner = [left + RADIUS, bottom + RADIUS];
        let count = |cells: usize| (cells as f64 * map.size() / spacing).ceil() as usize + 1;
        let (columns, rows) = (count(map.columns()), count(map.rows()));
        let mut number = vec![None; columns * rows];
        let mut positions = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let at = |k: usize, i: usize| corner[k] + i as f64 * spacing;
                let position = [at(0, column), at(1, row)];
                if clearance(map, position) >= RADIUS - 1e-9 {
                    number[row * columns + column] = Some(positions.len() as u32);
                    positions.push(position);
                }
            }
        }
        Ok(Self {
            corner,
            spacing,
            columns,
            rows,
            number,
            positions,
            speeds,
            speed_step: 2.0 * FASTEST / (speeds - 1) as f64,
        })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.positions.len() * self.speeds * self.speeds
    }

    /// The state at a node.
    pub fn state(&self, node: usize) -> State {
        let each = self.speeds * self.speeds;
        let [x, y] = self.positions[node / each];
        let speed = |i: usize| i as f64 * self.speed_step - FASTEST;
        let (u, v) = (node % each / self.speeds, node % self.speeds);
        [x, y, speed(u), speed(v)]
    }

    /// The interpolation at a state. Positions in walls do not count; what lies outside is moved to
    /// the border.
    #[inline]
    pub fn interpolation(&self, state: &State) -> Interpolation {
        let [left, bottom] = self.corner;
        let (column, right) = split((state[0] - left) / self.spacing, self.columns);
        let (row, up) = split((state[1] - bottom) / self.spacing, self.rows);
        let (u, faster_x) = split((state[2] + FASTEST) / self.speed_step, self.speeds);
        let (v, faster_y) = split((state[3] + FASTEST) / self.speed_step, self.speeds);
        let mut interpolation = Interpolation {
            nodes: [0; CORNERS],
            weights: [0.0; CORNERS],
            count: 0,
        };
        let mut total = 0.0;
        let each = self.speeds * self.speeds;
        for (dy, wy) in [(0, 1.0 - up), (1, up)] {
            for (dx, wx) in [(0, 1.0 - right), (1, right)] {
                let place = (row + dy) * self.columns + column + dx;
                let (Some(Some(position)), true) = (self.number.get(place), wx * wy > 0.0) else {
                    continue;
                };
                total += wx * wy;
                for (du, wu) in [(0, 1.0 - faster_x), (1, faster_x)] {
                    for (dv, wv) in [(0, 1.0 - faster_y), (1, faster_y)] {
                        if wu * wv > 0.0 {
                            let node = *position as usize * each + (u + du) * self.speeds + v + dv;
                            interpolation.nodes[interpolation.count] = node as u32;
                            interpolation.weights[interpolation.count] = wx * wy * wu * wv;
                            interpolation.count += 1;
                        }
                    }
                }
            }
        }
        if total > 0.0 {
            for w in &mut interpolation.weights[..interpolation.count] {
                *w /= total;
            }
        } else {
            self.nearest_open(state, u, v, &mut interpolation);
        }
        interpolation
    }

    /// For a state with walls all around: the nearest position, which is rare enough to search.
    #[cold]
    fn nearest_open(&self, state: &State, u: usize, v: usize, interpolation: &mut Interpolation) {
        let distance = |p: &[f64; 2]| (p[0] - state[0]).powi(2) + (p[1] - state[1]).powi(2);
        let mut best = (f64::INFINITY, 0);
        for (i, p) in self.positions.iter().enumerate() {
            if distance(p) < best.0 {
                best = (distance(p), i);
            }
        }
        let each = self.speeds * self.speeds;
        interpolation.nodes[0] = (best.1 * each + u * self.speeds + v) as u32;
        interpolation.weights[0] = 1.0;
        interpolation.count = 1;
    }
}

/// The interval `x` lies in and how far along it, kept within `count` nodes.
#[inline]
fn split(x: f64, count: usize) -> (usize, f64) {
    let last = (count - 1) as f64;
    let x = x.clamp(0.0, last);
    let at = (x.floor()).min(last - 1.0);
    (at as usize, x - at)
}

/// Distance from `position` to the nearest wall around it.
fn clearance(map: &Map, position: [f64; 2]) -> f64 {
    let Some((row, column)) = map.cell_at(position) else {
        return 0.0;
    };
    let mut least = f64::INFINITY;
    for r in row.saturating_sub(1)..=row + 1 {
        for c in column.saturating_sub(1)..=column + 1 {
            if map.is_wall(r, c) {
                let centre = map.cell_centre(r, c);
                let gap = |k: usize| ((position[k] - centre[k]).abs() - map.size() / 2.0).max(0.0);
                least = least.min(gap(0).hypot(gap(1)));
            }
        }
    }
    least
}
