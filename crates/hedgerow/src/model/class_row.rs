//! Pairs with the same dynamics, line by line.

use crate::index::{Pair, State};

/// One line of a table of classes: an outcome of a pair, under the name it has in its class.
///
/// Pairs of one class have the same outcomes, each with one next state, and the outcome of the same
/// name is equally likely from all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassRow {
    /// The pair.
    pub pair: Pair,
    /// The name of its class.
    pub class: String,
    /// The name of the outcome.
    pub outcome: String,
    /// Where it leads.
    pub next: State,
}
