//! Cells beside each other that have the same matrix and lead to states beside each other.
//!
//! On a map the next cell of a row of cells leads to what this one leads to, one further. So nothing has to be read of its rows:
//! where it leads is known, and several cells are taken at once.

use super::rows::SharedRows;
use super::stencils::ROWS;
use std::ops::Range;

/// Fewest cells of a strip.
const FEWEST: usize = 16;

/// Cells that are taken at once, as many sums as a processor has room for; fewer where a cell has more rows.
const CELLS: usize = 4;
const CELLS_OF_MANY: usize = 2;

/// Cells that follow each other, each of which leads one state further than the one before it by the same matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strip {
    /// The rows of all its cells.
    pub(super) rows: Range<usize>,
    /// The rows of a cell.
    each: usize,
}

/// The cells of a strip, for whoever goes through them one by one.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    /// The first row of all, and the rows of a cell.
    pub(crate) first: usize,
    pub(crate) each: usize,
    pub(crate) count: usize,
    turned: &'a [f64],
    next: &'a [u32],
}

impl<'a> Cells<'a> {
    pub(super) fn of(strip: &Strip, (turned, next): (&'a [f64], &'a [u32])) -> Self {
        Self {
            first: strip.rows.start,
            each: strip.each,
            count: strip.rows.len() / strip.each,
            turned,
            next,
        }
    }

    /// The sums of the `R` rows of a cell, as those of each row by itself.
    #[inline]
    pub(crate) fn sums<const R: usize>(&self, cell: usize, values: &[f64]) -> [f64; R] {
        let mut sums = [0.0; R];
        for (column, &s) in self.turned.as_chunks::<R>().0.iter().zip(self.next) {
            let value = values[s as usize + cell];
            for (sum, p) in sums.iter_mut().zip(column) {
                *sum += p * value;
            }
        }
        sums
    }

    /// The states that the cells lead to are among these.
    pub(crate) fn reach(&self) -> Range<usize> {
        let first = self.next.iter().min().map_or(0, |&s| s as usize);
        let last = self.next.iter().max().map_or(0, |&s| s as usize);
        first..last + self.count
    }
}

impl Strip {
    /// All strips, in order; `next` are all lists of next states.
    pub(super) fn all(shared: &SharedRows, next: &[u32]) -> Vec<Self> {
        let rows = shared.shape.len();
        let mut found = Vec::new();
        let mut first = 0;
        while first < rows {
            let each = shared
                .stencils
                .rows_from(shared.shape[first] as usize, rows - first);
            let mut end = first + each;
            if each > 1 {
                let goes_on = |at: usize| {
                    at + each <= rows && shared.shape[at] == shared.shape[at - each] && {
                        let (before, lists) = shared.row(at - each);
                        let here = &next[shared.row(at).0];
                        lists.len() == here.len()
                            && next[before].iter().zip(here).all(|(b, h)| b + 1 == *h)
                    }
                };
                while goes_on(end) {
                    end += each;
                }
                if end - first >= FEWEST * each {
                    let rows = first..end;
                    found.push(Self { rows, each });
                }
            }
            first = end;
        }
        found
    }

    /// The rows of a cell.
    #[inline]
    pub(super) fn each(&self) -> usize {
        self.each
    }

    /// Whether a cell begins with this row.
    #[inline]
    pub(super) fn begins_cell(&self, row: usize) -> bool {
        self.rows.contains(&row) && (row - self.rows.start).is_multiple_of(self.each)
    }

    /// The sums of the rows of cells from row `first` on, up to row `end` at most: `give` is told the first row and the sums of
    /// some cells after the other. `turned` is the matrix, `next` where the first cell of the strip leads. The sums are
    /// those of single rows to the last bit. Gives the row that is next: too few cells may be left.
    #[inline]
    pub(super) fn along(
        &self,
        rows: Range<usize>,
        (turned, next): (&[f64], &[u32]),
        values: &[f64],
        give: impl FnMut(usize, &[f64]),
    ) -> usize {
        let rows = rows.start..rows.end.min(self.rows.end);
        let ahead = (rows.start - self.rows.start) / self.each;
        let lists = (turned, next);
        match self.each {
            2 => blocks::<2, CELLS>(rows, ahead, lists, values, give),
            3 => blocks::<3, CELLS>(rows, ahead, lists, values, give),
            4 => blocks::<4, CELLS>(rows, ahead, lists, values, give),
            5 => blocks::<5, CELLS_OF_MANY>(rows, ahead, lists, values, give),
            6 => blocks::<6, CELLS_OF_MANY>(rows, ahead, lists, values, give),
            7 => blocks::<7, CELLS_OF_MANY>(rows, ahead, lists, values, give),
            _ => blocks::<ROWS, CELLS_OF_MANY>(rows, ahead, lists, values, give),
        }
    }
}

/// The same with `R` rows a cell, `C` cells at once.
#[inline]
fn blocks<const R: usize, const C: usize>(
    rows: Range<usize>,
    mut ahead: usize,
    (turned, next): (&[f64], &[u32]),
    values: &[f64],
    mut give: impl FnMut(usize, &[f64]),
) -> usize {
    let mut row = rows.start;
    while row + R * C <= rows.end {
        let mut sums = [[0.0; R]; C];
        for (column, &s) in turned.as_chunks::<R>().0.iter().zip(next) {
            let from = s as usize + ahead;
            for (sums, value) in sums.iter_mut().zip(&values[from..from + C]) {
                for (sum, p) in sums.iter_mut().zip(column) {
                    *sum += p * value;
                }
            }
        }
        give(row, sums.as_flattened());
        row += R * C;
        ahead += C;
    }
    row
}
