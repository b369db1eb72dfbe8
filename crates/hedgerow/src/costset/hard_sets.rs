//! Hard constraints need no programs: an entry counts only by being zero or not.

use crate::Result;
use crate::costset::set::least_cost_max;
use crate::costset::{CostSet, Range, Role, Rule};
use crate::index::Pair;
use crate::model::Dynamics;

/// What some hard sets together demand of a pair by the conditions.
fn demand<D: Dynamics>(sets: &[&CostSet<D>], pair: Pair) -> Option<Role> {
    let mut roles = sets.iter().map(|s| s.role(pair));
    let charged = roles.clone().filter(|&r| r == Role::Paying).count();
    match charged {
        0 => roles.next(),
        n if n == sets.len() => Some(Role::Paying),
        _ => None,
    }
}

/// The largest cost that leaves free what all experts do.
fn everything_else<D: Dynamics>(sets: &[&CostSet<D>]) -> Vec<f64> {
    let task = sets[0].task();
    let free = |p: Pair| sets.iter().any(|s| s.uses(p));
    task.all_pairs()
        .map(|p| if free(p) { 0.0 } else { least_cost_max(sets) })
        .collect()
}

/// Whether no expert is beaten under `cost`, which leaves free what they do.
fn unbeaten<D: Dynamics>(sets: &[&CostSet<D>], cost: &[f64]) -> Result<bool> {
    for set in sets {
        if set.challenger(cost)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn ranges<D: Dynamics>(
    sets: &[&CostSet<D>],
    rule: Rule,
    pairs: impl IntoIterator<Item = Pair>,
) -> Result<Option<Vec<Range>>> {
    let (task, top) = (sets[0].task(), least_cost_max(sets));
    if rule == Rule::Conditions {
        let of_pair = |p| {
            demand(sets, p).map(|role| match role {
                Role::Paying => Range::above(0.0, top),
                _ => Range::closed(0.0, 0.0),
            })
        };
        // Empty if any pair is disputed, asked for or not.
        let disputed = task.all_pairs().any(|p| demand(sets, p).is_none());
        return Ok((!disputed).then(|| pairs.into_iter().filter_map(of_pair).collect()));
    }
    let mut cost = everything_else(sets);
    if !unbeaten(sets, &cost)? {
        return Ok(None);
    }
    let mut ranges = Vec::new();
    for pair in pairs {
        let charged = std::mem::take(&mut cost[pair.at()]);
        // Only a pair that pays, at a state some expert reaches, can be what beats it.
        let pays = |s: &&CostSet<D>| s.advantage[pair.at()] > 0.0 && s.visits(task.state_of(pair));
        ranges.push(if charged == 0.0 {
            Range::closed(0.0, 0.0)
        } else if !sets.iter().any(pays) || unbeaten(sets, &cost)? {
            Range::closed(0.0, top)
        } else {
            Range::above(0.0, top)
        });
        cost[pair.at()] = charged;
    }
    Ok(Some(ranges))
}

/// The nearest cost, entry by entry; strict entries get at least `margin`.
pub(super) fn nearest<D: Dynamics>(
    sets: &[&CostSet<D>],
    rule: Rule,
    target: &[f64],
    margin: f64,
) -> Result<Option<Vec<f64>>> {
    let (task, top) = (sets[0].task(), least_cost_max(sets));
    let mut cost = Vec::with_capacity(task.pairs());
    if rule == Rule::Conditions {
        for pair in task.all_pairs() {
            cost.push(match demand(sets, pair) {
                Some(Role::Paying) => target[pair.at()].clamp(margin, top),
                Some(_) => 0.0,
                None => return Ok(None),
            });
        }
        return Ok(Some(cost));
    }
    let largest = everything_else(sets);
    if !unbeaten(sets, &largest)? {
        return Ok(None);
    }
    // Charging every paying pair is enough, and the least charge will do.
    for pair in task.all_pairs() {
        let pays = sets.iter().any(|s| s.advantage[pair.at()] > 0.0);
        let low = if pays { margin } else { 0.0 };
        let charge = target[pair.at()].clamp(low, top);
        cost.push(if largest[pair.at()] > 0.0 {
            charge
        } else {
            0.0
        });
    }
    Ok(Some(cost))
}

/// Pairs on which some hard sets cannot agree.
pub(super) fn conflicts<D: Dynamics>(sets: &[&CostSet<D>], rule: Rule) -> Result<Vec<Pair>> {
    let all = sets[0].task().all_pairs();
    if rule == Rule::Conditions {
        return Ok(all.filter(|&p| demand(sets, p).is_none()).collect());
    }
    let cost = everything_else(sets);
    let mut conflicts = Vec::new();
    for set in sets {
        if let Some(better) = set.challenger(&cost)? {
            conflicts.extend(better.departs.into_iter().map(|(pair, _)| pair));
        }
    }
    conflicts.sort_unstable();
    conflicts.dedup();
    Ok(conflicts)
}
