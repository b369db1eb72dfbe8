//! A maze as somebody sees it who has inferred its constraint.

use crate::maze::Maze;
use crate::{Error, Result};
use hedgerow::env::grid::symbol;

/// The maze with these cells (row from the top, column) for constraint cells, and no others.
pub fn believed(maze: &Maze, cells: &[(usize, usize)]) -> Result<Maze> {
    let mut design = maze.design().clone();
    for c in design.symbols.iter_mut().flatten() {
        if *c == symbol::CONSTRAINT {
            *c = symbol::FREE;
        }
    }
    for &(row, column) in cells {
        let place = || format!("map cell ({row}, {column}) (counted from the top left, from 0)");
        let cell = design.symbols.get_mut(row).and_then(|l| l.get_mut(column));
        match cell {
            Some(c) if *c == symbol::FREE => *c = symbol::CONSTRAINT,
            Some(c) => {
                return Err(Error::invalid(
                    place(),
                    format!("a constraint was inferred at `{c}`, where none can be kept"),
                    "gather more samples: only open cells can be avoided",
                ));
            }
            None => {
                let remedy = "use cells of the map";
                return Err(Error::invalid(place(), "there is no such cell", remedy));
            }
        }
    }
    Maze::new(design)
}
