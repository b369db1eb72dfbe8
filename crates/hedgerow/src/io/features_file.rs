//! Features of pairs from a CSV table, see `docs/formats.md`.
//!
//! ```
//! use hedgerow::env::grid::Grid;
//! use hedgerow::io::features_file;
//!
//! let environment = Grid::new("line", Grid::symbols_of("S . G")).environment()?;
//! let text = "state,action,left,back\n\"cell 0,0\",*,1,0\n\"cell 0,1\",left,0,1\n";
//! let features = features_file::parse(text, environment.task())?;
//! assert_eq!(features.names(), ["left", "back"]);
//! assert_eq!(features.values(1).iter().sum::<f64>(), 1.0);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use super::names::{Names, Reference, Word};
use super::policy_file::csv_error;
use crate::costset::Features;
use crate::index::Pair;
use crate::model::Task;
use crate::{Error, Result};
use std::path::Path;

/// The action that stands for all actions of a state.
const ALL: &str = "*";

/// Reads features of the pairs of `task`.
pub fn read(path: &Path, task: &Task) -> Result<Features> {
    let text = super::read_text(path)?;
    parse(&text, task).map_err(|e| e.within(path.display()))
}

/// The features that a table with the columns `state`, `action` and one for each feature describes.
/// An action `*` stands for all actions of the state; pairs left out have 0.
pub fn parse(text: &str, task: &Task) -> Result<Features> {
    let names = Names::of(task)?;
    let mut table = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = table.headers().map_err(csv_error)?;
    let columns: Vec<String> = header.iter().map(str::to_owned).collect();
    let named = match &columns[..] {
        [state, action, features @ ..] if state == "state" && action == "action" => features,
        _ => {
            return Err(Error::invalid(
                "line 1",
                format!("the columns are `{}`", columns.join(",")),
                "write `state,action` and the names of the features",
            ));
        }
    };
    // Names are shown.
    let odd = |name: &&String| name.is_empty() || name.chars().any(char::is_control);
    if let Some(name) = named.iter().find(odd) {
        let problem = format!("a feature is called `{}`", name.escape_debug());
        let remedy = "give it a name of characters that can be seen";
        return Err(Error::invalid("line 1", problem, remedy));
    }
    let mut values = vec![vec![0.0; task.pairs()]; named.len()];
    let mut given = vec![false; task.pairs()];
    for record in table.records() {
        let record = record.map_err(csv_error)?;
        let line = record.position().map_or(0, csv::Position::line);
        let place = || format!("line {line}");
        let reference = |i: usize| Reference::Either(record[i].to_owned());
        let pairs: Vec<Pair> = match &record[1] {
            ALL => {
                let state = names.state_in(task, place, Word::Either(&record[0]))?;
                task.pairs_of(state).map(Pair::new).collect()
            }
            _ => vec![names.pair(task, place, &reference(0), &reference(1))?],
        };
        for pair in pairs {
            if std::mem::replace(&mut given[pair.at()], true) {
                let problem = format!("{} is given twice", task.pair_name(pair));
                return Err(Error::invalid(place(), problem, "keep one of the rows"));
            }
            for (j, feature) in values.iter_mut().enumerate() {
                let word = &record[2 + j];
                feature[pair.at()] = word.parse().map_err(|_| {
                    Error::invalid(
                        place(),
                        format!("`{word}` is not a number"),
                        "give a number of at least 0",
                    )
                })?;
            }
        }
    }
    Features::new(task, named.iter().cloned().zip(values).collect())
}
