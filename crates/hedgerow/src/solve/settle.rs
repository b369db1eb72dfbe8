//! The values of a large chain, by sweeps in an order that suits it.

use crate::solve::turn::{Close, Pause, Turn};
use std::collections::HashMap;

/// Sweeps between two guesses of the sum of all that follow.
pub(super) const ROUND: usize = 8;

/// Lists of probabilities that are looked for, at most.
const MOST_LISTS: usize = 4096;

/// Outcomes that are not this much less likely than the likeliest are where a state mostly leads.
const MOSTLY: f64 = 0.25;

/// How much two steps have to point the same way for their series to be worth summing up.
const ONE_WAY: f64 = 0.8;

/// Smaller numbers are 0: their products would lose digits, and processors are slow with those.
pub(super) const FLOOR: f64 = f64::MIN_POSITIVE * (1_u64 << 40) as f64;

/// The rows of a chain in the order of a sweep, solved for the state that they are of: all that stays comes
/// back at once, since bumping into a wall is common.
///
/// States are numbered by their turn, so that a sweep reads memory from one end to the other, and what it
/// has just found is near.
#[derive(Clone, Debug)]
pub(super) struct InOrder {
    length: Vec<u32>,
    next: Vec<u32>,
    /// Where the probabilities of every row begin: rows with the same share them, so that a sweep over a map
    /// reads a third of the memory.
    list: Vec<usize>,
    /// `gamma P / (1 - gamma P(s | s))`, those that stay left out.
    prob: Vec<f64>,
    /// `1 / (1 - gamma P(s | s))`.
    pub(super) scale: Vec<f64>,
}

/// How sweeps along a chain ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled {
    /// Whether every state is as close as was asked.
    pub(crate) all: bool,
    pub(crate) sweeps: usize,
}

impl Settled {
    fn after(sweeps: usize, all: bool) -> Self {
        Self { all, sweeps }
    }
}

/// Lists of probabilities that were met before.
#[derive(Default)]
struct Lists {
    known: HashMap<Vec<u64>, usize>,
    key: Vec<u64>,
}

impl Lists {
    /// Where `row` stands in `all`, added if it is new.
    fn place(&mut self, all: &mut Vec<f64>, row: &[f64]) -> usize {
        // Where hardly any two rows are alike, there is nothing to look for.
        let look = self.known.len() < MOST_LISTS;
        if look {
            self.key.clear();
            self.key.extend(row.iter().map(|p| p.to_bits()));
            if let Some(&at) = self.known.get(&self.key) {
                return at;
            }
            self.known.insert(self.key.clone(), all.len());
        }
        all.extend_from_slice(row);
        all.len() - row.len()
    }
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

impl InOrder {
    /// The rows of a chain in `order`.
    pub(super) fn new(chain: &impl Chained, gamma: f64, order: &[u32]) -> Self {
        let mut turn = vec![0_u32; order.len()];
        for (at, &s) in order.iter().enumerate() {
            turn[s as usize] = at as u32;
        }
        let mut rows = Self {
            length: Vec::with_capacity(order.len()),
            next: Vec::with_capacity(chain.entries()),
            list: Vec::with_capacity(order.len()),
            prob: Vec::new(),
            scale: Vec::with_capacity(order.len()),
        };
        let mut lists = Lists::default();
        let mut row = Vec::new();
        for (at, &s) in order.iter().enumerate() {
            let (next, prob) = chain.row(s as usize);
            let stays = next.iter().zip(prob).filter(|(to, _)| **to == s);
            let stay: f64 = stays.map(|(_, p)| p).sum();
            let scale = 1.0 / (1.0 - gamma * stay);
            row.clear();
            let mut latest = None;
            for (&to, &p) in next.iter().zip(prob).filter(|(to, _)| **to != s) {
                let to = turn[to as usize];
                if to < at as u32 && latest.is_none_or(|(turn, _)| turn < to) {
                    latest = Some((to, rows.next.len()));
                }
                rows.next.push(to);
                row.push(gamma * p * scale);
            }
            // What a sweep finds just before comes last, so that all other terms need not wait for it.
            if let Some((_, i)) = latest {
                let (first, last) = (rows.next.len() - row.len(), row.len() - 1);
                rows.next.swap(i, first + last);
                row.swap(i - first, last);
            }
            rows.list.push(lists.place(&mut rows.prob, &row));
            rows.length.push(row.len() as u32);
            rows.scale.push(scale);
        }
        rows
    }

    /// Solves `V = reward + gamma P V`, in turns and with rewards scaled, until every state is `close` or
    /// `most` sweeps are over.
    pub(super) fn settle<const MIXED: bool>(
        &self,
        reward: &[f64],
        values: &mut [f64],
        close: Close,
        most: usize,
    ) -> Settled {
        let mut step = vec![0.0; values.len()];
        let mut pause = Pause::default();
        let least = close.any + FLOOR;
        for sweep in 1..=most {
            let mut turn = Turn::default();
            let (mut settled, mut finite) = (true, true);
            let compared = sweep % ROUND == 0 && !close.plain;
            let mut at = 0;
            for (s, (&length, &list)) in self.length.iter().zip(&self.list).enumerate() {
                let next = &self.next[at..at + length as usize];
                let prob = &self.prob[list..list + next.len()];
                at += next.len();
                let (mut new, mut size) = (reward[s], reward[s].abs());
                for (&to, &p) in next.iter().zip(prob) {
                    let value = values[to as usize];
                    new += p * value;
                    if MIXED {
                        size += p * value.abs();
                    }
                }
                if new.abs() < FLOOR {
                    new = 0.0;
                }
                let old = values[s];
                let size = match MIXED {
                    true => size + old.abs(),
                    false => new.abs().max(old.abs()),
                };
                let moved = new - old;
                let small = close.terms * size + close.reward * reward[s].abs();
                settled &= moved.abs() <= small + least;
                finite &= new.is_finite();
                if compared && size > 0.0 {
                    // Relative to its size, so that what is far from the goal counts as well.
                    turn.add(moved / size, step[s] / size);
                }
                step[s] = moved;
                values[s] = new;
            }
            if settled || !finite {
                return Settled::after(sweep, settled && finite);
            }
            if compared && pause.over(turn.change) && turn.points_along(ONE_WAY) {
                turn.extrapolate(values, &step);
            }
        }
        Settled::after(most, false)
    }
}

/// The states in the order in which values settle soonest: those that a state mostly leads to
/// come before it, as far as there are no cycles.
pub(super) fn order(chain: &impl Chained) -> Vec<u32> {
    let mut met = vec![false; chain.states()];
    let mut order = Vec::with_capacity(chain.states());
    // A state with the next of its entries to look at.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for s in 0..chain.states() {
        if std::mem::replace(&mut met[s], true) {
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
            if mostly && !std::mem::replace(&mut met[to as usize], true) {
                open.push((to, 0));
            }
        }
    }
    order
}
