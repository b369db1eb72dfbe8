//! The columns of records, and one row of them.

use crate::error::nearest;
use crate::io::names::Word;
use crate::{Error, Result};

/// How many columns there are.
pub(super) const COUNT: usize = 7;

/// A column; the number is its place in a [`Row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Episode,
    Step,
    State,
    Action,
    NextState,
    Source,
    ExpertAction,
}

use Column::{Action, Episode, ExpertAction, NextState, Source, State, Step};

impl Column {
    pub(super) const ALL: [Self; COUNT] = [
        Episode,
        Step,
        State,
        Action,
        NextState,
        Source,
        ExpertAction,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Episode => "episode",
            Step => "step",
            State => "state",
            Action => "action",
            NextState => "next_state",
            Source => "source",
            ExpertAction => "expert_action",
        }
    }

    /// The column called `name`.
    pub(super) fn find(place: impl Fn() -> String, name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|c| c.name() == name);
        found.ok_or_else(|| {
            Error::invalid(
                place(),
                format!("unknown column `{name}`"),
                nearest(name, Self::ALL.map(Self::name)),
            )
        })
    }
}

/// What a line says, names not yet looked up; `None` where it says nothing.
pub(super) struct Row<'a> {
    /// What is counted: lines of a file, or rows of a table.
    pub(super) unit: &'static str,
    /// The line of the file, from 1, or the row of the table, from 0.
    pub(super) line: u64,
    pub(super) values: [Option<Word<'a>>; COUNT],
}

impl<'a> Row<'a> {
    /// Where a column of this row is, for messages.
    pub(super) fn place(&self, column: Column) -> String {
        format!("{} {}: {}", self.unit, self.line, column.name())
    }

    pub(super) fn get(&self, column: Column) -> Option<Word<'a>> {
        self.values[column as usize]
    }

    /// The value of a column that every row needs.
    pub(super) fn need(&self, column: Column) -> Result<Word<'a>> {
        self.get(column).ok_or_else(|| {
            Error::invalid(
                self.place(column),
                "nothing is given",
                "give it a value in every row",
            )
        })
    }
}
