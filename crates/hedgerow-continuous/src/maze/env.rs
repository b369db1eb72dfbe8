//! Episodes in a maze.

use super::design::Maze;
use super::forces::FORCES;
use super::physics::Ball;
use hedgerow::seed::Stream;
use rand::RngExt;
use std::sync::Arc;

/// What is seen of the ball: position `x`, `y`, with noise, and velocity `vx`, `vy`.
pub type State = [f64; 4];

/// What one decision led to. It holds its force for several physics steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// 1 if the goal was reached, else 0.
    pub reward: f64,
    /// Physics steps after which the centre of the ball was in a constraint cell.
    pub cost: u32,
    /// Whether the goal was reached, which ends the episode.
    pub terminated: bool,
    /// Whether the horizon was reached before the goal.
    pub truncated: bool,
    /// Physics steps taken: fewer than the hold where the episode ended before.
    pub steps: u32,
}

impl Step {
    /// Whether the episode is over, for either reason.
    pub fn done(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// A maze as an environment: the ball, its randomness, and the time that has passed.
#[derive(Clone, Debug)]
pub struct MazeEnv {
    maze: Arc<Maze>,
    stream: Stream,
    ball: Ball,
    elapsed: u32,
    terminated: bool,
}

impl MazeEnv {
    /// An environment in which an episode has begun, all its randomness drawn from `stream`.
    pub fn new(maze: &Arc<Maze>, stream: Stream) -> Self {
        let mut env = Self {
            maze: maze.clone(),
            stream,
            ball: Ball::default(),
            elapsed: 0,
            terminated: false,
        };
        env.reset();
        env
    }

    /// Begins an episode: the ball at rest near the centre of a start cell, chosen uniformly.
    pub fn reset(&mut self) {
        let starts = self.maze.starts();
        let i = (self.stream.random::<f64>() * starts.len() as f64) as usize;
        let centre = starts[i.min(starts.len() - 1)];
        let noise = self.maze.design().start_noise;
        let position = self.near(centre, noise);
        self.place(Ball {
            position,
            velocity: [0.0; 2],
        });
    }

    /// Begins an episode with the given ball. It should not overlap a wall, which would push it
    /// out.
    pub fn place(&mut self, ball: Ball) {
        self.ball = ball;
        self.elapsed = 0;
        self.terminated = false;
    }

    /// Observes the ball. The noise on the position is drawn anew each time.
    pub fn observe(&mut self) -> State {
        let noise = self.maze.design().position_noise;
        let [x, y] = self.near(self.ball.position, noise);
        let [vx, vy] = self.ball.velocity;
        [x, y, vx, vy]
    }

    /// Pushes with the force number `action` of [`FORCES`] for the steps of the hold, or until
    /// the episode is over. An action that does not exist does not push. Once the episode is over,
    /// nothing moves until the next one begins.
    pub fn step(&mut self, action: usize) -> Step {
        let force = FORCES.get(action).map_or([0.0; 2], |(_, force)| *force);
        let maze = &*self.maze;
        let design = maze.design();
        let mut step = Step::default();
        while step.steps < design.hold && !self.terminated && self.elapsed < design.horizon {
            maze.physics().step(&mut self.ball, force);
            self.elapsed += 1;
            step.steps += 1;
            step.cost += u32::from(maze.in_constraint(self.ball.position));
            if maze.at_goal(self.ball.position) {
                self.terminated = true;
                step.reward = 1.0;
            }
        }
        step.terminated = self.terminated;
        step.truncated = !self.terminated && self.elapsed >= design.horizon;
        step
    }

    /// The ball as it is, without noise.
    pub fn ball(&self) -> Ball {
        self.ball
    }

    /// Physics steps since the episode began.
    pub fn elapsed(&self) -> u32 {
        self.elapsed
    }

    /// The maze.
    pub fn maze(&self) -> &Arc<Maze> {
        &self.maze
    }

    fn near(&mut self, [x, y]: [f64; 2], noise: f64) -> [f64; 2] {
        let mut off = || noise * (2.0 * self.stream.random::<f64>() - 1.0);
        [x + off(), y + off()]
    }
}
