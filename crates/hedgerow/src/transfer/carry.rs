//! What of a constraint is carried, and what it forbids elsewhere.

use crate::costset::on_cells;
use crate::env::Environment;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Rows};
use crate::{Error, Result};

/// As what a constraint is carried into another task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// A pair with a positive cost is forbidden, the same state and action again.
    Pairs,
    /// A cell with a positive projected cost is forbidden: every pair whose most likely next state
    /// it is, also those the source's expert had no reason to avoid.
    Cells,
}

/// Pairs of `target` that `cost` of `source` leaves allowed, and the number of states that it
/// left nothing: those keep all their pairs, as an agent that is there has to act.
pub fn allowed(
    source: &Environment,
    cost: &[f64],
    target: &Environment,
    carry: Carry,
) -> Result<(Vec<bool>, usize)> {
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
    if cost.len() != from.pairs() {
        return Err(Error::invalid(
            "cost",
            format!("{} numbers for {} pairs", cost.len(), from.pairs()),
            "give one cost for every available pair of the source",
        ));
    }
    let cells = on_cells(source.truth().model().rows(), from, cost);
    let rows = target.truth().model().rows();
    let free = |pair: Pair| match carry {
        Carry::Pairs => from
            .pair(to.state_of(pair), to.action_of(pair))
            .is_none_or(|same| cost[same.at()] <= 0.0),
        Carry::Cells => likeliest(rows, pair).is_none_or(|s| cells[s.at()] <= 0.0),
    };
    let mut allowed: Vec<bool> = to.all_pairs().map(free).collect();
    let mut overruled = 0;
    for state in to.all_states().filter(|&s| !to.is_terminal(s)) {
        let own = &mut allowed[to.pairs_of(state)];
        if !own.iter().any(|&a| a) {
            own.fill(true);
            overruled += 1;
        }
    }
    Ok((allowed, overruled))
}

/// The first of the most likely next states.
fn likeliest(rows: &Rows, pair: Pair) -> Option<State> {
    let (next, prob) = rows.row(pair);
    let mut best: Option<(u32, f64)> = None;
    for (&s, &p) in next.iter().zip(prob) {
        if best.is_none_or(|(_, most)| p > most) {
            best = Some((s, p));
        }
    }
    best.map(|(s, _)| State(s))
}
