//! Sparse transition rows.

use crate::index::{Pair, State};
use crate::model::Task;
use crate::model::stencils::{ROWS, Stencils, products};
use crate::model::strips::{Cells, Strip};
use std::ops::Range;

/// Probabilities this close are equal: they are sums of rounded shares.
const EQUALLY_LIKELY: f64 = 1e-9;

/// Anything that gives the next-state distribution of a pair as a sparse row.
///
/// A row may be empty: that is what a learner knows of a pair it never tried.
pub trait Dynamics: Sync {
    /// Next states and their probabilities.
    fn row(&self, pair: Pair) -> (&[u32], &[f64]);

    /// The expected reward of every pair of `task` under these dynamics, `r(s,a)`. Dynamics that do
    /// not know what transitions earn give what pairs earn whatever follows.
    fn reward<'a>(&'a self, task: &'a Task) -> &'a [f64] {
        task.reward()
    }

    /// `r(s, a, s')`, as far as these dynamics know it.
    fn reward_of(&self, task: &Task, pair: Pair, next: State) -> f64 {
        task.reward_of(pair, next)
    }

    /// `sum_{s'} P(s'|pair) values(s')`.
    #[inline]
    fn expect(&self, pair: Pair, values: &[f64]) -> f64 {
        let (next, prob) = self.row(pair);
        expected(next, prob, values)
    }

    /// The same of all pairs of a range, in order: `each` is given the position of a pair and its
    /// sum. The sums are those of [`Self::expect`] to the last bit.
    #[inline]
    fn expect_each(&self, pairs: Range<usize>, values: &[f64], mut each: impl FnMut(usize, f64))
    where
        Self: Sized,
    {
        for i in pairs {
            each(i, self.expect(Pair::new(i), values));
        }
    }

    /// The same, every sum in its place of `sums`.
    #[inline]
    fn expect_into(&self, pairs: Range<usize>, values: &[f64], sums: &mut [f64])
    where
        Self: Sized,
    {
        let first = pairs.start;
        self.expect_each(pairs, values, |i, sum| sums[i - first] = sum);
    }

    /// Rows of cells beside each other that lead to states beside each other, in order; not many where there are few.
    #[doc(hidden)]
    fn cells(&self) -> Vec<Cells<'_>> {
        Vec::new()
    }

    /// The same at once, if these are all rows of one small matrix; only the first numbers are sums.
    #[inline]
    fn expect_matrix(&self, _pairs: Range<usize>, _values: &[f64]) -> Option<[f64; ROWS]> {
        None
    }

    /// The most likely next state; `None` for an empty row.
    fn likeliest(&self, pair: Pair) -> Option<State> {
        let at = self.likeliest_outcome(pair)?;
        Some(State(self.row(pair).0[at]))
    }

    /// The position of the most likely next state in the row; of equally likely ones that of the
    /// lowest number.
    fn likeliest_outcome(&self, pair: Pair) -> Option<usize> {
        let (next, prob) = self.row(pair);
        let most = prob.iter().copied().fold(0.0, f64::max);
        let equal = (0..next.len()).filter(|&i| prob[i] >= most - EQUALLY_LIKELY);
        equal.min_by_key(|&i| next[i])
    }
}

#[inline]
pub(super) fn expected(next: &[u32], prob: &[f64], values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (&s, &p) in next.iter().zip(prob) {
        sum += p * values[s as usize];
    }
    sum
}

/// [`Dynamics::expect_each`] of rows that stand one after the other: where each begins, and the end.
#[inline]
pub(crate) fn expect_in_turn(
    start: &[u32],
    (next, prob): (&[u32], &[f64]),
    pairs: Range<usize>,
    values: &[f64],
    mut each: impl FnMut(usize, f64),
) {
    let Some(ends) = start.get(pairs.start..=pairs.end) else {
        return;
    };
    let mut at = ends[0] as usize;
    for (i, &end) in pairs.zip(&ends[1..]) {
        let row = at..end as usize;
        at = row.end;
        each(i, expected(&next[row.clone()], &prob[row], values));
    }
}

/// Transition probabilities in compressed rows, one per pair, next states ascending.
///
/// The actions of a state mostly lead to the same states, and in drawn maps and other regular
/// models the same probabilities come again and again. Where that makes the rows smaller, lists of
/// next states and lists of probabilities are kept once and shared; what a row says is the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    pub(super) index: RowIndex,
    pub(super) next: Vec<u32>,
    pub(super) prob: Vec<f64>,
    pub(super) entries: usize,
    /// Expected rewards, where they are not those of the task alone.
    pub(super) reward: Option<Vec<f64>>,
}

/// Where the rows are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RowIndex {
    /// Each after the one before it.
    Plain(Offsets),
    /// In lists that rows share.
    Shared(SharedRows),
}

/// Rows as references to lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SharedRows {
    /// Where the next states of every row begin.
    pub(super) next_at: Vec<u32>,
    /// The list of probabilities of every row.
    pub(super) shape: Vec<u32>,
    /// Where every list of probabilities begins, and the end.
    pub(super) shape_start: Vec<u32>,
    /// Rows that are taken together.
    pub(super) stencils: Stencils,
}

/// Where rows begin, and the end, in 32 bits each while they suffice.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Offsets {
    Small(Vec<u32>),
    Large(Vec<usize>),
}

impl Default for RowIndex {
    fn default() -> Self {
        Self::Plain(Offsets::Small(vec![0]))
    }
}

impl Offsets {
    pub(super) fn new(start: Vec<usize>) -> Self {
        match start.last().is_none_or(|&end| end < u32::MAX as usize) {
            true => Self::Small(start.into_iter().map(|at| at as u32).collect()),
            false => Self::Large(start),
        }
    }

    #[inline]
    fn row(&self, i: usize) -> Range<usize> {
        match self {
            Self::Small(start) => start[i] as usize..start[i + 1] as usize,
            Self::Large(start) => start[i]..start[i + 1],
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Small(start) => size_of_val(start.as_slice()),
            Self::Large(start) => size_of_val(start.as_slice()),
        }
    }
}

impl SharedRows {
    #[inline]
    pub(super) fn row(&self, i: usize) -> (Range<usize>, Range<usize>) {
        let prob = self.list(self.shape[i] as usize);
        let at = self.next_at[i] as usize;
        (at..at + prob.len(), prob)
    }

    /// Where a list of probabilities is.
    #[inline]
    pub(super) fn list(&self, shape: usize) -> Range<usize> {
        self.shape_start[shape] as usize..self.shape_start[shape + 1] as usize
    }
}

impl Rows {
    /// Number of entries of all rows.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Memory that the rows take.
    pub fn bytes(&self) -> usize {
        let index = match &self.index {
            RowIndex::Plain(offsets) => offsets.bytes(),
            RowIndex::Shared(s) => {
                let lists = s.next_at.len() + s.shape.len() + s.shape_start.len();
                size_of::<u32>() * lists + s.stencils.bytes()
            }
        };
        let reward = self.reward.as_ref().map_or(0, |r| size_of_val(&r[..]));
        index + size_of_val(&self.next[..]) + size_of_val(&self.prob[..]) + reward
    }

    /// Memory that a sweep over all rows reads of them: of cells beside each other on a map, which lead to states beside each
    /// other, nothing but where the first one leads.
    pub fn swept_bytes(&self) -> usize {
        let RowIndex::Shared(rows) = &self.index else {
            return self.bytes();
        };
        let strips = rows.stencils.strips().iter();
        let others = rows.shape.len() - strips.map(|strip| strip.rows.len()).sum::<usize>();
        (self.bytes() as f64 * others as f64 / rows.shape.len().max(1) as f64) as usize
    }

    /// The matrix of a strip, column by column, and where its first cell leads.
    #[inline]
    fn matrix<'a>(&'a self, rows: &'a SharedRows, strip: &Strip) -> (&'a [f64], &'a [u32]) {
        let (next, prob) = rows.row(strip.rows.start);
        let lists = prob.start..prob.start + strip.each() * prob.len();
        (rows.stencils.turned(lists), &self.next[next])
    }

    /// The sums of rows that share lists, a row, a matrix or some cells of a strip at a time; `each` is given the first row.
    #[inline]
    fn expect_shared(
        &self,
        rows: &SharedRows,
        pairs: Range<usize>,
        values: &[f64],
        mut each: impl FnMut(usize, &[f64]),
    ) {
        let stencils = &rows.stencils;
        let mut strips = stencils.strips_in(&pairs);
        let mut i = pairs.start;
        while i < pairs.end {
            if let Some((strip, later)) = strips.split_first()
                && strip.rows.start <= i
            {
                let begins = strip.begins_cell(i);
                if begins {
                    let matrix = self.matrix(rows, strip);
                    i = strip.along(i..pairs.end, matrix, values, &mut each);
                }
                // Of a strip too few cells may be left for a block: they are taken by themselves.
                if begins || strip.rows.end <= i {
                    strips = later;
                    continue;
                }
            }
            let (next, prob) = rows.row(i);
            let next = &self.next[next];
            let together = stencils.rows_from(rows.shape[i] as usize, pairs.end - i);
            if together == 1 {
                each(i, &[expected(next, &self.prob[prob], values)]);
            } else {
                let lists = prob.start..prob.start + together * next.len();
                let sums = products(together, (stencils.turned(lists), next), values);
                each(i, &sums[..together]);
            }
            i += together;
        }
    }
}

impl Dynamics for Rows {
    fn cells(&self) -> Vec<Cells<'_>> {
        match &self.index {
            RowIndex::Shared(rows) => {
                let strips = rows.stencils.strips().iter();
                strips.map(|s| Cells::of(s, self.matrix(rows, s))).collect()
            }
            RowIndex::Plain(_) => Vec::new(),
        }
    }

    #[inline]
    fn expect_matrix(&self, pairs: Range<usize>, values: &[f64]) -> Option<[f64; ROWS]> {
        let RowIndex::Shared(rows) = &self.index else {
            return None;
        };
        let shape = *rows.shape.get(pairs.start)? as usize;
        let all = rows.stencils.rows_from(shape, pairs.len());
        if all == 1 || all < pairs.len() {
            return None;
        }
        let (next, prob) = rows.row(pairs.start);
        let lists = prob.start..prob.start + all * prob.len();
        let matrix = (rows.stencils.turned(lists), &self.next[next]);
        Some(products(all, matrix, values))
    }

    #[inline]
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        match &self.index {
            RowIndex::Plain(offsets) => {
                let range = offsets.row(pair.at());
                (&self.next[range.clone()], &self.prob[range])
            }
            RowIndex::Shared(rows) => {
                let (next, prob) = rows.row(pair.at());
                (&self.next[next], &self.prob[prob])
            }
        }
    }

    #[inline]
    fn expect_each(&self, pairs: Range<usize>, values: &[f64], mut each: impl FnMut(usize, f64)) {
        match &self.index {
            RowIndex::Plain(Offsets::Small(start)) => {
                expect_in_turn(start, (&self.next, &self.prob), pairs, values, each);
            }
            RowIndex::Plain(Offsets::Large(_)) => {
                for i in pairs {
                    each(i, self.expect(Pair::new(i), values));
                }
            }
            RowIndex::Shared(rows) => self.expect_shared(rows, pairs, values, |first, sums| {
                for (i, &sum) in sums.iter().enumerate() {
                    each(first + i, sum);
                }
            }),
        }
    }

    #[inline]
    fn expect_into(&self, pairs: Range<usize>, values: &[f64], sums: &mut [f64]) {
        let first = pairs.start;
        match &self.index {
            RowIndex::Shared(rows) => self.expect_shared(rows, pairs, values, |i, found| {
                sums[i - first..][..found.len()].copy_from_slice(found);
            }),
            RowIndex::Plain(_) => self.expect_each(pairs, values, |i, sum| sums[i - first] = sum),
        }
    }

    fn reward<'a>(&'a self, task: &'a Task) -> &'a [f64] {
        self.reward.as_deref().unwrap_or_else(|| task.reward())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(Vec<u32>, Vec<f64>);

    impl Dynamics for One {
        fn row(&self, _pair: Pair) -> (&[u32], &[f64]) {
            (&self.0, &self.1)
        }
    }

    #[test]
    fn of_equally_likely_states_the_lowest_whatever_their_order_and_rounding() {
        let likeliest = |next: &[u32], prob: &[f64]| {
            let row = One(next.to_vec(), prob.to_vec());
            (row.likeliest(Pair(0)), row.likeliest_outcome(Pair(0)))
        };
        assert_eq!(likeliest(&[], &[]), (None, None));
        assert_eq!(likeliest(&[4, 2], &[0.7, 0.3]), (Some(State(4)), Some(0)));
        let rounded = [0.4 + 1e-12, 0.2, 0.4];
        assert_eq!(likeliest(&[7, 1, 3], &rounded), (Some(State(3)), Some(2)));
    }
}
