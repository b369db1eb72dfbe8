//! The cells of a grid's states, so that results can be drawn and named by cell.

use crate::index::State;
use std::collections::BTreeMap;

/// A cell by row and column, `(0, 0)` at the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Vertical coordinate, upwards from 0.
    pub row: usize,
    /// Horizontal coordinate, to the right from 0.
    pub column: usize,
}

/// The drawing of a grid: its size, its symbols and the states of every cell.
///
/// On a drawn map every open cell is one state. In a model several states may share a cell (the
/// same place with and without a passenger, say): a drawing then shows the strongest of what is
/// known about any of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    rows: usize,
    columns: usize,
    symbols: Vec<char>,
    /// The first state of every cell.
    state_at: Vec<Option<State>>,
    /// All states of the cells that have several.
    shared: BTreeMap<usize, Vec<State>>,
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
            shared: BTreeMap::new(),
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
        Self::from_symbols(rows, columns, lines.concat(), cell_of)
    }

    /// A layout from symbols by ascending row then column, and the cell of every state; `None` if
    /// a cell lies outside.
    pub(crate) fn from_symbols(
        rows: usize,
        columns: usize,
        symbols: Vec<char>,
        cell_of: Vec<Option<Cell>>,
    ) -> Option<Self> {
        let mut state_at: Vec<Option<State>> = vec![None; rows.checked_mul(columns)?];
        let mut shared: BTreeMap<usize, Vec<State>> = BTreeMap::new();
        for (s, cell) in cell_of.iter().enumerate() {
            let Some(cell) = cell else { continue };
            if cell.row >= rows || cell.column >= columns {
                return None;
            }
            let (at, state) = (cell.row * columns + cell.column, State::new(s));
            match state_at[at] {
                None => state_at[at] = Some(state),
                Some(first) => shared.entry(at).or_insert_with(|| vec![first]).push(state),
            }
        }
        (symbols.len() == state_at.len()).then_some(Self {
            rows,
            columns,
            symbols,
            state_at,
            shared,
            cell_of,
        })
    }

    /// The same with a second state at every state's place, after all others.
    pub(crate) fn twice(&self) -> Self {
        let mut twice = self.clone();
        twice.cell_of.extend_from_within(..);
        for (s, cell) in self.cell_of.iter().enumerate() {
            let Some(cell) = cell else { continue };
            let (at, first) = (cell.row * self.columns + cell.column, self.state_at(*cell));
            let shared = twice.shared.entry(at);
            let states = shared.or_insert_with(|| first.into_iter().collect());
            states.push(State::new(self.cell_of.len() + s));
        }
        twice
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

    /// The state of `cell`, the first if several share it; `None` for a wall or outside the grid.
    pub fn state_at(&self, cell: Cell) -> Option<State> {
        if cell.row < self.rows && cell.column < self.columns {
            self.state_at[cell.row * self.columns + cell.column]
        } else {
            None
        }
    }

    /// All states of `cell`, in order; none for a wall or outside the grid.
    pub fn states_at(&self, cell: Cell) -> &[State] {
        if cell.row >= self.rows || cell.column >= self.columns {
            return &[];
        }
        let at = cell.row * self.columns + cell.column;
        match self.shared.get(&at) {
            Some(states) => states,
            None => self.state_at[at].as_slice(),
        }
    }

    /// Whether any cell has several states.
    pub fn shares_cells(&self) -> bool {
        !self.shared.is_empty()
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
