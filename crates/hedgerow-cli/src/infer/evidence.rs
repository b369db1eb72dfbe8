//! What verdicts rest on: samples from exploring an environment, or records.

use super::naming::Naming;
use super::recorded::Recorded;
use super::search::Search;
use crate::environment::Chosen;
use clap::Args;
use hedgerow::Result;
use hedgerow::constraint::{Constraint, Evidence, Named};
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

    /// What explains the expert where nothing is sampled.
    pub fn exact(&self, environment: &Environment, naming: &Naming) -> Result<Constraint> {
        let (task, soft) = (environment.task(), environment.truth().budget() > 0.0);
        let columns = naming.columns(task)?;
        let classes = naming.classes(task, soft)?;
        let named = Named {
            columns: &columns,
            classes: classes.as_ref(),
        };
        Constraint::exact_with(environment, self.search.scope(environment), &named)
    }

    /// Explores the environment, or reads the records if there are any.
    pub fn evidence(&self, chosen: &Chosen, naming: &Naming) -> Result<Evidence> {
        if self.recorded.is_given() {
            return self.recorded.evidence(chosen, &self.search, naming);
        }
        self.recorded.refuse_without_records()?;
        let environment = chosen.open()?;
        let (task, soft) = (environment.task(), environment.truth().budget() > 0.0);
        let columns = naming.columns(task)?;
        let classes = naming.classes(task, soft)?;
        let found = self.search.run(&environment, classes.clone())?;
        let mut evidence = Evidence::explored(&environment, found, self.search.seed());
        evidence.origin.strategy = self.search.strategy().map(str::to_owned);
        (evidence.columns, evidence.classes) = (columns, classes);
        Ok(evidence)
    }
}
