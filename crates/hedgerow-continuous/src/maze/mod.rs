//! The Point Maze: a ball pushed by forces through a maze of square cells.
//!
//! The physics is that of PointMaze of Gymnasium-Robotics on MuJoCo; [`replay`] compares the two.
//! Cells are `(row, column)`, both from 0, with `(0, 0)` at the lower left; the middle of the map is
//! the origin, `x` grows to the right and `y` upwards, in metres.
//!
//! ```
//! use hedgerow::seed::Stream;
//! use hedgerow_continuous::maze::{MazeEnv, file};
//! use std::sync::Arc;
//!
//! let text = "kind = 'maze'\nmap = '''\n####\n#G.#\n#Sx#\n####\n'''";
//! let maze = Arc::new(file::parse(text, "small")?);
//! assert_eq!(maze.constraint_cells(), [(1, 2)]);
//! let mut env = MazeEnv::new(&maze, Stream::new(7, "example"));
//! let up = 0;
//! while !env.step(up).done() {}
//! assert!(maze.at_goal(env.ball().position));
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`map`] | which cells are walls, and where they lie |
//! | [`physics`] | one step of the ball |
//! | [`contact`] | what walls do to it |
//! | [`forces`] | the eight forces to choose from |
//! | [`design`] | all that defines a maze, checked |
//! | [`file`](mod@file) | mazes as TOML |
//! | [`builtin`] | the mazes that come with the program |
//! | [`env`](mod@env) | episodes: reset, observe, step |
//! | [`replay`] | recorded trajectories, replayed |

pub mod builtin;
pub mod contact;
pub mod design;
pub mod env;
pub mod file;
pub mod forces;
pub mod map;
pub mod physics;
pub mod replay;

pub use design::{Design, Maze};
pub use env::{MazeEnv, State, Step};
pub use forces::{ACTIONS, FORCES};
pub use map::Map;
pub use physics::{Ball, Physics};
