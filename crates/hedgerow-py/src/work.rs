//! Long work: in a thread of its own, with progress, until Ctrl-C at the latest.

use crate::error::OrRaise;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How often the waiting thread listens to Ctrl-C and shows progress.
const LISTEN: Duration = Duration::from_millis(100);

/// What worker and waiting thread tell each other.
#[derive(Default)]
pub struct Watch {
    /// Becomes true when the user wants to stop.
    pub stop: Arc<AtomicBool>,
    done: AtomicU64,
    total: AtomicU64,
    note: Mutex<String>,
}

impl Watch {
    /// Whether to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// So much is done.
    pub fn reach(&self, done: u64, note: impl FnOnce() -> String) {
        self.done.store(done, Ordering::Relaxed);
        self.note(note);
    }

    /// So much is to be done, and so much of it was done before.
    pub fn begin(&self, total: u64, done: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// What is being done.
    pub fn note(&self, note: impl FnOnce() -> String) {
        // Somebody reads it ten times a second: no need to wait for them.
        if let Ok(mut text) = self.note.try_lock() {
            *text = note();
        }
    }

    /// One more is done.
    pub fn one_more(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn show(&self, py: Python<'_>, progress: &Py<PyAny>) -> PyResult<()> {
        let done = self.done.load(Ordering::Relaxed);
        let total = self.total.load(Ordering::Relaxed);
        let note = self
            .note
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        progress.call1(py, (done, total, note)).map(|_| ())
    }
}

/// The one thread in which Python code is called back: others would only wait for the interpreter,
/// and work that they share would wait for each other.
fn python_thread() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        pool.expect("one more thread")
    })
}

/// Does `job`. If it `calls_python`, it holds the interpreter throughout, as every step
/// needs it. The second value says whether the user interrupted it.
pub fn work<T: Send>(
    py: Python<'_>,
    calls_python: bool,
    progress: Option<&Py<PyAny>>,
    job: impl FnOnce(&Watch) -> hedgerow::Result<T> + Send,
) -> PyResult<(T, bool)> {
    let watch = Watch::default();
    let (result, signal) = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, finished) = channel::<()>();
            let watch = &watch;
            let worker = scope.spawn(move || {
                // Dropped at the end, whatever happens: that is the sign that it is over.
                let _sender = sender;
                match calls_python {
                    true => python_thread().install(|| Python::attach(|_| job(watch))),
                    false => job(watch),
                }
            });
            let mut signal = None;
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(LISTEN) {
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    progress.map_or(Ok(()), |progress| watch.show(py, progress))
                });
                if let Err(error) = heard {
                    watch.stop.store(true, Ordering::Relaxed);
                    signal.get_or_insert(error);
                }
            }
            let result = worker.join();
            (
                result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                signal,
            )
        })
    });
    if let Some(progress) = progress {
        watch.show(py, progress)?;
    }
    match signal {
        Some(error) if !error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) => {
            Err(error)
        }
        signal => Ok((result.or_raise()?, signal.is_some())),
    }
}
