//! The cells of a grid's states, so that results can be drawn and named by cell.

use crate::index::State;

/// A cell by row and column, `(0, 0)` at the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Vertical coordinate, upwards from 0.
    pub row: usize,
    /// Horizontal coordinate, to the right from 0.
    pub column: usize,
}

/// The drawing of a grid: its size, its symbols and the state of every cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    rows: usize,
    columns: usize,
    symbols: Vec<char>,
    state_at: Vec<Option<State>>,
    cell_of: Vec<Option<Cell>>,
}

impl Layout {
    /// A layout from symbols by ascending row then column; cells where `open` is false are walls.
    ///
    /// States are numbered in the order of the open cells; `extra` states without a cell (the
    /// terminal) follow them.
    pub(crate) fn new(
        rows: usize,
        columns: usize,
        symbols: Vec<char>,
        open: impl Fn(char) -> bool,
        extra: usize,
    ) -> Self {
        let mut cell_of = Vec::new();
        let mut state_at = vec![None; rows * columns];
        for (i, &symbol) in symbols.iter().enumerate() {
            if open(symbol) {
                state_at[i] = Some(State::new(cell_of.len()));
                cell_of.push(Some(Cell {
                    row: i / columns,
                    column: i % columns,
                }));
            }
        }
        cell_of.extend(std::iter::repeat_n(None, extra));
        Self {
            rows,
            columns,
            symbols,
            state_at,
            cell_of,
        }
    }

    /// A layout from its drawing, top row first, and the cell of every state; `None` if the two
    /// do not fit.
    pub(crate) fn from_parts(
        rows: usize,
        columns: usize,
        map: &[String],
        cell_of: Vec<Option<Cell>>,
    ) -> Option<Self> {
        let lines: Vec<Vec<char>> = map.iter().rev().map(|l| l.chars().collect()).collect();
        if lines.len() != rows || lines.iter().any(|l| l.len() != columns) {
            return None;
        }
        let mut state_at = vec![None; rows * columns];
        for (s, cell) in cell_of.iter().enumerate() {
            let Some(cell) = cell else { continue };
            if cell.row >= rows || cell.column >= columns {
                return None;
            }
            state_at[cell.row * columns + cell.column] = Some(State::new(s));
        }
        Some(Self {
            rows,
            columns,
            symbols: lines.concat(),
            state_at,
            cell_of,
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

    /// Number of states, those without a cell included.
    pub fn states(&self) -> usize {
        self.cell_of.len()
    }

    /// The symbol drawn at `cell`.
    pub fn symbol(&self, cell: Cell) -> char {
        self.symbols[cell.row * self.columns + cell.column]
    }

    /// The state of `cell`; `None` for a wall or outside the grid.
    pub fn state_at(&self, cell: Cell) -> Option<State> {
        if cell.row < self.rows && cell.column < self.columns {
            self.state_at[cell.row * self.columns + cell.column]
        } else {
            None
        }
    }

    /// The cell of `state`; `None` for states that lie nowhere, like the terminal.
    pub fn cell_of(&self, state: State) -> Option<Cell> {
        self.cell_of[state.at()]
    }

    /// The map as text, top row first, every cell drawn by `symbol`.
    pub fn draw(&self, symbol: impl Fn(Cell) -> char) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            for column in 0..self.columns {
                if column > 0 {
                    text.push(' ');
                }
                text.push(symbol(Cell { row, column }));
            }
            text.push('\n');
        }
        text
    }
}
