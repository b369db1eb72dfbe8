//! Which cells are walls, and where they lie.

use crate::{Error, Result};

/// The narrowest cells, in metres: a ball of 0.2 m passes, and is never near two opposite sides of
/// a cell it rests in the middle of.
pub const LEAST_SIZE: f64 = 0.25;

/// Square cells, each a wall or open; what lies outside is open.
///
/// Row 0 is the bottom row, so `(0, 0)` is the lower left cell. With `L` rows and `W` columns of
/// cells of size `s` the centre of the cell in row `i` and column `j` is
/// `x = s (j + 0.5 - W/2)`, `y = s (i + 0.5 - L/2)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    rows: usize,
    columns: usize,
    size: f64,
    /// By [`Map::index`].
    walls: Vec<bool>,
}

impl Map {
    /// A map as it is drawn: lines of walls (`true`) and open cells from the top line down to row
    /// 0, cells `size` metres wide.
    pub fn drawn(lines: &[Vec<bool>], size: f64) -> Result<Self> {
        let columns = lines.first().map_or(0, Vec::len);
        if columns == 0 {
            let remedy = "draw at least one cell";
            return Err(Error::invalid("map", "it is empty", remedy));
        }
        let upwards = || lines.iter().rev();
        if let Some((row, line)) = (upwards().enumerate()).find(|(_, l)| l.len() != columns) {
            return Err(Error::invalid(
                format!("map row {row} (counted from the bottom)"),
                format!("{} cells where the top row has {columns}", line.len()),
                "make all rows equally long",
            ));
        }
        if !(size.is_finite() && size >= LEAST_SIZE) {
            return Err(Error::invalid(
                "scaling",
                format!("cells of {size} m do not hold the ball"),
                format!("use a finite number of at least {LEAST_SIZE}"),
            ));
        }
        Ok(Self {
            rows: lines.len(),
            columns,
            size,
            walls: upwards().flatten().copied().collect(),
        })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Width of a cell in metres.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Where a cell stands in lists of all cells: row by row from the bottom.
    #[inline]
    pub fn index(&self, row: usize, column: usize) -> usize {
        row * self.columns + column
    }

    /// The [`Map::index`] of the cell that holds `position`; `None` outside the map.
    #[inline]
    pub fn index_at(&self, position: [f64; 2]) -> Option<usize> {
        let (row, column) = self.cell_at(position)?;
        Some(self.index(row, column))
    }

    /// Whether there is a wall at this row and column.
    pub fn is_wall(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.walls[self.index(row, column)]
    }

    /// The middle of a cell, `[x, y]`.
    pub fn cell_centre(&self, row: usize, column: usize) -> [f64; 2] {
        self.centre(row as f64, column as f64)
    }

    /// Row and column of the cell that holds `position`; `None` outside the map.
    pub fn cell_at(&self, position: [f64; 2]) -> Option<(usize, usize)> {
        let (row, column) = self.at(position);
        let inside = row >= 0.0 && column >= 0.0;
        let cell = (row as usize, column as usize);
        (inside && cell.0 < self.rows && cell.1 < self.columns).then_some(cell)
    }

    /// Row and column of all open cells, row by row from the bottom.
    pub fn open_cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let cells = (0..self.walls.len()).filter(|&i| !self.walls[i]);
        cells.map(|i| (i / self.columns, i % self.columns))
    }

    /// Row and column of `position`, which may lie outside.
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        // Downwards first: the line between two rows belongs to the lower one.
        let from_top = self.rows as f64 / 2.0 - y / self.size;
        let column = x / self.size + self.columns as f64 / 2.0;
        (self.rows as f64 - 1.0 - from_top.floor(), column.floor())
    }

    /// As [`Map::cell_centre`], outside the map too.
    pub(super) fn centre(&self, row: f64, column: f64) -> [f64; 2] {
        [
            self.size * (column + 0.5 - self.columns as f64 / 2.0),
            self.size * (row + 0.5 - self.rows as f64 / 2.0),
        ]
    }

    /// As [`Map::is_wall`] for a row and column of [`Map::at`].
    pub(super) fn wall_at(&self, row: f64, column: f64) -> bool {
        row >= 0.0 && column >= 0.0 && self.is_wall(row as usize, column as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lie_where_the_formula_puts_them() {
        let lines = [vec![true, false, false], vec![false, false, true]];
        let map = Map::drawn(&lines, 1.0).unwrap();
        assert_eq!(map.cell_centre(1, 0), [-1.0, 0.5]);
        assert_eq!(map.cell_centre(0, 2), [1.0, -0.5]);
        assert_eq!(map.cell_at([-1.4, 0.9]), Some((1, 0)));
        assert_eq!(map.cell_at([0.2, -0.9]), Some((0, 1)));
        assert_eq!(map.index_at([0.2, -0.9]), Some(1));
        assert_eq!(map.index_at([-1.4, 0.9]), Some(3));
        assert_eq!(map.cell_at([0.0, 1.1]), None);
        assert_eq!(map.cell_at([-1.6, 0.0]), None);
        assert_eq!(map.cell_at([f64::NAN, 0.0]), None);
        assert!(map.is_wall(1, 0) && map.is_wall(0, 2));
        assert!(!map.is_wall(0, 0) && !map.is_wall(7, 7));
        let open: Vec<_> = map.open_cells().collect();
        assert_eq!(open, [(0, 0), (0, 1), (1, 1), (1, 2)]);
    }

    #[test]
    fn a_size_stretches_the_map() {
        let map = Map::drawn(&vec![vec![false; 4]; 3], 2.0).unwrap();
        assert_eq!(map.cell_centre(0, 0), [-3.0, -2.0]);
        assert_eq!(map.cell_at([-2.1, 1.1]), Some((2, 0)));
        assert_eq!(map.cell_at([3.9, -2.9]), Some((0, 3)));
    }

    #[test]
    fn impossible_maps_are_refused() {
        for (walls, size, words) in [
            (vec![], 1.0, "it is empty"),
            (vec![vec![]], 1.0, "it is empty"),
            (
                vec![vec![true; 2], vec![true; 3]],
                1.0,
                "row 0 (counted from the bottom): 3 cells where the top row has 2",
            ),
            (vec![vec![true]], 0.1, "cells of 0.1 m"),
            (vec![vec![true]], f64::NAN, "cells of NaN m"),
        ] {
            let message = Map::drawn(&walls, size).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        }
    }
}
