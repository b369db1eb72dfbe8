//! `hedgerow run --watch`: the page of the results while they are made.
//!
//! The sweep's threads only count; all reading and drawing is done in the threads that answer
//! requests. The server ends with the program.

mod pages;

use crate::serve::{Address, Answer, serve};
use hedgerow::run::{Row, RunId, RunSummary};
use hedgerow::sweep::Observer;
use hedgerow::{Error, Result};
use pages::{Kind, Live, Pages};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Somebody who asked within this time before the end is waited for.
const RECENT: Duration = Duration::from_secs(5);
/// How long the end waits for somebody to ask once more.
const WAIT: Duration = Duration::from_secs(3);
/// How long it waits for an answer that is being made.
const ANSWERING: Duration = Duration::from_secs(10);

/// How the sweep stands and who asks about it.
#[derive(Debug)]
pub struct Watch {
    state: Mutex<State>,
    visits: Mutex<Visits>,
}

#[derive(Debug)]
struct State {
    finished: usize,
    planned: usize,
    failed: usize,
    running: BTreeMap<RunId, usize>,
    done: bool,
}

#[derive(Debug, Default)]
struct Visits {
    last: Option<Instant>,
    /// Requests that are being answered.
    open: usize,
    /// Whether somebody was told that the sweep is done.
    told: bool,
}

impl Watch {
    /// Serves the page of the results in `folder`, of which `saved` of `planned` runs are there,
    /// and says where.
    pub fn start(
        address: Address,
        folder: &Path,
        saved: usize,
        planned: usize,
    ) -> Result<Arc<Self>> {
        let watch = Arc::new(Self {
            state: Mutex::new(State {
                finished: saved,
                planned,
                failed: 0,
                running: BTreeMap::new(),
                done: false,
            }),
            visits: Mutex::default(),
        });
        eprintln!("watch it at {}", address.url());
        if !address.local() {
            eprintln!(
                "warning: everybody who can reach {} can read these results",
                address.place()
            );
        }
        let (told, pages) = (watch.clone(), Pages::new(folder));
        let local = address.local();
        serve(address.into_listener(), local, move |path, send| {
            told.answer(&pages, path, send)
        })?;
        Ok(watch)
    }

    /// The sweep is over: those who watch get to know, unless `stop` is raised.
    pub fn finish(&self, stop: &AtomicBool) {
        lock(&self.state).done = true;
        let ended = Instant::now();
        let watched = lock(&self.visits)
            .last
            .is_some_and(|last| last.elapsed() < RECENT);
        while watched && !stop.load(Ordering::Relaxed) {
            let (told, open) = {
                let visits = lock(&self.visits);
                (visits.told, visits.open)
            };
            let waited = ended.elapsed();
            let wait = !told && waited < WAIT || open > 0 && waited < ANSWERING;
            if !wait {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn live(&self) -> Live {
        let state = lock(&self.state);
        let running = state.running.iter();
        Live {
            finished: state.finished,
            planned: state.planned,
            failed: state.failed,
            running: running
                .map(|(run, i)| format!("{run}: iteration {i}"))
                .collect(),
            done: state.done,
        }
    }

    fn answer(&self, pages: &Pages, path: &str, send: &mut dyn FnMut(Answer) -> bool) {
        let kind = match path {
            "/" => Kind::Html,
            "/data.json" => Kind::Data,
            // Browsers ask for it unasked, and would complain about not finding it.
            "/favicon.ico" => {
                send(Answer::nothing());
                return;
            }
            _ => {
                send(Answer::refusal("404 Not Found"));
                return;
            }
        };
        lock(&self.visits).open += 1;
        let live = self.live();
        let done = live.done;
        let answer = match pages.get(kind, live) {
            Ok(body) => Answer::new(kind.media_type(), body),
            Err(error) => Answer::failure(&error),
        };
        let sent = send(answer);
        let mut visits = lock(&self.visits);
        visits.open -= 1;
        visits.last = Some(Instant::now());
        visits.told |= sent && done;
    }

    fn ended(&self, run: &RunId, count: fn(&mut State) -> &mut usize) {
        let mut state = lock(&self.state);
        state.running.remove(run);
        *count(&mut state) += 1;
    }
}

impl Observer for Watch {
    fn started(&self, run: &RunId) {
        lock(&self.state).running.insert(run.clone(), 0);
    }

    fn iteration(&self, run: &RunId, row: &Row) {
        if let Some(iteration) = lock(&self.state).running.get_mut(run) {
            *iteration = row.iteration;
        }
    }

    fn finished(&self, run: &RunId, _: &RunSummary) {
        self.ended(run, |state| &mut state.finished);
    }

    fn failed(&self, run: &RunId, _: &Error) {
        self.ended(run, |state| &mut state.failed);
    }
}

/// A thread that panicked left nothing half-done behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
