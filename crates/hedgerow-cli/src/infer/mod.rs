//! `hedgerow infer`: which pairs the expert treats as forbidden, and how sure that is.

mod exact;
mod progress;
mod recorded;
mod report;
mod report_text;
mod search;

pub use search::{Asked, Search};

use crate::environment::Chosen;
use crate::terminal::{INTERRUPTED, print, print_json};
use clap::Args;
use hedgerow::Result;
use hedgerow::io::write_atomic;
use hedgerow::verdict::End;
use recorded::Recorded;
use report::{Report, Source};
use std::path::PathBuf;
use std::process::ExitCode;

/// Which pairs are constrained, which are free, which are undecided.
#[derive(Debug, Args)]
pub struct Infer {
    #[command(flatten)]
    chosen: Chosen,
    /// Infer from the true dynamics and the expert's policy instead of exploring.
    #[arg(long, conflicts_with_all = ["confidence", "samples", "strategy", "out", "demos", "logs"])]
    exact: bool,
    #[command(flatten)]
    recorded: Recorded,
    #[command(flatten)]
    search: Search,
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
        if self.recorded.is_given() {
            let report = self.recorded.report(&self.chosen.env, &self.search)?;
            self.answer(&report)?;
            return Ok(ExitCode::SUCCESS);
        }
        let environment = self.chosen.open()?;
        if self.exact {
            exact::run(&environment, self.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        let found = self.search.run(&environment)?;
        let source = Source::explored(&environment, &found, self.search.seed());
        self.answer(&Report::new(&source, &found.learner, &found.verdicts))?;
        Ok(match found.end {
            End::Interrupted => ExitCode::from(INTERRUPTED),
            _ => ExitCode::SUCCESS,
        })
    }

    fn answer(&self, report: &Report) -> Result<()> {
        if let Some(path) = &self.out {
            write_atomic(path, report.json()?.as_bytes())?;
        }
        if self.json {
            print_json(report)
        } else {
            print(&report.text())
        }
    }
}
