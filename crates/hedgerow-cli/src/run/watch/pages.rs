//! The page and its data, made anew when there is something new, but not all the time.

use super::lock;
use crate::report::reports;
use hedgerow::Result;
use hedgerow::results::Results;
use hedgerow_report::{Reports, page};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub use hedgerow_report::page::Live;

/// What is made is kept this long at least, and for [`SHARE`] times as long as it took.
const KEEP: Duration = Duration::from_secs(1);
/// Leaves the processors to the sweep.
const SHARE: u32 = 4;

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The page.
    Html,
    /// What changes on it.
    Data,
}

impl Kind {
    /// As browsers call it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html",
            Self::Data => "application/json",
        }
    }
}

/// Makes pages from the results in a folder.
#[derive(Debug)]
pub struct Pages {
    folder: PathBuf,
    reports: Reports,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    results: Option<Results>,
    /// How the sweep stood when they were read.
    seen: Option<(usize, bool)>,
    /// When to read again, at the earliest.
    again: Option<Instant>,
    made: [Option<Made>; 2],
}

#[derive(Debug)]
struct Made {
    text: Arc<str>,
    of: Live,
    until: Instant,
}

impl Pages {
    /// Pages of the results in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            reports: reports(),
            kept: Mutex::default(),
        }
    }

    /// The page or its data while the sweep stands as `live` says.
    pub fn get(&self, kind: Kind, live: Live) -> Result<Arc<str>> {
        let mut kept = lock(&self.kept);
        let made = &kept.made[kind as usize];
        if let Some(made) = made
            && (made.of == live || (!live.done && Instant::now() < made.until))
        {
            return Ok(made.text.clone());
        }
        let started = Instant::now();
        kept.read(&self.folder, &live);
        let text: Arc<str> = match (&kept.results, kind) {
            (Some(results), Kind::Html) => page::html(results, &self.reports, Some(&live))?.into(),
            (Some(results), Kind::Data) => page::data(results, &self.reports, Some(&live))?.into(),
            // Nothing to look at is cheap, and nobody should wait for the first run.
            (None, Kind::Html) => return Ok(waiting(&live).into()),
            (None, Kind::Data) => return Ok(no_data(&live).into()),
        };
        kept.made[kind as usize] = Some(Made {
            text: text.clone(),
            of: live,
            until: later(started),
        });
        Ok(text)
    }
}

impl Kept {
    /// Reads the folder if a run was finished since the last time.
    fn read(&mut self, folder: &Path, live: &Live) {
        let now = (live.finished, live.done);
        // Before the first run the folder may still hold what the sweep is about to remove.
        let new = live.finished > 0 && self.seen != Some(now);
        let early = self.again.is_some_and(|again| Instant::now() < again);
        if !new || (early && !live.done) {
            return;
        }
        let started = Instant::now();
        // What cannot be read now may be whole the next time.
        if let Ok(mut results) = Results::read(folder) {
            if !live.done {
                // Their manifest and summary are not complete yet, which is no problem.
                let in_work = |file: &str| file == "manifest.json" || file == "summary.csv";
                results.problems.retain(|p| !in_work(&p.file));
            }
            self.results = Some(results);
            self.seen = Some(now);
        }
        self.again = Some(later(started));
    }
}

fn later(started: Instant) -> Instant {
    let now = Instant::now();
    now + KEEP.max(SHARE * (now - started))
}

/// A page that asks again until there is something to show.
fn waiting(live: &Live) -> String {
    let running = live.running.iter();
    let running: String = running
        .map(|run| format!("<li>{}</li>\n", escape(run)))
        .collect();
    let (title, again) = match live.done {
        false => (
            "Waiting for the first run",
            "<meta http-equiv=\"refresh\" content=\"1\">\n",
        ),
        true => ("No run was finished", ""),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{again}\
         <title>Hedgerow</title>\n\
         <style>body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem }}</style>\n\
         </head>\n<body>\n<h1>{title}</h1>\n\
         <p>{} of {} runs finished, {} failed.</p>\n\
         <ul>\n{running}</ul>\n</body>\n</html>\n",
        live.finished, live.planned, live.failed
    )
}

/// Data without results.
fn no_data(live: &Live) -> String {
    let planned = live.planned;
    json!({ "format": "hedgerow-page/2", "live": live, "planned": planned, "runs": [] }).to_string()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
