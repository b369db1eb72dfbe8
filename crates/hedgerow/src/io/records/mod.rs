//! Records: logged transitions and demonstrations, as evidence for a learner.
//!
//! A file holds one row per step, episode by episode, as a table (`.csv`) or as JSON Lines
//! (`.jsonl`); `docs/formats.md` lists the columns. A row says that an action led from one state
//! to another, which is evidence of the dynamics, and it may say what the expert chose there,
//! which is evidence of the expert. Reading ends at the first error.
//!
//! ```
//! use hedgerow::io::records::{Records, Source};
//! use hedgerow::model::ModelBuilder;
//!
//! let mut b = ModelBuilder::new(2, ["stay", "go"], 0.9);
//! b.start(0, 1.0).terminal(1);
//! let task = b.build_task()?;
//!
//! let path = std::env::temp_dir().join("hedgerow-records-example.csv");
//! std::fs::write(&path, "episode,state,action,next_state\n1,0,stay,0\n1,0,go,1\n").unwrap();
//! let records = Records::read(&path, &task, Source::Expert, None)?;
//! assert_eq!((records.episodes, records.transitions.len(), records.choices.len()), (1, 2, 2));
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod columns;
mod episodes;
mod frame;
mod lines;
mod slips;
mod table;
mod write;

pub use frame::Given;
pub use slips::Slip;
pub use write::{Step, Writer};

use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Dynamics, Task};
use crate::{Error, Result};
use episodes::Reading;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Whose action a row records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The expert's: its own choice, and a transition.
    Expert,
    /// Any policy's: a transition and nothing else.
    Log,
}

impl Source {
    const ALL: [Self; 2] = [Self::Expert, Self::Log];

    /// As the column `source` writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expert => "expert",
            Self::Log => "log",
        }
    }
}

/// How the rows of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table with a header, `.csv`.
    Csv,
    /// One JSON object per line, `.jsonl`.
    JsonLines,
}

impl Format {
    /// The format that the ending of `path` stands for.
    pub fn of(path: &Path) -> Result<Self> {
        match super::ending(path) {
            "csv" => Ok(Self::Csv),
            "jsonl" => Ok(Self::JsonLines),
            ending => Err(Error::invalid(
                path.display().to_string(),
                format!("the ending `{ending}` is not that of records"),
                "end the name in .csv for a table or .jsonl for JSON Lines",
            )),
        }
    }
}

/// The evidence of one or more files, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Taking the pair led to the state.
    pub transitions: Vec<(Pair, State)>,
    /// The expert chose the pair.
    pub choices: Vec<Pair>,
    /// Episodes read.
    pub episodes: usize,
    /// Rows read.
    pub rows: usize,
    /// Episodes whose last row has no next state.
    pub open_ends: usize,
}

impl Records {
    /// Reads a file of steps in `task`. Rows without a `source` are `default`'s. Where `dynamics`
    /// are known, a transition of probability 0 is an error.
    pub fn read(
        path: &Path,
        task: &Task,
        default: Source,
        dynamics: Option<&dyn Dynamics>,
    ) -> Result<Self> {
        Format::of(path)?;
        super::refuse_device(path)?;
        let file = File::open(path).map_err(|e| Error::reading(path, e))?;
        let file = BufReader::with_capacity(1 << 16, file);
        Self::read_from(file, path, task, default, dynamics)
    }

    /// Reads what `file` holds, as [`Self::read`] does; `path` is what messages call it, and its
    /// ending says how it is written.
    pub fn read_from(
        file: impl BufRead,
        path: &Path,
        task: &Task,
        default: Source,
        dynamics: Option<&dyn Dynamics>,
    ) -> Result<Self> {
        let format = Format::of(path)?;
        let reading = Reading::new(task, default, dynamics)?;
        let read = match format {
            Format::Csv => table::read(file, reading, path),
            Format::JsonLines => lines::read(file, reading, path),
        };
        read.map_err(|e| e.within(path.display()))
    }

    /// Reads files of demonstrations and of logs, each of them once.
    pub fn read_files(
        demos: &[PathBuf],
        logs: &[PathBuf],
        task: &Task,
        dynamics: Option<&dyn Dynamics>,
    ) -> Result<Self> {
        refuse_twice(demos.iter().chain(logs))?;
        let demos = demos.iter().map(|path| (path, Source::Expert));
        let logs = logs.iter().map(|path| (path, Source::Log));
        let mut all = Self::default();
        for (path, source) in demos.chain(logs) {
            all.append(Self::read(path, task, source, dynamics)?);
        }
        Ok(all)
    }

    /// Feeds all samples to a learner of the same task and updates its estimates.
    pub fn feed(&self, learner: &mut Learner) {
        for &(pair, next) in &self.transitions {
            learner.see_transition(pair, next);
        }
        for &pair in &self.choices {
            learner.see_expert(pair);
        }
        learner.refresh();
    }

    /// Adds the evidence of another file of the same task.
    pub fn append(&mut self, other: Self) {
        self.transitions.extend(other.transitions);
        self.choices.extend(other.choices);
        self.episodes += other.episodes;
        self.rows += other.rows;
        self.open_ends += other.open_ends;
    }
}

/// The same rows counted twice would be taken for more evidence than there is.
fn refuse_twice<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
    let mut seen = Vec::new();
    for path in files {
        let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        if seen.contains(&place) {
            return Err(Error::invalid(
                path.display().to_string(),
                "given twice",
                "give every file of records once",
            ));
        }
        seen.push(place);
    }
    Ok(())
}
