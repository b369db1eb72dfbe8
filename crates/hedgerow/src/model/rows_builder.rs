//! Collecting transition rows, shared where that makes them smaller.

use super::rows::{Offsets, RowIndex, Rows, SharedRows};
use super::stencils::Stencils;

/// Rows after which it is known whether sharing pays; it is checked again after as many.
const TRIAL: usize = 1024;

/// Recent lists of probabilities that are looked through.
const SLOTS: usize = 4096;

/// No list of probabilities.
const NONE: u32 = u32::MAX;

/// Takes rows one after the other, so that no other copy of them is needed.
#[derive(Clone, Debug)]
pub(crate) struct RowsBuilder {
    rows: Rows,
    /// The list of probabilities that was last seen with each hash.
    slots: Vec<u32>,
}

impl RowsBuilder {
    pub(crate) fn new() -> Self {
        let shared = SharedRows {
            shape_start: vec![0],
            ..SharedRows::default()
        };
        Self {
            rows: Rows {
                index: RowIndex::Shared(shared),
                ..Rows::default()
            },
            slots: vec![NONE; SLOTS],
        }
    }

    /// The rows of arrays: row `i` is `start[i]..start[i + 1]` of the other two. They are taken as
    /// they are unless sharing makes them smaller.
    pub(crate) fn of_arrays(start: Vec<usize>, next: Vec<u32>, prob: Vec<f64>) -> Rows {
        let mut builder = Self::new();
        for row in start.windows(2) {
            builder.push(&next[row[0]..row[1]], &prob[row[0]..row[1]]);
            if matches!(builder.rows.index, RowIndex::Plain(_)) {
                break;
            }
        }
        let found = builder.finish();
        match found.index {
            RowIndex::Shared(_) => found,
            RowIndex::Plain(_) => Rows {
                entries: next.len(),
                index: RowIndex::Plain(Offsets::new(start)),
                next,
                prob,
                reward: None,
            },
        }
    }

    /// Adds a row, next states ascending.
    pub(crate) fn push(&mut self, next: &[u32], prob: &[f64]) {
        self.rows.entries += next.len();
        match &mut self.rows.index {
            RowIndex::Plain(offsets) => {
                self.rows.next.extend_from_slice(next);
                self.rows.prob.extend_from_slice(prob);
                offsets.push(self.rows.next.len());
            }
            RowIndex::Shared(_) => {
                self.share(next, prob);
                if self.count().is_multiple_of(TRIAL) && !self.pays() {
                    self.spread();
                }
            }
        }
    }

    /// The rows; shared if that is smaller.
    pub(crate) fn finish(mut self) -> Rows {
        if !self.pays() {
            self.spread();
        }
        self.rows.next.shrink_to_fit();
        if let RowIndex::Shared(shared) = &mut self.rows.index {
            shared.next_at.shrink_to_fit();
            Stencils::arrange(shared, &self.rows.next, &mut self.rows.prob);
            shared.shape.shrink_to_fit();
        }
        self.rows.prob.shrink_to_fit();
        self.rows
    }

    fn count(&self) -> usize {
        match &self.rows.index {
            RowIndex::Plain(offsets) => offsets.rows(),
            RowIndex::Shared(shared) => shared.shape.len(),
        }
    }

    /// Whether sharing, if it is not given up yet, saves a quarter.
    fn pays(&self) -> bool {
        let RowIndex::Shared(shared) = &self.rows.index else {
            return true;
        };
        let plain = 12 * self.rows.entries + 4 * self.count();
        let fits = self.rows.next.len().max(self.rows.prob.len()) < NONE as usize - (1 << 24);
        fits && shared.shape_start.len() < NONE as usize && 4 * self.rows.bytes() <= 3 * plain
    }

    fn share(&mut self, next: &[u32], prob: &[f64]) {
        let rows = &mut self.rows;
        let RowIndex::Shared(shared) = &mut rows.index else {
            return;
        };
        // Rows that share their next states mostly follow each other.
        let last = shared.next_at.last().map(|&at| at as usize);
        let at = match last.filter(|&at| rows.next[at..] == *next) {
            Some(at) => at,
            None => {
                rows.next.extend_from_slice(next);
                rows.next.len() - next.len()
            }
        };
        shared.next_at.push(at as u32);
        let slot = &mut self.slots[hash(prob)];
        let known = (*slot != NONE).then(|| {
            let list = *slot as usize;
            shared.shape_start[list] as usize..shared.shape_start[list + 1] as usize
        });
        if !known.is_some_and(|list| same(&rows.prob[list], prob)) {
            *slot = shared.shape_start.len() as u32 - 1;
            rows.prob.extend_from_slice(prob);
            shared.shape_start.push(rows.prob.len() as u32);
        }
        shared.shape.push(*slot);
    }

    /// Gives sharing up.
    fn spread(&mut self) {
        let RowIndex::Shared(shared) = std::mem::take(&mut self.rows.index) else {
            return;
        };
        let (next, prob) = (
            std::mem::take(&mut self.rows.next),
            std::mem::take(&mut self.rows.prob),
        );
        let mut offsets = Offsets::Small(vec![0]);
        for (&at, &list) in shared.next_at.iter().zip(&shared.shape) {
            let list = list as usize;
            let of = shared.shape_start[list] as usize..shared.shape_start[list + 1] as usize;
            let at = at as usize;
            self.rows.next.extend_from_slice(&next[at..at + of.len()]);
            self.rows.prob.extend_from_slice(&prob[of]);
            offsets.push(self.rows.next.len());
        }
        self.rows.index = RowIndex::Plain(offsets);
    }
}

impl Offsets {
    fn rows(&self) -> usize {
        match self {
            Self::Small(start) => start.len() - 1,
            Self::Large(start) => start.len() - 1,
        }
    }

    fn push(&mut self, end: usize) {
        match self {
            Self::Small(start) if end < u32::MAX as usize => start.push(end as u32),
            Self::Small(start) => {
                let mut large: Vec<usize> = start.iter().map(|&at| at as usize).collect();
                large.push(end);
                *self = Self::Large(large);
            }
            Self::Large(start) => start.push(end),
        }
    }
}

/// Equal to the last bit, so that -0 and 0 stay apart.
fn same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

fn hash(prob: &[f64]) -> usize {
    let mix = |h: u64, p: &f64| (h ^ p.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1;
    let h = prob.iter().fold(prob.len() as u64, mix);
    (h >> 40) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Pair;
    use crate::model::Dynamics;

    /// Rows of a ring: `states` states with two actions that lead to the same three.
    fn ring(states: u32, prob: impl Fn(u32) -> f64) -> Vec<(Vec<u32>, Vec<f64>)> {
        let row = |i: u32| {
            let s = i / 2 % (states - 2);
            let p = prob(i);
            (vec![s, s + 1, s + 2], vec![p, 0.5, 0.5 - p])
        };
        (0..2 * states).map(row).collect()
    }

    fn built(rows: &[(Vec<u32>, Vec<f64>)]) -> (Rows, Rows) {
        let mut streamed = RowsBuilder::new();
        let (mut start, mut next, mut prob) = (vec![0], Vec::new(), Vec::new());
        for (n, p) in rows {
            streamed.push(n, p);
            next.extend_from_slice(n);
            prob.extend_from_slice(p);
            start.push(next.len());
        }
        (streamed.finish(), RowsBuilder::of_arrays(start, next, prob))
    }

    #[test]
    fn shared_and_plain_rows_say_the_same_and_both_ways_build_the_same() {
        for (states, regular) in [(10, true), (3000, true), (10, false), (3000, false)] {
            let prob = |i: u32| match regular {
                true => 0.1 + 0.2 * f64::from(i % 2),
                false => 0.5 * f64::from(i + 1) / f64::from(3 * states),
            };
            let rows = ring(states, prob);
            let (streamed, arrays) = built(&rows);
            assert_eq!(streamed, arrays);
            assert_eq!(streamed.entries(), 6 * states as usize);
            let shared = matches!(streamed.index, RowIndex::Shared(_));
            assert_eq!(shared, regular, "{states} states");
            let values: Vec<f64> = (0..states).map(|s| f64::from(s).sin()).collect();
            let mut sums = Vec::new();
            streamed.expect_each(0..rows.len(), &values, |_, sum| sums.push(sum));
            for (i, (next, prob)) in rows.iter().enumerate() {
                let pair = Pair::new(i);
                assert_eq!(streamed.row(pair), (&next[..], &prob[..]));
                let mut sum = 0.0;
                for (&s, &p) in next.iter().zip(prob) {
                    sum += p * values[s as usize];
                }
                assert_eq!((sums[i], streamed.expect(pair, &values)), (sum, sum));
            }
        }
    }

    #[test]
    fn sharing_is_given_up_where_rows_stop_being_alike() {
        // The first 2,048 rows are alike, all that follow differ.
        let prob = |i: u32| match i < 2048 {
            true => 0.25,
            false => 0.4 * f64::from(i) / 20_000.0,
        };
        let rows = ring(9000, prob);
        let (streamed, arrays) = built(&rows);
        assert!(matches!(streamed.index, RowIndex::Plain(_)));
        assert_eq!(streamed, arrays);
        for (i, (next, prob)) in rows.iter().enumerate() {
            assert_eq!(streamed.row(Pair::new(i)), (&next[..], &prob[..]));
        }
    }
}
