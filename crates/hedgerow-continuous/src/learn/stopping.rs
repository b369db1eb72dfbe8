//! Where a moving ball can first stand still again.
//!
//! On a grid a move leads to a cell. With momentum a decision leads further than the place it ends
//! at: the ball cannot help passing on until it could be stopped. That place is what a decision
//! leads to, and where its cost is charged.

use super::sample::Sample;
use crate::maze::{Map, State};

/// Steps in which the way to the stopping place is followed, to see walls.
const STEPS: usize = 16;

/// What braking takes, estimated from samples.
#[derive(Clone, Debug)]
pub struct Stopping {
    /// Seconds a decision takes.
    seconds: f64,
    /// Changes of speed of the samples so far, thinned, sorted.
    changes: Vec<f64>,
}

/// Changes of speed that are kept: their median needs no more.
const KEPT: usize = 1001;

impl Stopping {
    /// Nothing seen yet.
    pub fn new(seconds: f64) -> Self {
        Self {
            seconds,
            changes: Vec::new(),
        }
    }

    /// Learns from a sample. Walls stop a ball at once, but most samples touch none.
    pub fn see(&mut self, sample: &Sample) {
        if self.changes.len() < KEPT && !sample.ended {
            let (s, n) = (&sample.state, &sample.next);
            let change = (n[2] - s[2]).hypot(n[3] - s[3]);
            let at = self.changes.partition_point(|c| *c < change);
            self.changes.insert(at, change);
        }
    }

    /// Whether enough was seen, so that nothing changes any more.
    pub fn is_settled(&self) -> bool {
        self.changes.len() >= KEPT
    }

    /// The change of speed that one decision brings about: the median of what was seen.
    pub fn change(&self) -> Option<f64> {
        self.changes.get(self.changes.len() / 2).copied()
    }

    /// Where a ball in this state can first stand still: `x + v t |v| / 2d` with `t` the seconds
    /// and `d` the change of speed of a decision, along walls where they are in the way.
    pub fn place(&self, map: &Map, state: &State) -> [f64; 2] {
        let [x, y, vx, vy] = *state;
        let Some(change) = self.change().filter(|c| *c > 0.0) else {
            return [x, y];
        };
        let scale = self.seconds * vx.hypot(vy) / (2.0 * change) / STEPS as f64;
        let open = |p: [f64; 2]| map.cell_at(p).is_some_and(|(r, c)| !map.is_wall(r, c));
        let mut place = [x, y];
        for _ in 0..STEPS {
            for (axis, v) in [(0, vx), (1, vy)] {
                let mut next = place;
                next[axis] += v * scale;
                if open(next) {
                    place = next;
                }
            }
        }
        place
    }
}
