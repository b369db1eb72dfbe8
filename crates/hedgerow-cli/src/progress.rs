//! How far long work is: a bar on a terminal, now and then a line elsewhere.

use crate::terminal::{about, count, rate, say};
use crate::window;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Milliseconds before the first line where there is no terminal (short work says nothing), and
/// at least between two.
const EVERY: u64 = 5_000;
/// Milliseconds after which there is a line however little was done.
const LATEST: u64 = 60_000;
/// Lines for the whole work, unless it takes very long.
const LINES: u64 = 20;
/// Milliseconds between two changes of what the bar says.
const FRAME: u64 = 100;

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// The whole of it.
    pub total: u64,
    /// What was there before: it says nothing about the speed.
    pub before: u64,
    /// In the plural.
    pub unit: &'static str,
    /// Whether it may be over before the total is reached.
    pub at_most: bool,
}

/// Shows the progress of some work on standard error, from all its threads.
pub struct Progress {
    work: Work,
    /// Neither bar nor lines.
    quiet: bool,
    bar: Option<ProgressBar>,
    started: Instant,
    done: AtomicU64,
    /// When to speak next, in milliseconds after the start.
    due: AtomicU64,
    /// When the last line was written, and how much was done then.
    line: (AtomicU64, AtomicU64),
}

impl Work {
    /// `total` things, all still to be done.
    pub fn new(total: u64, unit: &'static str) -> Self {
        Self {
            total,
            before: 0,
            unit,
            at_most: false,
        }
    }

    /// How far it is, with the rate and the time left if they are known, in at most `room`
    /// columns if that can be.
    fn state(&self, done: u64, per_second: f64, room: usize) -> String {
        let most = if self.at_most { "at most " } else { "" };
        let (at, total, unit) = (count(done), count(self.total), self.unit);
        let (mut speed, mut time) = (String::new(), String::new());
        if done > self.before && per_second > 0.0 && per_second.is_finite() {
            let left = self.total.saturating_sub(done) as f64 / per_second;
            let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
            speed = format!(", {}", rate(per_second));
            time = format!(", {} left", about(left));
        }
        let shorter = [
            format!("{at} of {most}{total} {unit}{speed}{time}"),
            format!("{at}/{total} {unit}{speed}{time}"),
            format!("{at}/{total} {unit}{time}"),
        ];
        let mut shorter = shorter.into_iter();
        let fits = shorter.find(|text| text.len() <= room);
        fits.unwrap_or_else(|| format!("{at}/{total}"))
    }
}

impl Progress {
    /// The progress of `work`, not shown if `quiet` or if nothing is left to do.
    pub fn new(work: Work, quiet: bool) -> Self {
        let quiet = quiet || work.before >= work.total;
        Self {
            work,
            quiet,
            bar: if quiet { None } else { bar(work) },
            started: Instant::now(),
            done: AtomicU64::new(work.before),
            due: AtomicU64::new(0),
            line: (AtomicU64::new(0), AtomicU64::new(work.before)),
        }
    }

    /// One more is done.
    pub fn one_more(&self) {
        self.done.fetch_add(1, Relaxed);
        self.show(None::<fn() -> String>);
    }

    /// So much is done; `doing` says more.
    pub fn reach(&self, done: u64, doing: impl FnOnce() -> String) {
        self.done.store(done, Relaxed);
        self.show(Some(doing));
    }

    /// What is being done.
    pub fn say(&self, doing: impl FnOnce() -> String) {
        // Lines come when something is done.
        if self.bar.is_some() {
            self.show(Some(doing));
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show(&self, doing: Option<impl FnOnce() -> String>) {
        if self.quiet {
            return;
        }
        let done = self.done.load(Relaxed);
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            if let (Some(doing), true) = (doing, self.is_due(FRAME).is_some()) {
                bar.set_message(doing());
            }
        } else if let Some(now) = self.is_due(FRAME)
            && self.wants_line(now, done)
        {
            let seconds = now as f64 / 1e3;
            let mut text =
                self.work
                    .state(done, (done - self.work.before) as f64 / seconds, usize::MAX);
            if let Some(doing) = doing {
                text.push_str(&format!(": {}", doing()));
            }
            say(&text);
        }
    }

    /// The time, if it is this thread's turn to speak.
    fn is_due(&self, every: u64) -> Option<u64> {
        let now = self.started.elapsed().as_millis() as u64;
        let due = self.due.load(Relaxed);
        let next = now + every;
        let mine = || self.due.compare_exchange(due, next, Relaxed, Relaxed);
        (now >= due && mine().is_ok()).then_some(now)
    }

    fn wants_line(&self, now: u64, done: u64) -> bool {
        let (time, at) = (self.line.0.load(Relaxed), self.line.1.load(Relaxed));
        let (first, pause) = (time == 0, now.saturating_sub(time));
        let more = done.saturating_sub(at).saturating_mul(LINES) >= self.work.total;
        let enough = first || more || pause >= LATEST;
        // Nothing is left to wait for at the end.
        let wanted = pause >= EVERY && enough && done < self.work.total;
        if wanted {
            self.line.0.store(now, Relaxed);
            self.line.1.store(done, Relaxed);
        }
        wanted
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A bar, on a terminal that can move its cursor.
fn bar(work: Work) -> Option<ProgressBar> {
    let target = ProgressDrawTarget::stderr();
    if target.is_hidden() {
        return None;
    }
    // What the bar says comes first; it takes a fifth of a narrow window.
    let window = window::width_of(std::io::stderr());
    let width = (window / 5).min(24);
    let room = window.saturating_sub(width + 1);
    let bar = ProgressBar::with_draw_target(Some(work.total), target);
    let state = move |state: &ProgressState, text: &mut dyn Write| {
        // Writing to a string cannot fail.
        let _ = text.write_str(&work.state(state.pos(), state.per_sec(), room));
    };
    let style = ProgressStyle::with_template(&format!("{{bar:{width}}} {{state}}  {{wide_msg}}"));
    bar.set_style(style.ok()?.with_key("state", state));
    bar.set_position(work.before);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(250));
    Some(bar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_has_a_rate_and_the_time_left_once_something_is_done() {
        let runs = Work {
            before: 30,
            ..Work::new(180, "runs")
        };
        let state = |done, per_second| runs.state(done, per_second, 80);
        assert_eq!(state(30, 12.0), "30 of 180 runs");
        assert_eq!(state(60, 0.5), "60 of 180 runs, 0.5/s, 4 min left");
        assert_eq!(state(180, 40.0), "180 of 180 runs, 40/s, 0 s left");
        assert_eq!(state(60, f64::INFINITY), "60 of 180 runs");
    }

    #[test]
    fn the_state_gets_shorter_with_the_window() {
        let samples = Work {
            at_most: true,
            ..Work::new(5_000_000, "samples")
        };
        let state = |room| samples.state(1_234_567, 40_000.0, room);
        assert_eq!(state(80), "1.23M of at most 5M samples, 40k/s, 94 s left");
        assert_eq!(state(40), "1.23M/5M samples, 40k/s, 94 s left");
        assert_eq!(state(30), "1.23M/5M samples, 94 s left");
        assert_eq!(state(20), "1.23M/5M");
    }

    #[test]
    fn lines_come_late_seldom_and_after_a_twentieth() {
        let p = Progress::new(Work::new(100, "runs"), true);
        assert!(!p.wants_line(4_900, 50));
        assert!(p.wants_line(5_000, 50));
        assert!(!p.wants_line(9_900, 80));
        assert!(!p.wants_line(10_000, 54));
        assert!(p.wants_line(10_000, 55));
        assert!(!p.wants_line(69_000, 56));
        assert!(p.wants_line(70_000, 56));
        assert!(!p.wants_line(200_000, 100));
    }
}
