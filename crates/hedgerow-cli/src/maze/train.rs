//! `hedgerow maze train`: trains an expert of a maze.

use crate::progress::{Progress, Work};
use crate::terminal::{INTERRUPTED, print, print_json, say, significant, stop_on_ctrl_c};
use clap::Args;
use hedgerow::io::check_writable;
use hedgerow::{Error, Result};
use hedgerow_continuous::expert::{self, EpisodeStats, TrainingSettings};
use hedgerow_continuous::maze::file;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Train an expert that finds the goal from anywhere in a maze.
#[derive(Debug, Args)]
pub struct Train {
    /// A built-in maze or a file (.toml).
    maze: String,
    /// Ignore the constraint cells.
    #[arg(long)]
    unconstrained: bool,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Gradient steps.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    updates: Option<u64>,
    /// What a whole decision inside constraint cells costs.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    penalty: f64,
    /// Where to write the expert.
    #[arg(long, value_name = "FILE.safetensors")]
    out: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Show no progress and no warning.
    #[arg(long)]
    quiet: bool,
}

#[derive(Serialize)]
struct Written<'a> {
    maze: &'a str,
    file: &'a PathBuf,
    bytes: usize,
    test: &'a EpisodeStats,
}

impl Train {
    /// Trains and writes the best network found.
    pub fn run(&self) -> Result<ExitCode> {
        self.check()?;
        let maze = Arc::new(file::open(&self.maze)?);
        let mut settings = TrainingSettings {
            penalty: self.penalty,
            ..TrainingSettings::default()
        };
        if let Some(updates) = self.updates {
            settings.dqn.updates = updates as usize;
        }
        let stop = stop_on_ctrl_c();
        let work = Work::new(settings.dqn.updates as u64, "updates");
        let progress = Progress::new(work, self.quiet);
        let constrained = !self.unconstrained;
        let trained = expert::train(&maze, &settings, self.seed, constrained, &mut |p| {
            progress.reach(p.updates as u64, || {
                p.test.as_ref().map_or("training".into(), result)
            });
            !stop.load(Ordering::Relaxed)
        });
        progress.clear();
        let trained = trained?;
        if trained.interrupted {
            say("interrupted: nothing written; the same command starts again");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let network = trained.expert.network();
        network.write(&self.out)?;
        let written = Written {
            maze: maze.name(),
            file: &self.out,
            bytes: network.bytes()?.len(),
            test: &trained.test,
        };
        match self.json {
            true => print_json(&written)?,
            false => print(&format!(
                "{}: {}; {} bytes written to {}\n",
                written.maze,
                result(written.test),
                written.bytes,
                self.out.display()
            ))?,
        }
        if !self.quiet && constrained && trained.test.reached_and_clear < 0.99 {
            eprintln!(
                "warning: only {} % of its episodes reach the goal clear of constraint cells; train longer with --updates",
                significant(100.0 * trained.test.reached_and_clear, 3)
            );
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses before training what would be refused after it.
    fn check(&self) -> Result<()> {
        let ending = self.out.extension().unwrap_or_default();
        if ending != "safetensors" {
            return Err(Error::invalid(
                self.out.display().to_string(),
                "the name of an expert ends in .safetensors",
                "use --out FILE.safetensors",
            ));
        }
        if !(self.penalty >= 0.0 && self.penalty.is_finite()) {
            return Err(Error::invalid(
                "penalty",
                self.penalty.to_string(),
                "use a finite number of at least 0",
            ));
        }
        check_writable(&self.out)
    }
}

/// The result of a test in words.
fn result(test: &EpisodeStats) -> String {
    let percent = |share: f64| significant(100.0 * share, 3);
    format!(
        "{} % reach the goal, {} % enter constraint cells, {} decisions",
        percent(test.reached),
        percent(test.entered),
        significant(test.decisions, 3)
    )
}
