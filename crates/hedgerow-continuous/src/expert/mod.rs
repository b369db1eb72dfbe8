//! Experts of mazes: networks that know the way from anywhere.
//!
//! An expert earns 1 at the goal and pays for every decision it spends in constraint cells, so it
//! goes round them; should it ever be inside, it leaves by the way that costs least.
//!
//! | module | holds |
//! |---|---|
//! | [`believed`](mod@believed) | a maze with an inferred constraint, for agents to be trained in |
//! | [`features`](mod@features) | what a network sees of a state |
//! | [`practice`] | a maze in many lanes, to practise in |
//! | [`training`] | training, keeping the best network |
//! | [`play`](mod@play) | episodes of an expert, counted |
//! | [`shipped`](mod@shipped) | the experts that come with the program |

pub mod believed;
pub mod features;
pub mod play;
pub mod practice;
pub mod shipped;
pub mod training;

pub use believed::believed;
pub use features::{FEATURES, features};
pub use play::{Played, play};
pub use practice::MazePractice;
pub use shipped::{find, shipped};
pub use training::{Progress, Settings, Trained, train};

use crate::maze::{FORCES, Map, Maze, State};
use crate::net::{Mlp, Network, Scratch, largest};
use crate::{Error, Result};
use hedgerow::fingerprint::Fingerprint;
use std::path::Path;

/// A network that says what to do in any state of its maze.
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
        let (net, actions) = (&network.net, FORCES.len());
        if (net.inputs(), net.outputs()) != (FEATURES, actions) {
            return Err(Error::invalid(
                "expert",
                format!(
                    "its network takes {} numbers to {}",
                    net.inputs(),
                    net.outputs()
                ),
                format!("use one that takes {FEATURES} to {actions}: train it again"),
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

    /// What each of the [`FORCES`] is worth in a state.
    pub fn values<'a>(&self, state: &State, scratch: &'a mut Scratch) -> &'a [f32] {
        self.net().forward(&features(state, &self.map), scratch)
    }

    /// What to do in a state.
    pub fn action(&self, state: &State, scratch: &mut Scratch) -> usize {
        largest(self.values(state, scratch))
    }
}

/// Tells mazes apart in which an expert would do different things.
pub fn fingerprint(maze: &Maze) -> Fingerprint {
    let design = maze.design();
    let mut fingerprint = Fingerprint::new();
    fingerprint.whole(design.symbols.len());
    for line in &design.symbols {
        fingerprint.text(&line.iter().collect::<String>());
    }
    fingerprint
        .whole(design.hold as usize)
        .numbers(&[design.gamma, design.goal_radius]);
    fingerprint
}
