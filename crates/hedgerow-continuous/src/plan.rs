//! Planning with the true physics: the best agent that keeps out of some cells.
//!
//! Only experts and the evaluator may use this; a learner has no physics to hand over.

use crate::lattice::Lattice;
use crate::maze::{Ball, FORCES, Maze, State};
use crate::{Error, Result};

/// Values are settled to this, against rewards of 1.
const TOLERANCE: f64 = 1e-7;

/// Sweeps before giving up; values settle geometrically with the discount.
const SWEEPS: usize = 20_000;

/// What one push from one node leads to.
#[derive(Clone, Copy, Debug)]
struct Push {
    reward: f64,
    /// Discount of what follows; 0 where the episode ends.
    discount: f64,
    /// Cells passed and the share of the hold spent in each.
    cells: [(u32, f32); 3],
}

/// The true dynamics on a lattice, whatever is forbidden.
#[derive(Debug)]
pub struct Planner {
    lattice: Lattice,
    pushes: Vec<Push>,
    /// Where the push `i` leads: entries `first[i]..first[i + 1]` of the next two.
    first: Vec<u32>,
    nodes: Vec<u32>,
    weights: Vec<f32>,
}

/// The best values under some forbidden cells, by node and force.
#[derive(Clone, Debug)]
pub struct Plan {
    values: Vec<f64>,
}

impl Planner {
    /// Simulates every push from every node once.
    pub fn new(maze: &Maze, spacing: f64, speeds: usize) -> Result<Self> {
        let lattice = Lattice::new(maze.map(), spacing, speeds)?;
        let mut planner = Self {
            pushes: Vec::with_capacity(lattice.nodes() * FORCES.len()),
            first: vec![0],
            nodes: Vec::new(),
            weights: Vec::new(),
            lattice,
        };
        for node in 0..planner.lattice.nodes() {
            let state = planner.lattice.state(node);
            for (_, force) in FORCES {
                planner.push(maze, &state, force);
            }
        }
        Ok(planner)
    }

    fn push(&mut self, maze: &Maze, state: &State, force: [f64; 2]) {
        let [x, y, vx, vy] = *state;
        let mut ball = Ball {
            position: [x, y],
            velocity: [vx, vy],
        };
        let hold = maze.design().hold;
        let mut push = Push {
            reward: 0.0,
            discount: maze.design().gamma,
            cells: [(0, 0.0); 3],
        };
        for _ in 0..hold {
            maze.physics().step(&mut ball, force);
            if let Some((row, column)) = maze.map().cell_at(ball.position) {
                let cell = (row * maze.map().columns() + column) as u32;
                let mut places = push.cells.iter_mut();
                if let Some(place) = places.find(|p| p.1 == 0.0 || p.0 == cell) {
                    *place = (cell, place.1 + 1.0 / hold as f32);
                }
            }
            if maze.at_goal(ball.position) {
                push.reward = 1.0;
                push.discount = 0.0;
                break;
            }
        }
        if push.discount > 0.0 {
            let ([x, y], [vx, vy]) = (ball.position, ball.velocity);
            for (node, weight) in self.lattice.around(&[x, y, vx, vy]).iter() {
                self.nodes.push(node as u32);
                self.weights.push(weight as f32);
            }
        }
        self.first.push(self.nodes.len() as u32);
        self.pushes.push(push);
    }

    /// The best values if every hold spent in a cell of `charged` costs its entry there, in
    /// proportion to the time.
    pub fn solve(&self, charged: &[f64]) -> Result<Plan> {
        let pay: Vec<f64> = self
            .pushes
            .iter()
            .map(|push| {
                let cost = |&(cell, share): &(u32, f32)| {
                    charged
                        .get(cell as usize)
                        .map_or(0.0, |c| c * f64::from(share))
                };
                push.reward - push.cells.iter().map(cost).sum::<f64>()
            })
            .collect();
        let actions = FORCES.len();
        let mut best = vec![0.0_f64; self.lattice.nodes()];
        let mut values = vec![0.0; self.pushes.len()];
        for _ in 0..SWEEPS {
            let mut change = 0.0_f64;
            // In place: later nodes see what earlier ones have become, which settles sooner.
            for node in 0..best.len() {
                let mut top = f64::NEG_INFINITY;
                for i in node * actions..(node + 1) * actions {
                    let (from, to) = (self.first[i] as usize, self.first[i + 1] as usize);
                    let nodes = self.nodes[from..to].iter();
                    let ahead: f64 = nodes
                        .zip(&self.weights[from..to])
                        .map(|(&n, &w)| f64::from(w) * best[n as usize])
                        .sum();
                    values[i] = pay[i] + self.pushes[i].discount * ahead;
                    top = top.max(values[i]);
                }
                change = change.max((top - best[node]).abs());
                best[node] = top;
            }
            if change <= TOLERANCE {
                return Ok(Plan { values });
            }
        }
        Err(Error::Numeric {
            place: "planning in the maze".into(),
            problem: format!("values have not settled after {SWEEPS} sweeps"),
        })
    }

    /// Values of the eight forces at a state.
    pub fn values(&self, plan: &Plan, state: &State) -> [f64; 8] {
        let mut q = [0.0; 8];
        for (node, weight) in self.lattice.around(state).iter() {
            for (q, v) in q.iter_mut().zip(&plan.values[node * 8..]) {
                *q += weight * v;
            }
        }
        q
    }

    /// The best force at a state.
    pub fn action(&self, plan: &Plan, state: &State) -> usize {
        let q = self.values(plan, state);
        let mut best = 0;
        for (i, v) in q.iter().enumerate() {
            if *v > q[best] {
                best = i;
            }
        }
        best
    }
}
