//! Many copies of a maze, to train in.

use super::features::{FEATURES, features};
use crate::agent::{VecEnv, VecStep};
use crate::maze::{ACTIONS, Ball, Maze, MazeEnv, Step};
use hedgerow::seed::Stream;
use rand::RngExt;
use std::cmp::Reverse;
use std::sync::Arc;

/// Fastest speed along an axis at an exploring start, in metres per second; a ball gets a little
/// faster than the 5 it is clipped to.
const FASTEST: f64 = 5.2;
/// An exploring copy is reset with this probability per decision, to visit many states.
const RESET: f64 = 0.03;

/// The reward that the expert is trained for: `reward - penalty cost / hold`, where the cost counts
/// physics steps in constraint cells. A whole decision inside costs `penalty`.
pub fn penalised_reward(step: &Step, penalty: f64, hold: u32) -> f64 {
    step.reward - penalty * f64::from(step.cost) / f64::from(hold)
}

/// A maze as a vectorised environment. Some copies start where episodes do; the others explore: they
/// start anywhere, at any speed, inside constraint cells too.
#[derive(Debug)]
pub struct MazeVecEnv {
    maze: Arc<Maze>,
    envs: Vec<MazeEnv>,
    /// Copies from this one on explore.
    exploring: usize,
    penalty: f64,
    observations: Vec<f32>,
    stream: Stream,
}

impl MazeVecEnv {
    /// So many copies, an eighth of them with true episodes.
    pub fn new(maze: &Arc<Maze>, copies: usize, penalty: f64, seed: u64) -> Self {
        // The labels decide the numbers of trained experts; shipped ones were trained with these.
        let stream = |copy| Stream::new(seed, &format!("practice.{copy}"));
        let envs = (0..copies).map(|copy| MazeEnv::new(maze, stream(copy)));
        let mut all = Self {
            envs: envs.collect(),
            exploring: copies / 8,
            maze: maze.clone(),
            penalty,
            observations: vec![0.0; copies * FEATURES],
            stream: Stream::new(seed, "practice.starts"),
        };
        for copy in 0..copies {
            all.reset(copy);
        }
        all
    }

    fn reset(&mut self, copy: usize) {
        if copy < self.exploring {
            self.envs[copy].reset();
        } else {
            let ball = random_ball(&self.maze, &mut self.stream);
            self.envs[copy].place(ball);
        }
        self.look(copy);
    }

    fn look(&mut self, copy: usize) {
        let state = self.envs[copy].observe();
        let row = copy * FEATURES..(copy + 1) * FEATURES;
        self.observations[row].copy_from_slice(&features(&state, self.maze.map()));
    }
}

impl VecEnv for MazeVecEnv {
    fn inputs(&self) -> usize {
        FEATURES
    }

    fn actions(&self) -> usize {
        ACTIONS
    }

    fn copies(&self) -> usize {
        self.envs.len()
    }

    fn observe(&self, out: &mut [f32]) {
        out.copy_from_slice(&self.observations);
    }

    fn step(&mut self, actions: &[usize], out: &mut VecStep) {
        let hold = self.maze.design().hold;
        for (copy, &action) in actions.iter().enumerate() {
            let step = self.envs[copy].step(action);
            self.look(copy);
            let row = copy * FEATURES..(copy + 1) * FEATURES;
            out.next[row.clone()].copy_from_slice(&self.observations[row]);
            let leaves = copy >= self.exploring && self.stream.random::<f64>() < RESET;
            out.reward[copy] = penalised_reward(&step, self.penalty, hold) as f32;
            out.terminated[copy] = step.terminated;
            out.reset[copy] = step.done() || leaves;
            if out.reset[copy] {
                self.reset(copy);
            }
        }
    }
}

/// A ball anywhere in the open and not at a goal yet, uniformly; at rest, slow or fast in any
/// direction.
pub fn random_ball(maze: &Maze, stream: &mut Stream) -> Ball {
    let mut cells: Vec<_> = maze.map().open_cells().collect();
    // From the top row down: a seed that trained an expert once goes on to give the same one.
    cells.sort_by_key(|&(row, column)| (Reverse(row), column));
    let half = 0.5 * maze.map().size();
    loop {
        let (row, column) = cells[stream.random_range(0..cells.len())];
        let mut within = |width: f64| width * (2.0 * stream.random::<f64>() - 1.0);
        let centre = maze.map().cell_centre(row, column);
        let position = [centre[0] + within(half), centre[1] + within(half)];
        let velocity = [within(FASTEST), within(FASTEST)];
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
