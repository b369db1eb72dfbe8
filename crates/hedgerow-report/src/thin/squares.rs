//! Squares of many cells.

use hedgerow::results::LayoutFile;
use std::collections::BTreeMap;

/// Rows and columns that pictures have room for.
pub(crate) const MOST: usize = 128;

/// Cells along a side of a square, so that no more than [`MOST`] squares lie side by side.
pub(crate) fn per_square(rows: usize, columns: usize) -> usize {
    rows.max(columns).div_ceil(MOST).max(1)
}

/// The squares of a large map, and which states lie in which.
pub(crate) struct Squares {
    /// The map of the squares.
    layout: LayoutFile,
    /// The square of every state of the world.
    of_state: Vec<u32>,
}

impl Squares {
    /// The squares of a map; `None` if it is small enough to be drawn cell by cell.
    pub(crate) fn of(layout: &LayoutFile) -> Option<Self> {
        let per = per_square(layout.rows, layout.columns);
        if per == 1 {
            return None;
        }
        let place = |(row, column): (usize, usize)| (row / per, column / per);
        let there = layout.cells.iter().flatten();
        let mut numbers: BTreeMap<_, u32> = there.map(|&cell| (place(cell), 0)).collect();
        for (number, square) in (0..).zip(numbers.values_mut()) {
            *square = number;
        }
        // All states that lie nowhere are one.
        let nowhere = numbers.len() as u32;
        let of_state = layout.cells.iter();
        let of_state = of_state.map(|cell| cell.map_or(nowhere, |cell| numbers[&place(cell)]));
        let of_state = of_state.collect();
        let mut cells: Vec<Option<(usize, usize)>> = numbers.into_keys().map(Some).collect();
        if layout.cells.contains(&None) {
            cells.push(None);
        }
        Some(Self {
            layout: LayoutFile {
                rows: layout.rows.div_ceil(per),
                columns: layout.columns.div_ceil(per),
                map: coarser(layout, per),
                cells,
                per_square: per,
            },
            of_state,
        })
    }

    /// The map of the squares.
    pub(crate) fn layout(&self) -> &LayoutFile {
        &self.layout
    }

    /// The square of a state of the world; `None` for a state that there is not.
    pub(crate) fn square(&self, state: u32) -> Option<u32> {
        self.of_state.get(state as usize).copied()
    }

    /// The symbol that a square is drawn with; `None` for one that lies nowhere.
    pub(crate) fn symbol(&self, square: u32) -> Option<char> {
        let (row, column) = (*self.layout.cells.get(square as usize)?)?;
        let line = self
            .layout
            .map
            .get(self.layout.rows.checked_sub(row + 1)?)?;
        line.chars().nth(column)
    }

    /// Entries of states as entries of squares; `both` says what becomes of several in one.
    pub(crate) fn entries(
        &self,
        entries: &[(u32, f64)],
        both: fn(f64, f64) -> f64,
    ) -> Vec<(u32, f64)> {
        let mut found: BTreeMap<u32, f64> = BTreeMap::new();
        for &(state, value) in entries {
            if let Some(square) = self.square(state) {
                let there = found.get(&square).copied();
                found.insert(square, there.map_or(value, |there| both(there, value)));
            }
        }
        found.into_iter().collect()
    }
}

/// The lines of the map, the top one first, with one symbol for each square.
fn coarser(layout: &LayoutFile, per: usize) -> Vec<String> {
    let rows = layout.rows.div_ceil(per);
    let mut lines: Vec<Vec<char>> = vec![Vec::new(); rows];
    for (i, line) in layout.map.iter().enumerate().take(layout.rows) {
        // Squares are counted from the bottom, as rows are.
        let squares = &mut lines[rows - 1 - (layout.rows - 1 - i) / per];
        for (column, symbol) in line.chars().enumerate() {
            match squares.get_mut(column / per) {
                Some(there) => *there = more_telling(*there, symbol),
                None => squares.push(symbol),
            }
        }
    }
    lines.into_iter().map(String::from_iter).collect()
}

/// The symbol that tells more of a square in which both are: its start or goal, then its
/// constraint. A wall or a one-way cell among open ones would say that nobody passes.
pub(crate) fn more_telling(one: char, other: char) -> char {
    let rank = |symbol: char| match symbol {
        '#' => 0,
        '^' | 'v' | '<' | '>' => 1,
        '.' => 2,
        'x' => 3,
        'S' => 5,
        _ => 4,
    };
    match (rank(one), rank(other)) {
        (1, 1) if one != other => '.',
        (a, b) if b > a => other,
        _ => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 129 rows of 3 columns, all open but for what is drawn into it; the state of a cell is
    /// `3 * row + column`, and one more lies nowhere.
    fn tall(drawn: &[(usize, usize, char)]) -> LayoutFile {
        let mut map = vec![vec!['.'; 3]; 129];
        for &(row, column, symbol) in drawn {
            map[128 - row][column] = symbol;
        }
        let cells = (0..129).flat_map(|row| (0..3).map(move |column| Some((row, column))));
        LayoutFile {
            rows: 129,
            columns: 3,
            map: map.into_iter().map(String::from_iter).collect(),
            cells: cells.chain([None]).collect(),
            per_square: 1,
        }
    }

    #[test]
    fn a_map_is_left_alone_up_to_128_rows_and_columns() {
        let sides = [
            (1, 1),
            (128, 128),
            (129, 3),
            (3, 256),
            (257, 1),
            (1000, 1000),
        ];
        let per = sides.map(|(rows, columns)| per_square(rows, columns));
        assert_eq!(per, [1, 1, 2, 2, 3, 8]);
        let mut small = tall(&[]);
        small.rows = 128;
        assert!(Squares::of(&small).is_none());
    }

    #[test]
    fn squares_begin_at_the_lower_left() {
        let squares = Squares::of(&tall(&[])).unwrap();
        let layout = squares.layout();
        assert_eq!((layout.rows, layout.columns), (65, 2));
        assert_eq!((layout.per_square, layout.map.len()), (2, 65));
        // (0, 0), (1, 1), (0, 2), (2, 0), (128, 2), and the one that lies nowhere.
        let of = [0, 4, 2, 6, 386, 387].map(|state| squares.square(state));
        assert_eq!(of, [0, 0, 1, 2, 129, 130].map(Some));
        assert_eq!(squares.square(388), None);
        assert_eq!(layout.cells[129], Some((64, 1)));
        assert_eq!(layout.cells[130], None);
        assert_eq!(layout.cells.len(), 131);
    }

    #[test]
    fn a_square_is_drawn_with_the_most_telling_of_its_cells() {
        let drawn = [
            // The lowest square has the start beside a constraint, the next one a wall and a goal.
            (0, 0, 'S'),
            (1, 1, 'x'),
            (0, 2, '#'),
            (1, 2, 'G'),
            // A wall among open cells, and walls alone.
            (2, 0, '#'),
            (2, 2, '#'),
            (3, 2, '#'),
            // One way beside a wall, and ways that differ.
            (4, 2, '>'),
            (5, 2, '#'),
            (6, 2, '>'),
            (7, 2, '<'),
        ];
        let squares = Squares::of(&tall(&drawn)).unwrap();
        let of = (0..8).map(|square| squares.symbol(square));
        let symbols: String = of.map(Option::unwrap).collect();
        assert_eq!(symbols, "SG.#.>..");
        assert_eq!(squares.layout().map[64], "SG");
        assert_eq!(squares.symbol(130), None);
    }

    #[test]
    fn entries_of_a_square_become_one() {
        let squares = Squares::of(&tall(&[])).unwrap();
        // States 0, 1 and 4 share a square, 2 lies beside it, 900 is nowhere at all.
        let entries = [(0, 0.25), (1, 0.5), (2, 0.75), (4, 0.125), (900, 1.0)];
        let largest = squares.entries(&entries, f64::max);
        assert_eq!(largest, [(0, 0.5), (1, 0.75)]);
        let sums = squares.entries(&entries, |a, b| a + b);
        assert_eq!(sums, [(0, 0.875), (1, 0.75)]);
    }
}
