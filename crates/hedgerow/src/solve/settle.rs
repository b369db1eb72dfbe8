//! The values of a large chain, by sweeps in an order that suits it.

use crate::solve::bands::Chained;
use crate::solve::turn::{Close, Pause, Turn};
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Sweeps between two guesses of the sum of all that follow.
pub(super) const ROUND: usize = 8;

/// Lists of probabilities that are looked for, at most, and rows after which hardly any are looked for
/// where hardly any two are alike.
const MOST_LISTS: usize = 4096;
const TRIED: usize = 256;

/// How much two steps have to point the same way for their series to be worth summing up.
const ONE_WAY: f64 = 0.8;

/// Smaller numbers are 0: their products would lose digits, and processors are slow with those.
pub(super) const FLOOR: f64 = f64::MIN_POSITIVE * (1_u64 << 40) as f64;

/// The rows of a chain in the order of a sweep, band by band. Within a sweep a band sees at once what it has
/// found itself, and of others what they had found before.
#[derive(Clone, Debug)]
pub(super) struct InOrder {
    bands: Vec<Band>,
}

/// The rows of a band, solved for the state that they are of: all that stays comes back at once, since
/// bumping into a wall is common.
///
/// States are numbered by their turn, so that a sweep reads memory from one end to the other, and what it
/// has just found is near. After the states of the band come those of others that it looks at.
#[derive(Clone, Debug)]
struct Band {
    /// Turns, of all states.
    turns: Range<usize>,
    /// Where the states of others are: their band, and their turn in it.
    others: Vec<(u32, u32)>,
    length: Vec<u32>,
    next: Vec<u32>,
    /// Where the probabilities of every row begin: rows with the same share them, so that a sweep over a map
    /// reads a third of the memory.
    list: Vec<usize>,
    /// `gamma P / (1 - gamma P(s | s))`, those that stay left out.
    prob: Vec<f64>,
    /// `1 / (1 - gamma P(s | s))`.
    scale: Vec<f64>,
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

/// A quick hash of whole numbers. What is found does not depend on it, and nobody gains by making it slow:
/// lists that are not alike soon end the search.
#[derive(Clone, Copy, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut whole = [0; 8];
            whole[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(whole));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The upper half of the product depends on all bits.
        let wide = u128::from(self.0 ^ number) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (wide >> 64) as u64 ^ wide as u64 ^ number.rotate_left(32);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// Lists of probabilities that were met before.
#[derive(Default)]
struct Lists {
    known: HashMap<Vec<u64>, usize, BuildHasherDefault<Mixed>>,
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

impl InOrder {
    /// The rows of a chain in `order`, which has the states of each of `bands` after those of the one before.
    pub(super) fn new(
        chain: &(impl Chained + Sync),
        gamma: f64,
        bands: &[Range<usize>],
        order: &[u32],
    ) -> Self {
        let mut turn = vec![0_u32; order.len()];
        for (at, &s) in order.iter().enumerate() {
            turn[s as usize] = at as u32;
        }
        let places = Places {
            gamma,
            bands,
            order,
            turn,
        };
        let bands = bands.par_iter();
        Self {
            bands: bands
                .map(|band| Band::new(chain, &places, band.clone()))
                .collect(),
        }
    }

    /// `reward` by turn, scaled as the rows are.
    pub(super) fn scaled(&self, order: &[u32], reward: &[f64]) -> Vec<f64> {
        let scales = self.bands.iter().flat_map(|band| &band.scale);
        let states = order.iter().zip(scales);
        states
            .map(|(&s, scale)| reward[s as usize] * scale)
            .collect()
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
        let parts = self.bands.iter().map(|band| Part::new(band, values));
        let mut parts: Vec<Part> = parts.collect();
        let settled = self.sweeps::<MIXED>(reward, &mut parts, close, most);
        for (band, part) in self.bands.iter().zip(&parts) {
            let own = &part.values[..band.turns.len()];
            values[band.turns.clone()].copy_from_slice(own);
        }
        settled
    }

    fn sweeps<const MIXED: bool>(
        &self,
        reward: &[f64],
        parts: &mut [Part],
        close: Close,
        most: usize,
    ) -> Settled {
        let mut pause = Pause::default();
        for sweep in 1..=most {
            let compared = sweep % ROUND == 0 && !close.plain;
            self.tell(parts);
            let swept = |(band, part): (&Band, &mut Part)| {
                band.sweep::<MIXED>(&reward[band.turns.clone()], part, close, compared)
            };
            let swept = match &mut parts[..] {
                [part] => swept((&self.bands[0], part)),
                parts => {
                    let bands = self.bands.par_iter().zip(parts);
                    let swept: Vec<Swept> = bands.map(swept).collect();
                    // Sums depend on the order of merging, which is that of the bands.
                    swept.into_iter().fold(Swept::default(), Swept::and)
                }
            };
            if !swept.moving || swept.infinite {
                return Settled::after(sweep, !swept.infinite);
            }
            if compared && pause.over(swept.turn.change) && swept.turn.points_along(ONE_WAY) {
                for part in parts.iter_mut() {
                    swept.turn.extrapolate(&mut part.values, &part.step);
                }
            }
        }
        Settled::after(most, false)
    }

    /// Has every band know what the others have found.
    fn tell(&self, parts: &mut [Part]) {
        for (i, band) in self.bands.iter().enumerate() {
            let mut own = std::mem::take(&mut parts[i].values);
            let others = own[band.turns.len()..].iter_mut();
            for (value, &(other, turn)) in others.zip(&band.others) {
                *value = parts[other as usize].values[turn as usize];
            }
            parts[i].values = own;
        }
    }
}

/// Where states stand in a sweep.
struct Places<'a> {
    gamma: f64,
    bands: &'a [Range<usize>],
    order: &'a [u32],
    turn: Vec<u32>,
}

/// What a band has found: the values of its states and of those that it looks at, and its last steps.
struct Part {
    values: Vec<f64>,
    step: Vec<f64>,
}

impl Part {
    fn new(band: &Band, values: &[f64]) -> Self {
        let mut own = values[band.turns.clone()].to_vec();
        own.resize(own.len() + band.others.len(), 0.0);
        Self {
            step: vec![0.0; band.turns.len()],
            values: own,
        }
    }
}

/// What a sweep over a band did.
#[derive(Clone, Copy, Default)]
struct Swept {
    turn: Turn,
    /// Whether some state is not as close as was asked.
    moving: bool,
    infinite: bool,
}

impl Swept {
    fn and(self, other: Self) -> Self {
        Self {
            turn: self.turn.and(other.turn),
            moving: self.moving || other.moving,
            infinite: self.infinite || other.infinite,
        }
    }
}

impl Band {
    fn new(chain: &impl Chained, places: &Places, states: Range<usize>) -> Self {
        // The states of a band are those of its turns.
        let turns = states.clone();
        let mut rows = Self {
            others: Vec::new(),
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
            let (next, prob) = chain.row(s as usize);
            let stays = next.iter().zip(prob).filter(|(to, _)| **to == s);
            let stay: f64 = stays.map(|(_, p)| p).sum();
            let scale = 1.0 / (1.0 - places.gamma * stay);
            row.clear();
            let mut latest = None;
            for (&to, &p) in next.iter().zip(prob).filter(|(to, _)| **to != s) {
                let turn = places.turn[to as usize] as usize;
                let to = match rows.turns.contains(&turn) {
                    true => (turn - rows.turns.start) as u32,
                    false => *known
                        .entry(to)
                        .or_insert_with(|| rows.look_at(places, turn)),
                };
                if to < at as u32 && latest.is_none_or(|(turn, _)| turn < to) {
                    latest = Some((to, rows.next.len()));
                }
                rows.next.push(to);
                row.push(places.gamma * p * scale);
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

    /// Has the state of another band be looked at; its number here.
    fn look_at(&mut self, places: &Places, turn: usize) -> u32 {
        let other = places.bands.partition_point(|band| band.end <= turn);
        let there = turn - places.bands[other].start;
        self.others.push((other as u32, there as u32));
        (self.turns.len() + self.others.len() - 1) as u32
    }

    fn sweep<const MIXED: bool>(
        &self,
        reward: &[f64],
        part: &mut Part,
        close: Close,
        compared: bool,
    ) -> Swept {
        let (values, step) = (&mut part.values[..], &mut part.step[..]);
        let least = close.any + FLOOR;
        let mut turn = Turn::default();
        let (mut settled, mut finite) = (true, true);
        let mut at = 0;
        let rows = self.length.iter().zip(&self.list).zip(reward);
        for (s, ((&length, &list), &reward)) in rows.enumerate() {
            let next = &self.next[at..at + length as usize];
            let prob = &self.prob[list..list + next.len()];
            at += next.len();
            let (mut new, mut size) = (reward, reward.abs());
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
            let small = close.terms * size + close.reward * reward.abs();
            settled &= moved.abs() <= small + least;
            finite &= new.is_finite();
            if compared && size > 0.0 {
                // Relative to its size, so that what is far from the goal counts as well.
                turn.add(moved / size, step[s] / size);
            }
            step[s] = moved;
            values[s] = new;
        }
        Swept {
            turn,
            moving: !settled,
            infinite: !finite,
        }
    }
}
