//! The map of what is known of entering every cell.

use super::sign::Sign;
use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::{SMALL, TITLE};
use crate::draw::thinned::round_step;
use crate::thin::{more_telling, per_square};
use hedgerow::constraint::Constraint;
use hedgerow::env::{Cell, Layout};
use std::collections::BTreeSet;

/// The most room for a thinned map, and between its numbers.
const LARGEST: f64 = 440.0;
const APART: f64 = 30.0;

/// What is known of entering every cell, or every square of cells of a large map.
pub(super) struct Signs {
    rows: usize,
    pub(super) columns: usize,
    /// Cells along a side of a square.
    per: usize,
    /// Sign and symbol by rows, the lowest first.
    squares: Vec<(Sign, char)>,
}

impl Signs {
    /// The signs of a constraint; `None` where there is no map.
    pub(super) fn of(constraint: &Constraint) -> Option<Self> {
        let layout = constraint.layout.as_ref()?.layout()?;
        let known = Known::new(constraint, &layout);
        let per = per_square(layout.rows(), layout.columns());
        let (rows, columns) = (layout.rows().div_ceil(per), layout.columns().div_ceil(per));
        let mut squares = vec![(Sign::Wall, '#'); rows * columns];
        for row in 0..layout.rows() {
            for column in 0..layout.columns() {
                let cell = Cell { row, column };
                let (sign, symbol) = &mut squares[row / per * columns + column / per];
                *sign = known.sign(cell).min(*sign);
                *symbol = more_telling(*symbol, layout.symbol(cell));
            }
        }
        Some(Self {
            rows,
            columns,
            per,
            squares,
        })
    }

    /// The side of a square on the sheet.
    pub(super) fn side(&self) -> f64 {
        let longest = self.rows.max(self.columns) as f64;
        match self.per {
            1 => (220.0 / longest).clamp(4.0, 26.0),
            _ => LARGEST / longest,
        }
    }

    /// Whether a sign is on the map.
    pub(super) fn has(&self, sign: Sign) -> bool {
        self.squares.iter().any(|(there, _)| *there == sign)
    }

    /// What a square of a thinned map stands for.
    pub(super) fn standing_for(&self) -> Option<String> {
        let per = self.per;
        (per > 1).then(|| {
            format!(
                "A square of the map stands for {per} x {per} cells, and shows what comes first in \
                 this legend of all that is known of them."
            )
        })
    }

    /// Draws the map from its upper left corner on; returns where it ends below.
    pub(super) fn draw(&self, svg: &mut Svg, corner: (f64, f64)) -> f64 {
        match self.per {
            1 => self.draw_cells(svg, corner),
            _ => self.draw_squares(svg, corner),
        }
        corner.1 + self.side() * self.rows as f64
    }

    /// The place of a square on the sheet.
    fn place(&self, at: usize, (left, top): (f64, f64)) -> [f64; 4] {
        let (row, column, side) = (at / self.columns, at % self.columns, self.side());
        let above = (self.rows - 1 - row) as f64;
        [left + side * column as f64, top + side * above, side, side]
    }

    fn draw_cells(&self, svg: &mut Svg, corner: (f64, f64)) {
        let (side, (left, top)) = (self.side(), corner);
        for (at, &(sign, symbol)) in self.squares.iter().enumerate() {
            let square = self.place(at, corner);
            if side >= 8.0 && at % self.columns == 0 {
                let row = (at / self.columns).to_string();
                let at = (left - 4.0, square[1] + side / 2.0 + 2.3);
                svg.text(at, &row, SMALL, Anchor::End);
            }
            sign.draw(svg, square, letter(symbol).filter(|_| side >= 12.0));
        }
        let bottom = top + side * self.rows as f64;
        for column in (0..self.columns).filter(|_| side >= 8.0) {
            let at = (left + side * (column as f64 + 0.5), bottom + 9.0);
            svg.text(at, &column.to_string(), SMALL, Anchor::Middle);
        }
    }

    /// Squares without signs, which would be too small to be read, and the letters of start and
    /// goals above them; the numbers are those of the world.
    fn draw_squares(&self, svg: &mut Svg, corner: (f64, f64)) {
        let (side, (left, top)) = (self.side(), corner);
        let (wide, high) = (side * self.columns as f64, side * self.rows as f64);
        for (at, (sign, _)) in self.squares.iter().enumerate() {
            let look = format!("fill=\"{}\"", sign.look().0);
            svg.rect(self.place(at, corner), &look);
        }
        svg.rect(
            [left, top, wide, high],
            "fill=\"none\" stroke=\"#9a9a9a\" stroke-width=\"0.6\"",
        );
        for (at, &(_, symbol)) in self.squares.iter().enumerate() {
            if let Some(letter) = letter(symbol) {
                let [x, y, ..] = self.place(at, corner);
                let x = (x + side / 2.0).clamp(left + 4.0, left + wide - 4.0);
                let y = (y + side / 2.0 + 3.0).clamp(top + 7.5, top + high - 1.5);
                svg.text((x, y), &letter.to_string(), TITLE, Anchor::Middle);
            }
        }
        let every = round_step(APART * self.per as f64 / side);
        let along = |n: usize| (0..n * self.per).step_by(every);
        let middle = |n: usize| (n as f64 + 0.5) / self.per as f64 * side;
        for row in along(self.rows) {
            let at = (left - 3.0, top + high - middle(row) + 2.3);
            svg.text(at, &row.to_string(), SMALL, Anchor::End);
        }
        for column in along(self.columns) {
            let at = (left + middle(column), top + high + 9.0);
            svg.text(at, &column.to_string(), SMALL, Anchor::Middle);
        }
    }
}

/// What stands on a square; the true constraint does not: this is what was found out.
fn letter(symbol: char) -> Option<char> {
    match symbol {
        '.' | '#' | 'x' => None,
        symbol => Some(symbol),
    }
}

/// Verdicts by cell, to be looked up a million times.
struct Known<'a> {
    layout: &'a Layout,
    /// Constrained, undecided, guessed and taken; none where the constraint lists no cells.
    cells: Option<[BTreeSet<[usize; 2]>; 4]>,
}

impl<'a> Known<'a> {
    fn new(constraint: &Constraint, layout: &'a Layout) -> Self {
        let set = |list: &[[usize; 2]]| list.iter().copied().collect();
        let cells = constraint.cells.as_ref();
        let cells = cells.map(|c| {
            [
                set(&c.constrained),
                set(&c.undecided),
                set(&c.guessed),
                set(&c.taken),
            ]
        });
        Self { layout, cells }
    }

    fn sign(&self, cell: Cell) -> Sign {
        if self.layout.states_at(cell).is_empty() {
            return Sign::Wall;
        }
        let Some([constrained, undecided, guessed, taken]) = &self.cells else {
            return Sign::Undecided;
        };
        let is = |set: &BTreeSet<[usize; 2]>| set.contains(&[cell.row, cell.column]);
        match () {
            () if is(constrained) => Sign::Constrained,
            () if is(undecided) && is(guessed) => Sign::Looks,
            () if is(undecided) => Sign::Undecided,
            () if is(taken) => Sign::Taken,
            () => Sign::NoGain,
        }
    }
}
