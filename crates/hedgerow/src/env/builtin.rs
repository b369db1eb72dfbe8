//! The environments that come with the program.
//!
//! ```
//! use hedgerow::env::builtin;
//!
//! assert!(builtin::names().contains(&"rooms".to_owned()));
//! let environment = builtin::environment("gridworld-1")?;
//! assert_eq!(environment.task().states(), 7 * 7 + 1);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::Environment;
use crate::env::grid::{Grid, symbol};
use crate::error::nearest;
use crate::{Error, Result};

/// The four shapes, in units of a sixth of the grid's side: goal, then filled rectangles
/// `(bottom, left, top, right)` of constraint cells.
type Shape = ((usize, usize), &'static [(usize, usize, usize, usize)]);

const SHAPES: [Shape; 4] = [
    ((6, 6), &[(2, 0, 2, 4), (4, 2, 4, 6)]),
    ((6, 6), &[(1, 1, 5, 5)]),
    ((6, 0), &[(3, 0, 3, 4)]),
    ((6, 6), &[(2, 2, 4, 4)]),
];

/// Sizes of the shapes: suffix of the name, factor, discount.
///
/// A factor `k` makes paths about `k` times longer; the discount grows with it so that the goal
/// stays about as visible from the start (`0.7^14 = 0.007`, `0.84^24 = 0.015`, `0.93^54 = 0.020`).
const SIZES: [(&str, usize, f64); 3] = [("", 1, 0.7), ("-13", 2, 0.84), ("-31", 5, 0.93)];

/// Four rooms. The short path leads through the lower right one and over a carpet the expert does
/// not step on; the long path through the upper left one has to go round a second carpet.
const ROOMS: &str = "
. . . . . . . . . . G
. . . . . # . . . . .
. . x x . # . . . . .
. . x x . # . . . . .
. . . . . # . . . . .
. # # # # # # # # . #
. . . . . # x x x x x
. . . . . # . . . . .
. . . . . . . . . . .
. . . . . # . . . . .
S . . . . # . . . . .";

const SOFT: &str = "
. . . . G
. x x x .
. x x x .
. x x x .
S . . . .";

/// A strip that every path has to cross, and a block that can be walked round.
const STRIP: &str = "
. . . . . . G
x x x x x x x
. . . . . . .
. x x x x x .
. x x x x x .
. x x x x x .
S . . . . . .";

/// The names of all built-in environments.
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    for (suffix, ..) in SIZES {
        names.extend((1..=SHAPES.len()).map(|i| format!("gridworld-{i}{suffix}")));
    }
    names.extend(["rooms", "soft-block", "soft-strip"].map(str::to_owned));
    names
}

/// The definition of a built-in environment.
pub fn grid(name: &str) -> Result<Grid> {
    for (suffix, factor, gamma) in SIZES {
        for (i, shape) in SHAPES.iter().enumerate() {
            if name == format!("gridworld-{}{suffix}", i + 1) {
                return Ok(shaped(name, shape, factor, gamma));
            }
        }
    }
    match name {
        "rooms" => Ok(Grid {
            gamma: 0.8,
            horizon: 100,
            ..drawn(name, ROOMS)
        }),
        "soft-block" => Ok(Grid {
            gamma: 0.8,
            budget: 0.3,
            ..drawn(name, SOFT)
        }),
        "soft-strip" => Ok(Grid {
            gamma: 0.8,
            budget: 1.0,
            deterministic: true,
            ..drawn(name, STRIP)
        }),
        _ => {
            let known = names();
            Err(Error::invalid(
                "environment",
                format!("`{name}` is neither a file nor built in"),
                nearest(name, known.iter().map(String::as_str)),
            ))
        }
    }
}

/// A built-in environment by name.
pub fn environment(name: &str) -> Result<Environment> {
    grid(name)?.environment()
}

fn shaped(name: &str, shape: &Shape, factor: usize, gamma: f64) -> Grid {
    let side = 6 * factor + 1;
    let mut symbols = vec![vec![symbol::FREE; side]; side];
    let ((goal_row, goal_column), rectangles) = *shape;
    for &(bottom, left, top, right) in rectangles {
        for line in &mut symbols[bottom * factor..=top * factor] {
            line[left * factor..=right * factor].fill(symbol::CONSTRAINT);
        }
    }
    symbols[0][0] = symbol::START;
    symbols[goal_row * factor][goal_column * factor] = symbol::GOAL;
    Grid {
        gamma,
        horizon: 50 * factor,
        ..Grid::new(name, symbols)
    }
}

fn drawn(name: &str, map: &str) -> Grid {
    Grid::new(name, Grid::symbols_of(map))
}
