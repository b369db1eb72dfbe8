//! A maze with its expert as a [`ContinuousWorld`].

use super::Expert;
use crate::Result;
use crate::maze::{FORCES, Maze, MazeEnv, State};
use crate::net::Scratch;
use crate::world::{self, ContinuousWorld, Coordinate, Episodes, Policy, Space, WorldSpec};
use hedgerow::seed::Stream;
use std::sync::{Arc, Mutex, PoisonError};

/// Fastest speed along an axis, in metres per second; the ball may get a little faster.
const FASTEST: f64 = 5.2;

/// A maze with its expert.
#[derive(Debug)]
pub struct ExpertMaze {
    maze: Arc<Maze>,
    expert: Arc<MazePolicy>,
    spec: WorldSpec,
}

/// The expert as a policy over observations.
#[derive(Debug)]
struct MazePolicy {
    expert: Expert,
    scratch: Mutex<Scratch>,
}

impl ExpertMaze {
    /// The world of `maze`, in which `expert` was trained.
    pub fn new(maze: &Arc<Maze>, expert: Expert) -> Self {
        let (design, map) = (maze.design(), maze.map());
        let half = |cells: usize| map.size() * cells as f64 / 2.0;
        let (x, y) = (half(map.columns()), half(map.rows()));
        let names = FORCES.iter().map(|(name, _)| (*name).to_owned());
        let spec = WorldSpec {
            name: maze.name().to_owned(),
            observation: Space::Box(vec![
                Coordinate::new("x", "m", -x, x),
                Coordinate::new("y", "m", -y, y),
                Coordinate::new("vx", "m/s", -FASTEST, FASTEST),
                Coordinate::new("vy", "m/s", -FASTEST, FASTEST),
            ]),
            action: Space::Discrete(names.collect()),
            gamma: design.gamma,
            horizon: design.horizon.div_ceil(design.hold) as usize,
        };
        let scratch = Mutex::new(expert.scratch());
        Self {
            maze: maze.clone(),
            expert: Arc::new(MazePolicy { expert, scratch }),
            spec,
        }
    }

    /// The maze.
    pub fn maze(&self) -> &Arc<Maze> {
        &self.maze
    }
}

/// The first four numbers of an observation.
fn state(observation: &[f64]) -> State {
    std::array::from_fn(|i| observation.get(i).copied().unwrap_or(0.0))
}

impl Policy for MazePolicy {
    fn act(&self, observation: &[f64], action: &mut [f64]) -> Result<()> {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        action[0] = self.expert.action(&state(observation), &mut scratch) as f64;
        Ok(())
    }
}

impl Episodes for MazeEnv {
    fn reset(&mut self, observation: &mut [f64]) -> Result<()> {
        Self::reset(self);
        observation.copy_from_slice(&self.observe());
        Ok(())
    }

    fn step(&mut self, action: &[f64], observation: &mut [f64]) -> Result<world::Step> {
        let step = Self::step(self, action[0] as usize);
        observation.copy_from_slice(&self.observe());
        Ok(world::Step {
            reward: step.reward,
            ended: step.terminated,
            truncated: step.truncated,
            cost: Some(f64::from(step.cost) / f64::from(self.maze().design().hold)),
        })
    }

    fn fork(&self) -> Option<Box<dyn Episodes>> {
        Some(Box::new(self.clone()))
    }
}

impl ContinuousWorld for ExpertMaze {
    fn spec(&self) -> &WorldSpec {
        &self.spec
    }

    fn version(&self) -> String {
        super::fingerprint(&self.maze).to_string()
    }

    fn episodes(&self, seed: u64, purpose: &str) -> Result<Box<dyn Episodes>> {
        let stream = Stream::new(seed, purpose);
        Ok(Box::new(MazeEnv::new(&self.maze, stream)))
    }

    fn expert(&self) -> Result<world::Expert> {
        Ok(world::Expert::Policy(self.expert.clone()))
    }

    /// The share of the decision that is spent in constraint cells, from the observed state.
    fn true_cost(&self, observation: &[f64], action: &[f64]) -> Option<f64> {
        let [x, y, vx, vy] = state(observation);
        let mut ball = crate::maze::Ball {
            position: [x, y],
            velocity: [vx, vy],
        };
        let (_, force) = FORCES.get(*action.first()? as usize)?;
        let hold = self.maze.design().hold;
        let mut inside = 0;
        for _ in 0..hold {
            self.maze.physics().step(&mut ball, *force);
            inside += u32::from(self.maze.in_constraint(ball.position));
        }
        Some(f64::from(inside) / f64::from(hold))
    }
}
