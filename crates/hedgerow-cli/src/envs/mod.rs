//! `hedgerow envs`: the environments there are.

mod export;
mod list;
mod show;

use clap::{Args, Subcommand};
use hedgerow::Result;
use hedgerow::io::Defaults;

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
        /// A built-in name, a drawn grid (FILE.toml) or a model (FILE.json, FILE.umb or FILE.tra).
        env: String,
        /// The discount of a file that has none, as those of other programs (FILE.umb, FILE.tra).
        #[arg(long, value_name = "DISCOUNT", allow_negative_numbers = true)]
        gamma: Option<f64>,
    },
    /// Write an environment to a file.
    Export(export::Export),
}

impl Envs {
    /// Lists, shows or exports.
    pub fn run(&self) -> Result<()> {
        match &self.command {
            None => list::run(self.json),
            Some(Command::Show { env, gamma }) => {
                let defaults = Defaults {
                    gamma: *gamma,
                    ..Defaults::default()
                };
                show::run(env, &defaults, self.json)
            }
            Some(Command::Export(export)) => export.run(self.json),
        }
    }
}
