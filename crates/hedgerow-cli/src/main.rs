//! The `hedgerow` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    hedgerow_cli::command(std::env::args_os())
}
