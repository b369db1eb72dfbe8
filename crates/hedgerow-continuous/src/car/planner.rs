//! The expert of the road: values under the true constraint by value iteration on a lattice, and
//! the best action by looking one decision ahead.
//!
//! ```text
//! V(s) = max_a [ r(s,a) - penalty c(s,a) + gamma V(s'(s,a)) ]
//! ```
//!
//! over the nodes of a lattice, interpolated in between. The expert maximises the same bracket over a
//! finer grid of actions. It is near-optimal, not optimal: its value is interpolated and its actions
//! are 25 accelerations by 9 steering angles.

use super::dynamics::{ACCELERATION, Car, Constraint, FASTEST, STEEPEST, STEERING};

/// Nodes along x, heading and speed; where across the road the car is makes no difference. One node is
/// at the stop line, so that no value from beyond it is mixed with those before it.
const NODES: [usize; 3] = [57, 9, 13];

/// First and last node of each axis. Beyond the last x nothing changes any more.
const SPAN: [(f64, f64); 3] = [(0.0, 14.0), (-STEEPEST, STEEPEST), (0.0, FASTEST)];

/// What a decision that violates the constraint costs the expert, in metres.
const PENALTY: f64 = 10.0;

/// Accelerations and steering angles of the planner and of the expert.
const COARSE: (usize, usize) = (13, 9);
const FINE: (usize, usize) = (25, 9);

/// How often the expert halves the steps of that grid around its best point.
const HALVINGS: usize = 8;

/// Values have converged when they change by less, in metres.
const TOLERANCE: f64 = 1e-3;

/// Sweeps before it is left at that: `0.9^200` of an error is left then.
const SWEEPS: usize = 200;

/// Values of states under a constraint.
#[derive(Debug)]
pub struct Planner {
    constraint: Constraint,
    gamma: f64,
    values: Vec<f64>,
}

/// What an action at a node leads to.
struct Transition {
    reward: f64,
    after: Place,
}

/// Where a state lies on the lattice: the node below it, and how far it is on the way to the next
/// one along each axis.
#[derive(Clone, Copy)]
struct Place {
    first: u32,
    shares: [f32; 3],
}

impl Place {
    /// The interpolated value: linear along one axis after the other.
    fn value(&self, values: &[f64]) -> f64 {
        let mut corners = [0.0; 8];
        for (corner, offset) in corners.iter_mut().zip(OFFSETS) {
            *corner = values[self.first as usize + offset];
        }
        for axis in (0..3).rev() {
            let share = f64::from(self.shares[axis]);
            for i in 0..1 << axis {
                corners[i] += share * (corners[i | 1 << axis] - corners[i]);
            }
        }
        corners[0]
    }
}

/// Nodes from one to the next along each axis.
const STRIDES: [usize; 3] = [NODES[1] * NODES[2], NODES[2], 1];

/// From the first corner around a state to each of the eight: bit `k` is a step along axis `k`.
const OFFSETS: [usize; 8] = {
    let mut offsets = [0; 8];
    let mut i = 0;
    while i < 8 {
        let mut axis = 0;
        while axis < 3 {
            offsets[i] += (i >> axis & 1) * STRIDES[axis];
            axis += 1;
        }
        i += 1;
    }
    offsets
};

impl Planner {
    /// Plans with the true dynamics.
    pub fn new(constraint: Constraint, gamma: f64) -> Self {
        let mut planner = Self {
            constraint,
            gamma,
            values: vec![0.0; NODES.iter().product()],
        };
        let transitions = planner.transitions();
        let actions = COARSE.0 * COARSE.1;
        for _ in 0..SWEEPS {
            let mut change = 0.0_f64;
            for (node, all) in transitions.chunks_exact(actions).enumerate() {
                let values = &planner.values;
                let value = |t: &Transition| t.reward + gamma * t.after.value(values);
                let best = all.iter().map(value).fold(f64::MIN, f64::max);
                change = change.max((best - planner.values[node]).abs());
                planner.values[node] = best;
            }
            if change < TOLERANCE {
                break;
            }
        }
        planner
    }

    fn transitions(&self) -> Vec<Transition> {
        let mut all = Vec::new();
        for node in 0..self.values.len() {
            for (acceleration, steering) in actions(COARSE) {
                let mut car = car_at(node);
                let (gained, cost) = car.drive(acceleration, steering, self.constraint);
                all.push(Transition {
                    reward: gained - PENALTY * cost,
                    after: place(&car),
                });
            }
        }
        all
    }

    /// The value of a state.
    pub fn value(&self, car: &Car) -> f64 {
        place(car).value(&self.values)
    }

    /// The expert's acceleration and steering.
    pub fn action(&self, car: &Car) -> [f64; 2] {
        let mut best = (f64::MIN, [0.0; 2]);
        for (acceleration, steering) in actions(FINE) {
            let value = self.action_value(car, acceleration, steering);
            if value > best.0 {
                best = (value, [acceleration, steering]);
            }
        }
        // Between the points of the grid: up to a limit, not to the last point below it.
        let mut steps = [
            (ACCELERATION.1 - ACCELERATION.0) / (FINE.0 - 1) as f64,
            2.0 * STEERING / (FINE.1 - 1) as f64,
        ];
        for _ in 0..HALVINGS {
            steps = steps.map(|s| s / 2.0);
            for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
                let mut tried = best.1;
                tried[axis] += sign * steps[axis];
                let within = (ACCELERATION.0..=ACCELERATION.1).contains(&tried[0])
                    && tried[1].abs() <= STEERING;
                let value = self.action_value(car, tried[0], tried[1]);
                if within && value > best.0 + 1e-12 {
                    best = (value, tried);
                }
            }
        }
        best.1
    }

    /// What an action leads to, by the values of the lattice.
    fn action_value(&self, car: &Car, acceleration: f64, steering: f64) -> f64 {
        let mut next = *car;
        let (gained, cost) = next.drive(acceleration, steering, self.constraint);
        gained - PENALTY * cost + self.gamma * self.value(&next)
    }
}

/// A grid of actions, bounds included, straight ahead before turns.
fn actions((accelerations, angles): (usize, usize)) -> impl Iterator<Item = (f64, f64)> {
    let (low, high) = ACCELERATION;
    let at = move |i: usize| low + (high - low) * i as f64 / (accelerations - 1) as f64;
    let angle = move |j: usize| {
        // 0, 1, -1, 2, -2, ... steps to the side.
        let steps = j.div_ceil(2) as f64 * if j % 2 == 1 { 1.0 } else { -1.0 };
        STEERING * steps / ((angles - 1) / 2) as f64
    };
    (0..angles).flat_map(move |j| (0..accelerations).map(move |i| (at(i), angle(j))))
}

fn car_at(node: usize) -> Car {
    let mut rest = node;
    let mut at = [0.0; 3];
    for axis in (0..3).rev() {
        let (low, high) = SPAN[axis];
        let share = (rest % NODES[axis]) as f64 / (NODES[axis] - 1) as f64;
        at[axis] = low + share * (high - low);
        rest /= NODES[axis];
    }
    let [x, heading, speed] = at;
    Car {
        x,
        y: 0.0,
        heading,
        speed,
    }
}

fn place(car: &Car) -> Place {
    let mut place = Place {
        first: 0,
        shares: [0.0; 3],
    };
    let at = [car.x, car.heading, car.speed];
    for (axis, value) in at.into_iter().enumerate() {
        let (low, high) = SPAN[axis];
        let last = (NODES[axis] - 1) as f64;
        let at = ((value - low) / (high - low) * last).clamp(0.0, last);
        let first = at.floor().min(last - 1.0);
        place.first += (first as usize * STRIDES[axis]) as u32;
        place.shares[axis] = (at - first) as f32;
    }
    place
}
