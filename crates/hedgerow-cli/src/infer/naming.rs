//! Tables of the user's: columns that rules may speak of, and classes of pairs.

use clap::Args;
use hedgerow::Result;
use hedgerow::columns::Column;
use hedgerow::constraint::read_classes;
use hedgerow::io::columns_file;
use hedgerow::model::Task;
use hedgerow::verdict::Classes;
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
        Ok(self
            .features
            .as_ref()
            .map(read)
            .transpose()?
            .unwrap_or_default())
    }

    /// The classes; the expert's budget may be `soft`, and then there must be none.
    pub fn classes(&self, task: &Task, soft: bool) -> Result<Option<Classes>> {
        let read = |path: &PathBuf| read_classes(path, task, soft);
        self.classes.as_ref().map(read).transpose()
    }
}
