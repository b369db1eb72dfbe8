//! Writing an environment to a file that can be edited and read again.

use crate::domains::require_finite;
use crate::terminal::{print, print_json};
use clap::Args;
use hedgerow::{Error, Result, io};
use serde::Serialize;
use std::path::PathBuf;

/// Write an environment to a file.
#[derive(Debug, Args)]
pub struct Export {
    /// A built-in name, a drawn grid (FILE.toml) or a model (FILE.json).
    env: String,
    /// FILE.toml for a drawn map (grids only), FILE.json for a model file.
    file: PathBuf,
}

#[derive(Serialize)]
struct Written<'a> {
    env: &'a str,
    file: &'a PathBuf,
}

impl Export {
    /// Writes the file.
    pub fn run(&self, json: bool) -> Result<()> {
        io::check_writable(&self.file)?;
        require_finite(&self.env)?;
        let text = match self.file.extension().and_then(|e| e.to_str()) {
            Some("toml") if io::is_grid(&self.env) => io::open_grid(&self.env)?.to_toml(),
            Some("toml") => {
                return Err(Error::invalid(
                    &self.env,
                    "it is a model without a drawn map",
                    "export it to a file ending in .json",
                ));
            }
            Some("json") => io::to_json(&io::open(&self.env)?),
            _ => {
                return Err(Error::invalid(
                    self.file.display().to_string(),
                    "the ending says nothing about the format",
                    "end the name in .toml for a drawn map or .json for a model file",
                ));
            }
        };
        io::write_atomic(&self.file, text.as_bytes())?;
        if json {
            let (env, file) = (self.env.as_str(), &self.file);
            print_json(&Written { env, file })
        } else {
            print(&format!(
                "{} written to {}\n",
                self.env,
                self.file.display()
            ))
        }
    }
}
