//! `SEED.checkpoint.json`: from where a run that was interrupted goes on.

use crate::io::write_atomic;
use crate::run::Keeper;
use crate::{Error, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Keeps a checkpoint in a file of its own.
#[derive(Clone, Debug)]
pub struct FileKeeper {
    path: PathBuf,
    every: Duration,
    last: Instant,
}

impl FileKeeper {
    /// A keeper that writes `path`, at most once in `every`.
    pub fn new(path: PathBuf, every: Duration) -> Self {
        Self {
            path,
            every,
            last: Instant::now(),
        }
    }

    /// Removes the file: the run is done.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(Error::writing(&self.path, e)),
            _ => Ok(()),
        }
    }
}

impl Keeper for FileKeeper {
    fn kept(&mut self) -> Option<Vec<u8>> {
        fs::read(&self.path).ok()
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        self.last = Instant::now();
        write_atomic(&self.path, bytes)
    }
}
