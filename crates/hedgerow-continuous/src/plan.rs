//! Planning with the true physics: the optimal policy under a cost on cells.
//!
//! Only the evaluator may use this; a learner has no physics to plan with.
//!
//! ```no_run
//! use hedgerow_continuous::maze::builtin;
//! use hedgerow_continuous::plan::Planner;
//!
//! let maze = builtin::maze("point-maze")?;
//! let planner = Planner::new(&maze, 0.2, 9)?;
//! let policy = planner.solve(&vec![0.0; maze.map().rows() * maze.map().columns()])?;
//! let action = planner.action(&policy, &[-1.0, -1.0, 0.0, 0.0]);
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

use crate::lattice::Lattice;
use crate::maze::{ACTIONS, Ball, FORCES, Maze, State};
use crate::select::argmax;
use crate::{Error, Result};

/// Values have converged when they change by less, against rewards of 1.
const TOLERANCE: f64 = 1e-7;

/// Sweeps before giving up; values converge geometrically with the discount.
const SWEEPS: usize = 20_000;

/// What one action at one node leads to.
#[derive(Clone, Copy, Debug)]
struct Transition {
    reward: f64,
    /// Discount of the value that follows; 0 where the episode ends.
    discount: f64,
    /// Cells passed and the share of the hold spent in each.
    cells: [(u32, f32); 3],
}

/// The true dynamics on a lattice, for any cost.
#[derive(Debug)]
pub struct Planner {
    lattice: Lattice,
    transitions: Vec<Transition>,
    /// Where transition `i` leads: entries `first[i]..first[i + 1]` of the next two.
    first: Vec<u32>,
    nodes: Vec<u32>,
    weights: Vec<f32>,
}

/// The optimal policy under a cost on cells, as values by node and action.
#[derive(Clone, Debug)]
pub struct PlannedPolicy {
    values: Vec<f64>,
}

impl Planner {
    /// Simulates every action at every node once.
    pub fn new(maze: &Maze, spacing: f64, speeds: usize) -> Result<Self> {
        let lattice = Lattice::new(maze.map(), spacing, speeds)?;
        let mut planner = Self {
            transitions: Vec::with_capacity(lattice.nodes() * ACTIONS),
            first: vec![0],
            nodes: Vec::new(),
            weights: Vec::new(),
            lattice,
        };
        for node in 0..planner.lattice.nodes() {
            let state = planner.lattice.state(node);
            for (_, force) in FORCES {
                planner.simulate(maze, &state, force);
            }
        }
        Ok(planner)
    }

    fn simulate(&mut self, maze: &Maze, state: &State, force: [f64; 2]) {
        let [x, y, vx, vy] = *state;
        let mut ball = Ball {
            position: [x, y],
            velocity: [vx, vy],
        };
        let hold = maze.design().hold;
        let mut transition = Transition {
            reward: 0.0,
            discount: maze.design().gamma,
            cells: [(0, 0.0); 3],
        };
        for _ in 0..hold {
            maze.physics().step(&mut ball, force);
            if let Some(cell) = maze.map().index_at(ball.position) {
                let cell = cell as u32;
                let mut places = transition.cells.iter_mut();
                if let Some(place) = places.find(|p| p.1 == 0.0 || p.0 == cell) {
                    *place = (cell, place.1 + 1.0 / hold as f32);
                }
            }
            if maze.at_goal(ball.position) {
                transition.reward = 1.0;
                transition.discount = 0.0;
                break;
            }
        }
        if transition.discount > 0.0 {
            let ([x, y], [vx, vy]) = (ball.position, ball.velocity);
            for (node, weight) in self.lattice.interpolation(&[x, y, vx, vy]).iter() {
                self.nodes.push(node as u32);
                self.weights.push(weight as f32);
            }
        }
        self.first.push(self.nodes.len() as u32);
        self.transitions.push(transition);
    }

    /// The optimal policy if a whole decision spent in a cell costs its entry of `cell_costs`
    /// (indexed by [`Map::index`](crate::maze::Map::index)), and a part of one in proportion to the
    /// time.
    pub fn solve(&self, cell_costs: &[f64]) -> Result<PlannedPolicy> {
        let penalised = |transition: &Transition| {
            let cost = |&(cell, share): &(u32, f32)| {
                let cost = cell_costs.get(cell as usize);
                cost.map_or(0.0, |c| c * f64::from(share))
            };
            transition.reward - transition.cells.iter().map(cost).sum::<f64>()
        };
        let rewards: Vec<f64> = self.transitions.iter().map(penalised).collect();
        let mut best = vec![0.0_f64; self.lattice.nodes()];
        let mut values = vec![0.0; self.transitions.len()];
        for _ in 0..SWEEPS {
            let mut change = 0.0_f64;
            // In place: later nodes use the new values of earlier ones, which converges sooner.
            for node in 0..best.len() {
                let mut top = f64::NEG_INFINITY;
                for i in node * ACTIONS..(node + 1) * ACTIONS {
                    let (from, to) = (self.first[i] as usize, self.first[i + 1] as usize);
                    let nodes = self.nodes[from..to].iter();
                    let next: f64 = nodes
                        .zip(&self.weights[from..to])
                        .map(|(&n, &w)| f64::from(w) * best[n as usize])
                        .sum();
                    values[i] = rewards[i] + self.transitions[i].discount * next;
                    top = top.max(values[i]);
                }
                change = change.max((top - best[node]).abs());
                best[node] = top;
            }
            if change <= TOLERANCE {
                return Ok(PlannedPolicy { values });
            }
        }
        Err(Error::Numeric {
            place: "planning in the maze".into(),
            problem: format!("values have not converged after {SWEEPS} sweeps"),
        })
    }

    /// Values of all actions at a state.
    pub fn values(&self, policy: &PlannedPolicy, state: &State) -> [f64; ACTIONS] {
        let mut q = [0.0; ACTIONS];
        for (node, weight) in self.lattice.interpolation(state).iter() {
            for (q, v) in q.iter_mut().zip(&policy.values[node * ACTIONS..]) {
                *q += weight * v;
            }
        }
        q
    }

    /// The best action at a state.
    pub fn action(&self, policy: &PlannedPolicy, state: &State) -> usize {
        argmax(&self.values(policy, state))
    }
}
