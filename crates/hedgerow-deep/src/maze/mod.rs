//! The Point Maze: a ball pushed through a maze.
