//! An environment as the arrays of other programs: choices by state, branches by choice.
//!
//! A choice is a state-action pair and a branch a transition. Other programs know no terminal
//! states: such a state is written as one that stays where it is for nothing, which is worth as
//! much, and what cannot be left and earns nothing is read as terminal.

mod actions;
mod build;
mod of;

use crate::io::layout::LayoutPart;
use crate::{Error, Result};

/// What to assume where a file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Defaults {
    /// The discount of a file without one. A file with another discount of its own is refused.
    pub gamma: Option<f64>,
    /// Memory that opening it may take, in bytes; without it 80 % of the machine's
    /// ([`crate::io::memory`]).
    pub memory: Option<u64>,
}

impl Defaults {
    /// The discount of a file that says `own`.
    pub(super) fn gamma(&self, own: Option<f64>) -> Result<f64> {
        match (own, self.gamma) {
            (Some(own), Some(given)) if own != given => Err(Error::invalid(
                "gamma",
                format!(
                    "{given} was asked for, but the environment has a discount of its own, {own}"
                ),
                "leave out --gamma, or change the discount in the file",
            )),
            (Some(gamma), _) | (None, Some(gamma)) => Ok(gamma),
            (None, None) => Err(Error::invalid(
                "gamma",
                "the file has no discount",
                "give one with --gamma, or write it into a copy: `hedgerow envs export FILE COPY --gamma 0.9`",
            )),
        }
    }

    /// Refuses an environment with another discount, `own`, than was asked for.
    pub(super) fn check(&self, own: f64) -> Result<()> {
        self.gamma(Some(own)).map(|_| ())
    }
}

/// A model in arrays, with whatever is known beside it. Offsets ascend from 0 to the number of what
/// they point at; everything else is checked when an environment is made of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// Where the choices of every state begin, and the end.
    pub(super) choice_start: Vec<usize>,
    /// Where the branches of every choice begin, and the end.
    pub(super) branch_start: Vec<usize>,
    /// The state that a branch leads to.
    pub(super) target: Vec<u32>,
    /// The probability of a branch.
    pub(super) prob: Vec<f64>,
    /// The action of every choice, if they have any.
    pub(super) action_of: Option<Vec<u32>>,
    /// The names of actions; none if they have no names.
    pub(super) action_names: Vec<String>,
    /// The names of states; none if they have no names.
    pub(super) state_names: Vec<String>,
    /// What acting in a state earns.
    pub(super) state_reward: Option<Vec<f64>>,
    /// What a choice earns.
    pub(super) choice_reward: Option<Vec<f64>>,
    /// What a branch earns.
    pub(super) branch_reward: Option<Vec<f64>>,
    /// States in which episodes start, with probabilities.
    pub(super) start: Vec<(usize, f64)>,
    /// States that end the episode, if the file marks them.
    pub(super) terminal: Option<Vec<bool>>,
    /// What a choice costs, if that is known.
    pub(super) cost: Option<Vec<f64>>,
    /// How likely the expert takes a choice, if that is known.
    pub(super) expert: Option<Vec<f64>>,
    pub(super) name: Option<String>,
    pub(super) gamma: Option<f64>,
    pub(super) horizon: Option<usize>,
    pub(super) budget: Option<f64>,
    pub(super) value_range: Option<(f64, f64)>,
    pub(super) layout: Option<LayoutPart>,
}

impl Tables {
    pub(super) fn states(&self) -> usize {
        self.choice_start.len().saturating_sub(1)
    }

    pub(super) fn choices(&self) -> usize {
        self.branch_start.len().saturating_sub(1)
    }
}
