//! The states of a large chain in bands, and the order in which each is gone through.
//!
//! Where most transitions stay near, as on a map, bands of states can be worked on at the same time: each sees
//! at once what it finds itself, and of the others what they had found before. That costs a sweep for every
//! band that something has to cross, and does not depend on the number of threads.

use rayon::prelude::*;
use std::ops::Range;

/// From this many states on, bands pay for the threads that they take.
const MANY: usize = 20_000;

/// How many bands: the same on every machine, since what is found depends on it.
const BANDS: usize = 4;

/// The part of all transitions between bands that is still few, and transitions that are looked at.
const FEW: usize = 16;
const LOOKED_AT: usize = 20_000;

/// Outcomes that are not this much less likely than the likeliest are where a state mostly leads.
const MOSTLY: f64 = 0.25;

/// The states in as many bands as pay: one unless there are many states and most stay in theirs.
pub(super) fn bands(chain: &impl Chained) -> Vec<Range<usize>> {
    let states = chain.states();
    let parts = split(states);
    let every = (states / LOOKED_AT).max(1);
    let (mut all, mut leaving) = (0, 0);
    for band in &parts {
        for s in band.clone().step_by(every) {
            let next = chain.row(s).0;
            all += next.len();
            leaving += next
                .iter()
                .filter(|&&to| !band.contains(&(to as usize)))
                .count();
        }
    }
    match FEW * leaving <= all {
        true => parts,
        false => vec![whole(states)],
    }
}

/// So many states in bands of the same size, if they are many.
pub(super) fn split(states: usize) -> Vec<Range<usize>> {
    if states < MANY {
        return vec![whole(states)];
    }
    let size = states.div_ceil(BANDS);
    let firsts = (0..states).step_by(size);
    firsts.map(|s| s..states.min(s + size)).collect()
}

fn whole(states: usize) -> Range<usize> {
    0..states
}

/// Rows of a chain.
pub(super) trait Chained {
    /// How many.
    fn states(&self) -> usize;
    /// Entries of all rows.
    fn entries(&self) -> usize;
    /// Where a state leads, and how likely.
    fn row(&self, s: usize) -> (&[u32], &[f64]);
}

/// The states in the order in which values settle soonest, band by band: those that a state mostly leads to
/// come before it, as far as there are no cycles.
pub(super) fn order(chain: &(impl Chained + Sync), bands: &[Range<usize>]) -> Vec<u32> {
    let parts = bands.par_iter();
    let parts: Vec<Vec<u32>> = parts.map(|band| order_of(chain, band.clone())).collect();
    parts.concat()
}

fn order_of(chain: &impl Chained, band: Range<usize>) -> Vec<u32> {
    let mut met = vec![false; band.len()];
    let mut order = Vec::with_capacity(band.len());
    // A state with the next of its entries to look at.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for s in band.clone() {
        if std::mem::replace(&mut met[s - band.start], true) {
            continue;
        }
        open.push((s as u32, 0));
        while let Some((here, at)) = open.last_mut() {
            let (next, prob) = chain.row(*here as usize);
            let Some(&to) = next.get(*at as usize) else {
                order.push(*here);
                open.pop();
                continue;
            };
            let most = prob.iter().copied().fold(0.0, f64::max);
            let mostly = prob[*at as usize] >= MOSTLY * most;
            *at += 1;
            let near = mostly && band.contains(&(to as usize));
            if near && !std::mem::replace(&mut met[to as usize - band.start], true) {
                open.push((to, 0));
            }
        }
    }
    order
}
