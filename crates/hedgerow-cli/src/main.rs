//! The `hedgerow` command: parse, dispatch, say in one line what went wrong.

mod environment;
mod envs;
mod infer;
mod map;
mod run;
mod solve;
mod strategies;
mod terminal;
mod transfer;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Infer the constraints an expert keeps to.
#[derive(Debug, Parser)]
#[command(
    version,
    about = "Infer the constraints an expert keeps to",
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare strategies over environments and seeds, and save what they inferred.
    Run(run::Run),
    /// List the strategies and all parameters.
    Strategies(strategies::Strategies),
    /// List, show or export environments.
    Envs(envs::Envs),
    /// Reward and cost of the expert and of the unconstrained optimum.
    Solve(solve::Solve),
    /// Which constraint explains the expert.
    Infer(infer::Infer),
    /// Keep a constraint inferred in one environment in another one.
    Transfer(transfer::Transfer),
}

fn run(cli: Cli) -> hedgerow::Result<ExitCode> {
    match cli.command {
        // A sweep can end well, with failed runs, or interrupted.
        Command::Run(command) => return command.run(),
        Command::Strategies(command) => command.run(),
        Command::Envs(command) => command.run(),
        Command::Solve(command) => command.run(),
        Command::Infer(command) => command.run(),
        Command::Transfer(command) => command.run(),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return terminal::refuse_usage(&usage),
    };
    match run(cli) {
        Ok(code) => code,
        Err(error) => terminal::refuse(&error),
    }
}
