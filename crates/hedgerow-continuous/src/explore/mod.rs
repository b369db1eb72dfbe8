//! Strategies for continuous worlds: from what the learner has observed to the next action.
//!
//! They have the names of the strategies for finite worlds and follow the same ideas, with
//! pseudo-counts for counts and fitted values for exact ones. Their parameters are their own; whether an
//! episode follows the expert in the end ([`Deviation`]) is a parameter of the domain, the same for all.
//!
//! To add one: write a file with a `PARAMETERS` table, a type that implements [`Strategy`] and an
//! entry, then list the entry in [`STRATEGIES`].
//!
//! ```
//! use hedgerow::param::Parameters;
//! use hedgerow_continuous::explore::find;
//!
//! let entry = find("eps-greedy")?;
//! let mut parameters = Parameters::defaults(entry.info.parameters);
//! parameters.set("power", "1")?;
//! let strategy = (entry.build)(parameters.values(), 0.95, 7)?;
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

mod bear;
pub mod deviation;
mod eps_greedy;
mod max_entropy;
mod pcse;
mod planning;
mod random;
mod ucb;
mod undecided;

pub use deviation::Deviation;

use crate::learn::Learner;
use crate::maze::{ACTIONS, State};
use crate::select::inverse_cdf;
use crate::{Error, Result};
use hedgerow::error::nearest;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::Values;
use hedgerow::seed::Stream;
use rand::RngExt;
use std::fmt::Debug;

/// A strategy by name, with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct ContinuousStrategy {
    /// Name, summary and parameters.
    pub info: StrategyInfo,
    /// Builds it with these parameters, for a world with this discount and a run with this seed.
    pub build: Build,
}

/// Builds a strategy from its parameters, the discount of the world and the seed of the run.
pub type Build = fn(&Values, f64, u64) -> Result<Box<dyn Strategy>>;

/// All strategies for continuous worlds.
pub const STRATEGIES: &[ContinuousStrategy] = &[
    bear::ENTRY,
    pcse::ENTRY,
    random::ENTRY,
    eps_greedy::ENTRY,
    max_entropy::ENTRY,
    ucb::ENTRY,
    undecided::ENTRY,
];

/// The strategy called `name`.
pub fn find(name: &str) -> Result<&'static ContinuousStrategy> {
    STRATEGIES
        .iter()
        .find(|e| e.info.name == name)
        .ok_or_else(|| {
            Error::invalid(
                "strategy",
                format!("`{name}` is unknown in continuous worlds"),
                nearest(name, STRATEGIES.iter().map(|e| e.info.name)),
            )
        })
}

/// Chooses the next action.
pub trait Strategy: Debug + Send {
    /// The iteration with this number begins, counted from 1.
    fn begin(&mut self, _iteration: usize) {}

    /// Plans anew: the learner knows more than it did.
    fn plan(&mut self, _learner: &Learner) -> Result<()> {
        Ok(())
    }

    /// The action at a state at which the expert would choose `expert`.
    fn act(&mut self, learner: &Learner, state: &State, expert: usize, rng: &mut Stream) -> usize;

    /// What it maximises, of the policy before it planned last and of the one after; none for strategies
    /// without an objective of their own.
    fn objective(&self) -> Option<(f64, f64)> {
        None
    }
}

/// An action, chosen uniformly.
fn random_action(rng: &mut Stream) -> usize {
    ((rng.random::<f64>() * ACTIONS as f64) as usize).min(ACTIONS - 1)
}

/// The action with the largest value, chosen uniformly among equals.
fn argmax_random_ties(values: &[f64; ACTIONS], rng: &mut Stream) -> usize {
    let top = values.iter().copied().fold(f64::MIN, f64::max);
    let equal: Vec<usize> = (0..ACTIONS).filter(|&a| values[a] >= top).collect();
    match equal[..] {
        [only] => only,
        [] => random_action(rng),
        _ => equal[((rng.random::<f64>() * equal.len() as f64) as usize).min(equal.len() - 1)],
    }
}

/// An action chosen with these weights.
fn weighted_action(weights: &[f64; ACTIONS], rng: &mut Stream) -> usize {
    let total: f64 = weights.iter().sum();
    let level = rng.random::<f64>() * total;
    inverse_cdf(weights, level).unwrap_or_else(|| random_action(rng))
}
