//! The rows of a large chain in the order of a sweep.

use crate::solve::bands::Chained;
use std::collections::HashMap;
use std::ops::Range;

/// Turns that are gone through together, or passed over where nothing that they look at has moved.
const STRETCH: usize = 256;

/// States of a circle at most for it to be gone around until it has settled.
const CIRCLE: usize = 64;

/// Lists of probabilities that are looked for, at most, and rows after which hardly any are looked for
/// where hardly any two are alike.
const MOST_LISTS: usize = 4096;
const TRIED: usize = 256;

/// The rows of a band, solved for the state that they are of: all that stays comes back at once, since
/// bumping into a wall is common.
///
/// States are numbered by their turn, so that a sweep reads memory from one end to the other, and what it
/// has just found is near. After the states of the band come those of others that it looks at.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// Turns, of all states.
    pub(super) turns: Range<usize>,
    /// Where the states of others are: their band, and their turn in it.
    pub(super) others: Vec<(u32, u32)>,
    /// Which stretches look at each of them.
    pub(super) readers: Vec<Vec<u32>>,
    pub(super) stretches: Vec<Stretch>,
    pub(super) length: Vec<u32>,
    pub(super) next: Vec<u32>,
    /// Where the probabilities of every row begin: rows with the same share them, so that a sweep over a map
    /// reads a third of the memory.
    pub(super) list: Vec<usize>,
    /// `gamma P / (1 - gamma P(s | s))`, those that stay left out.
    pub(super) prob: Vec<f64>,
    /// `1 / (1 - gamma P(s | s))`.
    pub(super) scale: Vec<f64>,
}

/// Some turns of a band, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Stretch {
    /// Where the next states of the first begin.
    pub(super) first: usize,
    /// The stretches that look at it; it may be one of them.
    pub(super) readers: Vec<u32>,
    /// Turns of circles within it.
    pub(super) circles: Vec<Range<usize>>,
}

/// Where states stand in a sweep.
pub(super) struct Places<'a> {
    pub(super) gamma: f64,
    pub(super) bands: &'a [Range<usize>],
    pub(super) order: &'a [u32],
    pub(super) circles: &'a [Range<usize>],
    pub(super) turn: Vec<u32>,
}

/// Lists of probabilities that were met before.
#[derive(Default)]
struct Lists {
    known: HashMap<Vec<u64>, usize>,
    key: Vec<u64>,
    met_again: usize,
}

impl Lists {
    /// Where `row` stands in `all`, added if it is new.
    fn place(&mut self, all: &mut Vec<f64>, row: &[f64]) -> usize {
        // Where hardly any two rows are alike, there is nothing to look for.
        let known = self.known.len();
        let look = known < MOST_LISTS && (known < TRIED || self.met_again > known);
        if look {
            self.key.clear();
            self.key.extend(row.iter().map(|p| p.to_bits()));
            if let Some(&at) = self.known.get(&self.key) {
                self.met_again += 1;
                return at;
            }
            self.known.insert(self.key.clone(), all.len());
        }
        all.extend_from_slice(row);
        all.len() - row.len()
    }
}

/// The row of `s` solved for it: `1 / (1 - gamma P(s | s))`, and where else it leads with `gamma P` times that.
fn solved(
    chain: &impl Chained,
    gamma: f64,
    s: u32,
) -> (f64, impl Iterator<Item = (u32, f64)> + Clone) {
    let (next, prob) = chain.row(s as usize);
    let row = next.iter().copied().zip(prob.iter().copied());
    let stays = row.clone().filter(move |&(to, _)| to == s);
    let scale = 1.0 / (1.0 - gamma * stays.map(|(_, p)| p).sum::<f64>());
    let leaves = row.filter(move |&(to, _)| to != s);
    (scale, leaves.map(move |(to, p)| (to, gamma * p * scale)))
}

impl Band {
    pub(super) fn new(chain: &impl Chained, places: &Places, states: Range<usize>) -> Self {
        // The states of a band are those of its turns.
        let turns = states.clone();
        let mut rows = Self {
            others: Vec::new(),
            readers: Vec::new(),
            stretches: Vec::new(),
            length: Vec::with_capacity(turns.len()),
            next: Vec::with_capacity(chain.entries() / places.bands.len()),
            list: Vec::with_capacity(turns.len()),
            prob: Vec::new(),
            scale: Vec::with_capacity(turns.len()),
            turns: turns.clone(),
        };
        let mut lists = Lists::default();
        let mut known = HashMap::new();
        let mut row = Vec::new();
        for (at, &s) in places.order[turns].iter().enumerate() {
            let (scale, entries) = solved(chain, places.gamma, s);
            row.clear();
            let mut latest = None;
            for (to, p) in entries {
                let turn = places.turn[to as usize] as usize;
                let to = match rows.here(turn) {
                    Some(here) => here as u32,
                    None => *known
                        .entry(to)
                        .or_insert_with(|| rows.look_at(places, turn)),
                };
                if to < at as u32 && latest.is_none_or(|(turn, _)| turn < to) {
                    latest = Some((to, rows.next.len()));
                }
                rows.next.push(to);
                row.push(p);
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
        rows.find_stretches();
        rows.find_circles(places.circles);
        rows
    }

    /// Finds the stretches, and which of them look at which.
    fn find_stretches(&mut self) {
        let count = self.length.len().div_ceil(STRETCH);
        self.stretches = vec![Stretch::default(); count];
        self.readers = vec![Vec::new(); self.others.len()];
        let mut at = 0;
        for (i, lengths) in self.length.chunks(STRETCH).enumerate() {
            let reader = i as u32;
            self.stretches[i].first = at;
            let entries: usize = lengths.iter().map(|&length| length as usize).sum();
            for &to in &self.next[at..at + entries] {
                let to = to as usize;
                let readers = match to.checked_sub(self.length.len()) {
                    Some(other) => &mut self.readers[other],
                    None => &mut self.stretches[to / STRETCH].readers,
                };
                if readers.last() != Some(&reader) {
                    readers.push(reader);
                }
            }
            at += entries;
        }
    }

    /// Finds the small circles that lie within a stretch.
    fn find_circles(&mut self, circles: &[Range<usize>]) {
        let first = circles.partition_point(|c| c.start < self.turns.start);
        let own = circles[first..].iter();
        for circle in own.take_while(|c| c.end <= self.turns.end) {
            let (from, to) = (
                circle.start - self.turns.start,
                circle.end - self.turns.start,
            );
            if to - from <= CIRCLE && from / STRETCH == (to - 1) / STRETCH {
                self.stretches[from / STRETCH].circles.push(from..to);
            }
        }
    }

    /// The turns of a stretch.
    pub(super) fn stretch(&self, i: usize) -> Range<usize> {
        i * STRETCH..self.length.len().min((i + 1) * STRETCH)
    }

    /// Takes over the row of a state anew, if it has as many entries as before and leads to no state of
    /// another band that is not known.
    pub(super) fn replace(
        &mut self,
        chain: &impl Chained,
        gamma: f64,
        (turn, bands): (&[u32], &[Range<usize>]),
        s: u32,
    ) -> bool {
        let at = turn[s as usize] as usize - self.turns.start;
        let (scale, entries) = solved(chain, gamma, s);
        if entries.clone().count() != self.length[at] as usize {
            return false;
        }
        let reader = at / STRETCH;
        let before = &self.length[reader * STRETCH..at];
        let mut entry = self.stretches[reader].first;
        entry += before.iter().map(|&length| length as usize).sum::<usize>();
        let list = self.prob.len();
        for (to, p) in entries {
            let turn = turn[to as usize] as usize;
            let local = self.here(turn).or_else(|| self.known(bands, turn));
            let Some(local) = local else { return false };
            let readers = match local.checked_sub(self.length.len()) {
                Some(other) => &mut self.readers[other],
                None => &mut self.stretches[local / STRETCH].readers,
            };
            if !readers.contains(&(reader as u32)) {
                readers.push(reader as u32);
            }
            self.next[entry] = local as u32;
            self.prob.push(p);
            entry += 1;
        }
        (self.list[at], self.scale[at]) = (list, scale);
        true
    }

    /// The number here of a state of this band.
    fn here(&self, turn: usize) -> Option<usize> {
        let own = self.turns.contains(&turn);
        own.then(|| turn - self.turns.start)
    }

    /// The number here of a state of another band, if it is looked at.
    fn known(&self, bands: &[Range<usize>], turn: usize) -> Option<usize> {
        let other = bands.partition_point(|band| band.end <= turn);
        let there = (other as u32, (turn - bands[other].start) as u32);
        let at = self.others.iter().position(|&place| place == there)?;
        Some(self.turns.len() + at)
    }

    /// Has the state of another band be looked at; its number here.
    fn look_at(&mut self, places: &Places, turn: usize) -> u32 {
        let other = places.bands.partition_point(|band| band.end <= turn);
        let there = turn - places.bands[other].start;
        self.others.push((other as u32, there as u32));
        (self.turns.len() + self.others.len() - 1) as u32
    }
}
