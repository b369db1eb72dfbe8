//! Tables of the user's: columns that rules may speak of, and classes of pairs.

use clap::Args;
use hedgerow::columns::Column;
use hedgerow::io::columns_file;
use hedgerow::model::Task;
use hedgerow::verdict::Classes;
use hedgerow::{Error, Result};
use std::path::PathBuf;

/// What the user names.
#[derive(Debug, Default, Args)]
pub struct Naming {
    /// Columns of pairs that rules may speak of, numbers or words: a table with the column state,
    /// perhaps action, and those of your own (FILE.csv).
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// Classes of pairs, each assumed to be forbidden as a whole or not at all: such a table with one
    /// column of your own (FILE.csv).
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
}

impl Naming {
    /// The columns that rules may speak of, besides those of the environment.
    pub fn columns(&self, task: &Task) -> Result<Vec<Column>> {
        let read = |path: &PathBuf| columns_file::read(path, task);
        Ok(self.features.as_ref().map(read).transpose()?.unwrap_or_default())
    }

    /// The classes, where the expert's budget is hard.
    pub fn classes(&self, task: &Task, soft: bool) -> Result<Option<Classes>> {
        let Some(path) = &self.classes else {
            return Ok(None);
        };
        let refuse = |problem: String, remedy: &str| {
            Err(Error::invalid(path.display().to_string(), problem, remedy))
        };
        if soft {
            return Err(Error::invalid(
                "--classes",
                "under a soft budget an expert may take what is forbidden",
                "leave it out, or use an environment whose budget is 0",
            ));
        }
        let mut columns = columns_file::read(path, task)?;
        match (columns.len(), columns.pop()) {
            (1, Some(column)) if column.values() > 0 => Ok(Some(Classes::new(column))),
            (1, _) => refuse("no pair has a class".into(), "name the class of some pairs"),
            (n, _) => refuse(
                format!("it has {n} columns of your own"),
                "keep one: that of the classes",
            ),
        }
    }
}
