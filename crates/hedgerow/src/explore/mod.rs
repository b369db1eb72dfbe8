//! Strategies: from what the learner has seen to the next policy, and nothing else.
//!
//! To add one: write a file with a `PARAMETERS` table and a type that implements [`Strategy`],
//! then list it in [`STRATEGIES`]. The loop, the stopping, the counting and the evaluation are
//! the run's business; the conformance suite picks the new strategy up from the list.
//!
//! Every strategy that plans obeys three rules. Pairs never tried are optimistic: planning on
//! frequencies alone would avoid them for ever. Pairs are ranked by a width that does not
//! saturate. Stopping and reporting use the clipped bound. What else could differ without being the
//! strategy itself is in [`choices`], with the same default for all.

mod active;
mod bear;
mod candidates;
pub mod choices;
mod eps_greedy;
mod max_entropy;
mod pcse;
pub mod plan;
mod random;
mod seen_plan;
mod two_timescale;
mod ucb;
mod undecided;
mod uniform_generative;

pub use plan::Plan;
pub use seen_plan::SeenPlan;

use crate::error::nearest;
use crate::learn::{Bound, Learner};
use crate::param::{Parameter, Parameters, Values};
use crate::{Error, Result};
use std::sync::Arc;

/// Everything a strategy may look at.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// What has been seen.
    pub learner: &'a Learner,
    /// The iteration to plan, counted from 1.
    pub iteration: usize,
    /// The accuracy after the iteration before, as the strategy gave it; none before the first,
    /// and in searches that do not ask for it.
    pub accuracy: Option<f64>,
    /// True estimation errors, only in runs labelled `oracle`.
    pub oracle: Option<OracleErrors>,
}

/// How wrong the estimates truly are: two numbers that no learner could know.
///
/// The paper defines the candidate set of PCSE with them. A run hands them out only if its
/// settings say `oracle = on`, for reproduction; the label stands in its manifest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleErrors {
    /// `max_{s,a} ||P(.|s,a) - P^(.|s,a)||_1`.
    pub dynamics: f64,
    /// `max_s ||pi_E(.|s) - pi^_E(.|s)||_1`.
    pub expert: f64,
}

/// A way to choose the next policy.
pub trait Strategy: Send {
    /// How to gather the samples of the next iteration.
    fn plan(&mut self, at: &Context) -> Result<Plan>;

    /// The error bound on values that the strategy stops on: by default `max C_k / (1 - gamma)`.
    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        Ok(Bound::new(at.learner).max() / (1.0 - at.learner.task().gamma()))
    }

    /// Drops everything that only makes the next plan faster to find, and nothing that changes what it
    /// is meant to be.
    fn renew(&mut self) {}

    /// All that the next plans depend on beside what the learner has seen, as text, after
    /// [`Self::renew`]; `None` if that cannot be told, and a run then begins anew if it is interrupted.
    fn remembered(&self) -> Option<String> {
        None
    }

    /// Goes on from what a strategy of the same parameters [remembered](Self::remembered).
    fn recall(&mut self, _remembered: &str) -> Result<()> {
        Ok(())
    }
}

/// A strategy as users choose it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrategyInfo {
    /// The name used everywhere.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// A strategy for finite worlds by name, with its parameters and how to build it.
#[derive(Clone)]
pub struct StrategyEntry {
    /// Name, summary and parameters.
    pub info: StrategyInfo,
    build: Build,
}

#[derive(Clone)]
enum Build {
    Function(fn(&Values) -> Box<dyn Strategy>),
    Shared(Arc<SharedBuild>),
}

type SharedBuild = dyn Fn(&Values) -> Box<dyn Strategy> + Send + Sync;

impl StrategyEntry {
    /// A strategy that `build` builds from the values of `info.parameters`.
    pub fn new(
        info: StrategyInfo,
        build: impl Fn(&Values) -> Box<dyn Strategy> + Send + Sync + 'static,
    ) -> Self {
        let build = Build::Shared(Arc::new(build));
        Self { info, build }
    }

    const fn builtin(info: StrategyInfo, build: fn(&Values) -> Box<dyn Strategy>) -> Self {
        let build = Build::Function(build);
        Self { info, build }
    }

    /// The strategy with the given parameters.
    pub fn build(&self, values: &Values) -> Box<dyn Strategy> {
        match &self.build {
            Build::Function(build) => build(values),
            Build::Shared(build) => build(values),
        }
    }

    /// The strategy with its defaults.
    pub fn with_defaults(&self) -> Box<dyn Strategy> {
        self.build(Parameters::defaults(self.info.parameters).values())
    }
}

impl std::fmt::Debug for StrategyEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("StrategyEntry").field(&self.info).finish()
    }
}

/// All strategies that are built in.
pub static STRATEGIES: &[StrategyEntry] = &[
    bear::ENTRY,
    pcse::ENTRY,
    two_timescale::ENTRY,
    random::ENTRY,
    eps_greedy::ENTRY,
    max_entropy::ENTRY,
    ucb::ENTRY,
    uniform_generative::ENTRY,
    undecided::ENTRY,
];

/// The built-in strategy called `name`.
pub fn find(name: &str) -> Result<&'static StrategyEntry> {
    let found = STRATEGIES.iter().find(|e| e.info.name == name);
    found.ok_or_else(|| {
        Error::invalid(
            "strategy",
            format!("`{name}` is unknown"),
            nearest(name, STRATEGIES.iter().map(|e| e.info.name)),
        )
    })
}
