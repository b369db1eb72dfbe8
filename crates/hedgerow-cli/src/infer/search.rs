//! How to explore and what to promise, from the command line.

use crate::progress::{Progress, Work};
use crate::terminal::stop_on_ctrl_c;
use clap::{Args, ValueEnum};
use hedgerow::env::Environment;
use hedgerow::explore;
use hedgerow::learn::{Inference, InferenceParams};
use hedgerow::model::Task;
use hedgerow::verdict::{
    Assume, Criteria, CriteriaParams, Inferred, SearchOptions, Verdict, Verdicts, infer,
};
use hedgerow::{Error, Result};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

/// How sure verdicts have to be, and of what.
#[derive(Debug, Args)]
pub struct Asked {
    /// Probability that all verdicts are right, whenever the search stops.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.95,
        allow_negative_numbers = true
    )]
    confidence: f64,
    /// A pair whose advantage is surely within this of the tolerance need not be decided.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 0.01,
        allow_negative_numbers = true
    )]
    margin: f64,
    /// Advantages up to this do not count: the expert may be that far from its best.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    tolerance: f64,
    /// What is assumed of an expert that does different things in one state.
    #[arg(long, value_enum, default_value_t = Assumed::Mixed)]
    assume: Assumed,
    /// A mixed expert avoids a pair if it surely takes it less often than this.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    rare: f64,
}

/// How to explore and what to promise.
#[derive(Debug, Args)]
pub struct Search {
    #[command(flatten)]
    asked: Asked,
    /// Most samples.
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    samples: u64,
    /// Explore with this strategy instead of sampling what open verdicts hang on.
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// The seed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// [`Assume`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Assumed {
    /// Nothing: it draws its actions from some distribution
    Mixed,
    /// All that it does in a state has the same value (a deterministic expert is one case)
    Ties,
}

impl Asked {
    /// When a pair gets a verdict.
    pub fn criteria(&self) -> Result<Criteria> {
        let assume = match self.assume {
            Assumed::Mixed => Assume::Mixed,
            Assumed::Ties => Assume::Ties,
        };
        CriteriaParams {
            confidence: self.confidence,
            assume,
            tolerance: self.tolerance,
            margin: self.margin,
            rare: self.rare,
        }
        .check()
    }
}

impl Search {
    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// When a pair gets a verdict.
    pub fn criteria(&self) -> Result<Criteria> {
        self.asked.criteria()
    }

    /// How the cost is estimated: what the tolerance forgives costs nothing.
    pub fn inference(&self) -> Result<Inference> {
        let usual = InferenceParams::DEFAULT;
        InferenceParams {
            threshold: usual.threshold + self.asked.tolerance,
            ..usual
        }
        .check()
    }

    /// Explores `environment`, with progress on standard error, until Ctrl-C at the latest.
    pub fn run(&self, environment: &Environment) -> Result<Inferred> {
        let criteria = self.criteria()?;
        if self.samples == 0 {
            return Err(Error::invalid("samples", "0 samples", "use at least 1"));
        }
        let strategy = match &self.strategy {
            None => None,
            Some(name) => Some(explore::find(name)?.with_defaults()),
        };
        let stop = stop_on_ctrl_c();
        let work = Work {
            at_most: true,
            ..Work::new(self.samples, "samples")
        };
        let progress = Progress::new(work, self.quiet);
        let options = SearchOptions {
            criteria,
            inference: self.inference()?,
            strategy,
            samples: Some(self.samples),
            seed: self.seed,
            stop: Some(stop.clone()),
        };
        let found = infer(environment, options, &mut |verdicts| {
            progress.reach(verdicts.samples(), || state(environment.task(), verdicts));
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        progress.clear();
        found
    }
}

/// Where the verdicts stand.
fn state(task: &Task, verdicts: &Verdicts) -> String {
    format!(
        "{} constrained, {} open",
        verdicts.count(Verdict::Constrained),
        verdicts.open(task).count()
    )
}
