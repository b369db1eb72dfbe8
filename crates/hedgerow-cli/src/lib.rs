//! The `hedgerow` command: parse, dispatch, say in one line what went wrong.
//!
//! It is a library so that the Python package brings the same command.

mod completions;
mod domains;
mod environment;
mod envs;
mod explain;
mod features;
mod graph;
mod infer;
mod init;
mod log;
mod man;
#[cfg(feature = "continuous")]
mod maze;
mod merge;
mod play;
mod problems;
mod progress;
mod report;
mod run;
mod schema;
mod serve;
mod show;
mod solve;
mod strategies;
mod terminal;
mod theory;
mod transfer;
mod verify;
mod window;

pub use domains::{around as domains_around, domains};
pub use report::reports;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Infer the constraints an expert keeps to.
#[derive(Debug, Parser)]
#[command(
    name = "hedgerow",
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
    /// The playground in a browser: draw a world, hide a rule, watch it being found.
    Play(play::Play),
    /// A results folder on the terminal: what it holds, the summary, the inferred cost on maps.
    Show(show::Show),
    /// Figures and a page from the results of a sweep.
    Report(report::Report),
    /// List the strategies and all parameters.
    Strategies(strategies::Strategies),
    /// List, show or export environments.
    Envs(envs::Envs),
    /// Reward and cost of the expert and of the unconstrained optimum.
    Solve(solve::Solve),
    /// Put together the parts of a sweep that `run --shard` has done.
    Merge(merge::Merge),
    /// Which pairs are constrained, which are free, which are undecided.
    Infer(infer::Infer),
    /// Why a cell, a state or a pair counts as constrained.
    Explain(explain::Explain),
    /// Which features of pairs, such as rooms or tiles, a cost must, may or cannot consist of.
    Features(features::WhichFeatures),
    /// Act in an environment and write down what was seen, as records.
    Log(log::Log),
    /// The Point Maze: experts, and the physics against recordings of the real one.
    #[cfg(feature = "continuous")]
    Maze(maze::Maze),
    /// How many samples the theory asks for, and how often a policy visits every pair.
    Theory(theory::Theory),
    /// Keep a constraint inferred in one environment in another one.
    Transfer(transfer::Transfer),
    /// How often each promise fails over many runs, against how often it may.
    Verify(verify::Verify),
    /// Write files to start from: a map, a model and an experiment, explained.
    Init(init::Init),
    /// JSON Schemas of all files that are read or written.
    Schema(schema::PrintSchema),
    /// Completions for a shell, on standard output.
    Completions(completions::Completions),
    /// Manual pages of the command and its subcommands.
    Man(man::ManPages),
}

fn run(cli: Cli) -> hedgerow::Result<ExitCode> {
    match cli.command {
        // Long work can be interrupted, and a sweep can end with failed runs.
        Command::Run(command) => return command.run(),
        Command::Play(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Report(command) => return command.run(),
        Command::Strategies(command) => command.run(),
        Command::Envs(command) => command.run(),
        Command::Solve(command) => command.run(),
        Command::Merge(command) => command.run(),
        Command::Infer(command) => return command.run(),
        Command::Explain(command) => return command.run(),
        Command::Features(command) => command.run(),
        Command::Log(command) => return command.run(),
        #[cfg(feature = "continuous")]
        Command::Maze(command) => return command.run(),
        Command::Theory(command) => command.run(),
        Command::Transfer(command) => command.run(),
        Command::Verify(command) => return command.run(),
        Command::Init(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Completions(command) => command.run(Cli::command()),
        Command::Man(command) => command.run(Cli::command()),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The command line. A number may be negative everywhere, so that the option that takes none can
/// say so.
fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = with_negative_numbers(Cli::command());
    let matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command))
}

/// The command line that helps with the command that was asked for.
fn help(words: &[OsString]) -> String {
    let mut command = Cli::command();
    let mut path = command.get_name().to_owned();
    for word in words.iter().skip(1) {
        let Some(asked) = command.find_subcommand(word).cloned() else {
            break;
        };
        path = format!("{path} {}", asked.get_name());
        command = asked;
    }
    format!("{path} --help")
}

fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let with = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command
        .mut_args(with)
        .mut_subcommands(with_negative_numbers)
}

/// Does what the words of a command line ask for, the first of which is the program's name.
pub fn command(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().collect();
    let cli = match parse(&words) {
        Ok(cli) => cli,
        Err(usage) => return terminal::refuse_usage(&usage, &help(&words)),
    };
    match run(cli) {
        Ok(code) => code,
        Err(error) => terminal::refuse(&error),
    }
}
