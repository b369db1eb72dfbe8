//! Verdicts from recorded transitions and demonstrations, without acting.

use super::naming::Naming;
use super::search::Search;
use crate::environment::Chosen;
use clap::Args;
use hedgerow::constraint::Evidence;
use hedgerow::env::Environment;
use hedgerow::io;
use hedgerow::io::records::Records;
use hedgerow::model::Dynamics;
use hedgerow::{Error, Result};
use std::path::PathBuf;

/// Options that need an environment to act in.
const ACTING: [&str; 6] = ["samples", "strategy", "seed", "expert", "know", "goal"];

/// Recorded data.
#[derive(Debug, Args)]
pub struct Recorded {
    /// Recorded steps of the expert (FILE.csv or FILE.jsonl): infer from records, without acting.
    #[arg(long, value_name = "FILE", conflicts_with_all = ACTING)]
    demos: Vec<PathBuf>,
    /// Recorded steps of anybody, evidence of the dynamics only.
    #[arg(long, value_name = "FILE", conflicts_with_all = ACTING)]
    logs: Vec<PathBuf>,
    /// Demonstrated choices made in less than this share of the visits to a state are mistakes.
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    slips: f64,
}

impl Recorded {
    /// Whether there are records to infer from.
    pub fn is_given(&self) -> bool {
        !self.demos.is_empty() || !self.logs.is_empty()
    }

    /// The verdicts that the records allow in the chosen model.
    pub fn evidence(&self, chosen: &Chosen, search: &Search, naming: &Naming) -> Result<Evidence> {
        crate::domains::require_finite(&chosen.env)?;
        let known = io::open_task_with(&chosen.env, &chosen.defaults()?)?;
        let soft = |e: &Environment| e.truth().budget() > 0.0;
        let soft = known.environment.as_ref().is_some_and(soft);
        let criteria = search.criteria(&known.task, soft)?;
        let columns = naming.columns(&known.task)?;
        let classes = naming.classes(&known.task, soft)?;
        let rows = known.environment.as_ref().map(|e| e.truth().model().rows());
        let dynamics = rows.map(|rows| rows as &dyn Dynamics);
        let records = Records::read_files(&self.demos, &self.logs, &known.task, dynamics)?;
        let found = Evidence::recorded(&known, records, self.slips, &criteria);
        let mut evidence = found.map_err(option_named)?;
        let files = self.demos.iter().chain(&self.logs);
        evidence.origin.records = files.map(|f| f.display().to_string()).collect();
        (evidence.columns, evidence.classes) = (columns, classes);
        Ok(evidence)
    }

    /// Refuses options that need records where there are none.
    pub fn refuse_without_records(&self) -> Result<()> {
        if self.slips == 0.0 {
            return Ok(());
        }
        let remedy = "add --demos FILE, or leave --slips out";
        Err(Error::invalid("--slips", "there are no records", remedy))
    }
}

/// The same error with the option in place of what it stands for.
fn option_named(error: Error) -> Error {
    match &error {
        Error::Invalid { place, .. } if place == "demonstrations" => error.at_place("--demos"),
        _ => error,
    }
}
