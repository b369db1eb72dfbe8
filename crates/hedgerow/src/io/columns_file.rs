//! Columns of pairs from a CSV table, numbers or words, see `docs/formats.md`.
//!
//! ```
//! use hedgerow::env::grid::Grid;
//! use hedgerow::io::columns_file;
//!
//! let environment = Grid::new("line", Grid::symbols_of("S . G")).environment()?;
//! let text = "state,action,room,depth\n\"cell 0,0\",*,hall,1\n\"cell 0,1\",left,hall,\n";
//! let columns = columns_file::parse(text, environment.task())?;
//! assert_eq!((columns[0].name(), columns[0].is_ordered()), ("room", false));
//! assert_eq!((columns[1].name(), columns[1].is_ordered()), ("depth", true));
//! assert_eq!(columns[1].code(1), None);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use super::names::{Names, Reference, Word};
use super::policy_file::csv_error;
use crate::columns::Column;
use crate::index::Pair;
use crate::model::Task;
use crate::{Error, Result};
use std::collections::HashMap;
use std::path::Path;

/// The action that stands for all actions of a state.
const ALL: &str = "*";

/// Reads columns of the pairs of `task`.
pub fn read(path: &Path, task: &Task) -> Result<Vec<Column>> {
    let text = super::read_text(path)?;
    parse(&text, task).map_err(|e| e.within(path.display()))
}

/// The columns of a table whose first is `state`, whose second may be `action`, and whose others say
/// something of these pairs: without `action`, and where it is `*`, of all pairs of the state. What
/// is blank or left out is not known.
pub fn parse(text: &str, task: &Task) -> Result<Vec<Column>> {
    let names = Names::of(task)?;
    let mut table = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header: Vec<String> = table
        .headers()
        .map_err(csv_error)?
        .iter()
        .map(str::to_owned)
        .collect();
    let (by_action, named) = named(&header)?;
    let mut filled: Vec<Filled> = named.iter().map(|_| Filled::new(task.pairs())).collect();
    let mut given = vec![false; task.pairs()];
    for record in table.records() {
        let record = record.map_err(csv_error)?;
        let line = record.position().map_or(0, csv::Position::line);
        let place = || format!("line {line}");
        let state = &record[0];
        let action = if by_action { &record[1] } else { ALL };
        let pairs = match action {
            ALL => task.pairs_of(names.state_in(task, place, Word::Either(state))?),
            _ => {
                let word = |text: &str| Reference::Either(text.to_owned());
                let pair = names.pair(task, place, &word(state), &word(action))?;
                pair.at()..pair.at() + 1
            }
        };
        for pair in pairs {
            if std::mem::replace(&mut given[pair], true) {
                let problem = format!("{} is given twice", task.pair_name(Pair::new(pair)));
                return Err(Error::invalid(place(), problem, "keep one of the rows"));
            }
            let first = header.len() - named.len();
            for (column, text) in filled.iter_mut().zip(record.iter().skip(first)) {
                column.fill(pair, text).map_err(|e| e.at_place(place()))?;
            }
        }
    }
    Ok(named
        .iter()
        .zip(&filled)
        .map(|(n, f)| f.column(n))
        .collect())
}

/// Whether there is a column of actions, and the names of the others.
fn named(header: &[String]) -> Result<(bool, &[String])> {
    let refuse = |problem: String, remedy: &str| Err(Error::invalid("line 1", problem, remedy));
    let (by_action, named) = match header {
        [state, action, named @ ..] if state == "state" && action == "action" => (true, named),
        [state, named @ ..] if state == "state" => (false, named),
        _ => {
            let problem = format!("the columns are `{}`", header.join(",").escape_debug());
            return refuse(
                problem,
                "write `state`, perhaps `action`, and names of your own",
            );
        }
    };
    if named.is_empty() {
        return refuse("there is no column of your own".into(), "add at least one");
    }
    for (i, name) in named.iter().enumerate() {
        if name.is_empty() || name.chars().any(char::is_control) {
            let problem = format!("a column is called `{}`", name.escape_debug());
            return refuse(problem, "give it a name of characters that can be seen");
        }
        if named[..i].contains(name) {
            return refuse(format!("two columns are called `{name}`"), "rename one");
        }
    }
    Ok((by_action, named))
}

/// A column while it is read: its texts, each once, and which pair has which.
struct Filled {
    known: HashMap<String, u32>,
    texts: Vec<String>,
    of_pairs: Vec<u32>,
}

/// No text.
const NONE: u32 = u32::MAX;

impl Filled {
    fn new(pairs: usize) -> Self {
        Self {
            known: HashMap::new(),
            texts: Vec::new(),
            of_pairs: vec![NONE; pairs],
        }
    }

    fn fill(&mut self, pair: usize, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let at = match self.known.get(text) {
            Some(&at) => at,
            None if text.chars().any(char::is_control) => {
                let problem = format!("`{}` has a control character in it", text.escape_debug());
                let remedy = "use characters that can be seen";
                return Err(Error::invalid("value", problem, remedy));
            }
            None => {
                let at = self.texts.len() as u32;
                self.known.insert(text.to_owned(), at);
                self.texts.push(text.to_owned());
                at
            }
        };
        self.of_pairs[pair] = at;
        Ok(())
    }

    fn column(&self, name: &str) -> Column {
        let text = |&at: &u32| self.texts.get(at as usize).map(String::as_str);
        Column::of_text(name, self.of_pairs.iter().map(text))
    }
}
