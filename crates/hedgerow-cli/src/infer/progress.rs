//! How far the search is: a bar on a terminal, now and then a line elsewhere.

use hedgerow::model::Task;
use hedgerow::verdict::{Verdict, Verdicts};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Seconds between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(5);

/// Shows the progress of a search on standard error.
pub struct Progress {
    bar: Option<ProgressBar>,
    last: Option<Instant>,
}

impl Progress {
    /// The progress of a search with at most `samples`.
    pub fn new(samples: u64, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self {
            bar: (terminal && !quiet).then(|| bar(samples)),
            last: (!terminal && !quiet).then(Instant::now),
        }
    }

    /// Shows where the verdicts stand.
    pub fn show(&mut self, task: &Task, verdicts: &Verdicts) {
        let state = || {
            format!(
                "{} constrained, {} free, {} open",
                verdicts.count(Verdict::Constrained),
                verdicts.count(Verdict::Free),
                verdicts.open(task).count()
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_position(verdicts.samples());
            bar.set_message(state());
        } else if self.last.is_some_and(|last| last.elapsed() >= EVERY) {
            self.last = Some(Instant::now());
            eprintln!("{} samples: {}", verdicts.samples(), state());
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(samples: u64) -> ProgressBar {
    let bar = ProgressBar::new(samples);
    let template = "{bar:24} {human_pos} of at most {human_len} samples, {per_sec}, {wide_msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
