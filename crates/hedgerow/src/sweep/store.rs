//! The results folder: which file lies where, what is already there, and who may write.

use crate::io::write_atomic;
use crate::learn::Inference;
use crate::run::Record;
use crate::sweep::manifest::{self, Earlier, to_json};
use crate::sweep::{
    EnvironmentFile, Finished, Identity, LearnerFile, Marker, RunId, SnapshotsFile, history,
};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// What files being written are called until they are whole; see [`crate::io::atomic`].
const UNFINISHED: &str = ".writing-";

const ELSEWHERE: &str = "choose another folder with --out";

/// A results folder.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What the folder holds of one run.
pub(super) enum Saved {
    /// Nothing, or files that are damaged: the run has to be done.
    Nothing,
    /// The very run.
    Same(Finished),
    /// A finished run that something else determined; says what.
    Other(String),
}

impl Store {
    /// The folder, which need not exist yet. Nothing is written.
    pub fn new(folder: &Path) -> Result<Self> {
        if folder.exists() && !folder.is_dir() {
            let place = folder.display().to_string();
            let problem = "it is a file, and results need a folder";
            return Err(Error::invalid(place, problem, ELSEWHERE));
        }
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `manifest.json`.
    pub fn manifest(&self) -> PathBuf {
        self.folder.join("manifest.json")
    }

    /// `summary.csv`.
    pub fn summary(&self) -> PathBuf {
        self.folder.join("summary.csv")
    }

    /// `environments/ENV.json`.
    pub fn environment(&self, env: &str) -> PathBuf {
        self.folder.join("environments").join(format!("{env}.json"))
    }

    /// `runs/ENV/STRATEGY/SEED.csv`.
    pub fn history(&self, run: &RunId) -> PathBuf {
        self.file(run, "csv")
    }

    /// `runs/ENV/STRATEGY/SEED.snapshots.json`.
    pub fn snapshots(&self, run: &RunId) -> PathBuf {
        self.file(run, "snapshots.json")
    }

    /// `runs/ENV/STRATEGY/SEED.learner.json`.
    pub fn learner(&self, run: &RunId) -> PathBuf {
        self.file(run, "learner.json")
    }

    /// `runs/ENV/STRATEGY/SEED.json`.
    pub fn marker(&self, run: &RunId) -> PathBuf {
        self.file(run, "json")
    }

    /// All files of a run, the marker last.
    pub(super) fn files(&self, run: &RunId) -> [PathBuf; 4] {
        [
            self.history(run),
            self.snapshots(run),
            self.learner(run),
            self.marker(run),
        ]
    }

    fn file(&self, run: &RunId, ending: &str) -> PathBuf {
        let folder = self.folder.join("runs").join(&run.env).join(&run.strategy);
        folder.join(format!("{}.{ending}", run.seed))
    }

    /// What the folder holds of the run that `identity` determines.
    pub(super) fn look(&self, identity: &Identity) -> Saved {
        let run = identity.id();
        let bytes = |path: PathBuf| fs::read(path).ok();
        let Some(marker) = bytes(self.marker(&run)).and_then(|b| Marker::read(&b)) else {
            return Saved::Nothing;
        };
        if let Some(difference) = identity.difference(&marker.identity) {
            return Saved::Other(difference);
        }
        let finished = || {
            let history = bytes(self.history(&run))?;
            let snapshots = bytes(self.snapshots(&run))?;
            let learner = bytes(self.learner(&run))?;
            marker.finished([&history, &snapshots, &learner])
        };
        finished().map_or(Saved::Nothing, Saved::Same)
    }

    /// All runs that have a marker, whole or not, by the names of their files.
    pub(super) fn marked(&self) -> Vec<RunId> {
        let mut runs = Vec::new();
        for env in below(&self.folder.join("runs")) {
            for strategy in below(&env) {
                for file in below(&strategy) {
                    let name = name_of(&file);
                    if let Some(Ok(seed)) = name.strip_suffix(".json").map(str::parse) {
                        let (env, strategy) = (name_of(&env), name_of(&strategy));
                        runs.push(RunId {
                            env,
                            strategy,
                            seed,
                        });
                    }
                }
            }
        }
        runs.sort();
        runs
    }

    /// Whether the run has a whole marker.
    pub(super) fn is_finished(&self, run: &RunId) -> bool {
        let bytes = fs::read(self.marker(run)).ok();
        bytes.is_some_and(|b| Marker::read(&b).is_some())
    }

    /// How long finished runs took, from the manifest that is there; refuses a manifest that
    /// some other program wrote.
    pub(super) fn earlier(&self) -> Result<BTreeMap<RunId, f64>> {
        let Ok(bytes) = fs::read(self.manifest()) else {
            return Ok(BTreeMap::new());
        };
        let Ok(earlier) = serde_json::from_slice::<Earlier>(&bytes) else {
            return match serde_json::from_slice::<serde_json::Value>(&bytes) {
                Ok(other) if other["format"] != manifest::FORMAT => Err(self.foreign()),
                _ => Ok(BTreeMap::new()),
            };
        };
        if earlier.format.as_deref() != Some(manifest::FORMAT) {
            return Err(self.foreign());
        }
        let runs = earlier.runs.into_iter();
        Ok(runs
            .filter_map(|r| Some((r.run, r.elapsed_seconds?)))
            .collect())
    }

    fn foreign(&self) -> Error {
        Error::invalid(
            self.manifest().display().to_string(),
            "another program wrote this file",
            ELSEWHERE,
        )
    }

    /// Makes the folder and keeps other sweeps out of it while the returned lock lives.
    pub(super) fn claim(&self) -> Result<File> {
        let path = self.folder.join(".lock");
        fs::create_dir_all(&self.folder).map_err(|e| Error::writing(&self.folder, e))?;
        let lock = File::create(&path).map_err(|e| Error::writing(&path, e))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Error::invalid(
                self.folder.display().to_string(),
                "another sweep is writing here",
                "wait for it, or choose another folder with --out",
            )),
            // Some file systems have no locks; files are still written whole.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(lock),
        }
    }

    /// Removes what a killed program was writing; only sound while the folder is claimed.
    pub(super) fn sweep_up(&self) {
        self.remove(|name| name.starts_with(UNFINISHED));
    }

    /// Removes all results, and nothing that is not one.
    pub(super) fn clear(&self) -> Result<()> {
        self.remove(|name| {
            let seed = name.split('.').next().unwrap_or("");
            let digits = !seed.is_empty() && seed.chars().all(|c| c.is_ascii_digit());
            let endings = [".csv", ".json", ".snapshots.json", ".learner.json"];
            digits && endings.contains(&&name[seed.len()..])
        });
        for file in below(&self.folder.join("environments")) {
            let ours = |bytes: Vec<u8>| {
                serde_json::from_slice::<Earlier>(&bytes)
                    .is_ok_and(|e| e.format.as_deref() == Some(EnvironmentFile::FORMAT))
            };
            if fs::read(&file).is_ok_and(ours) {
                fs::remove_file(&file).map_err(|e| Error::writing(&file, e))?;
            }
        }
        for file in [self.summary(), self.manifest()] {
            if file.exists() {
                fs::remove_file(&file).map_err(|e| Error::writing(&file, e))?;
            }
        }
        // A run that could not be removed would be taken for one of the new sweep.
        match self.marked().first() {
            Some(run) => Err(Error::invalid(
                self.marker(run).display().to_string(),
                "this file cannot be removed",
                ELSEWHERE,
            )),
            None => Ok(()),
        }
    }

    /// Removes the files of runs whose names fit, and the folders that this leaves empty.
    fn remove(&self, fits: impl Fn(&str) -> bool) {
        let runs = self.folder.join("runs");
        let mut folders = vec![self.folder.clone(), self.folder.join("environments")];
        for env in below(&runs) {
            folders.extend(below(&env));
            folders.push(env);
        }
        folders.push(runs);
        for (i, folder) in folders.iter().enumerate() {
            for file in below(folder) {
                if fits(&name_of(&file)) && file.is_file() {
                    // What stays behind is found by `clear`, or harmless.
                    let _ = fs::remove_file(file);
                }
            }
            if i > 0 {
                // Fails, as it should, where something is left.
                let _ = fs::remove_dir(folder);
            }
        }
    }

    /// Saves a run, its marker last.
    pub(super) fn save(
        &self,
        identity: &Identity,
        inference: Inference,
        record: &Record,
    ) -> Result<Finished> {
        let run = identity.id();
        let finished = Finished::of(record)?;
        let rows = history::to_csv(&record.rows).into_bytes();
        let snapshots = to_json(&SnapshotsFile::new(&run, &record.snapshots))?;
        let learner = to_json(&LearnerFile::new(&run, inference, record))?;
        let files = [&rows[..], &snapshots, &learner];
        let marker = Marker::new(identity.clone(), &finished, files)?;
        write_atomic(&self.history(&run), &rows)?;
        write_atomic(&self.snapshots(&run), &snapshots)?;
        write_atomic(&self.learner(&run), &learner)?;
        write_atomic(&self.marker(&run), &to_json(&marker)?)?;
        Ok(finished)
    }
}

/// The entries of a folder; none if it cannot be read.
pub(super) fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_belongs_to_one_sweep_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(&folder.path().join("out")).unwrap();
        let first = store.claim().unwrap();
        let message = store.claim().unwrap_err().to_string();
        assert!(
            message.contains("another sweep is writing here"),
            "{message}"
        );
        drop(first);
        assert!(store.claim().is_ok());
    }
}
