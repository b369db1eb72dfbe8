//! One step of the ball.

use super::contact::{Contact, Contacts, MARGIN, RADIUS};
use super::map::Map;

/// Length of a step in seconds.
pub const STEP: f64 = 0.01;
/// Mass of the ball: a sphere of radius 0.1 m and density 1000 kg/m^3.
pub const MASS: f64 = 4.188790204786391;
/// Force of an action of 1, in newtons.
pub const GEAR: f64 = 100.0;
/// Speed along an axis is clipped to this before each step, and never after.
pub const FASTEST: f64 = 5.0;
/// Friction in newtons at 1 m/s.
const DRAG: f64 = 1.0;
/// Walls further away than this are not felt; a little more than the reach of a contact, so that
/// rounding cannot hide one.
const NEAR: f64 = RADIUS + 2.0 * MARGIN;

/// The ball: where it is and where it goes, in metres and metres per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// Its centre, `[x, y]`.
    pub position: [f64; 2],
    /// Its velocity; above 5 m/s along an axis between two steps.
    pub velocity: [f64; 2],
}

/// The physics of one map.
#[derive(Clone, Debug, PartialEq)]
pub struct Physics {
    map: Map,
    half: f64,
}

impl Physics {
    /// The physics of `map`.
    pub fn new(map: &Map) -> Self {
        Self {
            half: map.size() / 2.0,
            map: map.clone(),
        }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Pushes `ball` for one step with the force `100 action`, the action clipped to 1 per axis.
    ///
    /// `v` clipped, then `v' = v + h (100 a - v + f) / (m + h)`, `x' = x + h v'`, where `f` is the
    /// force of the walls at `x`: see [`super::contact`].
    #[inline]
    pub fn step(&self, ball: &mut Ball, action: [f64; 2]) {
        let v = ball.velocity.map(|v| v.clamp(-FASTEST, FASTEST));
        let push = action.map(|a| GEAR * a.clamp(-1.0, 1.0));
        let mut force = [push[0] - DRAG * v[0], push[1] - DRAG * v[1]];
        let contacts = self.contacts(ball.position, v);
        if !contacts.as_slice().is_empty() {
            let free = force.map(|f| f / MASS);
            let a = contacts.acceleration(free);
            // m a0 + m (a - a0): the force with that of the walls.
            force = [
                force[0] + MASS * (a[0] - free[0]),
                force[1] + MASS * (a[1] - free[1]),
            ];
        }
        for axis in 0..2 {
            // The drag is implicit: it acts on the velocity after the step.
            ball.velocity[axis] = v[axis] + STEP * force[axis] / (MASS + STEP * DRAG);
            ball.position[axis] += STEP * ball.velocity[axis];
        }
    }

    /// One step of many balls, each in a maze of its own, with an action each.
    pub fn steps(&self, balls: &mut [Ball], actions: &[[f64; 2]]) {
        debug_assert_eq!(balls.len(), actions.len());
        for (ball, &action) in balls.iter_mut().zip(actions) {
            self.step(ball, action);
        }
    }

    /// The active contacts of a ball at `x` with velocity `v`.
    ///
    /// Cells are wide enough that the ball is near at most one side and one end of its cell.
    #[inline]
    pub fn contacts(&self, x: [f64; 2], v: [f64; 2]) -> Contacts {
        let mut contacts = Contacts::default();
        let (row, column) = self.map.at(x);
        let centre = self.map.centre(row, column);
        let off = [x[0] - centre[0], x[1] - centre[1]];
        let reach = self.half - NEAR;
        let beside = [off[0].abs() > reach, off[1].abs() > reach];
        let next = (
            row + 1.0_f64.copysign(off[1]),
            column + 1.0_f64.copysign(off[0]),
        );
        let mut touch = |row: f64, column: f64| {
            if self.map.wall_at(row, column) {
                let centre = self.map.centre(row, column);
                if let Some(contact) = Contact::of_box(x, v, centre, self.half) {
                    contacts.push(contact);
                }
            }
        };
        touch(row, column);
        if beside[0] {
            touch(row, next.1);
        }
        if beside[1] {
            touch(next.0, column);
        }
        if beside[0] && beside[1] {
            touch(next.0, next.1);
        }
        contacts
    }
}
