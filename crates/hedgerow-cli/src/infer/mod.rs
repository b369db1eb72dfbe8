//! `hedgerow infer`: which pairs the expert treats as forbidden, and how sure that is.

mod evidence;
mod exact;
mod known;
mod naming;
mod recorded;
mod search;

pub use evidence::Gathering;
pub use naming::Naming;
pub use search::{Asked, Search};

use crate::environment::Chosen;
use crate::terminal::{ended, print, print_json};
use clap::Args;
use hedgerow::Result;
use hedgerow::constraint::{Evidence, LeastSamples};
use hedgerow::io::check_writable;
use hedgerow::theory::lower_bound;
use std::path::PathBuf;
use std::process::ExitCode;

/// Which pairs are constrained, taken by the expert, without gain, undecided.
#[derive(Debug, Args)]
pub struct Infer {
    #[command(flatten)]
    chosen: Chosen,
    /// Infer from the true dynamics and the expert's policy instead of exploring.
    #[arg(long, conflicts_with_all = ["confidence", "samples", "strategy", "demos", "logs"])]
    exact: bool,
    #[command(flatten)]
    gathering: Gathering,
    /// Also compute how many samples any algorithm needs that keeps the same promise, from the true
    /// dynamics: seconds on a 7 x 7 grid.
    #[arg(long, conflicts_with_all = ["exact", "demos", "logs"])]
    lower_bound: bool,
    #[command(flatten)]
    naming: Naming,
    /// Save the constraint: `solve`, `transfer`, `explain`, `run` and `report` read it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Infer {
    /// Infers and prints.
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(path) = &self.out {
            check_writable(path)?;
        }
        if self.exact {
            let environment = self.chosen.open()?;
            let found = self.gathering.exact(&environment, &self.naming)?;
            if let Some(path) = &self.out {
                found.write(path)?;
            }
            exact::run(&environment, &found, self.json)?;
            if let Some(path) = self.out.as_ref().filter(|_| !self.json) {
                print(&format!("\nsaved in {}\n", path.display()))?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let evidence = self.gathering.evidence(&self.chosen, &self.naming)?;
        self.answer(&evidence)?;
        Ok(ended(evidence.is_interrupted()))
    }

    fn least(&self, evidence: &Evidence) -> Result<LeastSamples> {
        let environment = self.chosen.open()?;
        let truth = environment.truth();
        let criteria = evidence.verdicts.criteria();
        let least = lower_bound(truth.model(), truth.expert(), criteria)?;
        Ok(LeastSamples {
            constrained: least.constrained.at_least,
            settled: least.settled.at_least,
        })
    }

    fn answer(&self, evidence: &Evidence) -> Result<()> {
        let mut found = evidence.constraint();
        if self.lower_bound {
            found.least_samples = Some(self.least(evidence)?);
        }
        if let Some(path) = &self.out {
            found.write(path)?;
        }
        if self.json {
            // What was seen is for programs that learn on; the file has it.
            found.seen = None;
            return print_json(&found);
        }
        print(&found.text(evidence.learner.has_earned()))?;
        match &self.out {
            Some(path) => print(&format!("\nsaved in {}\n", path.display())),
            None => Ok(()),
        }
    }
}
