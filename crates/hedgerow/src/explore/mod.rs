//! Strategies: from what the learner has seen to the next policy, and nothing else.
//!
//! To add one: write a file with a `PARAMETERS` table and a type that implements [`Strategy`],
//! then list it in [`STRATEGIES`]. The loop, the stopping, the counting and the evaluation are
//! the run's business; the conformance suite picks the new strategy up from the list.
//!
//! Every strategy that plans obeys three rules. Pairs never tried are optimistic: planning on
//! frequencies alone would avoid them for ever. Pairs are ranked by a width that does not
//! saturate. Stopping and reporting use the clipped bound.

mod bear;
mod candidates;
mod eps_greedy;
mod max_entropy;
mod pcse;
mod plan;
mod random;
mod two_timescale;
mod ucb;
mod undecided;
mod uniform_generative;

pub use plan::Plan;
pub(crate) use plan::{best_sharing_ties, estimated, optimistic, planning_gamma};

use crate::error::nearest;
use crate::learn::{Bound, Learner};
use crate::param::{Parameter, Parameters};
use crate::{Error, Result};

/// Everything a strategy may look at.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// What has been seen.
    pub learner: &'a Learner,
    /// The iteration to plan, counted from 1.
    pub iteration: usize,
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
    fn plan(&mut self, at: &Situation) -> Result<Plan>;

    /// The error bound on values that the strategy stops on: by default `max C_k / (1 - gamma)`.
    fn accuracy(&mut self, at: &Situation) -> Result<f64> {
        Ok(Bound::new(at.learner).max() / (1.0 - at.learner.task().gamma()))
    }
}

/// A strategy by name, with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name used everywhere.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    build: fn(&Parameters) -> Box<dyn Strategy>,
}

impl Entry {
    /// The strategy with the given parameters.
    pub fn build(&self, parameters: &Parameters) -> Box<dyn Strategy> {
        (self.build)(parameters)
    }

    /// The strategy with its defaults.
    pub fn with_defaults(&self) -> Box<dyn Strategy> {
        self.build(&Parameters::defaults(self.parameters))
    }
}

/// All strategies.
pub const STRATEGIES: &[Entry] = &[
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

/// The strategy called `name`.
pub fn find(name: &str) -> Result<&'static Entry> {
    STRATEGIES.iter().find(|e| e.name == name).ok_or_else(|| {
        Error::invalid(
            "strategy",
            format!("`{name}` is unknown"),
            nearest(name, STRATEGIES.iter().map(|e| e.name)),
        )
    })
}
