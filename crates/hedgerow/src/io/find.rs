//! States and pairs as a person names them on a command line.

use crate::env::{Cell, Layout};
use crate::index::{Pair, State};
use crate::io::names::{Names, Word, pair_in};
use crate::model::Task;
use crate::{Error, Result};

/// States that share a cell and are listed; more are counted.
const LISTED: usize = 6;

/// The state called `text`: its name or, on a grid, its cell `row,column`, or its index.
pub fn find_state(task: &Task, layout: Option<&Layout>, text: &str) -> Result<State> {
    state(task, &Names::of(task)?, layout, text)
}

/// The pair called `text`: a state as in [`find_state`], a comma, and the name or index of an
/// action that is available there. Names may contain commas themselves.
pub fn find_pair(task: &Task, layout: Option<&Layout>, text: &str) -> Result<Pair> {
    let names = Names::of(task)?;
    let place = || "action".to_owned();
    let at = |comma: usize| {
        let (before, after) = (text[..comma].trim(), text[comma..].get(1..).unwrap_or(""));
        let state = state(task, &names, layout, before)?;
        let action = names.action_in(task, place, Word::Either(after.trim()))?;
        pair_in(task, place, state, action)
    };
    let Some(last) = text.rfind(',') else {
        let problem = format!("there is no comma in `{text}`");
        return Err(Error::invalid("pair", problem, "write STATE,ACTION"));
    };
    let found = at(last);
    match found {
        Ok(pair) => Ok(pair),
        // The message is about the last comma, which is what most people mean.
        Err(error) => {
            let mut others = text.rmatch_indices(',').skip(1);
            others.find_map(|(comma, _)| at(comma).ok()).ok_or(error)
        }
    }
}

fn state(task: &Task, names: &Names, layout: Option<&Layout>, text: &str) -> Result<State> {
    let place = || "state".to_owned();
    let named = names.state_in(task, place, Word::Name(text));
    if let (Err(_), Some(layout), Some(cell)) = (&named, layout, cell(text)) {
        match layout.states_at(cell) {
            [] => {}
            [state] => return Ok(*state),
            several => {
                let words = several.iter().take(LISTED).map(|&s| task.state_name(s));
                let mut words: Vec<String> = words.collect();
                if several.len() > LISTED {
                    words.push(format!("{} more", several.len() - LISTED));
                }
                return Err(Error::invalid(
                    "state",
                    format!("{} states share cell {text}", several.len()),
                    format!("name one of them: {}", words.join(", ")),
                ));
            }
        }
    }
    named.or_else(|_| names.state_in(task, place, Word::Either(text)))
}

fn cell(text: &str) -> Option<Cell> {
    let (row, column) = text.split_once(',')?;
    Some(Cell {
        row: row.trim().parse().ok()?,
        column: column.trim().parse().ok()?,
    })
}
