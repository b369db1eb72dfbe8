//! Classes of pairs with the same dynamics from a CSV table, see `docs/formats.md`.
//!
//! ```
//! use hedgerow::env::grid::Grid;
//! use hedgerow::index::Pair;
//! use hedgerow::io::classes_file;
//! use hedgerow::verdict::Knowledge;
//!
//! let line = Grid::new("line", Grid::symbols_of("S . . G")).environment()?;
//! let text = "state,action,class,outcome,next\n\
//!             \"cell 0,1\",right,step,on,\"cell 0,2\"\n\
//!             \"cell 0,1\",right,step,back,\"cell 0,0\"\n\
//!             \"cell 0,2\",right,step,on,\"cell 0,3\"\n\
//!             \"cell 0,2\",right,step,back,\"cell 0,1\"\n";
//! let table = classes_file::parse(text, line.task())?;
//! let known = Knowledge::from_table(line.task(), &table)?;
//! assert_eq!(known.class_of(table[0].pair).len(), 2);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use super::names::{Names, Reference, Word};
use super::policy_file::csv_error;
use crate::model::{ClassRow, Task};
use crate::{Error, Result};
use std::path::Path;

/// The columns.
const COLUMNS: [&str; 5] = ["state", "action", "class", "outcome", "next"];

/// Reads the classes of pairs of `task`.
pub fn read(path: &Path, task: &Task) -> Result<Vec<ClassRow>> {
    let text = super::read_text(path)?;
    parse(&text, task).map_err(|e| e.within(path.display()))
}

/// The rows of a table with the columns `state`, `action`, `class`, `outcome` and `next`.
pub fn parse(text: &str, task: &Task) -> Result<Vec<ClassRow>> {
    let names = Names::of(task)?;
    let mut table = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = table.headers().map_err(csv_error)?;
    if header != COLUMNS[..] {
        let columns: Vec<&str> = header.iter().collect();
        return Err(Error::invalid(
            "line 1",
            format!("the columns are `{}`", columns.join(",")),
            format!("write `{}`", COLUMNS.join(",")),
        ));
    }
    let mut rows = Vec::new();
    for record in table.records() {
        let record = record.map_err(csv_error)?;
        let line = record.position().map_or(0, csv::Position::line);
        let place = || format!("line {line}");
        let reference = |i: usize| Reference::Either(record[i].to_owned());
        rows.push(ClassRow {
            pair: names.pair(task, place, &reference(0), &reference(1))?,
            class: record[2].to_owned(),
            outcome: record[3].to_owned(),
            next: names.state_in(task, place, Word::Either(&record[4]))?,
        });
    }
    if rows.is_empty() {
        return Err(Error::invalid(
            "line 2",
            "there is no class",
            "write a row for every outcome of every pair that is alike",
        ));
    }
    Ok(rows)
}
