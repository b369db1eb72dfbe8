//! `hedgerow infer`: which pairs the expert treats as forbidden, and how sure that is.

mod evidence;
mod exact;
mod recorded;
mod report;
mod report_text;
mod search;

pub use evidence::{Evidence, Gathering, charged};
pub use search::{Asked, Search};

use crate::environment::Chosen;
use crate::terminal::{ended, print, print_json, to_json};
use clap::Args;
use hedgerow::Result;
use hedgerow::io::{check_writable, write_atomic};
use report::Report;
use std::path::PathBuf;
use std::process::ExitCode;

/// Which pairs are constrained, taken by the expert, without gain, undecided.
#[derive(Debug, Args)]
pub struct Infer {
    #[command(flatten)]
    chosen: Chosen,
    /// Infer from the true dynamics and the expert's policy instead of exploring.
    #[arg(long, conflicts_with_all = ["confidence", "samples", "strategy", "out", "demos", "logs"])]
    exact: bool,
    #[command(flatten)]
    gathering: Gathering,
    /// Save the verdicts as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Infer {
    /// Infers and prints.
    pub fn run(&self) -> Result<ExitCode> {
        if self.exact {
            exact::run(&self.chosen.open()?, self.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(path) = &self.out {
            check_writable(path)?;
        }
        let evidence = self.gathering.evidence(&self.chosen)?;
        self.answer(&Report::new(&evidence))?;
        Ok(ended(evidence.is_interrupted()))
    }

    fn answer(&self, report: &Report) -> Result<()> {
        if let Some(path) = &self.out {
            write_atomic(path, to_json(report)?.as_bytes())?;
        }
        if self.json {
            print_json(report)
        } else {
            print(&report.text())
        }
    }
}
