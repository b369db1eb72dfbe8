//! Records as a table with a header.

use super::Records;
use super::columns::{COUNT, Column, Row};
use super::episodes::Reading;
use crate::io::names::Word;
use crate::{Error, Result};
use csv::{ErrorKind, StringRecord};
use std::io::Read;
use std::path::Path;

/// Reads all rows of `file`, one at a time.
pub(super) fn read(file: impl Read, mut reading: Reading, path: &Path) -> Result<Records> {
    let mut table = csv::Reader::from_reader(file);
    let header = table.headers().map_err(|e| explain(e, path))?;
    let columns = columns(header)?;
    let mut fields = StringRecord::new();
    while table
        .read_record(&mut fields)
        .map_err(|e| explain(e, path))?
    {
        let mut values = [None; COUNT];
        for (&column, field) in columns.iter().zip(&fields) {
            let text = field.trim();
            values[column as usize] = (!text.is_empty()).then_some(Word::Either(text));
        }
        reading.row(&Row {
            unit: "line",
            line: fields.position().map_or(0, csv::Position::line),
            values,
        })?;
    }
    reading.finish()
}

fn columns(header: &StringRecord) -> Result<Vec<Column>> {
    let place = || "line 1".to_owned();
    if header.is_empty() {
        return Err(Error::invalid(
            place(),
            "the file is empty",
            "write a header and one row per step",
        ));
    }
    let mut columns = Vec::with_capacity(header.len());
    for name in header {
        let column = Column::find(place, name.trim())?;
        if columns.contains(&column) {
            return Err(Error::invalid(
                place(),
                format!("the column `{}` is given twice", column.name()),
                "keep one of them",
            ));
        }
        columns.push(column);
    }
    use Column::{Action, Episode, NextState, State};
    let needed = [Episode, State, Action, NextState];
    match needed.into_iter().find(|c| !columns.contains(c)) {
        None => Ok(columns),
        Some(missing) => Err(Error::invalid(
            place(),
            format!("the column `{}` is missing", missing.name()),
            "add it; needed are episode, state, action and next_state",
        )),
    }
}

fn explain(error: csv::Error, path: &Path) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    let place = format!("line {line}");
    match error.into_kind() {
        ErrorKind::Io(source) => Error::reading(path, source),
        ErrorKind::Utf8 { .. } => {
            Error::invalid(place, "the text is not UTF-8", "save the file as UTF-8")
        }
        ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => Error::invalid(
            place,
            format!("{len} fields where the header has {expected_len}"),
            "correct the row; names that hold a comma go in double quotes",
        ),
        // The other kinds belong to seeking and serialising, which reading does not do.
        _ => Error::invalid(place, "this is not a table", "correct the row"),
    }
}
