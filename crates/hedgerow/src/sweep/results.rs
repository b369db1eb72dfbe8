//! Reading a results folder back: all that is whole, and a list of what is not.

use crate::explore::STRATEGIES;
use crate::fingerprint::Fingerprint;
use crate::io::check_name;
use crate::learn::{Inference, Seen};
use crate::run::{Row, Snapshot, Survey};
use crate::sweep::manifest::{self, ManifestFile};
use crate::sweep::{
    Configuration, EnvironmentFile, Finished, Identity, LearnerFile, ManifestEnvironment,
    ManifestRun, Marker, RunId, SnapshotsFile, Status, Store, SummaryRow, history, summarise,
    summary,
};
use crate::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a results folder holds, as far as it is whole.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder.
    pub folder: PathBuf,
    /// What was asked for.
    pub configuration: Configuration,
    /// The environments whose file is whole, in the order of the configuration.
    pub environments: Vec<EnvironmentFile>,
    /// The finished runs whose files are whole: by environment, strategy and seed in the order of
    /// the configuration.
    pub runs: Vec<SavedRun>,
    /// Number of runs that were asked for.
    pub planned: usize,
    /// What is missing, damaged or not part of the results.
    pub problems: Vec<Problem>,
}

/// One finished run.
#[derive(Clone, Debug)]
pub struct SavedRun {
    /// Which run.
    pub run: RunId,
    /// What a summary needs.
    pub finished: Finished,
    /// The history.
    pub rows: Vec<Row>,
    /// The inferred cost at some iterations, the last one included.
    pub snapshots: Vec<Snapshot>,
    /// How its learner turned what it saw into a cost.
    pub inference: Inference,
    /// All that its learner had seen in the end.
    pub seen: Seen,
    /// What it knew of a continuous world in the end.
    pub survey: Option<Survey>,
}

/// A file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file, from the results folder on.
    pub file: String,
    /// What is wrong with it, and what follows.
    pub problem: String,
}

impl Results {
    /// Reads `folder`. Damaged, missing and foreign files are listed, not fatal; a folder without
    /// a single whole run is an error.
    pub fn read(folder: &Path) -> Result<Self> {
        let place = || folder.display().to_string();
        let remedy = "name a folder that `hedgerow run --out FOLDER` has filled";
        if !folder.is_dir() {
            let problem = match folder.exists() {
                true => "it is a file, not a results folder",
                false => "there is no such folder",
            };
            return Err(Error::invalid(place(), problem, remedy));
        }
        fs::read_dir(folder).map_err(|e| Error::reading(folder, e))?;
        let mut reader = Reader::new(Store::new(folder)?);
        let (configuration, planned) = reader.configuration();
        let environments = reader.environments(&configuration);
        let runs = reader.runs(&planned, &environments);
        if runs.is_empty() {
            let problem = match reader.problems.first() {
                _ if planned.is_empty() && !reader.store.manifest().exists() => {
                    "it holds no results of `hedgerow run`".to_owned()
                }
                None => "it holds no finished run".to_owned(),
                Some(first) => format!(
                    "it holds no finished run that is whole ({}: {})",
                    first.file, first.problem
                ),
            };
            return Err(Error::invalid(place(), problem, remedy));
        }
        let mut results = Self {
            folder: folder.to_owned(),
            configuration,
            environments,
            runs,
            planned: planned.len(),
            problems: Vec::new(),
        };
        reader.summary(&results);
        // What is lost comes before what only lies there.
        reader.problems.sort();
        let lost = reader.problems.len();
        reader.foreign(&results.configuration, &planned);
        reader.problems[lost..].sort();
        results.problems = reader.problems;
        Ok(results)
    }

    /// The environment called `name`, if its file is whole.
    pub fn environment(&self, name: &str) -> Option<&EnvironmentFile> {
        self.environments.iter().find(|e| e.name == name)
    }

    /// The finished runs of a strategy in an environment, by seed.
    pub fn runs_of<'a>(
        &'a self,
        env: &'a str,
        strategy: &'a str,
    ) -> impl Iterator<Item = &'a SavedRun> + 'a {
        let fits = move |r: &&SavedRun| r.run.env == env && r.run.strategy == strategy;
        self.runs.iter().filter(fits)
    }

    /// Names of the environments that have runs, in order.
    pub fn env_names(&self) -> Vec<&str> {
        let has_runs = |env: &&str| self.runs.iter().any(|r| r.run.env == *env);
        let environments = &self.configuration.environments;
        let names = environments.iter().map(|e| e.name.as_str());
        names.filter(has_runs).collect()
    }

    /// Names of the strategies that have runs, in order.
    pub fn strategy_names(&self) -> Vec<&str> {
        let has_runs = |name: &&str| self.runs.iter().any(|r| r.run.strategy == *name);
        let names = self.configuration.strategies.iter().map(String::as_str);
        names.filter(has_runs).collect()
    }

    /// The expert's discounted reward and cost in an environment that has runs.
    pub fn expert(&self, env: &str) -> Option<(f64, f64)> {
        let run = self.runs.iter().find(|r| r.run.env == env)?;
        Some((run.finished.expert_reward, run.finished.expert_cost))
    }

    /// One row an environment and strategy that has runs, as in `summary.csv`.
    pub fn summary(&self) -> Vec<SummaryRow> {
        let mut rows = Vec::new();
        for env in self.env_names() {
            for strategy in self.strategy_names() {
                let runs: Vec<&Finished> =
                    self.runs_of(env, strategy).map(|r| &r.finished).collect();
                if let (Some(expert), false) = (self.expert(env), runs.is_empty()) {
                    rows.push(summarise(env, strategy, expert, &runs));
                }
            }
        }
        rows
    }
}

/// What is read so far.
struct Reader {
    store: Store,
    problems: Vec<Problem>,
}

impl Reader {
    fn new(store: Store) -> Self {
        Self {
            store,
            problems: Vec::new(),
        }
    }

    fn note(&mut self, file: &Path, problem: impl Into<String>) {
        let short = file.strip_prefix(self.store.folder()).unwrap_or(file);
        self.problems.push(Problem {
            file: short.display().to_string(),
            problem: problem.into(),
        });
    }

    /// The manifest; if it is not whole, what the markers say.
    fn configuration(&mut self) -> (Configuration, Vec<ManifestRun>) {
        let file = self.store.manifest();
        match json::<ManifestFile>(&file, manifest::FORMAT).and_then(plainly_named) {
            Ok(manifest) => return (manifest.configuration, manifest.runs),
            Err(problem) => self.note(
                &file,
                format!("{problem}; the configuration is taken from the runs"),
            ),
        }
        let identities: Vec<Identity> = self
            .store
            .marked()
            .iter()
            .filter_map(|run| Some(Marker::read(&fs::read(self.store.marker(run)).ok()?)?.identity))
            .collect();
        let mut runs: Vec<ManifestRun> = identities
            .iter()
            .map(|i| ManifestRun::pending(i.id()))
            .collect();
        runs.iter_mut().for_each(|r| r.status = Status::Finished);
        (from_identities(&identities), runs)
    }

    fn environments(&mut self, configuration: &Configuration) -> Vec<EnvironmentFile> {
        let mut found = Vec::new();
        for environment in &configuration.environments {
            let path = self.store.environment(&environment.name);
            match json::<EnvironmentFile>(&path, EnvironmentFile::FORMAT) {
                Ok(file) if file.fingerprint != environment.fingerprint => self.note(
                    &path,
                    "it describes another definition of the environment; its maps are left out",
                ),
                Ok(file) => match file.check() {
                    Ok(()) => found.push(file),
                    Err(e) => self.note(&path, format!("{e}; its maps are left out")),
                },
                Err(problem) => self.note(&path, format!("{problem}; its maps are left out")),
            }
        }
        found
    }

    fn runs(&mut self, planned: &[ManifestRun], known: &[EnvironmentFile]) -> Vec<SavedRun> {
        let mut runs = Vec::new();
        let mut pending = 0;
        for entry in planned {
            let marker = self.store.marker(&entry.run);
            match entry.status {
                Status::Failed => {
                    let why = entry.error.as_deref().unwrap_or("no reason was given");
                    self.note(&marker, format!("the run failed: {why}"));
                }
                Status::Pending if !marker.exists() => pending += 1,
                _ => match self.run(&entry.run, known) {
                    Ok(run) => runs.push(run),
                    Err((file, problem)) => {
                        self.note(&file, format!("{problem}; the run is left out"));
                    }
                },
            }
        }
        if pending > 0 {
            let all = planned.len();
            let problem = format!("{pending} of {all} runs are not finished");
            self.note(&self.store.manifest(), problem);
        }
        runs
    }

    /// One run, or the file that is not whole.
    fn run(
        &self,
        id: &RunId,
        known: &[EnvironmentFile],
    ) -> std::result::Result<SavedRun, (PathBuf, String)> {
        let read = |path: PathBuf| match fs::read(&path) {
            Ok(bytes) => Ok((path, bytes)),
            Err(e) => Err((path, unreadable(&e))),
        };
        let (marker_path, bytes) = read(self.store.marker(id))?;
        let (history_path, rows) = read(self.store.history(id))?;
        let (snapshots_path, snapshots) = read(self.store.snapshots(id))?;
        let (learner_path, learner) = read(self.store.learner(id))?;
        let Some(marker) = Marker::read(&bytes) else {
            return Err((marker_path, "it is truncated or was changed".into()));
        };
        if marker.identity.id() != *id {
            let other = marker.identity.id();
            return Err((marker_path, format!("it belongs to another run ({other})")));
        }
        let environment = known.iter().find(|e| e.name == id.env);
        if environment.is_some_and(|e| e.fingerprint != marker.identity.environment) {
            let problem = "it was made in another definition of the environment";
            return Err((marker_path, problem.into()));
        }
        let files = [
            (&history_path, &rows, &marker.history),
            (&snapshots_path, &snapshots, &marker.snapshots),
            (&learner_path, &learner, &marker.learner),
        ];
        for (path, bytes, fingerprint) in files {
            if Fingerprint::of(bytes).to_string() != *fingerprint {
                return Err((path.clone(), "it is truncated or was changed".into()));
            }
        }
        let text = String::from_utf8(rows).unwrap_or_default();
        let rows = history::from_csv(&text).unwrap_or_default();
        let Some(&last) = rows.last() else {
            return Err((
                history_path,
                "its columns are not those of a history".into(),
            ));
        };
        let unread = |path: PathBuf| |e| (path, format!("it cannot be read ({e})"));
        let snapshots: SnapshotsFile =
            serde_json::from_slice(&snapshots).map_err(unread(snapshots_path))?;
        let learner: LearnerFile =
            serde_json::from_slice(&learner).map_err(unread(learner_path))?;
        Ok(SavedRun {
            run: id.clone(),
            finished: marker.with_last(last),
            rows,
            snapshots: snapshots.snapshots,
            inference: learner.inference,
            seen: learner.seen,
            survey: learner.survey,
        })
    }

    /// The table is computed from the runs; the saved one should be the same if all are there.
    fn summary(&mut self, results: &Results) {
        let path = self.store.summary();
        let problem = match fs::read(&path) {
            Err(e) => unreadable(&e),
            Ok(bytes) => {
                let whole = results.runs.len() == results.planned;
                let expected = summary::to_csv(&results.summary());
                // Without a manifest the order is not known.
                let lines = |text: &[u8]| {
                    let mut lines: Vec<Vec<u8>> =
                        text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
                    lines.sort();
                    lines
                };
                if !whole || lines(&bytes) == lines(expected.as_bytes()) {
                    return;
                }
                "it is truncated or was changed".to_owned()
            }
        };
        let follows = "the table is computed from the runs";
        self.note(&path, format!("{problem}; {follows}"));
    }

    /// Lists what nobody asked for.
    fn foreign(&mut self, configuration: &Configuration, planned: &[ManifestRun]) {
        let mut known: BTreeSet<PathBuf> = [self.store.manifest(), self.store.summary()].into();
        for environment in &configuration.environments {
            known.insert(self.store.environment(&environment.name));
        }
        for entry in planned {
            known.extend(self.store.files(&entry.run));
        }
        let mut folders = vec![self.store.folder().to_owned()];
        while let Some(folder) = folders.pop() {
            let top = folder == self.store.folder();
            for path in super::store::below(&folder) {
                let name = super::store::name_of(&path);
                if known.contains(&path) || name.starts_with('.') || (top && is_report(&name)) {
                    continue;
                }
                match path.is_dir() && !path.is_symlink() {
                    true => folders.push(path),
                    false => self.note(&path, "it is not part of these results and is left out"),
                }
            }
        }
    }
}

/// What `hedgerow report` makes in the folder.
fn is_report(name: &str) -> bool {
    name == "report.html" || name == "figures"
}

/// The content of a JSON file with this `format`, or what is wrong with it.
fn json<T: DeserializeOwned>(path: &Path, format: &str) -> std::result::Result<T, String> {
    let bytes = fs::read(path).map_err(|e| unreadable(&e))?;
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|e| format!("it is truncated or not JSON ({e})"))?;
    if value["format"] != format {
        return Err(format!("it is not of the format {format}"));
    }
    serde_json::from_value(value).map_err(|e| format!("it cannot be read ({e})"))
}

/// Files are looked up by these names, so none may lead out of the folder.
fn plainly_named(manifest: ManifestFile) -> std::result::Result<ManifestFile, String> {
    let environments = manifest.configuration.environments.iter().map(|e| &e.name);
    let runs = manifest.runs.iter().map(|r| &r.run);
    let names = environments.chain(runs.flat_map(|r| [&r.env, &r.strategy]));
    for name in names {
        if check_name(name).is_err() {
            return Err(format!("{name:?} cannot be the name of a folder"));
        }
    }
    Ok(manifest)
}

fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("it cannot be read ({error})"),
    }
}

/// The configuration that these runs have in common.
fn from_identities(identities: &[Identity]) -> Configuration {
    let mut environments: Vec<ManifestEnvironment> = Vec::new();
    let mut strategies: Vec<String> = Vec::new();
    let mut strategy_settings = BTreeMap::new();
    let mut tables: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    for i in identities {
        for (key, value) in &i.environment_settings {
            if let Some((table, name)) = key.split_once('.') {
                let table = tables.entry(table.to_owned()).or_default();
                table.insert(name.to_owned(), value.clone());
            }
        }
        if environments.iter().all(|e| e.name != i.env) {
            environments.push(ManifestEnvironment {
                name: i.env.clone(),
                source: i.env.clone(),
                fingerprint: i.environment.clone(),
            });
        }
        if !strategies.contains(&i.strategy) {
            strategies.push(i.strategy.clone());
            strategy_settings.insert(i.strategy.clone(), i.strategy_settings.clone());
        }
    }
    // In the order of a manifest, not of the alphabet.
    strategies.sort_by_key(|s| STRATEGIES.iter().position(|e| e.name == s));
    let seeds: BTreeSet<u64> = identities.iter().map(|i| i.seed).collect();
    let first = identities.first();
    Configuration {
        format: manifest::FORMAT.to_owned(),
        version: first.map_or_else(String::new, |i| i.version.clone()),
        environments,
        strategies,
        seeds: seeds.into_iter().collect(),
        settings: first.map_or_else(BTreeMap::new, |i| i.settings.clone()),
        strategy_settings,
        tables,
    }
}
