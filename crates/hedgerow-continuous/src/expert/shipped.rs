//! The experts that come with the program, and where to find others.

use super::Expert;
use crate::maze::Maze;
use crate::net::Network;
use crate::{Error, Result};
use std::path::Path;

/// Names of mazes, the file of the expert, and that of an agent that ignores the constraint cells.
const SHIPPED: [(&str, &[u8], &[u8]); 2] = [
    (
        "point-maze",
        include_bytes!("../../experts/point-maze.safetensors"),
        include_bytes!("../../experts/point-maze-free.safetensors"),
    ),
    (
        "point-maze-two",
        include_bytes!("../../experts/point-maze-two.safetensors"),
        include_bytes!("../../experts/point-maze-two-free.safetensors"),
    ),
];

/// The expert that comes with a built-in maze; a constrained one, or one that ignores the
/// constraint cells.
pub fn shipped(maze: &Maze, constrained: bool) -> Result<Expert> {
    let Some((_, kept, free)) = SHIPPED.iter().find(|(name, ..)| *name == maze.name()) else {
        return Err(Error::invalid(
            maze.name(),
            match constrained {
                true => "no expert comes with this maze",
                false => "no unconstrained agent comes with this maze",
            },
            match constrained {
                true => {
                    "train one with `hedgerow maze train` and name its file under `expert` in that of the maze"
                }
                false => {
                    "train one with `hedgerow maze train --unconstrained` and pass its file with --expert"
                }
            },
        ));
    };
    let bytes = if constrained { kept } else { free };
    Expert::new(Network::from_bytes(bytes)?, maze)
}

/// The expert of the maze called `name_or_path`: the one its file names, else the shipped one.
pub fn find(name_or_path: &str, maze: &Maze, constrained: bool) -> Result<Expert> {
    match &maze.design().expert {
        Some(file) if constrained => {
            let folder = Path::new(name_or_path).parent().unwrap_or(Path::new(""));
            Expert::read(&folder.join(file), maze)
        }
        _ => shipped(maze, constrained),
    }
}
