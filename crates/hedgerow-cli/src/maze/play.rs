//! `hedgerow maze play`: statistics of an expert's episodes.

use crate::terminal::{print, print_json, significant, table};
use clap::Args;
use hedgerow::Result;
use hedgerow::seed::Stream;
use hedgerow_continuous::expert::{self, EpisodeStats, Expert};
use hedgerow_continuous::maze::file;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Let an expert play, and report how often it reaches the goal and where it goes.
#[derive(Debug, Args)]
pub struct Play {
    /// A built-in maze or a file (.toml).
    maze: String,
    /// The expert; without one, that of the maze.
    #[arg(long, value_name = "FILE")]
    expert: Option<PathBuf>,
    /// Take the agent that comes with a built-in maze and ignores its constraint cells.
    #[arg(long, conflicts_with = "expert")]
    unconstrained: bool,
    /// Number of episodes.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    episodes: u64,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    maze: &'a str,
    seed: u64,
    #[serde(flatten)]
    stats: EpisodeStats,
}

impl Play {
    /// Plays.
    pub fn run(&self) -> Result<()> {
        let maze = Arc::new(file::open(&self.maze)?);
        let expert = match &self.expert {
            Some(path) => Expert::read(path, &maze)?,
            None => expert::find(&self.maze, &maze, !self.unconstrained)?,
        };
        let stream = Stream::new(self.seed, "play");
        let stats = expert::evaluate(&maze, &expert, self.episodes as usize, stream);
        if self.json {
            return print_json(&Report {
                maze: maze.name(),
                seed: self.seed,
                stats,
            });
        }
        let share = |x: f64| format!("{} %", significant(100.0 * x, 4));
        let row = |name: &str, value: String| [name.to_owned(), value];
        let rows = [
            row("reached the goal", share(stats.reached)),
            row("entered a constraint cell", share(stats.entered)),
            row(
                "reached it and entered none",
                share(stats.reached_and_clear),
            ),
            row(
                "mean decisions to the goal",
                significant(stats.decisions, 4),
            ),
            row("mean discounted reward", significant(stats.reward, 4)),
            row("mean discounted cost", significant(stats.cost, 4)),
            row("physics steps in constraint cells", share(stats.inside)),
        ];
        let head = format!("{}: {} episodes\n", maze.name(), stats.episodes);
        print(&(head + &table(["of all episodes", ""], 1, rows)))
    }
}
