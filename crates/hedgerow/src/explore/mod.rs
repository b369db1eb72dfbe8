//! Strategies: from what the learner has seen to the next policy, and nothing else.
//!
//! To add one: write a file with a `PARAMETERS` table and a type that implements [`Strategy`],
//! then list it in [`STRATEGIES`]. The loop, the stopping, the counting and the evaluation are
//! the run's business; the conformance suite picks the new strategy up from the list.
//!
//! Every strategy here obeys three rules. Pairs never tried are optimistic: planning on
//! frequencies alone would avoid them for ever. Pairs are ranked by a width that does not
//! saturate. Stopping and reporting use the clipped bound.

mod bear;
mod eps_greedy;
mod max_entropy;
mod pcse;
mod plan;
mod random;
mod ucb;
mod undecided;
mod uniform_generative;

pub use plan::Plan;

use crate::error::nearest;
use crate::learn::{Bound, Learner};
use crate::param::{Parameter, Parameters};
use crate::seed::Stream;
use crate::{Error, Result};

/// A way to choose the next policy.
pub trait Strategy: Send {
    /// The plan for iteration `iteration`, counted from 1.
    fn plan(&mut self, learner: &Learner, iteration: usize, rng: &mut Stream) -> Result<Plan>;

    /// The error bound on values that the strategy stops on: by default `max C_k / (1 - gamma)`.
    fn accuracy(&mut self, learner: &Learner) -> Result<f64> {
        Ok(Bound::new(learner).max() / (1.0 - learner.task().gamma()))
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
