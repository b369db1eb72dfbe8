//! Rules in words.

use super::known::{Known, Meaning};
use crate::columns::Column;

/// A rule with these conditions: column, least and largest value.
pub(super) fn say(known: &Known, conditions: &[(usize, u32, u32)]) -> String {
    let find = |meaning: Meaning| {
        let mut means = conditions.iter().filter(|c| known.meaning(c.0) == meaning);
        means
            .next()
            .map(|&(c, low, high)| (known.column(c), low, high))
    };
    let mut text = match find(Meaning::Action) {
        Some((column, action, _)) => format!("no `{}`", column.value(action)),
        None => "no move".to_owned(),
    };
    if let Some((column, state, _)) = find(Meaning::State) {
        text += &format!(" in {}", column.value(state));
    }
    if let Some(area) = area(find(Meaning::Row), find(Meaning::Column)) {
        text += &format!(" in {area}");
    }
    if let Some((column, state, _)) = find(Meaning::Into) {
        text += &format!(" into {}", column.value(state));
    }
    if let Some(area) = area(find(Meaning::IntoRow), find(Meaning::IntoColumn)) {
        text += &format!(" into {area}");
    }
    let named = conditions
        .iter()
        .filter(|c| known.meaning(c.0) == Meaning::Named);
    for (i, &(column, low, high)) in named.enumerate() {
        let column = known.column(column);
        let before = if i == 0 { " where" } else { " and" };
        text += &format!("{before} {} is {}", column.name(), range(column, low, high));
    }
    text
}

type Found<'a> = Option<(&'a Column, u32, u32)>;

/// Part of a grid, what has one value before what has several.
fn area(row: Found, column: Found) -> Option<String> {
    let part = |what: &str, (values, low, high): (&Column, u32, u32)| {
        let plural = if low == high { "" } else { "s" };
        format!("{what}{plural} {}", range(values, low, high))
    };
    match (row, column) {
        (None, None) => None,
        (Some(r), None) => Some(part("row", r)),
        (None, Some(c)) => Some(part("column", c)),
        (Some(r), Some(c)) if r.1 == r.2 && c.1 == c.2 => {
            Some(format!("cell {},{}", r.0.value(r.1), c.0.value(c.1)))
        }
        (Some(r), Some(c)) if c.1 == c.2 => {
            Some(format!("{}, {}", part("column", c), part("row", r)))
        }
        (Some(r), Some(c)) => Some(format!("{}, {}", part("row", r), part("column", c))),
    }
}

fn range(column: &Column, low: u32, high: u32) -> String {
    match low == high {
        true => column.value(low).to_string(),
        false => format!("{} to {}", column.value(low), column.value(high)),
    }
}
