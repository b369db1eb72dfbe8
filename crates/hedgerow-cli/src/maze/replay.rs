//! `hedgerow maze replay`: recorded trajectories, replayed.

use crate::terminal::{print, print_json, table};
use clap::Args;
use hedgerow::Result;
use hedgerow_continuous::maze::replay::{self, ReplayErrors};
use serde::Serialize;
use std::path::PathBuf;

/// Replay recorded trajectories and report the errors.
#[derive(Debug, Args)]
pub struct Replay {
    /// Trajectories of the real environment (FILE.json).
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    trajectories: Vec<ReplayErrors>,
    max_position_error: f64,
    max_velocity_error: f64,
}

impl Replay {
    /// Replays all trajectories of the file.
    pub fn run(&self) -> Result<()> {
        let recorded = replay::open(&self.file)?;
        let all: Result<Vec<ReplayErrors>> = recorded.iter().map(|t| t.replay()).collect();
        let trajectories = all?;
        let worst =
            |error: fn(&ReplayErrors) -> f64| trajectories.iter().map(error).fold(0.0, f64::max);
        let report = Report {
            max_position_error: worst(|e| e.max_position_error),
            max_velocity_error: worst(|e| e.max_velocity_error),
            trajectories,
        };
        if self.json {
            return print_json(&report);
        }
        print(&report.text())
    }
}

impl Report {
    fn text(&self) -> String {
        let row = |name: &str, steps: usize, position: f64, velocity: f64| {
            let (position, velocity) = (format!("{position:.2e}"), format!("{velocity:.2e}"));
            [name.to_owned(), steps.to_string(), position, velocity]
        };
        let rows = self.trajectories.iter();
        let rows = rows.map(|e| row(&e.name, e.steps, e.max_position_error, e.max_velocity_error));
        let steps = self.trajectories.iter().map(|e| e.steps).sum();
        let all = row(
            "all",
            steps,
            self.max_position_error,
            self.max_velocity_error,
        );
        let header = [
            "name",
            "steps",
            "largest position error (m)",
            "largest velocity error (m/s)",
        ];
        table(header, 1, rows.chain([all]))
    }
}
