//! How to explore and what to promise, from the command line.

use super::known::Declared;
use crate::progress::{Progress, Work};
use crate::terminal::stop_on_ctrl_c;
use clap::{Args, ValueEnum};
use hedgerow::env::Environment;
use hedgerow::explore;
use hedgerow::model::Task;
use hedgerow::verdict::{
    Assume, Classes, Criteria, CriteriaParams, Goal, Inferred, Scope, SearchOptions, infer,
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
    /// A pair that surely gains no more than this beyond the tolerance need not be decided [default:
    /// 0.01 of the largest reward].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    margin: Option<f64>,
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
    /// States in which pairs get verdicts [default: those that the expert visits if its budget is
    /// soft, else all].
    #[arg(long, value_enum, value_name = "WHICH")]
    scope: Option<Scoped>,
}

/// [`Scope`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scoped {
    /// All states
    All,
    /// Those that the expert visits, following what it does from the start
    Visited,
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
    #[command(flatten)]
    declared: Declared,
    /// What to search for.
    #[arg(long, value_enum, default_value_t = Wanted::Verdicts)]
    goal: Wanted,
    /// With `--goal explain`: how close to the expert the best policy under the constraint has to be,
    /// from the start [default: the margin].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    eps: Option<f64>,
    /// The seed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// [`Goal`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// A verdict on every pair that can be reached and matters
    Verdicts,
    /// A constraint under which the best policy earns what the expert earns from the start
    Explain,
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
    /// In which states pairs get verdicts.
    fn scope(&self, soft: bool) -> Scope {
        match self.scope {
            Some(Scoped::Visited) => Scope::Visited,
            Some(Scoped::All) => Scope::All,
            None => Scope::usual(soft),
        }
    }

    /// When a pair gets a verdict in `task`, whose expert has a soft budget or not.
    pub fn criteria(&self, task: &Task, soft: bool) -> Result<Criteria> {
        let usual = CriteriaParams::usual_for(task, soft);
        let assume = match self.assume {
            Assumed::Mixed => Assume::Mixed,
            Assumed::Ties => Assume::Ties,
        };
        CriteriaParams {
            confidence: self.confidence,
            assume,
            tolerance: self.tolerance,
            margin: self.margin.unwrap_or(usual.margin),
            rare: self.rare,
            scope: self.scope(soft),
        }
        .check()
    }
}

impl Search {
    /// Who explores, if not what open verdicts hang on.
    pub fn strategy(&self) -> Option<&str> {
        self.strategy.as_deref()
    }

    /// In which states pairs get verdicts where nothing is sampled.
    pub fn scope(&self, environment: &Environment) -> Scope {
        self.asked.scope(environment.truth().budget() > 0.0)
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// When a pair gets a verdict.
    pub fn criteria(&self, task: &Task, soft: bool) -> Result<Criteria> {
        self.asked.criteria(task, soft)
    }

    fn goal(&self, criteria: &Criteria) -> Result<Goal> {
        match (self.goal, self.eps) {
            (Wanted::Verdicts, None) => Ok(Goal::Verdicts),
            (Wanted::Verdicts, Some(_)) => Err(Error::invalid(
                "--eps",
                "nothing is to be explained",
                "add --goal explain, or leave --eps out",
            )),
            (Wanted::Explain, eps) => {
                let goal = Goal::explain(eps.unwrap_or(criteria.margin));
                goal.map_err(|e| e.at_place("--eps"))
            }
        }
    }

    /// Explores `environment`, with progress on standard error, until Ctrl-C at the latest.
    pub fn run(&self, environment: &Environment, classes: Option<Classes>) -> Result<Inferred> {
        let task = environment.task();
        let criteria = self.criteria(task, environment.truth().budget() > 0.0)?;
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
            inference: criteria.inference(task)?,
            classes,
            strategy,
            samples: Some(self.samples),
            seed: self.seed,
            goal: self.goal(&criteria)?,
            knowledge: self.declared.knowledge(environment)?,
            stop: Some(stop.clone()),
        };
        let found = infer(environment, options, &mut |verdicts| {
            progress.reach(verdicts.samples(), || verdicts.standing(environment.task()));
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        progress.clear();
        found
    }
}
