//! A model drawn as a graph: where its states are placed and what leads where.
//!
//! ```
//! use hedgerow::env::Graph;
//! use hedgerow::io::model_file;
//!
//! let text = r#"{
//!     "format": "hedgerow-model/1",
//!     "states": ["home", "bridge", "town"], "actions": ["walk"], "gamma": 0.9,
//!     "start": [["home", 1.0]], "terminal": ["town"],
//!     "transitions": [["home", "walk", "bridge", 1.0], ["bridge", "walk", "town", 1.0]],
//!     "rewards": [["bridge", "walk", 1.0]], "cost": []
//! }"#;
//! let environment = model_file::parse(text, "walk")?;
//! // Without positions of its own a model is laid out from left to right.
//! let graph = Graph::of(&environment).unwrap();
//! let across: Vec<f64> = environment.task().all_states().map(|s| graph.positions().of(s).unwrap().0).collect();
//! assert_eq!(across, [0.0, 1.0, 2.0]);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::{Cell, Environment, Layout};
use crate::index::{Pair, State};
use crate::model::{Dynamics, Rows, Task};
use crate::{Error, Result};
use std::collections::BTreeSet;

/// More states than these are not laid out automatically: nobody could read the drawing.
pub const LARGEST_AUTOMATIC: usize = 200;

/// More transitions than these are not drawn: they would be a black area.
const MOST_EDGES: usize = 5000;

/// States above each other before a new column begins.
const TALLEST: usize = 14;

/// Sweeps that order the states of a column by their neighbours.
const SWEEPS: usize = 8;

/// The farthest from the origin that a state is drawn.
const FARTHEST: f64 = 1e9;

/// Where states are drawn that lie on no grid: x to the right, y upwards, in any unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Positions(Vec<Option<(f64, f64)>>);

impl Positions {
    /// The position of every state; `None` for states that are not drawn.
    pub fn new(positions: Vec<Option<(f64, f64)>>) -> Result<Self> {
        for (s, &position) in positions.iter().enumerate() {
            let Some((x, y)) = position else { continue };
            // NaN is refused too.
            if !(x.abs() <= FARTHEST && y.abs() <= FARTHEST) {
                return Err(Error::invalid(
                    format!("position of state {s}"),
                    format!("({x}, {y}) is not a position"),
                    "use numbers from -1e9 to 1e9",
                ));
            }
        }
        Ok(Self(positions))
    }

    /// Number of states, those that are not drawn included.
    pub fn states(&self) -> usize {
        self.0.len()
    }

    /// The position of `state`; `None` if it is not drawn.
    pub fn of(&self, state: State) -> Option<(f64, f64)> {
        self.0[state.at()]
    }

    /// The positions of all states.
    pub fn all(&self) -> &[Option<(f64, f64)>] {
        &self.0
    }

    /// Positions chosen by the program: columns by distance from the start, and in a column near
    /// the neighbours; `None` for models that are too large to be read so.
    ///
    /// The same model gives the same positions.
    pub fn automatic(task: &Task, rows: &Rows) -> Option<Self> {
        if task.states() > LARGEST_AUTOMATIC {
            return None;
        }
        let neighbours = neighbours(task, rows);
        let mut columns = columns(task, &neighbours);
        order(&mut columns, &neighbours);
        let mut positions = vec![None; task.states()];
        for (x, column) in columns.iter().enumerate() {
            let middle = (column.len() - 1) as f64 / 2.0;
            for (i, &s) in column.iter().enumerate() {
                positions[s] = Some((x as f64, middle - i as f64));
            }
        }
        Some(Self(positions))
    }
}

/// The states next to every state: those it leads to, and those that lead to it.
struct Neighbours {
    to: Vec<BTreeSet<usize>>,
    either: Vec<BTreeSet<usize>>,
}

fn neighbours(task: &Task, rows: &Rows) -> Neighbours {
    let mut to = vec![BTreeSet::new(); task.states()];
    let mut either = to.clone();
    for pair in task.all_pairs() {
        let s = task.state_of(pair).at();
        for &next in rows.row(pair).0 {
            let next = next as usize;
            if next != s {
                to[s].insert(next);
                either[s].insert(next);
                either[next].insert(s);
            }
        }
    }
    Neighbours { to, either }
}

/// The states in columns by their distance from the start; those that it does not lead to follow.
fn columns(task: &Task, neighbours: &Neighbours) -> Vec<Vec<usize>> {
    let mut seen = vec![false; task.states()];
    let mut columns: Vec<Vec<usize>> = Vec::new();
    let mut column: Vec<usize> = task.start().iter().map(|(s, _)| s.at()).collect();
    loop {
        column.retain(|&s| !std::mem::replace(&mut seen[s], true));
        if column.is_empty() {
            // What nothing leads to so far begins again, from its first state.
            match seen.iter().position(|seen| !seen) {
                Some(first) => {
                    column.push(first);
                    continue;
                }
                None => return columns,
            }
        }
        let next: BTreeSet<usize> = column
            .iter()
            .flat_map(|&s| neighbours.to[s].iter().copied())
            .collect();
        columns.push(column);
        column = next.into_iter().collect();
    }
}

/// Orders each column by the mean place of the neighbours in the columns beside it, there and
/// back, and then divides columns that are too tall.
fn order(columns: &mut Vec<Vec<usize>>, neighbours: &Neighbours) {
    let states = columns.iter().map(Vec::len).sum();
    // From -1/2 (top) to 1/2 within the column.
    let mut place = vec![0.0; states];
    let note = |column: &[usize], place: &mut Vec<f64>| {
        for (i, &s) in column.iter().enumerate() {
            place[s] = (i as f64 + 0.5) / column.len() as f64 - 0.5;
        }
    };
    columns.iter().for_each(|c| note(c, &mut place));
    for sweep in 0..SWEEPS {
        for i in 0..columns.len() {
            let i = if sweep % 2 == 0 {
                i
            } else {
                columns.len() - 1 - i
            };
            let beside: BTreeSet<usize> = [i.checked_sub(1), Some(i + 1)]
                .into_iter()
                .flatten()
                .filter_map(|j| columns.get(j))
                .flatten()
                .copied()
                .collect();
            let mean = |s: usize| {
                let near = neighbours.either[s].intersection(&beside);
                let places: Vec<f64> = near.map(|&n| place[n]).collect();
                match places.len() {
                    0 => place[s],
                    n => places.iter().sum::<f64>() / n as f64,
                }
            };
            let mut keyed: Vec<(f64, usize)> = columns[i].iter().map(|&s| (mean(s), s)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            columns[i] = keyed.into_iter().map(|(_, s)| s).collect();
            note(&columns[i], &mut place);
        }
    }
    *columns = columns.iter().flat_map(|column| divided(column)).collect();
}

/// A column in parts of at most [`TALLEST`], neighbours in it beside each other.
fn divided(column: &[usize]) -> Vec<Vec<usize>> {
    let parts = column.len().div_ceil(TALLEST).max(1);
    let part = |k: usize| column.iter().skip(k).step_by(parts).copied().collect();
    (0..parts).map(part).collect()
}

/// Numbers in order, as many as are told apart.
struct Ranks {
    distinct: Vec<f64>,
    most: usize,
}

impl Ranks {
    fn new(numbers: impl Iterator<Item = f64>, most: usize) -> Self {
        let mut distinct: Vec<f64> = numbers.collect();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        Self { distinct, most }
    }

    fn count(&self) -> usize {
        self.distinct.len().clamp(1, self.most)
    }

    /// The rank of a number that was counted; the share of the range where there are too many.
    fn of(&self, x: f64) -> usize {
        let rank = self.distinct.partition_point(|&d| d < x);
        match (self.distinct.first(), self.distinct.last()) {
            (Some(first), Some(last)) if self.distinct.len() > self.most => {
                let share = (x - first) / (last - first);
                (share * (self.most - 1) as f64).round() as usize
            }
            _ => rank,
        }
    }
}

/// A model as a drawing of circles and arrows.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    positions: Positions,
    automatic: bool,
    edges: Vec<(Pair, State, f64)>,
}

impl Graph {
    /// The graph of an environment that lies on no grid; `None` if it does, or if it has no
    /// positions and is too large to be given some.
    pub fn of(environment: &Environment) -> Option<Self> {
        if environment.layout().is_some() {
            return None;
        }
        let rows = environment.truth().model().rows();
        let task = environment.task();
        let (positions, automatic) = match environment.positions() {
            Some(positions) => (positions.clone(), false),
            None => (Positions::automatic(task, rows)?, true),
        };
        let mut edges = Vec::new();
        for pair in task.all_pairs() {
            let (next, prob) = rows.row(pair);
            edges.extend(
                next.iter()
                    .zip(prob)
                    .map(|(&s, &p)| (pair, State::new(s as usize), p)),
            );
        }
        if edges.len() > MOST_EDGES {
            edges.clear();
        }
        Some(Self::from_parts(positions, automatic, edges))
    }

    /// A graph from its parts. Pairs and states of `edges` must be those of the model.
    pub fn from_parts(
        positions: Positions,
        automatic: bool,
        edges: Vec<(Pair, State, f64)>,
    ) -> Self {
        Self {
            positions,
            automatic,
            edges,
        }
    }

    /// Where the states are.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Whether the program chose the positions.
    pub fn automatic(&self) -> bool {
        self.automatic
    }

    /// The graph on the cells of a grid, for small drawings: beside and above each other as the
    /// positions are, distances not kept. States that come to lie on each other share a cell.
    ///
    /// `S` is a start, `E` an end, `.` any other state, and a blank is nothing at all.
    pub fn on_cells(&self, task: &Task) -> Layout {
        const MOST: (usize, usize) = (60, 40);
        let column = Ranks::new(self.positions.0.iter().flatten().map(|p| p.0), MOST.0);
        let row = Ranks::new(self.positions.0.iter().flatten().map(|p| p.1), MOST.1);
        let cells: Vec<Option<Cell>> = self
            .positions
            .0
            .iter()
            .map(|position| {
                let (x, y) = (*position)?;
                Some(Cell {
                    row: row.of(y),
                    column: column.of(x),
                })
            })
            .collect();
        let (rows, columns) = (row.count(), column.count());
        let mut symbols = vec![' '; rows * columns];
        for state in task.all_states() {
            let Some(cell) = cells[state.at()] else {
                continue;
            };
            let at = &mut symbols[cell.row * columns + cell.column];
            let starts = task.start().iter().any(|&(s, p)| s == state && p > 0.0);
            match (starts, task.is_terminal(state), *at) {
                (true, _, _) => *at = 'S',
                (_, true, ' ') => *at = 'E',
                (_, false, ' ' | 'E') => *at = '.',
                _ => {}
            }
        }
        // The cells were counted to lie inside.
        Layout::from_symbols(rows, columns, symbols, cells)
            .unwrap_or_else(|| Layout::new(1, 1, vec![' '], |_| false, task.states()))
    }

    /// What leads where: a pair, a next state, and how probable that is. Empty where the dynamics
    /// are not known or there are too many to be drawn.
    pub fn edges(&self) -> &[(Pair, State, f64)] {
        &self.edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    fn chain(n: usize, links: &[(usize, usize)]) -> crate::model::Model {
        let mut b = ModelBuilder::new(n, (0..n).map(|a| format!("a{a}")), 0.9);
        b.start(0, 1.0);
        let mut ends = vec![true; n];
        for &(from, to) in links {
            b.transition(from, to, to, 1.0);
            ends[from] = false;
        }
        for s in (0..n).filter(|&s| ends[s]) {
            b.terminal(s);
        }
        b.build().unwrap()
    }

    fn laid_out(model: &crate::model::Model) -> Vec<(f64, f64)> {
        let positions = Positions::automatic(model.task(), model.rows()).unwrap();
        positions.all().iter().map(|p| p.unwrap()).collect()
    }

    #[test]
    fn columns_follow_the_distance_from_the_start() {
        // 0 leads to 1 and 2, both to 3; nothing leads to 4.
        let at = laid_out(&chain(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (4, 3)]));
        assert_eq!(at[..3], [(0.0, 0.0), (1.0, 0.5), (1.0, -0.5)]);
        assert_eq!(at[3..], [(2.0, 0.0), (3.0, 0.0)]);
    }

    #[test]
    fn crossings_are_undone_where_that_is_possible() {
        // Two rails whose ends are numbered crosswise.
        let at = laid_out(&chain(5, &[(0, 1), (0, 2), (1, 4), (2, 3)]));
        assert_eq!((at[1].1 > at[2].1), (at[4].1 > at[3].1));
    }

    #[test]
    fn no_two_states_are_at_one_place_and_a_tall_column_is_divided() {
        let links: Vec<(usize, usize)> = (1..100).map(|s| (0, s)).collect();
        let at = laid_out(&chain(100, &links));
        for (i, a) in at.iter().enumerate() {
            assert!(at[..i].iter().all(|b| a != b), "state {i}");
        }
        let tallest = at.iter().map(|p| p.1).fold(0.0, f64::max);
        assert!(tallest <= TALLEST as f64 / 2.0, "{tallest}");
    }

    #[test]
    fn too_many_states_are_not_laid_out() {
        let links: Vec<(usize, usize)> = (1..=LARGEST_AUTOMATIC).map(|s| (s - 1, s)).collect();
        let model = chain(LARGEST_AUTOMATIC + 1, &links);
        assert!(Positions::automatic(model.task(), model.rows()).is_none());
        assert!(Positions::new(vec![Some((f64::NAN, 0.0))]).is_err());
    }
}
