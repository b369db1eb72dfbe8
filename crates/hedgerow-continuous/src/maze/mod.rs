//! The Point Maze: a ball pushed by forces through a maze of square cells.
//!
//! The physics is that of PointMaze of Gymnasium-Robotics on MuJoCo; [`replay`] compares the two.
//! Rows are counted from the top and columns from the left, from 0; the middle of the map is the
//! origin, `x` grows to the right and `y` upwards, in metres.
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
//! | [`world`] | episodes |
//! | [`replay`] | recorded trajectories, done again |

pub mod builtin;
pub mod contact;
pub mod design;
pub mod file;
pub mod forces;
pub mod map;
pub mod physics;
pub mod replay;
pub mod world;

pub use design::{Design, Maze};
pub use forces::FORCES;
pub use map::Map;
pub use physics::{Ball, Physics};
pub use world::{Outcome, State, World};
