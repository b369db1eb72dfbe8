//! Where a moving ball can first stand still again.
//!
//! On a grid a move leads to a cell. With momentum a decision leads further than the point it ends
//! at: the ball inevitably moves on until it could be stopped. That stopping point is what a
//! decision leads to, and where its cost is charged.

use super::sample::Sample;
use crate::maze::{Map, State};

/// Steps in which the path to the stopping point is followed, to notice walls.
const STEPS: usize = 16;

/// Changes of speed that are kept: their median needs no more.
const KEPT: usize = 1001;

/// How fast the ball can be stopped, estimated from samples.
#[derive(Clone, Debug)]
pub struct Braking {
    /// Seconds per decision.
    seconds: f64,
    /// Changes of speed of the first samples, sorted.
    changes: Vec<f64>,
}

impl Braking {
    /// Without samples.
    pub fn new(seconds: f64) -> Self {
        Self {
            seconds,
            changes: Vec::new(),
        }
    }

    /// Adds a sample. Walls stop a ball at once, but most samples touch none.
    pub fn observe(&mut self, sample: &Sample) {
        if self.changes.len() < KEPT && !sample.terminated {
            let (s, n) = (&sample.state, &sample.next);
            let change = (n[2] - s[2]).hypot(n[3] - s[3]);
            let at = self.changes.partition_point(|c| *c < change);
            self.changes.insert(at, change);
        }
    }

    /// Whether the estimate is final: further samples change nothing.
    pub fn is_final(&self) -> bool {
        self.changes.len() >= KEPT
    }

    /// The change of speed that one decision brings about: the median of those observed.
    pub fn change(&self) -> Option<f64> {
        self.changes.get(self.changes.len() / 2).copied()
    }

    /// Where a ball in this state can first stand still: `x + v t |v| / 2d` with `t` the seconds
    /// and `d` the change of speed per decision, along walls where they are in the way.
    pub fn stopping_point(&self, map: &Map, state: &State) -> [f64; 2] {
        let [x, y, vx, vy] = *state;
        let Some(change) = self.change().filter(|c| *c > 0.0) else {
            return [x, y];
        };
        let scale = self.seconds * vx.hypot(vy) / (2.0 * change) / STEPS as f64;
        let is_open = |p: [f64; 2]| map.cell_at(p).is_some_and(|(r, c)| !map.is_wall(r, c));
        let mut point = [x, y];
        for _ in 0..STEPS {
            for (axis, v) in [(0, vx), (1, vy)] {
                let mut next = point;
                next[axis] += v * scale;
                if is_open(next) {
                    point = next;
                }
            }
        }
        point
    }
}
