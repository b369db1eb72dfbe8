//! The key `layout` of a model file: where its states are drawn.

use crate::env::grid::{Grid, symbol};
use crate::env::{Cell, Environment, Layout, Positions};
use crate::index::State;
use crate::io::names::{Names, Reference};
use crate::model::{END, Task};
use crate::{Error, Result};
use serde::Deserialize;
use std::collections::HashMap;

/// The key, and what belongs there.
pub(super) const LAYOUT: (&str, &str) = (
    "layout",
    "{\"cells\": [[state, row, column], ...]} or {\"positions\": [[state, x, y], ...]}",
);

/// The most cells of a grid, so that a short file cannot ask for all memory.
const MOST_CELLS: usize = 4_000_000;

/// The object as it is written, names not yet looked up.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LayoutPart {
    cells: Option<Vec<(Reference, usize, usize)>>,
    map: Option<Vec<String>>,
    positions: Option<Vec<(Reference, f64, f64)>>,
}

/// Where the states of a model are drawn.
pub(super) enum Drawn {
    Grid(Layout),
    Graph(Positions),
}

impl LayoutPart {
    /// The drawing, states looked up in `task`. Where no `map` says how, a cell is drawn by what
    /// is known of its states, `charged` being those with a true cost.
    pub(super) fn drawn(&self, task: &Task, names: &Names, charged: &[bool]) -> Result<Drawn> {
        match (&self.cells, &self.positions) {
            (Some(cells), None) => {
                let cells = placed(task, names, "cells", cells, |&row, &column| Cell {
                    row,
                    column,
                })?;
                self.grid(task, cells, charged).map(Drawn::Grid)
            }
            (None, Some(positions)) if self.map.is_none() => {
                let positions = placed(task, names, "positions", positions, |&x, &y| (x, y))?;
                let positions = Positions::new(positions).map_err(|e| e.within("layout"))?;
                Ok(Drawn::Graph(positions))
            }
            (None, None) => Err(Error::invalid(
                "layout",
                "neither `cells` nor `positions`",
                "say where the states lie: `cells` on a grid, `positions` anywhere",
            )),
            _ => Err(Error::invalid(
                "layout",
                "`positions` beside what belongs to a grid",
                "keep `cells` (and `map`) or `positions`, not both",
            )),
        }
    }

    fn grid(&self, task: &Task, cells: Vec<Option<Cell>>, charged: &[bool]) -> Result<Layout> {
        let symbols = self
            .map
            .as_ref()
            .map(|map| Grid::symbols_of(&map.join("\n")));
        let drawn = symbols
            .as_ref()
            .map(|s| (s.len(), s.first().map_or(0, Vec::len)));
        let reach = |at: fn(&Cell) -> usize| cells.iter().flatten().map(at).max();
        let needed = || -> Option<(usize, usize)> {
            let (row, column) = (reach(|c| c.row)?, reach(|c| c.column)?);
            Some((row.checked_add(1)?, column.checked_add(1)?))
        };
        let (rows, columns) = drawn.or_else(needed).unwrap_or((0, 0));
        let size = rows.saturating_mul(columns);
        if size == 0 || size > MOST_CELLS {
            return Err(Error::invalid(
                "layout",
                format!("a grid of {rows} x {columns} cells"),
                format!("use from 1 to {MOST_CELLS} cells, and rows and columns from 0 on"),
            ));
        }
        let symbols = match symbols {
            Some(symbols) => checked(symbols, columns)?,
            None => by_states(task, (rows, columns), &cells, charged),
        };
        Layout::from_symbols(rows, columns, symbols, cells).ok_or_else(|| {
            Error::invalid(
                "layout.cells",
                format!("a cell lies outside the map of {rows} rows and {columns} columns"),
                "count rows from 0 at the bottom and columns from 0 at the left",
            )
        })
    }
}

/// One place for every state that is listed.
fn placed<A, B, T: Clone>(
    task: &Task,
    names: &Names,
    key: &str,
    entries: &[(Reference, A, B)],
    place: impl Fn(&A, &B) -> T,
) -> Result<Vec<Option<T>>> {
    let mut placed = vec![None; task.states()];
    for (i, (state, a, b)) in entries.iter().enumerate() {
        let at = || format!("layout.{key}[{i}]");
        let state = names.state_in(task, at, state.word())?;
        if placed[state.at()].replace(place(a, b)).is_some() {
            return Err(Error::invalid(
                at(),
                format!(
                    "state {} ({}) has a place already",
                    state.at(),
                    task.state_name(state)
                ),
                "keep one of them",
            ));
        }
    }
    // An ending is drawn where it happens.
    let place_of: HashMap<&str, usize> = task
        .state_names()
        .iter()
        .map(String::as_str)
        .zip(0..)
        .collect();
    for (twin, name) in task.state_names().iter().enumerate() {
        let origin = name.strip_suffix(END).and_then(|n| place_of.get(n));
        if let (None, Some(&origin)) = (&placed[twin], origin) {
            placed[twin] = placed[origin].clone();
        }
    }
    Ok(placed)
}

fn checked(symbols: Vec<Vec<char>>, columns: usize) -> Result<Vec<char>> {
    for (row, line) in symbols.iter().enumerate() {
        let place = format!("layout.map row {row} (counted from the bottom)");
        if line.len() != columns {
            return Err(Error::invalid(
                place,
                format!("{} cells where the bottom row has {columns}", line.len()),
                "draw all rows equally long",
            ));
        }
        if line.iter().any(|c| c.is_control()) {
            return Err(Error::invalid(
                place,
                "a control character",
                "draw with letters, digits and marks",
            ));
        }
    }
    Ok(symbols.concat())
}

/// `S` where episodes start, `x` where the true cost charges, `E` where only ends lie, `.` for
/// other states and `#` for no state at all.
fn by_states(
    task: &Task,
    (rows, columns): (usize, usize),
    cells: &[Option<Cell>],
    charged: &[bool],
) -> Vec<char> {
    const END: char = 'E';
    let mut symbols = vec![symbol::WALL; rows * columns];
    let strength = |c: char| match c {
        symbol::START => 4,
        symbol::CONSTRAINT => 3,
        symbol::FREE => 2,
        END => 1,
        _ => 0,
    };
    for state in task.all_states() {
        let Some(cell) = cells[state.at()] else {
            continue;
        };
        let starts = task.start().iter().any(|&(s, p)| s == state && p > 0.0);
        let symbol = if starts {
            symbol::START
        } else if charged.get(state.at()).is_some_and(|&c| c) {
            symbol::CONSTRAINT
        } else if task.is_terminal(state) {
            END
        } else {
            symbol::FREE
        };
        let at = &mut symbols[cell.row * columns + cell.column];
        if strength(symbol) > strength(*at) {
            *at = symbol;
        }
    }
    symbols
}

/// The value of the key as text, or nothing for an environment that is not placed anywhere.
pub(super) fn to_text(environment: &Environment) -> Option<String> {
    let states = environment.task().all_states();
    if let Some(layout) = environment.layout() {
        let drawing = layout.draw(|cell| layout.symbol(cell));
        let map = drawing
            .lines()
            .map(|l| serde_json::Value::from(l).to_string());
        let cell = |s: State| {
            let cell = layout.cell_of(s)?;
            Some(format!("[{}, {}, {}]", s.at(), cell.row, cell.column))
        };
        let (map, cells) = (block(map), block(states.filter_map(cell)));
        return Some(format!(
            "{{\n    \"map\": {map},\n    \"cells\": {cells}\n  }}"
        ));
    }
    let positions = environment.positions()?;
    let position = |s: State| {
        let (x, y) = positions.of(s)?;
        Some(format!("[{}, {x:?}, {y:?}]", s.at()))
    };
    let positions = block(states.filter_map(position));
    Some(format!("{{\n    \"positions\": {positions}\n  }}"))
}

fn block(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.map(|item| format!("      {item}")).collect();
    if items.is_empty() {
        "[]".to_owned()
    } else {
        format!("[\n{}\n    ]", items.join(",\n"))
    }
}

#[cfg(test)]
mod tests {
    use crate::env::{Cell, Environment, builtin};
    use crate::io::{model_file, to_json};

    fn model(layout: &str) -> crate::Result<Environment> {
        let text = format!(
            r#"{{"format": "hedgerow-model/1", "states": ["home", "bridge", "town", "away"],
            "actions": ["go"], "gamma": 0.9, "start": [["home", 1.0]], "terminal": ["town", "away"],
            "transitions": [["home", "go", "bridge", 1.0], ["bridge", "go", "town", 1.0]],
            "rewards": [["bridge", "go", 1.0]], "cost": [["bridge", "go", 1.0]], "budget": 1.0,
            "layout": {layout}}}"#
        );
        model_file::parse(&text, "ways")
    }

    #[test]
    fn cells_are_drawn_by_what_their_states_are() {
        let env = model(r#"{"cells": [["home", 0, 0], ["bridge", 1, 0], [2, 1, 2]]}"#).unwrap();
        let layout = env.layout().unwrap();
        assert_eq!(layout.draw(|c| layout.symbol(c)), "x # E\nS # #\n");
        // `away` is left out.
        assert_eq!(layout.cell_of(crate::index::State(3)), None);
    }

    #[test]
    fn states_may_share_a_cell() {
        let env = model(r#"{"cells": [[0, 0, 0], [1, 0, 1], [2, 0, 1], [3, 0, 1]]}"#).unwrap();
        let layout = env.layout().unwrap();
        let at = |column| layout.states_at(Cell { row: 0, column });
        assert_eq!(at(0).len(), 1);
        assert_eq!(at(1).iter().map(|s| s.at()).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(at(2).is_empty());
        // The strongest symbol of the three: bridge costs, town and away are ends.
        assert_eq!(layout.draw(|c| layout.symbol(c)), "S x\n");
    }

    #[test]
    fn a_drawing_of_its_own_is_kept() {
        let env = model(r#"{"map": ["~ B", "H T"], "cells": [[0, 0, 0], [1, 1, 1], [2, 0, 1]]}"#);
        let env = env.unwrap();
        let layout = env.layout().unwrap();
        assert_eq!(layout.draw(|c| layout.symbol(c)), "~ B\nH T\n");
    }

    #[test]
    fn written_layouts_are_read_back_the_same() {
        let positions = r#"{"positions": [["home", 0, 0.5], ["town", -1e-3, 7]]}"#;
        let cells = r#"{"map": ["T B"], "cells": [[1, 0, 1], [2, 0, 0], [3, 0, 0]]}"#;
        let grids = builtin::names();
        let grids = grids.iter().map(|name| builtin::environment(name).unwrap());
        let models = [positions, cells].map(|layout| model(layout).unwrap());
        for env in grids.chain(models) {
            let again = model_file::parse(&to_json(&env), "copy").unwrap();
            assert_eq!(again.layout(), env.layout());
            assert_eq!(again.positions(), env.positions());
            assert!(again.layout().is_some() || again.positions().is_some());
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (layout, place, remedy) in [
            ("{}", "layout: neither", "say where"),
            (r#"{"cell": []}"#, "layout", "unknown field `cell`"),
            (r#"{"cells": []}"#, "layout: a grid of 0 x 0", "from 1 to"),
            (
                r#"{"cells": [["house", 0, 0]]}"#,
                "layout.cells[0]",
                "home, ",
            ),
            (r#"{"cells": [[9, 0, 0]]}"#, "layout.cells[0]", "0 to 3"),
            (
                r#"{"cells": [[0, 0, 0], ["home", 1, 1]]}"#,
                "layout.cells[1]",
                "keep one",
            ),
            (
                r#"{"cells": [[0, 4000000000, 4000000000]]}"#,
                "layout: a grid",
                "from 1 to",
            ),
            (
                r#"{"cells": [[0, 18446744073709551615, 0]]}"#,
                "layout: a grid",
                "from 1 to",
            ),
            (r#"{"cells": [[0, -1, 0]]}"#, "layout (line", "write {"),
            (
                r#"{"cells": [[0, 1, 0]], "map": ["."]}"#,
                "layout.cells",
                "from 0 at the bottom",
            ),
            (
                r#"{"cells": [[0, 0, 0]], "map": [".", ".."]}"#,
                "layout.map row 1",
                "equally long",
            ),
            (
                r#"{"cells": [[0, 0, 0]], "map": ["\u001b"]}"#,
                "layout.map row 0",
                "letters",
            ),
            (
                r#"{"cells": [[0, 0, 0]], "positions": []}"#,
                "layout: `positions` beside",
                "not both",
            ),
            (
                r#"{"positions": [[0, 1e300, 0]]}"#,
                "layout",
                "from -1e9 to 1e9",
            ),
        ] {
            let message = model(layout).unwrap_err().to_string();
            assert!(message.contains(place), "{place} not in: {message}");
            assert!(message.contains(remedy), "{remedy} not in: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }
}
