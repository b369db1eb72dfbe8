//! What is known of every pair: where it is, what it does, where it leads.

use crate::columns::Column;
use crate::env::{Cell, Layout};
use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};

/// What a column means, so that it can be put in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// What is done.
    Action,
    /// Where, as a state.
    State,
    /// Where it leads, as a state.
    Into,
    /// Where, as a row of a grid.
    Row,
    /// Where, as a column of a grid.
    Column,
    /// The row that it leads into.
    IntoRow,
    /// The column that it leads into.
    IntoColumn,
    /// Whatever the user calls it.
    Named,
}

/// The features that rules are made of.
#[derive(Clone, Debug)]
pub struct Known {
    columns: Vec<(Meaning, Column)>,
}

impl Known {
    /// What `task`, where its states lie and where its pairs lead say of every pair: the action; on a grid
    /// rows and columns, of the pair and of the cell that it leads into; elsewhere states. A pair leads
    /// somewhere if it ends there more often than not.
    pub fn new<D: Dynamics>(task: &Task, dynamics: &D, layout: Option<&Layout>) -> Self {
        let pairs = || task.all_pairs();
        let action = |p: Pair| Some(task.action_of(p).at());
        let actions = task.action_names().to_vec();
        let mut columns = vec![(
            Meaning::Action,
            Column::of_words("action", actions, pairs().map(action)),
        )];
        let leads = |p: Pair| leads_to(task, dynamics, p);
        match layout {
            None => {
                let names: Vec<String> = task.all_states().map(|s| task.state_name(s)).collect();
                let at = |p: Pair| Some(task.state_of(p).at());
                let state = Column::of_words("state", names.clone(), pairs().map(at));
                let into = |p: Pair| leads(p).map(State::at);
                let into = Column::of_words("into", names, pairs().map(into));
                columns.extend([(Meaning::State, state), (Meaning::Into, into)]);
            }
            Some(layout) => {
                let at = |p: Pair| layout.cell_of(task.state_of(p));
                let into = |p: Pair| layout.cell_of(leads(p)?);
                let row = |cell: Option<Cell>| cell.map(|c| c.row);
                let column = |cell: Option<Cell>| cell.map(|c| c.column);
                let (rows, wide) = (layout.rows(), layout.columns());
                let of =
                    |name, end, values: Vec<Option<usize>>| Column::of_whole(name, end, values);
                columns.extend([
                    (
                        Meaning::Row,
                        of("row", rows, pairs().map(|p| row(at(p))).collect()),
                    ),
                    (
                        Meaning::Column,
                        of("column", wide, pairs().map(|p| column(at(p))).collect()),
                    ),
                    (
                        Meaning::IntoRow,
                        of("into row", rows, pairs().map(|p| row(into(p))).collect()),
                    ),
                    (
                        Meaning::IntoColumn,
                        of(
                            "into column",
                            wide,
                            pairs().map(|p| column(into(p))).collect(),
                        ),
                    ),
                ]);
            }
        }
        Self { columns }
    }

    /// The same with columns of the user's.
    pub fn with(mut self, columns: &[Column]) -> Self {
        let named = columns.iter().map(|c| (Meaning::Named, c.clone()));
        self.columns.extend(named);
        self
    }

    pub(super) fn column(&self, i: usize) -> &Column {
        &self.columns[i].1
    }

    pub(super) fn meaning(&self, i: usize) -> Meaning {
        self.columns[i].0
    }

    /// The places of the columns that mean this.
    pub(super) fn places(&self, meaning: Meaning) -> Vec<usize> {
        let means = |i: &usize| self.columns[*i].0 == meaning;
        (0..self.columns.len()).filter(means).collect()
    }
}

/// Where a pair ends more often than not.
fn leads_to<D: Dynamics>(task: &Task, dynamics: &D, pair: Pair) -> Option<State> {
    let at = dynamics.likeliest_outcome(pair)?;
    let (next, prob) = dynamics.row(pair);
    let state = State(next[at]);
    (prob[at] > 0.5 && !task.is_terminal(state)).then_some(state)
}
