//! `hedgerow man`: manual pages of the command and all its subcommands.

use crate::terminal::{print, print_json};
use clap::{Args, Command};
use clap_mangen::Man;
use hedgerow::io::write_atomic;
use hedgerow::{Error, Result};
use serde::Serialize;
use std::path::PathBuf;

/// The options of `hedgerow man`.
#[derive(Debug, Args)]
pub struct ManPages {
    /// The folder to write them to, such as ~/.local/share/man/man1
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print the names of the files as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Written {
    files: Vec<PathBuf>,
}

impl ManPages {
    /// Writes the pages of `command`.
    pub fn run(&self, command: Command) -> Result<()> {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let mut files = Vec::new();
        self.write(command, &mut files)?;
        if self.json {
            return print_json(&Written { files });
        }
        let (n, out) = (files.len(), self.out.display());
        print(&format!(
            "{n} manual pages written to {out}; `man -l {}` shows the first\n",
            files[0].display()
        ))
    }

    /// The page of a command, then those of its subcommands.
    fn write(&self, command: Command, files: &mut Vec<PathBuf>) -> Result<()> {
        let shown = command.get_subcommands().filter(|s| !s.is_hide_set());
        let subcommands: Vec<Command> = shown.cloned().collect();
        let page = Man::new(command);
        let file = self.out.join(page.get_filename());
        let mut text = Vec::new();
        page.render(&mut text)
            .map_err(|e| Error::writing(&file, e))?;
        write_atomic(&file, &text)?;
        files.push(file);
        let mut rest = subcommands.into_iter();
        rest.try_for_each(|subcommand| self.write(subcommand, files))
    }
}
