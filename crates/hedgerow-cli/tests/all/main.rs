//! Tests of the command as a user runs it; one program, so that it is linked once.

mod bad_inputs;
mod budget;
mod commands;
mod common;
mod constraint;
mod drawing;
mod explain;
mod infer;
#[cfg(unix)]
mod interrupts;
#[cfg(feature = "continuous")]
mod maze;
#[cfg(feature = "continuous")]
mod maze_experts;
mod merge;
#[cfg(feature = "continuous")]
mod own_maze;
#[cfg(unix)]
mod play;
mod readme;
mod records;
mod refusals;
mod report;
mod run;
mod run_refusals;
mod schemas;
mod show;
#[cfg(unix)]
mod special_files;
mod start;
mod transfer;
mod verify;
#[cfg(unix)]
mod watch;
