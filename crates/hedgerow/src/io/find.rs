//! States and pairs as a person names them on a command line.

use crate::Result;
use crate::env::{Cell, Layout};
use crate::index::{Pair, State};
use crate::io::names::{Names, Word, pair_in};
use crate::model::Task;

/// The state called `text`: its name, its index or, on a grid, its cell `row,column`.
pub fn find_state(task: &Task, layout: Option<&Layout>, text: &str) -> Result<State> {
    if let Some(state) = layout.and_then(|layout| at_cell(layout, text)) {
        return Ok(state);
    }
    let place = || "state".to_owned();
    Names::of(task)?.state_in(task, place, Word::Either(text))
}

/// The pair called `text`: a state as in [`find_state`], a comma, and the name or index of an
/// action that is available there.
pub fn find_pair(task: &Task, layout: Option<&Layout>, text: &str) -> Result<Pair> {
    let (state, action) = text.rsplit_once(',').unwrap_or((text, ""));
    let state = find_state(task, layout, state.trim())?;
    let place = || "action".to_owned();
    let action = Names::of(task)?.action_in(task, place, Word::Either(action.trim()))?;
    pair_in(task, place, state, action)
}

fn at_cell(layout: &Layout, text: &str) -> Option<State> {
    let (row, column) = text.split_once(',')?;
    layout.state_at(Cell {
        row: row.trim().parse().ok()?,
        column: column.trim().parse().ok()?,
    })
}
