//! How far the sweep is: a bar on a terminal, now and then a line elsewhere.

use hedgerow::Error;
use hedgerow::run::Row;
use hedgerow::sweep::{Finished, Observer, RunId};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Lines for a whole sweep where there is no terminal.
const LINES: usize = 20;

/// Shows the progress of a sweep on standard error.
pub struct Progress {
    shown: Shown,
    started: Instant,
    /// Runs that were there before.
    saved: usize,
    runs: usize,
    ended: AtomicUsize,
}

enum Shown {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Progress {
    /// The progress of a sweep of `runs` runs of which `saved` are done.
    pub fn new(saved: usize, runs: usize, quiet: bool) -> Self {
        let shown = if quiet || saved == runs {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() {
            Shown::Bar(bar(saved, runs))
        } else {
            Shown::Lines
        };
        Self {
            shown,
            started: Instant::now(),
            saved,
            runs,
            ended: AtomicUsize::new(saved),
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    fn one_more(&self) {
        let ended = 1 + self.ended.fetch_add(1, Ordering::Relaxed);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.inc(1);
                if ended == self.saved + 1 {
                    style(
                        bar,
                        "{bar:24} {pos}/{len} runs, {per_sec}, {eta} left  {wide_msg}",
                    );
                }
            }
            Shown::Lines => {
                let step = |n: usize| n * LINES / self.runs;
                if step(ended) > step(ended - 1) {
                    eprintln!("{}", self.line(ended));
                }
            }
        }
    }

    fn line(&self, ended: usize) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let left = seconds * (self.runs - ended) as f64 / (ended - self.saved) as f64;
        let time = match self.runs - ended {
            0 => String::new(),
            _ => format!(", about {left:.0} s left"),
        };
        format!("{ended} of {} runs, {seconds:.0} s{time}", self.runs)
    }
}

fn bar(saved: usize, runs: usize) -> ProgressBar {
    let bar = ProgressBar::new(runs as u64);
    // The time left is not known before the first run has ended.
    style(&bar, "{bar:24} {pos}/{len} runs  {wide_msg}");
    bar.set_position(saved as u64);
    // What was there before says nothing about the speed.
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

fn style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

impl Observer for Progress {
    fn iteration(&self, run: &RunId, row: &Row) {
        if let Shown::Bar(bar) = &self.shown {
            bar.set_message(format!("{run}: iteration {}", row.iteration));
        }
    }

    fn finished(&self, _: &RunId, _: &Finished) {
        self.one_more();
    }

    fn failed(&self, _: &RunId, _: &Error) {
        self.one_more();
    }
}
