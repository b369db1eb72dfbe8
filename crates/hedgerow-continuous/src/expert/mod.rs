//! Experts of mazes: networks that find a path to the goal from anywhere.
//!
//! An expert earns 1 at the goal and pays for every decision it spends in constraint cells, so it
//! avoids them; should it ever be inside, it leaves at the lowest cost.
//!
//! | module | holds |
//! |---|---|
//! | [`features`](mod@features) | the inputs of networks |
//! | [`maze_world`] | a maze with its expert as a continuous world like any other |
//! | [`maze_vec_env`] | many copies of a maze, to train in |
//! | [`training`] | training, keeping the best network |
//! | [`evaluate`](mod@evaluate) | statistics of an expert's episodes |
//! | [`shipped`](mod@shipped) | the experts that come with the program |
//! | [`inferred`] | a maze with an inferred constraint, for agents to be trained in |
//!
//! ```
//! use hedgerow::seed::Stream;
//! use hedgerow_continuous::expert::{evaluate, shipped};
//! use hedgerow_continuous::maze::builtin;
//! use std::sync::Arc;
//!
//! let maze = Arc::new(builtin::maze("point-maze")?);
//! let expert = shipped(&maze, true)?;
//! let stats = evaluate(&maze, &expert, 20, Stream::new(7, "example"));
//! assert_eq!(stats.reached_and_clear, 1.0);
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

pub mod evaluate;
pub mod features;
pub mod inferred;
pub mod maze_vec_env;
pub mod maze_world;
pub mod shipped;
pub mod training;

pub use evaluate::{EpisodeStats, evaluate};
pub use features::{FEATURES, features};
pub use inferred::with_constraint;
pub use maze_vec_env::MazeVecEnv;
pub use maze_world::ExpertMaze;
pub use shipped::{find, shipped};
pub use training::{Progress, Trained, TrainingSettings, train};

use crate::maze::{ACTIONS, Map, Maze, State};
use crate::net::{Mlp, Network, Scratch};
use crate::select::argmax;
use crate::{Error, Result};
use hedgerow::fingerprint::Fingerprint;
use std::path::Path;

/// A network that chooses an action in any state of its maze.
#[derive(Clone, Debug, PartialEq)]
pub struct Expert {
    network: Network,
    map: Map,
}

impl Expert {
    /// The expert that `network` is, in the maze it was trained in.
    pub fn new(network: Network, maze: &Maze) -> Result<Self> {
        let wanted = fingerprint(maze).to_string();
        let found: String = network.note("fingerprint")?;
        if found != wanted {
            let name: String = network.note("maze").unwrap_or_default();
            return Err(Error::invalid(
                "expert",
                format!(
                    "it was trained in the maze `{name}` ({found}), not in `{}` ({wanted})",
                    maze.name()
                ),
                "use an expert of this very maze, or train one with `hedgerow maze train`",
            ));
        }
        let net = &network.net;
        if (net.inputs(), net.outputs()) != (FEATURES, ACTIONS) {
            return Err(Error::invalid(
                "expert",
                format!(
                    "its network takes {} numbers to {}",
                    net.inputs(),
                    net.outputs()
                ),
                format!("use one that takes {FEATURES} to {ACTIONS}: train it again"),
            ));
        }
        Ok(Self {
            map: maze.map().clone(),
            network,
        })
    }

    /// The expert in a file.
    pub fn read(path: &Path, maze: &Maze) -> Result<Self> {
        let network = Network::read(path)?;
        Self::new(network, maze).map_err(|e| e.within(path.display()))
    }

    /// The network and its notes, to be written.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The weights.
    pub fn net(&self) -> &Mlp {
        &self.network.net
    }

    /// Room to act.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.net())
    }

    /// The values of all actions in a state.
    pub fn values<'a>(&self, state: &State, scratch: &'a mut Scratch) -> &'a [f32] {
        self.net().forward(&features(state, &self.map), scratch)
    }

    /// The action in a state.
    pub fn action(&self, state: &State, scratch: &mut Scratch) -> usize {
        argmax(self.values(state, scratch))
    }
}

/// Distinguishes mazes in which an expert would act differently.
pub fn fingerprint(maze: &Maze) -> Fingerprint {
    let design = maze.design();
    let mut fingerprint = Fingerprint::new();
    fingerprint.whole(design.lines.len());
    for line in &design.lines {
        fingerprint.text(&line.iter().collect::<String>());
    }
    fingerprint
        .whole(design.hold as usize)
        .numbers(&[design.gamma, design.goal_radius]);
    fingerprint
}
