//! `hedgerow envs`: the environments there are.

mod export;
mod list;
mod show;

use clap::{Args, Subcommand};
use hedgerow::Result;

/// List, show or export environments.
#[derive(Debug, Args)]
pub struct Envs {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Draw an environment and list its parameters.
    Show {
        /// A built-in name, a drawn grid (FILE.toml) or a model (FILE.json).
        env: String,
    },
    /// Write an environment to a file.
    Export(export::Export),
}

impl Envs {
    /// Lists, shows or exports.
    pub fn run(&self) -> Result<()> {
        match &self.command {
            None => list::run(self.json),
            Some(Command::Show { env }) => show::run(env, self.json),
            Some(Command::Export(export)) => export.run(self.json),
        }
    }
}
