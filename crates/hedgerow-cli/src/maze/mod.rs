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
    /// Replay recorded trajectories and report the errors.
    Replay(replay::Replay),
    /// Train an expert that finds the goal from anywhere in a maze.
    Train(train::Train),
    /// Train agents under what runs inferred, and evaluate them in the true maze.
    Retrain(retrain::Retrain),
    /// Let an expert play, and report how often it reaches the goal and where it goes.
    Play(play::Play),
}

impl Maze {
    /// Runs the command.
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
