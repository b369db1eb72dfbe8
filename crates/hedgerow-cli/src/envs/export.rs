//! Writing an environment to a file that can be edited and read again.

use crate::domains::require_finite;
use crate::terminal::{print, print_json};
use clap::Args;
use hedgerow::io::explicit::{self, Form};
use hedgerow::io::{self, Defaults};
use hedgerow::{Error, Result};
use serde::Serialize;
use std::path::PathBuf;

/// Write an environment to a file.
#[derive(Debug, Args)]
pub struct Export {
    /// A built-in name, a drawn grid (FILE.toml) or a model (FILE.json, FILE.umb or FILE.tra).
    env: String,
    /// FILE.toml for a drawn map (grids only), FILE.json for a model file, FILE.umb for Storm, PRISM
    /// and Modest, FILE.tra for text that PRISM reads, in several files.
    file: PathBuf,
    /// Write FILE.tra as Storm reads it.
    #[arg(long)]
    storm: bool,
    /// The discount of a file that has none, as those of other programs (FILE.umb, FILE.tra).
    #[arg(long, value_name = "DISCOUNT", allow_negative_numbers = true)]
    gamma: Option<f64>,
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
        self.write()?;
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

    fn write(&self) -> Result<()> {
        let ending = self.file.extension().and_then(|e| e.to_str());
        if self.storm && ending != Some("tra") {
            return Err(Error::invalid(
                "--storm",
                format!("{} is no text for Storm", self.file.display()),
                "end the name in .tra, or leave out --storm: Storm reads .umb as it is",
            ));
        }
        let defaults = Defaults {
            gamma: self.gamma,
            ..Defaults::default()
        };
        let open = || io::open_with(&self.env, &defaults);
        match ending {
            Some("toml") if io::is_grid(&self.env) => {
                if self.gamma.is_some() {
                    open()?;
                }
                let text = io::open_grid(&self.env)?.to_toml();
                io::write_atomic(&self.file, text.as_bytes())
            }
            Some("toml") => Err(Error::invalid(
                &self.env,
                "it is a model without a drawn map",
                "export it to a file ending in .json",
            )),
            Some("tra") if self.storm => explicit::write(&self.file, &open()?, Form::Storm),
            Some("json" | "umb" | "tra") => io::write(&self.file, &open()?),
            _ => Err(Error::invalid(
                self.file.display().to_string(),
                "the ending says nothing about the format",
                "end the name in .toml for a drawn map, .json for a model file, or .umb or .tra for other programs",
            )),
        }
    }
}
