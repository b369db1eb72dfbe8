//! What verdicts rest on: samples from exploring an environment, or records.

use super::recorded::Recorded;
use super::search::Search;
use crate::environment::Chosen;
use clap::Args;
use hedgerow::Result;
use hedgerow::env::{Environment, Layout};
use hedgerow::learn::{Contradiction, Learner};
use hedgerow::run::Stop;
use hedgerow::verdict::{Inferred, Scope, Verdicts};

/// The longest way drawn in a model that has no horizon of its own.
const HORIZON: usize = 1_000;

/// Where the evidence comes from.
#[derive(Debug, Args)]
pub struct Gathering {
    #[command(flatten)]
    recorded: Recorded,
    #[command(flatten)]
    search: Search,
}

/// Evidence and the verdicts that rest on it.
pub struct Evidence {
    /// The name of the model.
    pub env: String,
    /// Where its states lie.
    pub layout: Option<Layout>,
    /// The longest episode.
    pub horizon: usize,
    /// Whether the true cost charges each state, where that is known.
    pub charged: Option<Vec<bool>>,
    /// Why exploration ended; `None` for records.
    pub stop: Option<Stop>,
    /// The seed of the exploration.
    pub seed: Option<u64>,
    /// Who explored, if not what open verdicts hang on.
    pub strategy: Option<String>,
    /// The files of records.
    pub records: Vec<String>,
    /// All that was seen.
    pub learner: Learner,
    /// What follows from it.
    pub verdicts: Verdicts,
    /// What the reader should know about the data.
    pub warnings: Vec<String>,
    /// Where demonstrations contradict each other.
    pub contradictions: Vec<Contradiction>,
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
        Ok(Evidence {
            strategy: self.search.strategy().map(str::to_owned),
            ..Evidence::explored(&environment, found, self.search.seed())
        })
    }
}

impl Evidence {
    fn explored(environment: &Environment, found: Inferred, seed: u64) -> Self {
        Self {
            stop: Some(found.stop),
            seed: Some(seed),
            ..Self::new(
                environment.name(),
                environment.layout(),
                Some(environment),
                (found.learner, found.verdicts),
            )
        }
    }

    /// Evidence from records.
    pub fn new(
        name: &str,
        layout: Option<&Layout>,
        environment: Option<&Environment>,
        (learner, verdicts): (Learner, Verdicts),
    ) -> Self {
        Self {
            env: name.to_owned(),
            layout: layout.cloned(),
            horizon: environment.map_or(HORIZON, Environment::horizon),
            charged: environment.and_then(charged),
            stop: None,
            seed: None,
            strategy: None,
            records: Vec::new(),
            learner,
            verdicts,
            warnings: Vec::new(),
            contradictions: Vec::new(),
        }
    }

    /// Whether exploring was cut short by the user.
    pub fn is_interrupted(&self) -> bool {
        self.stop == Some(Stop::Interrupted)
    }
}

/// Whether the true cost charges each state; `None` if there is none.
pub fn charged(environment: &Environment) -> Option<Vec<bool>> {
    let cost = environment.truth().cost();
    let by_state = || cost.by_state(environment.task());
    (cost.support() > 0).then(|| by_state().iter().map(|&c| c > 0.0).collect())
}
