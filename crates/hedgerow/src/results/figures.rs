//! Which figures of a folder a report has made, so that the next one can remove what it no longer
//! makes, and nothing else.

use crate::io::write_atomic;
use crate::{Error, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The list of them, one name a line.
const LIST: &str = ".made";

/// The folder of the figures of a report.
///
/// ```
/// use hedgerow::results::Figures;
///
/// let folder = tempfile::tempdir().unwrap();
/// let file = |name: &str| folder.path().join(name);
/// for name in ["old.svg", "new.svg", "mine.svg"] {
///     std::fs::write(file(name), "").unwrap();
/// }
/// let figures = Figures::new(folder.path());
/// figures.keep_only(&[file("old.svg"), file("new.svg")])?;
/// figures.keep_only(&[file("new.svg")])?;
/// assert!(!file("old.svg").exists());
/// assert!(file("new.svg").exists() && file("mine.svg").exists());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug)]
pub struct Figures {
    folder: PathBuf,
}

impl Figures {
    /// The figures in `folder`, which need not exist.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Removes the figures of an earlier report that are not among `made`, and notes these. Files
    /// that no report made stay, and so does a folder that holds any.
    pub fn keep_only(&self, made: &[PathBuf]) -> Result<()> {
        let list = self.folder.join(LIST);
        let before = fs::read_to_string(&list).unwrap_or_default();
        let names: BTreeSet<String> = made.iter().filter_map(|file| name(file)).collect();
        for stale in before.lines().filter(|line| !names.contains(*line)) {
            // Only a plain name: nothing outside the folder is touched.
            if name(Path::new(stale)).as_deref() == Some(stale) {
                remove(&self.folder.join(stale))?;
            }
        }
        if !names.is_empty() {
            let text: String = names.iter().flat_map(|n| [n, "\n"]).collect();
            return write_atomic(&list, text.as_bytes());
        }
        remove(&list)?;
        // Fails, as it should, where something is left.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }
}

fn name(file: &Path) -> Option<String> {
    Some(file.file_name()?.to_str()?.to_owned())
}

fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Error::writing(file, e)),
        _ => Ok(()),
    }
}
