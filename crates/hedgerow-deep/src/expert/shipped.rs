//! The experts that come with the program.

use super::Expert;
use crate::maze::Maze;
use crate::Result;

/// The expert that comes with `maze`, if it is a built-in one; a constrained one, or one that does
/// not mind the constraint cells.
pub fn shipped(_maze: &Maze, _constrained: bool) -> Option<Result<Expert>> {
    None
}
