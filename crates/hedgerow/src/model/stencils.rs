//! Rows that follow each other and lead to the same states, as one small matrix.
//!
//! On a map all moves from a cell lead to its neighbours, and most cells are alike. A sweep then reads the values of the
//! neighbours once and multiplies them with a matrix that it has just used, instead of going through every row by itself.
//! Along a [strip](super::strips) it reads nothing but values.

use super::rows::SharedRows;
use super::strips::Strip;
use std::collections::HashMap;
use std::ops::Range;

/// Most rows of one matrix, and most next states.
pub(crate) const ROWS: usize = 8;
const COLUMNS: usize = 16;

/// Matrices are for models in which most cells are alike: there may be one for so many rows.
const ALIKE: usize = 64;

/// Rows from which on strips are looked for.
const MANY: usize = 64;

/// The matrices of shared rows: the lists of probabilities of the rows of one matrix stand one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stencils {
    /// How many rows the matrix has that begins with a list of probabilities; 1 for any other list.
    rows: Vec<u8>,
    /// The probabilities of every matrix column by column, where its lists are.
    turned: Vec<f64>,
    /// Cells beside each other, in order.
    strips: Vec<Strip>,
}

impl Stencils {
    /// Finds the matrices of `shared`, and puts the lists of each together; `next` and `prob` are all lists. Leaves
    /// everything as it is if rows are not alike enough.
    pub(super) fn arrange(shared: &mut SharedRows, next: &[u32], prob: &mut Vec<f64>) {
        let Some(found) = Found::of(shared, prob) else {
            return;
        };
        shared.shape = found.shape;
        shared.shape_start = found.shape_start;
        *prob = found.prob;
        shared.stencils = Self {
            rows: found.rows,
            turned: found.turned,
            strips: Vec::new(),
        };
        shared.stencils.strips = Strip::all(shared, next);
    }

    pub(super) fn bytes(&self) -> usize {
        let strips = size_of_val(&self.strips[..]);
        size_of_val(&self.rows[..]) + size_of_val(&self.turned[..]) + strips
    }

    /// The strips that these rows are in, in order; none where there are too few rows for looking to pay.
    #[inline]
    pub(super) fn strips_in(&self, rows: &Range<usize>) -> &[Strip] {
        if rows.len() < MANY {
            return &[];
        }
        let first = self.strips.partition_point(|s| s.rows.end <= rows.start);
        &self.strips[first..]
    }

    /// All strips.
    pub(super) fn strips(&self) -> &[Strip] {
        &self.strips
    }

    /// The probabilities of a matrix column by column; its lists are at `lists`.
    #[inline]
    pub(super) fn turned(&self, lists: Range<usize>) -> &[f64] {
        &self.turned[lists]
    }

    /// The rows of the matrix that begins with list `shape`, if so many are left.
    #[inline]
    pub(super) fn rows_from(&self, shape: usize, left: usize) -> usize {
        let rows = self.rows.get(shape).map_or(1, |&rows| usize::from(rows));
        if rows <= left { rows } else { 1 }
    }
}

/// The sums of the rows of a matrix, `turned` column by column, that leads to `next`; each adds up its products in the order of the
/// next states, as a row by itself does.
#[inline]
pub(super) fn products(
    rows: usize,
    (turned, next): (&[f64], &[u32]),
    values: &[f64],
) -> [f64; ROWS] {
    let mut sums = [0.0; ROWS];
    match rows {
        2 => sums[..2].copy_from_slice(&product::<2>(turned, next, values)),
        3 => sums[..3].copy_from_slice(&product::<3>(turned, next, values)),
        4 => sums[..4].copy_from_slice(&product::<4>(turned, next, values)),
        5 => sums[..5].copy_from_slice(&product::<5>(turned, next, values)),
        6 => sums[..6].copy_from_slice(&product::<6>(turned, next, values)),
        7 => sums[..7].copy_from_slice(&product::<7>(turned, next, values)),
        _ => sums = product::<ROWS>(turned, next, values),
    }
    sums
}

#[inline]
fn product<const R: usize>(turned: &[f64], next: &[u32], values: &[f64]) -> [f64; R] {
    let mut sums = [0.0; R];
    for (column, &s) in turned.as_chunks::<R>().0.iter().zip(next) {
        let value = values[s as usize];
        for (sum, p) in sums.iter_mut().zip(column) {
            *sum += p * value;
        }
    }
    sums
}

/// Rows put in order anew.
#[derive(Default)]
struct Found {
    shape: Vec<u32>,
    shape_start: Vec<u32>,
    prob: Vec<f64>,
    rows: Vec<u8>,
    turned: Vec<f64>,
    /// The first new list of every matrix, by its old ones.
    known: HashMap<Vec<u32>, u32>,
}

impl Found {
    fn of(shared: &SharedRows, prob: &[f64]) -> Option<Self> {
        let pairs = shared.shape.len();
        let mut found = Self {
            shape: Vec::with_capacity(pairs),
            shape_start: vec![0],
            ..Self::default()
        };
        let mut at = 0;
        // Most rows are like those just before them.
        let (mut last, mut first) = (&shared.shape[..0], 0);
        while at < pairs {
            let end = at + together(shared, at);
            let lists = &shared.shape[at..end];
            if lists != last {
                first = match found.known.get(lists) {
                    Some(&first) => first,
                    None => found.add(lists, shared, prob),
                };
                last = lists;
            }
            found.shape.extend((first..).take(lists.len()));
            at = end;
            if found.known.len() > ROWS + at / ALIKE {
                return None;
            }
        }
        Some(found)
    }

    /// A matrix of these lists.
    fn add(&mut self, lists: &[u32], shared: &SharedRows, prob: &[f64]) -> u32 {
        let first = self.rows.len() as u32;
        self.known.insert(lists.to_vec(), first);
        let row = |list: &u32| &prob[shared.list(*list as usize)];
        for list in lists {
            self.prob.extend_from_slice(row(list));
            self.shape_start.push(self.prob.len() as u32);
            self.rows.push(1);
        }
        self.rows[first as usize] = lists.len() as u8;
        for column in 0..row(&lists[0]).len() {
            self.turned.extend(lists.iter().map(|l| row(l)[column]));
        }
        first
    }
}

/// How many rows from `first` on make one matrix.
fn together(shared: &SharedRows, first: usize) -> usize {
    let columns = shared.list(shared.shape[first] as usize).len();
    let alike = |i: &usize| {
        shared.next_at[*i] == shared.next_at[first]
            && shared.list(shared.shape[*i] as usize).len() == columns
    };
    match columns {
        1..=COLUMNS => {
            let most = shared.shape.len().min(first + ROWS);
            (first..most).take_while(alike).count()
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::index::Pair;
    use crate::model::rows::{RowIndex, expected};
    use crate::model::{Dynamics, Rows, RowsBuilder};

    /// Cells in a line with `actions` moves each that lead to the cells within two of them; moves of a cell are alike if `alike`
    /// says the same number for it.
    fn line(cells: u32, actions: u32, alike: impl Fn(u32) -> u32) -> Rows {
        let mut rows = RowsBuilder::new();
        for cell in 0..cells {
            let next: Vec<u32> = (cell.saturating_sub(2)..cells.min(cell + 3)).collect();
            for action in 0..actions {
                let weight = |i: u32| 1.0 + f64::from((i * (action + 1) + 7 * alike(cell)) % 11);
                let sum: f64 = next.iter().map(|&s| weight(s + 2 - cell)).sum();
                let prob: Vec<f64> = next.iter().map(|&s| weight(s + 2 - cell) / sum).collect();
                rows.push(&next, &prob);
            }
        }
        rows.finish()
    }

    fn strips(rows: &Rows) -> usize {
        match &rows.index {
            RowIndex::Shared(shared) => shared.stencils.strips.len(),
            RowIndex::Plain(_) => 0,
        }
    }

    fn matrices(rows: &Rows) -> usize {
        match &rows.index {
            RowIndex::Shared(shared) => {
                let found = shared.stencils.rows.iter();
                found.filter(|&&rows| rows > 1).count()
            }
            RowIndex::Plain(_) => 0,
        }
    }

    #[test]
    fn matrices_give_the_sums_of_single_rows_to_the_last_bit() {
        // Two kinds of cells inside and four at the ends; nine actions need a matrix and a row by itself.
        for actions in 1..=9 {
            let rows = line(400, actions, |cell| cell / 200);
            assert_eq!(matrices(&rows), if actions > 1 { 6 } else { 0 });
            // One strip of each kind of cells inside, if all their rows are in the matrix.
            assert_eq!(
                strips(&rows),
                if (2..=8).contains(&actions) { 2 } else { 0 }
            );
            let values: Vec<f64> = (0..400).map(|s| f64::from(s).sin()).collect();
            let pairs = 400 * actions as usize;
            let plain = |i: usize| {
                let (next, prob) = rows.row(Pair::new(i));
                expected(next, prob, &values)
            };
            // From and to the middle of a state, too.
            for (begin, end) in [(0, pairs), (1, pairs - 1), (5, 5), (3, 4), (7, 40)] {
                let mut sums = vec![0.0; end - begin];
                rows.expect_into(begin..end, &values, &mut sums);
                let mut one_by_one = Vec::new();
                rows.expect_each(begin..end, &values, |i, sum| one_by_one.push((i, sum)));
                for (i, sum) in (begin..end).zip(sums) {
                    assert_eq!(sum.to_bits(), plain(i).to_bits(), "{actions} actions");
                    assert_eq!(one_by_one[i - begin], (i, sum));
                }
            }
        }
    }

    #[test]
    fn rows_stay_as_they_are_where_cells_are_not_alike() {
        // Squares leave six remainders by 11: six kinds of cells inside, and four cells at the ends.
        assert_eq!(matrices(&line(1200, 3, |cell| cell * cell % 11)), 10);
        // Eleven kinds and the ends are too many for the 180 rows of 60 cells.
        let rows = line(60, 3, |cell| cell);
        assert!(matches!(rows.index, RowIndex::Shared(_)));
        assert_eq!(matrices(&rows), 0);
    }
}
