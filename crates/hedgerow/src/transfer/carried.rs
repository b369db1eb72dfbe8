//! What of a constraint is transferred, and what it forbids elsewhere.

use crate::constraint::leave_a_choice;
use crate::env::Environment;
use crate::index::Pair;
use crate::model::{Cost, Dynamics, entered};
use crate::{Error, Result};

/// What one task forbids, in its own numbering, ready to be transferred to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// Forbidden pairs: the same state and action again.
    Pairs(Vec<bool>),
    /// Forbidden cells: every pair whose most likely next state is one, also those the source's
    /// expert had no reason to avoid.
    Cells(Vec<bool>),
}

impl Carried {
    /// The pairs that `cost` charges.
    pub fn pairs(cost: &Cost) -> Self {
        Self::Pairs(cost.values().iter().map(|&c| c > 0.0).collect())
    }

    /// The cells that charged pairs of `source` most likely lead to.
    pub fn cells(source: &Environment, cost: &Cost) -> Result<Self> {
        cost.check(source.task())?;
        let marked: Vec<bool> = cost.values().iter().map(|&c| c > 0.0).collect();
        let rows = source.truth().model().rows();
        Ok(Self::Cells(entered(source.task(), rows, &marked)))
    }

    /// What it marks, as a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pairs(_) => "pairs",
            Self::Cells(_) => "cells",
        }
    }
}

/// Refuses two environments between which nothing can be transferred.
pub fn same_states(source: &Environment, target: &Environment) -> Result<()> {
    let (from, to) = (source.task(), target.task());
    if from.states() != to.states() || from.action_names() != to.action_names() {
        return Err(Error::invalid(
            "transfer",
            format!(
                "{} has {} states and {} actions, {} has {} and {}, or other action names",
                source.name(),
                from.states(),
                from.actions(),
                target.name(),
                to.states(),
                to.actions()
            ),
            "give two environments over the same states and actions",
        ));
    }
    Ok(())
}

/// Pairs of `target` that a constraint of `source` leaves allowed, and the number of states that
/// it left nothing: those keep all their pairs, as an agent that is there has to act.
pub fn allowed(
    source: &Environment,
    constraint: &Carried,
    target: &Environment,
) -> Result<(Vec<bool>, usize)> {
    same_states(source, target)?;
    let (from, to) = (source.task(), target.task());
    let (given, wanted) = match constraint {
        Carried::Pairs(pairs) => (pairs.len(), from.pairs()),
        Carried::Cells(cells) => (cells.len(), from.states()),
    };
    if given != wanted {
        return Err(Error::invalid(
            "constraint",
            format!("{given} marks for {wanted} {}", constraint.kind()),
            "mark every one of the source",
        ));
    }
    let rows = target.truth().model().rows();
    let free = |pair: Pair| match constraint {
        Carried::Pairs(pairs) => from
            .pair(to.state_of(pair), to.action_of(pair))
            .is_none_or(|same| !pairs[same.at()]),
        Carried::Cells(cells) => rows.likeliest(pair).is_none_or(|s| !cells[s.at()]),
    };
    Ok(leave_a_choice(to, to.all_pairs().map(free).collect()))
}
