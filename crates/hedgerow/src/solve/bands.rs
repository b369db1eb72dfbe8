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

/// A slice in parts of these lengths, one after the other, so that each can be given to a thread.
pub(super) fn parts_of<T>(
    mut all: &mut [T],
    lengths: impl Iterator<Item = usize>,
) -> Vec<&mut [T]> {
    let part = |length| {
        let own;
        (own, all) = std::mem::take(&mut all).split_at_mut(length);
        own
    };
    lengths.map(part).collect()
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
/// come before it, and states that mostly lead to each other stand together.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub(super) states: Vec<u32>,
    /// Where states stand that mostly lead to each other, one range for each such circle.
    pub(super) circles: Vec<Range<usize>>,
}

pub(super) fn order(chain: &(impl Chained + Sync), bands: &[Range<usize>]) -> Order {
    let parts = bands.par_iter();
    let parts: Vec<Order> = parts
        .map(|band| Walk::new(chain, band.clone()).order())
        .collect();
    let mut all = Order::default();
    for part in parts {
        let before = all.states.len();
        let circles = part.circles.iter();
        all.circles
            .extend(circles.map(|c| c.start + before..c.end + before));
        all.states.extend(part.states);
    }
    all
}

/// Finds the circles of a band by Tarjan's depth-first walk, which leaves them in the order that is asked for.
struct Walk<'c, C> {
    chain: &'c C,
    band: Range<usize>,
    /// When each state was met, from 1 on; 0 before, and the largest number once its circle is complete.
    met: Vec<u32>,
    count: u32,
    /// States whose circle is not complete.
    kept: Vec<u32>,
    /// States on the way, with the next of their entries to look at and the earliest state they lead back to.
    open: Vec<(u32, u32, u32)>,
    found: Order,
}

impl<'c, C: Chained> Walk<'c, C> {
    fn new(chain: &'c C, band: Range<usize>) -> Self {
        Self {
            chain,
            met: vec![0; band.len()],
            count: 0,
            kept: Vec::new(),
            open: Vec::new(),
            found: Order {
                states: Vec::with_capacity(band.len()),
                circles: Vec::new(),
            },
            band,
        }
    }

    fn order(mut self) -> Order {
        for s in self.band.clone() {
            if self.met[s - self.band.start] == 0 {
                self.enter(s as u32);
                while let Some(&(here, at, back)) = self.open.last() {
                    match self.onward(here, at) {
                        Some((to, after)) => self.look(to, after),
                        None => self.leave(here, back),
                    }
                }
            }
        }
        self.found
    }

    fn enter(&mut self, s: u32) {
        self.count += 1;
        self.met[s as usize - self.band.start] = self.count;
        self.kept.push(s);
        self.open.push((s, 0, self.count));
    }

    /// The next state of the band, from entry `at` on, that `here` mostly leads to, and the entry after it.
    fn onward(&self, here: u32, at: u32) -> Option<(u32, u32)> {
        let (next, prob) = self.chain.row(here as usize);
        let most = prob.iter().copied().fold(0.0, f64::max);
        let mostly = |&i: &usize| {
            prob[i] >= MOSTLY * most && self.band.contains(&(next[i] as usize)) && next[i] != here
        };
        let i = (at as usize..next.len()).find(mostly)?;
        Some((next[i], i as u32 + 1))
    }

    fn look(&mut self, to: u32, after: u32) {
        let met = self.met[to as usize - self.band.start];
        if let Some((_, at, back)) = self.open.last_mut() {
            *at = after;
            if met > 0 {
                *back = met.min(*back);
            }
        }
        if met == 0 {
            self.enter(to);
        }
    }

    fn leave(&mut self, here: u32, back: u32) {
        self.open.pop();
        if let Some((_, _, before)) = self.open.last_mut() {
            *before = back.min(*before);
        }
        if back < self.met[here as usize - self.band.start] {
            return;
        }
        let first = self.kept.iter().rposition(|&s| s == here).unwrap_or(0);
        let from = self.found.states.len();
        for s in self.kept.drain(first..) {
            self.met[s as usize - self.band.start] = u32::MAX;
            self.found.states.push(s);
        }
        // Whoever leads to another stands after it.
        self.found.states[from..].reverse();
        if self.found.states.len() > from + 1 {
            self.found.circles.push(from..self.found.states.len());
        }
    }
}
