//! Doing it: all runs of an experiment in parallel, each on disk before the next begins.

use crate::env::Environment;
use crate::explore::{self, Entry};
use crate::io::{open, write_atomic};
use crate::param::Parameters;
use crate::run::{self, Row, Settings, Stop};
use crate::sweep::identity::values_of;
use crate::sweep::manifest::{self, Manifest, to_json};
use crate::sweep::store::{Saved, Store};
use crate::sweep::{
    Configuration, EnvironmentFile, Experiment, Finished, Identity, ManifestEnvironment,
    ManifestRun, RunId, SummaryRow, environment_fingerprint, summarise, summary,
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
    environments: Vec<(Arc<Environment>, EnvironmentFile)>,
    jobs: Vec<Job>,
    store: Store,
    fresh: bool,
}

/// One run to be done, or found done.
#[derive(Debug)]
struct Job {
    identity: Identity,
    environment: Arc<Environment>,
    entry: &'static Entry,
    parameters: Parameters,
    saved: Option<Finished>,
}

impl Sweep {
    /// Builds the environments and compares the experiment with what `folder` holds. Nothing is
    /// written, and nothing saved is in danger: finished runs that this experiment would not
    /// repeat are an error, unless `fresh` says that they are to be removed.
    pub fn open(experiment: Experiment, folder: &Path, fresh: bool) -> Result<Self> {
        let store = Store::new(folder)?;
        store.earlier()?;
        let settings = experiment.run_settings()?;
        let mut environments: Vec<(Arc<Environment>, EnvironmentFile)> = Vec::new();
        for source in experiment.environments() {
            let environment = open(source)?;
            let name = environment.name();
            if environments.iter().any(|(e, _)| e.name() == name) {
                return Err(Error::invalid(
                    source,
                    format!("another environment is called `{name}` too"),
                    "give one of them another name: results are filed by it",
                ));
            }
            let file = EnvironmentFile::new(&environment)?;
            environments.push((Arc::new(environment), file));
        }
        let mut jobs = jobs(&experiment, &environments)?;
        if !fresh {
            find_saved(&store, &mut jobs)?;
        }
        Ok(Self {
            experiment,
            settings,
            environments,
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
        for (environment, file) in &self.environments {
            write_atomic(&self.store.environment(environment.name()), &to_json(file)?)?;
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
        let own = |s: &&str| Ok(((*s).to_owned(), values_of(e.strategy_settings(s)?)?));
        let environments = e.environments().iter().zip(&self.environments);
        Ok(Configuration {
            format: manifest::FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            environments: environments
                .map(|(source, (_, file))| ManifestEnvironment {
                    name: file.name.clone(),
                    source: source.clone(),
                    fingerprint: file.fingerprint.clone(),
                })
                .collect(),
            strategies: e.strategies().iter().map(|s| (*s).to_owned()).collect(),
            seeds: e.seeds().to_vec(),
            settings: values_of(e.settings())?,
            strategy_settings: e.strategies().iter().map(own).collect::<Result<_>>()?,
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
        let mut strategy = job.entry.build(&job.parameters);
        let mut watch = |row: &Row| {
            observer.iteration(&id, row);
            !halted()
        };
        let record = run::run(
            &job.environment,
            strategy.as_mut(),
            &self.settings,
            id.seed,
            &mut watch,
        );
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

    fn summary(&self, finished: &[Option<Finished>]) -> Vec<SummaryRow> {
        let mut groups = finished.chunks(self.experiment.seeds().len());
        let mut rows = Vec::new();
        for (environment, file) in &self.environments {
            for strategy in self.experiment.strategies() {
                let group = groups.next().unwrap_or_default();
                let finished: Vec<&Finished> = group.iter().flatten().collect();
                let expert = (file.expert_reward, file.expert_cost);
                rows.push(summarise(environment.name(), strategy, expert, &finished));
            }
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

/// All runs: by environment, then strategy, then seed.
fn jobs(
    experiment: &Experiment,
    environments: &[(Arc<Environment>, EnvironmentFile)],
) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    let settings = values_of(experiment.settings())?;
    for (environment, _) in environments {
        let fingerprint = environment_fingerprint(environment).to_string();
        for &strategy in experiment.strategies() {
            let parameters = experiment.strategy_settings(strategy)?;
            let entry = explore::find(strategy)?;
            for &seed in experiment.seeds() {
                jobs.push(Job {
                    identity: Identity {
                        version: env!("CARGO_PKG_VERSION").to_owned(),
                        env: environment.name().to_owned(),
                        environment: fingerprint.clone(),
                        strategy: strategy.to_owned(),
                        seed,
                        settings: settings.clone(),
                        strategy_settings: values_of(parameters)?,
                    },
                    environment: environment.clone(),
                    entry,
                    parameters: parameters.clone(),
                    saved: None,
                });
            }
        }
    }
    Ok(jobs)
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
