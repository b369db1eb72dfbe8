//! What verdicts rest on: samples from exploring an environment, or records.

use super::recorded::Recorded;
use super::search::Search;
use crate::environment::Chosen;
use clap::Args;
use hedgerow::Result;
use hedgerow::constraint::Evidence;
use hedgerow::env::Environment;
use hedgerow::verdict::Scope;

/// Where the evidence comes from.
#[derive(Debug, Args)]
pub struct Gathering {
    #[command(flatten)]
    recorded: Recorded,
    #[command(flatten)]
    search: Search,
}

impl Gathering {
    /// In which states pairs get verdicts where nothing is sampled.
    pub fn scope(&self, environment: &Environment) -> Scope {
        self.search.scope(environment)
    }

    /// Explores the environment, or reads the records if there are any.
    pub fn evidence(&self, chosen: &Chosen) -> Result<Evidence> {
        if self.recorded.is_given() {
            return self.recorded.evidence(chosen, &self.search);
        }
        self.recorded.refuse_without_records()?;
        let environment = chosen.open()?;
        let found = self.search.run(&environment)?;
        let mut evidence = Evidence::explored(&environment, found, self.search.seed());
        evidence.origin.strategy = self.search.strategy().map(str::to_owned);
        Ok(evidence)
    }
}
