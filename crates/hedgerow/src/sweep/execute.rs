//! Doing it: all runs of an experiment in parallel, each on disk before the next begins.

use crate::explore::{self, Entry};
use crate::io::write_atomic;
use crate::param::{Parameter, Parameters};
use crate::run::{Row, Settings, Stop};
use crate::sweep::identity::values_of;
use crate::sweep::manifest::{self, Manifest, to_json};
use crate::sweep::store::{Saved, Store};
use crate::sweep::{
    Configuration, Experiment, Finished, Identity, ManifestEnvironment, ManifestRun, Opener, Order,
    RunId, Site, SummaryRow, site, summarise, summary,
};
use crate::{Error, Result};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Is told how a sweep goes, from all its threads.
pub trait Observer: Sync {
    /// A run begins.
    fn started(&self, _run: &RunId) {}
    /// A run has done an iteration.
    fn iteration(&self, _run: &RunId, _row: &Row) {}
    /// A run is finished and on disk.
    fn finished(&self, _run: &RunId, _finished: &Finished) {}
    /// A run ended with an error.
    fn failed(&self, _run: &RunId, _error: &Error) {}
}

/// Looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// How a sweep ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Runs of the experiment.
    pub runs: usize,
    /// Those that are on disk, earlier ones included.
    pub finished: usize,
    /// Those that failed, with the reason.
    pub failed: Vec<(RunId, String)>,
    /// How many finished runs ended for which reason.
    pub stops: BTreeMap<Stop, usize>,
    /// Whether it was asked to stop before all runs had their turn.
    pub interrupted: bool,
    /// The summary of what is finished.
    pub summary: Vec<SummaryRow>,
}

/// An experiment, ready to run into a folder.
#[derive(Debug)]
pub struct Sweep {
    experiment: Experiment,
    settings: Settings,
    sites: Vec<Arc<dyn Site>>,
    jobs: Vec<Job>,
    store: Store,
    fresh: bool,
}

/// One run to be done, or found done.
#[derive(Debug)]
struct Job {
    identity: Identity,
    site: Arc<dyn Site>,
    entry: &'static Entry,
    parameters: Parameters,
    table: Option<Parameters>,
    saved: Option<Finished>,
}

impl Sweep {
    /// Builds the environments and compares the experiment with what `folder` holds. Nothing is
    /// written, and nothing saved is in danger: finished runs that this experiment would not
    /// repeat are an error, unless `fresh` says that they are to be removed.
    pub fn open(experiment: Experiment, folder: &Path, fresh: bool) -> Result<Self> {
        Self::open_with(experiment, folder, fresh, &|_| Ok(None))
    }

    /// The same with environments that this crate does not know.
    pub fn open_with(
        experiment: Experiment,
        folder: &Path,
        fresh: bool,
        opener: Opener,
    ) -> Result<Self> {
        let store = Store::new(folder)?;
        store.earlier()?;
        let settings = experiment.run_settings()?;
        let sites = site::open_all(experiment.environments(), opener)?;
        let mut jobs = jobs(&experiment, &sites)?;
        if !fresh {
            find_saved(&store, &mut jobs)?;
        }
        Ok(Self {
            experiment,
            settings,
            sites,
            jobs,
            store,
            fresh,
        })
    }

    /// Runs of the experiment.
    pub fn runs(&self) -> usize {
        self.jobs.len()
    }

    /// Those that are on disk already.
    pub fn saved(&self) -> usize {
        self.jobs.iter().filter(|j| j.saved.is_some()).count()
    }

    /// The results folder.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Does what is left to do. When `stop` becomes true, runs in flight are abandoned and
    /// finished ones stay; the same call on the same folder then continues.
    pub fn run(self, observer: &dyn Observer, stop: &AtomicBool) -> Result<Outcome> {
        let _lock = self.store.claim()?;
        self.store.sweep_up();
        let elapsed = self.store.earlier()?;
        if self.fresh {
            self.store.clear()?;
        }
        let progress = Mutex::new(self.begin(&elapsed)?);
        // A folder that stops taking files (a full disk) ends the sweep, not just one run.
        let broken: Mutex<Option<Error>> = Mutex::new(None);
        let give_up = AtomicBool::new(false);
        let halted = || stop.load(Ordering::Relaxed) || give_up.load(Ordering::Relaxed);
        let pending = self.jobs.iter().enumerate();
        let pending = pending.filter(|(_, job)| job.saved.is_none());
        // Handing out runs one by one keeps their order, so an interrupted sweep has whole
        // environments rather than a bit of each.
        pending.par_bridge().for_each(|(i, job)| {
            if halted() {
                return;
            }
            if let Err(e) = self.one(i, job, observer, &halted, &progress) {
                give_up.store(true, Ordering::Relaxed);
                lock(&broken).get_or_insert(e);
            }
        });
        match lock(&broken).take() {
            Some(error) => Err(error),
            None => self.end(&lock(&progress)),
        }
    }

    /// Writes everything that is known beforehand, so that a folder that cannot be written is
    /// found out before any run.
    fn begin(&self, elapsed: &BTreeMap<RunId, f64>) -> Result<Progress> {
        let runs = self.jobs.iter().map(|job| {
            let mut run = ManifestRun::pending(job.identity.id());
            if let Some(finished) = &job.saved {
                run.finish(finished, elapsed.get(&run.run).copied());
            }
            run
        });
        let progress = Progress {
            manifest: Manifest::new(&self.configuration()?, runs.collect())?,
            finished: self.jobs.iter().map(|job| job.saved.clone()).collect(),
        };
        progress.write(&self.store)?;
        for file in self.sites.iter().map(|s| s.file()) {
            write_atomic(&self.store.environment(&file.name), &to_json(file)?)?;
        }
        for job in &self.jobs {
            let history = self.store.history(&job.identity.id());
            if let Some(folder) = history.parent() {
                std::fs::create_dir_all(folder).map_err(|e| Error::writing(folder, e))?;
            }
        }
        Ok(progress)
    }

    fn configuration(&self) -> Result<Configuration> {
        let e = &self.experiment;
        let run = |s: &&&str| self.jobs.iter().any(|j| j.entry.name == **s);
        let strategies: Vec<&str> = e.strategies().iter().filter(run).copied().collect();
        let own = |s: &&str| Ok(((*s).to_owned(), values_of(e.strategy_settings(s)?)?));
        let environments = e.environments().iter().zip(&self.sites);
        let tables = self.sites.iter().filter_map(|s| s.table());
        let tables = tables.map(|t| Ok((t.to_owned(), changed(e.table(t))?)));
        Ok(Configuration {
            format: manifest::FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            environments: environments
                .map(|(source, site)| ManifestEnvironment {
                    name: site.file().name.clone(),
                    source: source.clone(),
                    fingerprint: site.file().fingerprint.clone(),
                })
                .collect(),
            strategy_settings: strategies.iter().map(own).collect::<Result<_>>()?,
            strategies: strategies.into_iter().map(str::to_owned).collect(),
            seeds: e.seeds().to_vec(),
            settings: values_of(e.settings())?,
            tables: tables.collect::<Result<_>>()?,
        })
    }

    /// One run, from its first iteration to the manifest.
    fn one(
        &self,
        i: usize,
        job: &Job,
        observer: &dyn Observer,
        halted: &(dyn Fn() -> bool + Sync),
        progress: &Mutex<Progress>,
    ) -> Result<()> {
        let id = job.identity.id();
        let started = Instant::now();
        observer.started(&id);
        let mut watch = |row: &Row| {
            observer.iteration(&id, row);
            !halted()
        };
        let order = Order {
            strategy: job.entry,
            parameters: &job.parameters,
            table: job.table.as_ref(),
            settings: &self.settings,
            seed: id.seed,
        };
        let record = job.site.run(&order, &mut watch);
        let seconds = started.elapsed().as_secs_f64();
        match record {
            Ok(record) if record.stop == Stop::Interrupted => Ok(()),
            Ok(record) => {
                let finished = self
                    .store
                    .save(&job.identity, self.settings.inference, &record)?;
                let mut progress = lock(progress);
                progress.manifest.runs[i].finish(&finished, Some(seconds));
                progress.write(&self.store)?;
                observer.finished(&id, &finished);
                progress.finished[i] = Some(finished);
                Ok(())
            }
            Err(error) => {
                let mut progress = lock(progress);
                progress.manifest.runs[i].fail(error.to_string(), seconds);
                progress.write(&self.store)?;
                observer.failed(&id, &error);
                Ok(())
            }
        }
    }

    fn end(&self, progress: &Progress) -> Result<Outcome> {
        let summary = self.summary(&progress.finished);
        write_atomic(&self.store.summary(), summary::to_csv(&summary).as_bytes())?;
        let runs = &progress.manifest.runs;
        let failed: Vec<(RunId, String)> = runs
            .iter()
            .filter_map(|r| Some((r.run.clone(), r.error.clone()?)))
            .collect();
        let mut stops = BTreeMap::new();
        for run in progress.finished.iter().flatten() {
            *stops.entry(run.stop).or_default() += 1;
        }
        let finished = stops.values().sum();
        Ok(Outcome {
            stops,
            runs: runs.len(),
            finished,
            interrupted: finished + failed.len() < runs.len(),
            failed,
            summary,
        })
    }

    /// One row an environment and strategy that has runs.
    fn summary(&self, finished: &[Option<Finished>]) -> Vec<SummaryRow> {
        let seeds = self.experiment.seeds().len();
        let groups = self.jobs.chunks(seeds).zip(finished.chunks(seeds));
        let mut rows = Vec::new();
        for (jobs, finished) in groups {
            let Some(job) = jobs.first() else { continue };
            let file = job.site.file();
            let finished: Vec<&Finished> = finished.iter().flatten().collect();
            let expert = (file.expert_reward, file.expert_cost);
            rows.push(summarise(&file.name, job.entry.name, expert, &finished));
        }
        rows
    }
}

/// What the threads share.
#[derive(Debug)]
struct Progress {
    manifest: Manifest,
    finished: Vec<Option<Finished>>,
}

impl Progress {
    fn write(&self, store: &Store) -> Result<()> {
        write_atomic(&store.manifest(), &self.manifest.to_text()?)
    }
}

/// A thread that panicked left nothing half-done behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All runs: by environment, then strategy, then seed. Strategies that an environment does not
/// accept are left out of it where all are asked for, and refused where some are.
fn jobs(experiment: &Experiment, sites: &[Arc<dyn Site>]) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    let settings = values_of(experiment.settings())?;
    for site in sites {
        let file = site.file();
        let table = site.table().and_then(|t| experiment.table(t));
        let mut environment_settings = BTreeMap::new();
        if let (Some(name), Some(table)) = (site.table(), table) {
            for (key, value) in values_of(table)? {
                environment_settings.insert(format!("{name}.{key}"), value);
            }
        }
        for &strategy in experiment.strategies() {
            let parameters = experiment.strategy_settings(strategy)?;
            let entry = explore::find(strategy)?;
            match site.accepts(entry) {
                Ok(()) => {}
                Err(e) if experiment.chooses_strategies() => return Err(e),
                Err(_) => continue,
            }
            for &seed in experiment.seeds() {
                jobs.push(Job {
                    identity: Identity {
                        version: env!("CARGO_PKG_VERSION").to_owned(),
                        env: file.name.clone(),
                        environment: file.fingerprint.clone(),
                        strategy: strategy.to_owned(),
                        seed,
                        settings: settings.clone(),
                        strategy_settings: values_of(parameters)?,
                        environment_settings: environment_settings.clone(),
                    },
                    site: site.clone(),
                    entry,
                    parameters: parameters.clone(),
                    table: table.cloned(),
                    saved: None,
                });
            }
        }
    }
    Ok(jobs)
}

/// The parameters that differ from their defaults.
fn changed(table: Option<&Parameters>) -> Result<BTreeMap<String, serde_json::Value>> {
    let Some(table) = table else {
        return Ok(BTreeMap::new());
    };
    let mut values = values_of(table)?;
    for parameter in table.table() {
        let default = manifest::to_value(&Parameter::default(parameter))?;
        if values.get(parameter.name) == Some(&default) {
            values.remove(parameter.name);
        }
    }
    Ok(values)
}

/// Finds the runs that are done. A finished run that this experiment would do differently, or
/// not at all, is refused: it would be overwritten, or drop out of the manifest and the summary.
fn find_saved(store: &Store, jobs: &mut [Job]) -> Result<()> {
    let refused = |problem: String| {
        let place = store.folder().display().to_string();
        let remedy = "choose another folder with --out, or start over with --fresh";
        Error::invalid(place, problem, remedy)
    };
    for job in jobs.iter_mut() {
        match store.look(&job.identity) {
            Saved::Nothing => {}
            Saved::Same(finished) => job.saved = Some(finished),
            Saved::Other(difference) => {
                let id = job.identity.id();
                return Err(refused(format!(
                    "it holds results of another configuration ({id}: {difference})"
                )));
            }
        }
    }
    let ours: BTreeSet<RunId> = jobs.iter().map(|j| j.identity.id()).collect();
    let left_out = |run: &RunId| !ours.contains(run) && store.is_finished(run);
    match store.marked().into_iter().find(left_out) {
        Some(run) => Err(refused(format!(
            "it holds runs that this experiment leaves out ({run})"
        ))),
        None => Ok(()),
    }
}
