//! A maze in many lanes, to practise in.

use super::features::{FEATURES, features};
use crate::agent::{Practice, Steps};
use crate::maze::{Ball, FORCES, Maze, Outcome, World};
use hedgerow::seed::Stream;
use rand::RngExt;
use std::sync::Arc;

/// Fastest speed along an axis that a lane starts with, in metres per second; a ball gets a little
/// faster than the 5 it is clipped to.
const FASTEST: f64 = 5.2;
/// An exploring lane starts anew with this probability a decision, to see many places.
const RESTART: f64 = 0.03;

/// What a decision is worth to the expert: `reward - penalty cost / hold`, where the cost counts
/// physics steps in constraint cells. A whole decision inside costs `penalty`.
pub fn worth(outcome: &Outcome, penalty: f64, hold: u32) -> f64 {
    outcome.reward - penalty * f64::from(outcome.cost) / f64::from(hold)
}

/// Many balls in a maze. Some lanes start where episodes do; the others explore: they start
/// anywhere, at any speed, inside constraint cells too.
#[derive(Debug)]
pub struct MazePractice {
    maze: Arc<Maze>,
    worlds: Vec<World>,
    /// Lanes from this one on explore.
    exploring: usize,
    penalty: f64,
    seen: Vec<f32>,
    stream: Stream,
}

impl MazePractice {
    /// `lanes` balls, every eighth of them in true episodes.
    pub fn new(maze: &Arc<Maze>, lanes: usize, penalty: f64, seed: u64) -> Self {
        let stream = |lane| Stream::new(seed, &format!("practice.{lane}"));
        let worlds = (0..lanes).map(|lane| World::new(maze, stream(lane)));
        let mut practice = Self {
            worlds: worlds.collect(),
            exploring: lanes / 8,
            maze: maze.clone(),
            penalty,
            seen: vec![0.0; lanes * FEATURES],
            stream: Stream::new(seed, "practice.starts"),
        };
        for lane in 0..lanes {
            practice.restart(lane);
        }
        practice
    }

    fn restart(&mut self, lane: usize) {
        if lane < self.exploring {
            self.worlds[lane].reset();
        } else {
            let ball = anywhere(&self.maze, &mut self.stream);
            self.worlds[lane].place(ball);
        }
        self.look(lane);
    }

    fn look(&mut self, lane: usize) {
        let state = self.worlds[lane].observe();
        let row = lane * FEATURES..(lane + 1) * FEATURES;
        self.seen[row].copy_from_slice(&features(&state, self.maze.map()));
    }
}

impl Practice for MazePractice {
    fn inputs(&self) -> usize {
        FEATURES
    }

    fn actions(&self) -> usize {
        FORCES.len()
    }

    fn lanes(&self) -> usize {
        self.worlds.len()
    }

    fn observe(&self, out: &mut [f32]) {
        out.copy_from_slice(&self.seen);
    }

    fn step(&mut self, actions: &[usize], out: &mut Steps) {
        let hold = self.maze.design().hold;
        for (lane, &action) in actions.iter().enumerate() {
            let outcome = self.worlds[lane].decide(action);
            self.look(lane);
            let row = lane * FEATURES..(lane + 1) * FEATURES;
            out.next[row.clone()].copy_from_slice(&self.seen[row]);
            let tired = lane >= self.exploring && self.stream.random::<f64>() < RESTART;
            out.reward[lane] = worth(&outcome, self.penalty, hold) as f32;
            out.ended[lane] = outcome.ended;
            out.restarted[lane] = outcome.over() || tired;
            if out.restarted[lane] {
                self.restart(lane);
            }
        }
    }
}

/// A ball anywhere in the open and not at a goal yet, as likely in any place; at rest, slow or fast
/// in any direction.
pub fn anywhere(maze: &Maze, stream: &mut Stream) -> Ball {
    let cells: Vec<_> = maze.map().open_cells().collect();
    let half = 0.5 * maze.map().size();
    loop {
        let (row, column) = cells[stream.random_range(0..cells.len())];
        let mut around = |wide: f64| wide * (2.0 * stream.random::<f64>() - 1.0);
        let centre = maze.map().cell_centre(row, column);
        let position = [centre[0] + around(half), centre[1] + around(half)];
        let velocity = [around(FASTEST), around(FASTEST)];
        let scale = stream.random::<f64>();
        let ball = Ball {
            position,
            velocity: velocity.map(|v| v * scale.sqrt()),
        };
        let touches = !maze
            .physics()
            .contacts(position, [0.0; 2])
            .as_slice()
            .is_empty();
        if !touches && !maze.at_goal(position) {
            return ball;
        }
    }
}
