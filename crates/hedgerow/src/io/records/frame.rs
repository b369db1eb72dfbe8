//! Records that are already in memory, column by column.

use super::columns::{COUNT, Column, Row};
use super::episodes::Reading;
use super::{Records, Source};
use crate::io::names::Word;
use crate::model::{Dynamics, Task};
use crate::{Error, Result};

/// A column of records in memory; `None` where a row says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Indices of states, actions or episodes.
    Indices(Vec<Option<usize>>),
    /// Their names.
    Names(Vec<Option<String>>),
}

impl Given {
    fn len(&self) -> usize {
        match self {
            Self::Indices(values) => values.len(),
            Self::Names(values) => values.len(),
        }
    }

    fn word(&self, row: usize) -> Option<Word<'_>> {
        match self {
            Self::Indices(values) => values[row].map(Word::Index),
            Self::Names(values) => values[row].as_deref().map(Word::Either),
        }
    }
}

impl Records {
    /// Takes columns with the names and the meaning of those of a file, from a data frame for
    /// example. Rows are counted from 0 in messages.
    ///
    /// ```
    /// use hedgerow::io::records::{Given, Records, Source};
    /// use hedgerow::model::ModelBuilder;
    ///
    /// let mut b = ModelBuilder::new(2, ["short", "long"], 0.9);
    /// b.start(0, 1.0).terminal(1).reward(0, 0, 1.0).reward(0, 1, 0.5);
    /// let task = b.build_task()?;
    /// let whole = |values: &[usize]| Given::Indices(values.iter().copied().map(Some).collect());
    /// let columns = [
    ///     ("episode", whole(&[0, 1])),
    ///     ("state", whole(&[0, 0])),
    ///     ("action", Given::Names(vec![Some("long".into()), Some("short".into())])),
    ///     ("next_state", whole(&[1, 1])),
    /// ];
    /// let records = Records::of_columns(&columns, &task, Source::Expert, None)?;
    /// assert_eq!((records.rows, records.episodes), (2, 2));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of_columns<N: AsRef<str>>(
        columns: &[(N, Given)],
        task: &Task,
        default: Source,
        dynamics: Option<&dyn Dynamics>,
    ) -> Result<Self> {
        let mut given: [Option<&Given>; COUNT] = [None; COUNT];
        for (name, column) in columns {
            let name = name.as_ref();
            let place = Column::find(|| "columns".to_owned(), name)?;
            if given[place as usize].replace(column).is_some() {
                return Err(Error::invalid(
                    "columns",
                    format!("`{name}` is given twice"),
                    "keep one of them",
                ));
            }
        }
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        if let Some((name, column)) = columns.iter().find(|(_, c)| c.len() != rows) {
            return Err(Error::invalid(
                name.as_ref(),
                format!("{} entries where other columns have {rows}", column.len()),
                "give columns of the same length",
            ));
        }
        let mut reading = Reading::new(task, default, dynamics)?;
        for row in 0..rows {
            reading.row(&Row {
                unit: "row",
                line: row as u64,
                values: given.map(|column| column.and_then(|c| c.word(row))),
            })?;
        }
        reading.finish()
    }
}
