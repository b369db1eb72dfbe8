//! The results folder: which file lies where, what is already there, and who may write.

use super::{EnvironmentFile, FailedRun, Figures, FileProblem, Manifest, RunFile};
use crate::fingerprint::Fingerprint;
use crate::io::sealed::{self, seal};
use crate::io::write_atomic;
use crate::run::{RunId, RunResult, RunSpec, RunSummary};
use crate::{Error, Result};
use serde::Deserialize;
use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What files being written are called until they are whole; see [`crate::io::atomic`].
const UNFINISHED: &str = ".writing-";

const ELSEWHERE: &str = "choose another folder with --out";

/// The header of `timings.csv`.
const TIMINGS: &str = "env,strategy,seed,seconds\n";

/// What the page of a report says near its beginning.
const PAGE_MARK: &str = "<meta name=\"generator\" content=\"Hedgerow\">";

/// Bytes in which it is looked for.
const PAGE_HEAD: usize = 4_096;

/// A results folder.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What the folder holds of one run.
#[derive(Clone, Debug, PartialEq)]
pub enum Saved {
    /// Nothing: the run has to be done.
    Nothing,
    /// A file that is not whole, and what is wrong with it: the run has to be done again.
    Damaged(PathBuf, String),
    /// The very run.
    Same(RunSummary),
    /// A finished run that something else determined; says what.
    Other(String),
}

/// Files that say what they are.
#[derive(Deserialize)]
struct Tagged {
    format: Option<String>,
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

    /// `timings.csv`.
    pub fn timings(&self) -> PathBuf {
        self.folder.join("timings.csv")
    }

    /// `environments/ENV.json`.
    pub fn environment(&self, env: &str) -> PathBuf {
        self.folder.join("environments").join(format!("{env}.json"))
    }

    /// `runs/ENV/STRATEGY/SEED.csv`.
    pub fn history(&self, run: &RunId) -> PathBuf {
        self.file(run, "csv")
    }

    /// `runs/ENV/STRATEGY/SEED.json`.
    pub fn run(&self, run: &RunId) -> PathBuf {
        self.file(run, "json")
    }

    /// `runs/ENV/STRATEGY/SEED.failed.json`.
    pub fn failure(&self, run: &RunId) -> PathBuf {
        self.file(run, "failed.json")
    }

    /// `runs/ENV/STRATEGY/SEED.checkpoint.json`.
    pub fn checkpoint(&self, run: &RunId) -> PathBuf {
        self.file(run, "checkpoint.json")
    }

    /// `runs/ENV/STRATEGY/SEED.samples.safetensors`.
    pub fn samples(&self, run: &RunId) -> PathBuf {
        self.file(run, "samples.safetensors")
    }

    /// All files that a finished or failed run may have.
    pub(super) fn files(&self, run: &RunId) -> [PathBuf; 4] {
        let (history, file) = (self.history(run), self.run(run));
        [history, file, self.failure(run), self.samples(run)]
    }

    fn file(&self, run: &RunId, ending: &str) -> PathBuf {
        let folder = self.folder.join("runs").join(&run.env).join(&run.strategy);
        folder.join(format!("{}.{ending}", run.seed))
    }

    /// What the folder holds of the run that `spec` determines.
    pub fn look(&self, spec: &RunSpec) -> Saved {
        let path = self.run(&spec.id);
        let file = match self.run_file(&spec.id) {
            Ok(file) => file,
            Err(_) if !path.exists() => return Saved::Nothing,
            Err(problem) => return Saved::Damaged(path, problem),
        };
        if file.spec.id != spec.id {
            let problem = format!("it belongs to another run ({})", file.spec.id);
            return Saved::Damaged(path, problem);
        }
        if let Some(difference) = spec.difference(&file.spec) {
            return Saved::Other(difference);
        }
        let samples = self.samples(&spec.id);
        let kept = file.samples.is_some().then(|| fs::read(&samples).ok());
        if let Err(problem) = file.check_samples(kept.flatten().as_deref()) {
            return Saved::Damaged(samples, problem);
        }
        let history = self.history(&spec.id);
        match fs::read(&history).map(|bytes| file.result(&bytes)) {
            Ok(Ok(result)) => Saved::Same(result.summary),
            Ok(Err(problem)) => Saved::Damaged(history, problem),
            Err(e) => Saved::Damaged(history, unreadable(&e)),
        }
    }

    /// The file of a run, or what is wrong with it.
    pub fn run_file(&self, run: &RunId) -> std::result::Result<RunFile, String> {
        let bytes = fs::read(self.run(run)).map_err(|e| unreadable(&e))?;
        RunFile::read(&bytes)
    }

    /// All runs that have a file, whole or not, by the names of their files.
    pub fn runs(&self) -> Vec<RunId> {
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

    /// Refuses a folder whose manifest some other program wrote, or an older version, unless that
    /// is to be removed.
    pub fn check_ours(&self, fresh: bool) -> Result<()> {
        let foreign = |problem: &str, remedy: &str| {
            let place = self.manifest().display().to_string();
            Err(Error::invalid(place, problem, remedy))
        };
        let Ok(bytes) = fs::read(self.manifest()) else {
            return Ok(());
        };
        match serde_json::from_slice::<Tagged>(&bytes) {
            Ok(tagged) => match tagged.format.as_deref() {
                Some(Manifest::FORMAT) => Ok(()),
                Some(format) if format.starts_with(Manifest::FAMILY) && fresh => Ok(()),
                Some(format) if format.starts_with(Manifest::FAMILY) => foreign(
                    "another version wrote these results",
                    "choose another folder with --out, or start over with --fresh",
                ),
                _ => foreign("another program wrote this file", ELSEWHERE),
            },
            Err(_) => match serde_json::from_slice::<serde_json::Value>(&bytes) {
                Ok(_) => foreign("another program wrote this file", ELSEWHERE),
                Err(_) => Ok(()),
            },
        }
    }

    /// The manifest that is there, if it is whole.
    pub fn read_manifest(&self) -> std::result::Result<Manifest, String> {
        let bytes = fs::read(self.manifest()).map_err(|e| unreadable(&e))?;
        Manifest::read(&bytes)
    }

    /// What is wrong with `file`, which is named from the folder on.
    pub fn problem(&self, file: &Path, problem: impl Into<String>) -> FileProblem {
        let short = file.strip_prefix(&self.folder).unwrap_or(file);
        FileProblem {
            file: short.display().to_string(),
            problem: problem.into(),
        }
    }

    /// The manifest and the files of these environments, where they are there and not whole.
    pub fn damaged_files<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<FileProblem> {
        let mut damaged = Vec::new();
        let manifest = self.manifest();
        if let (true, Err(problem)) = (manifest.exists(), self.read_manifest()) {
            damaged.push(self.problem(&manifest, problem));
        }
        for name in names {
            let path = self.environment(name);
            let read = fs::read(&path)
                .map(|b| sealed::open::<EnvironmentFile>(&b, EnvironmentFile::FORMAT));
            if let Ok(Err(problem)) = read {
                damaged.push(self.problem(&path, problem));
            }
        }
        damaged
    }

    /// Makes the folder and keeps other sweeps out of it while the returned lock lives.
    pub fn claim(&self) -> Result<File> {
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
    pub fn clean(&self) {
        self.remove(|name| name.starts_with(UNFINISHED));
    }

    /// Removes all results, and nothing that is not one.
    pub fn clear(&self) -> Result<()> {
        self.remove(|name| {
            let seed = name.split('.').next().unwrap_or("");
            let digits = !seed.is_empty() && seed.chars().all(|c| c.is_ascii_digit());
            // The last two were written by earlier versions.
            let endings = [
                ".csv",
                ".json",
                ".failed.json",
                ".checkpoint.json",
                ".samples.safetensors",
                ".snapshots.json",
                ".learner.json",
            ];
            digits && endings.contains(&&name[seed.len()..])
        });
        let is_ours = |bytes: Vec<u8>| {
            let tagged = serde_json::from_slice::<Tagged>(&bytes);
            let format = tagged.ok().and_then(|t| t.format);
            format.is_some_and(|f| f.starts_with(EnvironmentFile::FAMILY))
        };
        for file in below(&self.folder.join("environments")) {
            if fs::read(&file).is_ok_and(is_ours) {
                fs::remove_file(&file).map_err(|e| Error::writing(&file, e))?;
            }
        }
        self.clear_report(&self.folder)?;
        for file in [self.summary(), self.timings(), self.manifest()] {
            if file.exists() {
                fs::remove_file(&file).map_err(|e| Error::writing(&file, e))?;
            }
        }
        // A run that could not be removed would be taken for one of the new sweep.
        match self.runs().first() {
            Some(run) => Err(Error::invalid(
                self.run(run).display().to_string(),
                "this file cannot be removed",
                ELSEWHERE,
            )),
            None => Ok(()),
        }
    }

    /// Removes the page and the figures that `hedgerow report` made in `folder`, as far as they say
    /// that they are its own.
    fn clear_report(&self, folder: &Path) -> Result<()> {
        let page = folder.join("report.html");
        let is_ours = |text: Vec<u8>| {
            let text = String::from_utf8_lossy(&text[..text.len().min(PAGE_HEAD)]).into_owned();
            text.contains(PAGE_MARK)
        };
        if fs::read(&page).is_ok_and(is_ours) {
            fs::remove_file(&page).map_err(|e| Error::writing(&page, e))?;
        }
        Figures::new(&folder.join("figures")).keep_only(&[])
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

    /// Writes what is known before the first run: the manifest, in which the fingerprints of the
    /// environments' files are filled in, those files, and the folders of all runs.
    pub fn begin(&self, manifest: &Manifest, environments: &[&EnvironmentFile]) -> Result<()> {
        let mut manifest = manifest.clone();
        for (entry, file) in manifest.environments.iter_mut().zip(environments) {
            let bytes = seal(file)?;
            entry.file = Fingerprint::of(&bytes).to_string();
            write_if_new(&self.environment(&file.name), &bytes)?;
            for strategy in &entry.strategies {
                let folder = self.folder.join("runs").join(&entry.name).join(strategy);
                fs::create_dir_all(&folder).map_err(|e| Error::writing(&folder, e))?;
            }
        }
        write_if_new(&self.manifest(), &manifest.to_bytes()?)
    }

    /// Saves a run, its own file last.
    pub fn save(&self, spec: &RunSpec, result: &RunResult) -> Result<()> {
        let (history, file) = RunFile::write(spec, result)?;
        write_atomic(&self.history(&spec.id), &history)?;
        if let Some(samples) = &result.samples {
            write_atomic(&self.samples(&spec.id), samples)?;
        }
        write_atomic(&self.run(&spec.id), &file)?;
        let failure = self.failure(&spec.id);
        match fs::remove_file(&failure) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::writing(&failure, e)),
            _ => Ok(()),
        }
    }

    /// Notes why a run failed.
    pub fn save_failure(&self, run: &RunId, error: &Error) -> Result<()> {
        let failed = FailedRun::new(run.clone(), error.to_string());
        write_atomic(&self.failure(run), &seal(&failed)?)
    }

    /// Appends how long a run took.
    pub fn note_time(&self, run: &RunId, seconds: f64) -> Result<()> {
        // The folder belongs to one process; of its threads only one may write the head.
        static WRITING: Mutex<()> = Mutex::new(());
        let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.timings();
        let append = || -> std::io::Result<()> {
            let mut file = File::options()
                .create(true)
                .read(true)
                .append(true)
                .open(&path)?;
            let mut last = [b'\n'];
            let head = match file.seek(SeekFrom::End(-1)) {
                Err(_) => TIMINGS,
                Ok(_) => {
                    file.read_exact(&mut last)?;
                    // A line that a crash cut short stands alone.
                    if last == *b"\n" { "" } else { "\n" }
                }
            };
            let RunId {
                env,
                strategy,
                seed,
            } = run;
            // In one piece, so that lines of several threads do not mix.
            file.write_all(format!("{head}{env},{strategy},{seed},{seconds:.6}\n").as_bytes())
        };
        append().map_err(|e| Error::writing(&path, e))
    }
}

/// Leaves a file alone that has this content already.
fn write_if_new(path: &Path, bytes: &[u8]) -> Result<()> {
    match fs::read(path) {
        Ok(there) if there == bytes => Ok(()),
        _ => write_atomic(path, bytes),
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

pub(super) fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("it cannot be read ({error})"),
    }
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
