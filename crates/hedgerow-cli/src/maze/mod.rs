//! `hedgerow maze`: the physics of the Point Maze.

mod replay;

use clap::{Args, Subcommand};
use hedgerow::Result;

/// The physics of the Point Maze, against recordings of the real one.
#[derive(Debug, Args)]
pub struct Maze {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Do recorded trajectories again and say how far off they are.
    Replay(replay::Replay),
}

impl Maze {
    /// Does what was asked.
    pub fn run(&self) -> Result<()> {
        match &self.command {
            Command::Replay(command) => command.run(),
        }
    }
}
