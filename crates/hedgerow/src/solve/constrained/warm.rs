//! What one search for a mixture leaves for the next, similar one.

use crate::index::{Pair, State};
use crate::model::Task;
use crate::solve::Start;
use crate::solve::again::{carried, carry_values};
use crate::solve::constrained::mixture::Choice;

/// A policy among those that are mixed.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) choice: Choice,
    /// Its values in the reward and in every row, if they are rough; empty if not.
    pub(super) followed: Vec<Vec<f64>>,
    /// Where it was best, if they are.
    pub(super) found: Option<Found>,
}

/// Multipliers that were tried, and the values of the policy that was best there.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) multipliers: Vec<f64>,
    pub(super) values: Vec<f64>,
}

impl Column {
    /// A policy of which nothing else is known.
    pub(super) fn of(choice: Choice) -> Self {
        Self {
            choice,
            followed: Vec::new(),
            found: None,
        }
    }
}

/// The column that was found at the nearest multipliers, the last of equals.
pub(super) fn nearest(columns: &[Column], multipliers: &[f64]) -> Option<usize> {
    let distance = |column: &Column| Some(column.found.as_ref()?.distance(multipliers));
    let known = columns.iter().map(distance).enumerate().rev();
    let known = known.filter_map(|(i, distance)| Some((i, distance?)));
    let near = known.min_by(|(_, a), (_, b)| a.total_cmp(b));
    near.map(|(i, _)| i)
}

impl Found {
    /// How far off other multipliers are.
    pub(super) fn distance(&self, multipliers: &[f64]) -> f64 {
        let both = self.multipliers.iter().zip(multipliers);
        both.map(|(a, b)| (a - b).abs()).sum()
    }
}

/// What one search leaves for the next, similar one; the result does not depend on it.
#[derive(Clone, Debug, Default)]
pub struct WarmStart {
    /// What was best at the multipliers.
    pub(super) priced: Start,
    pub(super) multipliers: Vec<f64>,
    /// The policies that were mixed.
    pub(super) columns: Vec<Column>,
    /// Policies to begin with.
    pub(super) suggested: Vec<Choice>,
}

impl WarmStart {
    /// The best policy at the multipliers of the last mixture, and its values; empty before the first search.
    pub fn priced(&self) -> &Start {
        &self.priced
    }

    /// Has the next search begin with this policy too, say one that surely meets the constraints. A rough one
    /// does so only if no other that it knows meets them.
    pub fn suggest(&mut self, choice: Choice) {
        self.suggested.push(choice);
    }

    /// The same for a problem whose states are numbered anew: `from` says which each one was before.
    /// Those that were not there begin with the value of `rest` and their first pair.
    pub fn carry(&mut self, tasks: (&Task, &Task), from: &[Option<State>], rest: Option<State>) {
        let (old, new) = tasks;
        if self.priced.values.len() != old.states() {
            return;
        }
        self.priced.carry(tasks, from, rest);
        let first = |state| new.pairs_of(state).map(Pair::new).next();
        for column in &mut self.columns {
            column.choice = carried(&column.choice, tasks, from, first);
            let found = column.found.iter_mut().map(|found| &mut found.values);
            for values in column.followed.iter_mut().chain(found) {
                carry_values(values, from, rest);
            }
        }
        for choice in &mut self.suggested {
            *choice = carried(choice, tasks, from, first);
        }
    }

    /// Forgets what is not of a problem with so many states and rows.
    pub(super) fn fit(&mut self, states: usize, rows: usize) {
        if self.priced.values.len() != states || self.multipliers.len() != rows {
            self.priced = Start {
                values: vec![0.0; states],
                choice: Choice::new(),
            };
            self.multipliers = vec![0.0; rows];
            for column in &mut self.columns {
                (column.followed, column.found) = (Vec::new(), None);
            }
        }
        self.columns.retain(|c| c.choice.len() == states);
        self.suggested.retain(|c| c.len() == states);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_the_last_of_equals_among_those_that_were_found() {
        let found = |at: f64| Column {
            found: Some(Found {
                multipliers: vec![at, 0.0],
                values: Vec::new(),
            }),
            ..Column::of(Choice::new())
        };
        let columns = [
            found(2.0),
            Column::of(Choice::new()),
            found(4.0),
            found(2.0),
        ];
        assert_eq!(nearest(&columns, &[0.0, 5.0]), Some(3));
        assert_eq!(nearest(&columns, &[3.5, 0.0]), Some(2));
        assert_eq!(nearest(&columns[1..2], &[0.0, 0.0]), None);
    }
}
