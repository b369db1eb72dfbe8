//! `hedgerow completions`: what a shell needs to complete commands and options.

use crate::terminal::print;
use clap::Args;
use clap_complete::Shell;
use hedgerow::{Error, Result};

/// The options of `hedgerow completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the script of the shell for `command`.
    pub fn run(&self, mut command: clap::Command) -> Result<()> {
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        let script = String::from_utf8(script).map_err(|_| {
            Error::invalid(
                "completions",
                "the script is not UTF-8",
                "report this error",
            )
        })?;
        print(&script)
    }
}
