//! The mazes that come with the program.

use super::design::Maze;
use super::file;
use crate::{Error, Result};
use hedgerow::error::nearest;

/// The names of the built-in mazes.
pub const NAMES: [&str; 2] = ["point-maze", "point-maze-two"];

/// Their files, in the same order.
const FILES: [&str; 2] = [
    include_str!("../../mazes/point-maze.toml"),
    include_str!("../../mazes/point-maze-two.toml"),
];

/// A built-in maze by name.
pub fn maze(name: &str) -> Result<Maze> {
    match NAMES.iter().position(|n| *n == name) {
        Some(i) => file::parse(FILES[i], name),
        None => Err(Error::invalid(
            "maze",
            format!("`{name}` is neither a .toml file nor built in"),
            nearest(name, NAMES),
        )),
    }
}
