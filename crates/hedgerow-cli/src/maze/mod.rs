//! `hedgerow maze`: the Point Maze, its physics and its experts.

mod play;
mod replay;
mod retrain;
mod train;

use clap::{Args, Subcommand};
use hedgerow::Result;
use std::process::ExitCode;

/// The Point Maze: experts, and the physics against recordings of the real one.
#[derive(Debug, Args)]
pub struct Maze {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Do recorded trajectories again and say how far off they are.
    Replay(replay::Replay),
    /// Train an expert that knows the way from anywhere in a maze.
    Train(train::Train),
    /// Train agents under what runs inferred, and count what they truly do.
    Retrain(retrain::Retrain),
    /// Let an expert play, and count how often it arrives and where it goes.
    Play(play::Play),
}

impl Maze {
    /// Does what was asked.
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Replay(command) => command.run(),
            Command::Train(command) => return command.run(),
            Command::Retrain(command) => return command.run(),
            Command::Play(command) => command.run(),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}
