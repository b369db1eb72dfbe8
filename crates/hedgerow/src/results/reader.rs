//! Reading a results folder back: all that is whole, and a list of what is not.

use super::store::{below, name_of, unreadable};
use super::{
    Chosen, EnvironmentFile, FailedRun, FileProblem, Manifest, ManifestEnvironment, Store,
    SummaryRow, summarise, summary,
};
use crate::fingerprint::Fingerprint;
use crate::io::sealed;
use crate::run::{RunId, RunResult, RunSpec, RunSummary};
use crate::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a results folder holds, as far as it is whole.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder.
    pub folder: PathBuf,
    /// What was asked for.
    pub manifest: Manifest,
    /// The environments whose file is whole, in the order of the manifest.
    pub environments: Vec<EnvironmentFile>,
    /// The finished runs whose files are whole: by environment, strategy and seed in the order of
    /// the manifest.
    pub runs: Vec<SavedRun>,
    /// Number of runs that were asked for, as far as that is known.
    pub planned: usize,
    /// Those that are neither finished nor failed: the sweep was interrupted, or still runs.
    pub pending: usize,
    /// Whether the manifest is not whole, so that nobody knows what else was asked for.
    pub reconstructed: bool,
    /// What is missing, damaged or not part of the results.
    pub problems: Vec<FileProblem>,
}

/// One finished run.
#[derive(Clone, Debug)]
pub struct SavedRun {
    /// Which run.
    pub id: RunId,
    /// Name of its domain.
    pub domain: String,
    /// What came out.
    pub result: RunResult,
}

impl SavedRun {
    /// What tables need of it.
    pub fn summary(&self) -> &RunSummary {
        &self.result.summary
    }
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
        let manifest = reader.manifest();
        let planned: Vec<RunId> = manifest.runs().collect();
        let environments = reader.environments(&manifest);
        let (runs, pending) = reader.runs(&planned, &environments);
        if runs.is_empty() {
            let problem = match reader.problems.first() {
                _ if planned.is_empty() && !reader.store.manifest().exists() => {
                    "it holds no results of `hedgerow run`".to_owned()
                }
                None => {
                    let all = planned.len();
                    format!("it holds no finished run ({pending} of {all} runs are not finished)")
                }
                Some(first) => format!(
                    "it holds no finished run that is whole ({}: {})",
                    first.file, first.problem
                ),
            };
            return Err(Error::invalid(place(), problem, remedy));
        }
        let mut results = Self {
            folder: folder.to_owned(),
            manifest,
            environments,
            runs,
            planned: planned.len(),
            pending,
            reconstructed: reader.reconstructed,
            problems: Vec::new(),
        };
        reader.summary(&results);
        // What is lost comes before what only lies there.
        reader.problems.sort();
        let lost = reader.problems.len();
        reader.foreign(&results.manifest, &planned);
        reader.problems[lost..].sort();
        results.problems = reader.problems;
        Ok(results)
    }

    /// Leaves only these environments and strategies; an empty list leaves all. A name that no
    /// finished run has is an error, and nothing is changed. What was asked for stays as it was,
    /// but for the number of runs.
    pub fn limit(&mut self, envs: &[String], strategies: &[String]) -> Result<()> {
        let known = |option: &str, asked: &[String], there: &[&str]| match asked
            .iter()
            .find(|a| !there.contains(&a.as_str()))
        {
            None => Ok(()),
            Some(name) => Err(Error::invalid(
                option,
                format!("no finished run has `{name}`"),
                format!("use one of {}", there.join(", ")),
            )),
        };
        known("--env", envs, &self.env_names())?;
        known("--strategy", strategies, &self.strategy_names())?;
        let wanted = |asked: &[String], name: &String| asked.is_empty() || asked.contains(name);
        let fits = |id: &RunId| wanted(envs, &id.env) && wanted(strategies, &id.strategy);
        self.runs.retain(|r| fits(&r.id));
        self.environments.retain(|e| wanted(envs, &e.name));
        self.planned = self.manifest.runs().filter(fits).count();
        Ok(())
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
        let fits = move |r: &&SavedRun| r.id.env == env && r.id.strategy == strategy;
        self.runs.iter().filter(fits)
    }

    /// Names of the environments that have runs, in order.
    pub fn env_names(&self) -> Vec<&str> {
        let with_runs: BTreeSet<&str> = self.runs.iter().map(|r| r.id.env.as_str()).collect();
        let names = self.manifest.environments.iter().map(|e| e.name.as_str());
        names.filter(|name| with_runs.contains(name)).collect()
    }

    /// Names of the strategies that have runs, in order.
    pub fn strategy_names(&self) -> Vec<&str> {
        let with_runs: BTreeSet<&str> = self.runs.iter().map(|r| r.id.strategy.as_str()).collect();
        let mut names = self.manifest.strategies();
        names.retain(|name| with_runs.contains(name));
        names
    }

    /// The expert's discounted reward and cost in an environment that has runs.
    pub fn expert(&self, env: &str) -> Option<(f64, f64)> {
        let run = self.runs.iter().find(|r| r.id.env == env)?;
        let summary = run.summary();
        Some((summary.expert_reward, summary.expert_cost))
    }

    /// One row per environment and strategy that has runs, as in `summary.csv`.
    pub fn summary(&self) -> Vec<SummaryRow> {
        let mut groups: BTreeMap<(&str, &str), Vec<&RunSummary>> = BTreeMap::new();
        for run in &self.runs {
            let group = (run.id.env.as_str(), run.id.strategy.as_str());
            groups.entry(group).or_default().push(run.summary());
        }
        let mut rows = Vec::new();
        for env in self.env_names() {
            for strategy in self.strategy_names() {
                if let Some(runs) = groups.get(&(env, strategy)) {
                    let file = self.environment(env);
                    let of_run = (runs[0].expert_reward, runs[0].expert_cost);
                    let expert = file.map_or(of_run, |f| (f.expert_reward, f.expert_cost));
                    let exact = file.and_then(|e| e.exact.as_ref());
                    rows.push(summarise(env, strategy, expert, exact, runs));
                }
            }
        }
        rows
    }
}

/// What is read so far.
struct Reader {
    store: Store,
    reconstructed: bool,
    problems: Vec<FileProblem>,
}

impl Reader {
    fn new(store: Store) -> Self {
        Self {
            store,
            reconstructed: false,
            problems: Vec::new(),
        }
    }

    fn note(&mut self, file: &Path, problem: impl Into<String>) {
        self.problems.push(self.store.problem(file, problem));
    }

    /// The manifest; if it is not whole, what the files of the runs say.
    fn manifest(&mut self) -> Manifest {
        match self.store.read_manifest() {
            Ok(manifest) => manifest,
            Err(problem) => {
                self.reconstructed = true;
                let follows = "the configuration is taken from the runs";
                self.note(&self.store.manifest(), format!("{problem}; {follows}"));
                let runs = self.store.runs();
                let files = runs.iter().filter_map(|run| self.store.run_file(run).ok());
                let specs: Vec<RunSpec> = files.map(|f| f.spec).collect();
                from_specs(&specs)
            }
        }
    }

    fn environments(&mut self, manifest: &Manifest) -> Vec<EnvironmentFile> {
        let mut found = Vec::new();
        for environment in &manifest.environments {
            let path = self.store.environment(&environment.name);
            match read_environment(&path, environment) {
                Ok(file) => found.push(file),
                Err(problem) => self.note(&path, format!("{problem}; its maps are left out")),
            }
        }
        found
    }

    /// The finished runs that are whole, and how many are still to be done.
    fn runs(&mut self, planned: &[RunId], known: &[EnvironmentFile]) -> (Vec<SavedRun>, usize) {
        let mut runs = Vec::new();
        let mut pending = 0;
        for id in planned {
            if self.store.run(id).exists() || self.store.history(id).exists() {
                match self.run(id, known) {
                    Ok(run) => runs.push(run),
                    Err((file, problem)) => {
                        self.note(&file, format!("{problem}; the run is left out"));
                    }
                }
                continue;
            }
            let failure = self.store.failure(id);
            match fs::read(&failure).map(|bytes| FailedRun::read(&bytes)) {
                Ok(Ok(failed)) => {
                    self.note(&failure, format!("the run failed: {}", failed.error));
                }
                Ok(Err(problem)) => self.note(&failure, format!("the run failed; {problem}")),
                Err(_) => pending += 1,
            }
        }
        (runs, pending)
    }

    /// One run, or the file that is not whole.
    fn run(
        &self,
        id: &RunId,
        known: &[EnvironmentFile],
    ) -> std::result::Result<SavedRun, (PathBuf, String)> {
        let path = self.store.run(id);
        let file = match self.store.run_file(id) {
            Ok(file) => file,
            Err(problem) => return Err((path, problem)),
        };
        if file.spec.id != *id {
            let other = &file.spec.id;
            return Err((path, format!("it belongs to another run ({other})")));
        }
        let environment = known.iter().find(|e| e.name == id.env);
        if environment.is_some_and(|e| e.fingerprint != file.spec.environment) {
            let problem = "it was made in another definition of the environment";
            return Err((path, problem.into()));
        }
        let history = self.store.history(id);
        let domain = file.spec.domain.clone();
        let result = match fs::read(&history) {
            Ok(bytes) => file.result(&bytes),
            Err(e) => Err(unreadable(&e)),
        };
        match result {
            Ok(result) => Ok(SavedRun {
                id: id.clone(),
                domain,
                result,
            }),
            Err(problem) => Err((history, problem)),
        }
    }

    /// The table is computed from the runs; the saved one should be the same if all are there.
    fn summary(&mut self, results: &Results) {
        let path = self.store.summary();
        let problem = match fs::read(&path) {
            Err(e) => unreadable(&e),
            Ok(bytes) => {
                let listed = results.manifest.environments.len();
                let whole =
                    results.runs.len() == results.planned && results.environments.len() == listed;
                let expected = summary::to_csv(&results.summary()).unwrap_or_default();
                if !whole || summary::agrees(&bytes, &expected) {
                    return;
                }
                "it is truncated or was changed".to_owned()
            }
        };
        let follows = "the table is computed from the runs";
        self.note(&path, format!("{problem}; {follows}"));
    }

    /// Lists what nobody asked for.
    fn foreign(&mut self, manifest: &Manifest, planned: &[RunId]) {
        let store = &self.store;
        let mut known: BTreeSet<PathBuf> =
            [store.manifest(), store.summary(), store.timings()].into();
        for environment in &manifest.environments {
            known.insert(store.environment(&environment.name));
        }
        for id in planned {
            known.extend(store.files(id));
        }
        let mut folders = vec![self.store.folder().to_owned()];
        while let Some(folder) = folders.pop() {
            let top = folder == self.store.folder();
            for path in below(&folder) {
                let name = name_of(&path);
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

/// The file of an environment, or what is wrong with it.
fn read_environment(
    path: &Path,
    entry: &ManifestEnvironment,
) -> std::result::Result<EnvironmentFile, String> {
    let bytes = fs::read(path).map_err(|e| unreadable(&e))?;
    let file: EnvironmentFile = sealed::open(&bytes, EnvironmentFile::FORMAT)?;
    let as_listed = entry.file.is_empty() || Fingerprint::of(&bytes).to_string() == entry.file;
    if file.fingerprint != entry.fingerprint || !as_listed {
        return Err("it describes another definition of the environment".to_owned());
    }
    file.check().map_err(|e| e.to_string())?;
    Ok(file)
}

/// The manifest of these runs.
fn from_specs(specs: &[RunSpec]) -> Manifest {
    let mut environments: Vec<ManifestEnvironment> = Vec::new();
    let mut settings = BTreeMap::new();
    let mut strategy_settings: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
    let mut variants = BTreeMap::new();
    for spec in specs {
        let at = environments.iter().position(|e| e.name == spec.id.env);
        let at = at.unwrap_or_else(|| {
            environments.push(ManifestEnvironment {
                name: spec.id.env.clone(),
                source: spec.id.env.clone(),
                domain: spec.domain.clone(),
                fingerprint: spec.environment.clone(),
                file: String::new(),
                strategies: Vec::new(),
            });
            environments.len() - 1
        });
        let strategies = &mut environments[at].strategies;
        if !strategies.contains(&spec.id.strategy) {
            strategies.push(spec.id.strategy.clone());
        }
        settings.insert(spec.domain.clone(), spec.settings.clone());
        let own = strategy_settings.entry(spec.domain.clone()).or_default();
        own.insert(spec.id.strategy.clone(), spec.strategy_settings.clone());
        let variant = spec.variant_of.iter();
        variants.extend(variant.map(|s| (spec.id.strategy.clone(), s.clone())));
    }
    let seeds: BTreeSet<u64> = specs.iter().map(|s| s.id.seed).collect();
    Manifest {
        format: Manifest::FORMAT.to_owned(),
        version: specs
            .first()
            .map_or_else(String::new, |s| s.version.clone()),
        environments,
        seeds: seeds.into_iter().collect(),
        settings,
        strategy_settings,
        chosen: Chosen::default(),
        variants,
    }
}
