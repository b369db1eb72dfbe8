//! A maze with an inferred constraint, for agents to be trained in.

use crate::maze::Maze;
use crate::maze::design::cell_name;
use crate::{Error, Result};
use hedgerow::env::grid::symbol;

/// The maze with these cells (row, column) as constraint cells, and no others.
pub fn with_constraint(maze: &Maze, cells: &[(usize, usize)]) -> Result<Maze> {
    let mut design = maze.design().clone();
    for c in design.lines.iter_mut().flatten() {
        if *c == symbol::CONSTRAINT {
            *c = symbol::FREE;
        }
    }
    for &(row, column) in cells {
        let place = || cell_name(row, column);
        let line = design.lines.iter_mut().rev().nth(row);
        let cell = line.and_then(|l| l.get_mut(column));
        match cell {
            Some(c) if *c == symbol::FREE => *c = symbol::CONSTRAINT,
            Some(c) => {
                return Err(Error::invalid(
                    place(),
                    format!("a constraint was inferred at `{c}`, which is not an open cell"),
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
