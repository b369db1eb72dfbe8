//! Doing it: all runs of an experiment in parallel, each on disk before the next begins.

use super::resolve::Resolved;
use super::{Experiment, Observer, Shard};
use crate::io::write_atomic;
use crate::results::{
    EnvironmentFile, FileKeeper, FileProblem, Saved, Store, SummaryRow, summarise, summary_to_csv,
};
use crate::run::{Row, RunId, RunSpec, RunSummary, Stop};
use crate::{Error, Result};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a sweep ended.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepOutcome {
    /// Runs of the experiment, or of its part.
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

/// An experiment, ready to run into a folder that nobody else may write to while it lives.
#[derive(Debug)]
pub struct Sweep {
    resolved: Resolved,
    shard: Shard,
    store: Store,
    saved: BTreeMap<RunId, RunSummary>,
    damaged: Vec<FileProblem>,
    checkpoints: Duration,
    _lock: File,
}

/// The time between two checkpoints of a run, unless it is said otherwise.
const CHECKPOINTS: Duration = Duration::from_secs(10);

/// What the threads share.
struct Progress {
    finished: BTreeMap<RunId, RunSummary>,
    failed: BTreeMap<RunId, String>,
    /// A folder that stops taking files (a full disk) ends the sweep, not just one run.
    broken: Option<Error>,
}

impl Sweep {
    /// The whole experiment; see [`Self::open_part`].
    pub fn open(experiment: &Experiment, folder: &Path) -> Result<Self> {
        Self::open_part(experiment, folder, Shard::WHOLE, false)
    }

    /// Builds the environments, takes `folder` and compares the experiment with what it holds.
    /// Nothing saved is in danger: finished runs that this experiment would not repeat are an
    /// error, unless `fresh` says that they are to be removed.
    pub fn open_part(
        experiment: &Experiment,
        folder: &Path,
        shard: Shard,
        fresh: bool,
    ) -> Result<Self> {
        let store = Store::new(folder)?;
        let resolved = experiment.resolve()?;
        if resolved.part(shard).next().is_none() {
            let runs = resolved.runs.len();
            return Err(Error::invalid(
                "shard",
                format!("part {shard} has no run: the sweep has {runs}"),
                format!("cut it into at most {runs} parts"),
            ));
        }
        let _lock = store.claim()?;
        store.check_ours(fresh)?;
        store.clean();
        if fresh {
            store.clear()?;
        }
        let mut sweep = Self {
            saved: BTreeMap::new(),
            damaged: Vec::new(),
            checkpoints: CHECKPOINTS,
            resolved,
            shard,
            store,
            _lock,
        };
        sweep.find_saved()?;
        Ok(sweep)
    }

    /// The same sweep, whose long runs leave a checkpoint at most this often. Results do not depend on it.
    #[must_use]
    pub fn checkpoint_every(mut self, time: Duration) -> Self {
        self.checkpoints = time;
        self
    }

    /// Runs of the experiment, or of its part.
    pub fn runs(&self) -> usize {
        self.resolved.part(self.shard).count()
    }

    /// Those that are on disk already.
    pub fn saved(&self) -> usize {
        let runs = self.resolved.part(self.shard);
        runs.filter(|(_, spec)| self.saved.contains_key(&spec.id))
            .count()
    }

    /// Files that are there and not whole: they are written anew.
    pub fn damaged(&self) -> &[FileProblem] {
        &self.damaged
    }

    /// The results folder.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Finds the runs that are done. A finished run that this experiment would do differently, or
    /// not at all, is refused: it would be overwritten, or drop out of the summary.
    fn find_saved(&mut self) -> Result<()> {
        let mut damaged = self
            .store
            .damaged_files(self.resolved.worlds.iter().map(|w| w.file().name.as_str()));
        for (_, spec) in &self.resolved.runs {
            match self.store.look(spec) {
                Saved::Nothing => {}
                Saved::Damaged(file, problem) => damaged.push(self.store.problem(&file, problem)),
                Saved::Same(summary) => {
                    // Left by a program that was killed just after it had saved the run.
                    FileKeeper::new(self.store.checkpoint(&spec.id), CHECKPOINTS).remove()?;
                    self.saved.insert(spec.id.clone(), summary);
                }
                Saved::Other(difference) => {
                    let id = &spec.id;
                    return Err(self.refused(format!(
                        "it holds results of another configuration ({id}: {difference})"
                    )));
                }
            }
        }
        self.damaged = damaged;
        let ours: HashSet<&RunId> = self.resolved.runs.iter().map(|(_, s)| &s.id).collect();
        let left_out = |run: &RunId| !ours.contains(run) && self.store.run_file(run).is_ok();
        match self.store.runs().into_iter().find(left_out) {
            Some(run) => Err(self.refused(format!(
                "it holds runs that this experiment leaves out ({run})"
            ))),
            None => Ok(()),
        }
    }

    fn refused(&self, problem: String) -> Error {
        let place = self.store.folder().display().to_string();
        let remedy = "choose another folder with --out, or start over with --fresh";
        Error::invalid(place, problem, remedy)
    }

    /// The parts that have runs left to do, if the sweep is divided into `of`.
    pub fn open_shards(&self, of: usize) -> Result<Vec<Shard>> {
        Shard::new(1, of)?;
        let mut open = vec![false; of];
        for (place, (_, spec)) in self.resolved.runs.iter().enumerate() {
            open[place % of] |= !self.saved.contains_key(&spec.id);
        }
        let numbers = (1..=of).filter(|n| open[n - 1]);
        numbers.map(|n| Shard::new(n, of)).collect()
    }

    /// Does what is left to do. When `stop` becomes true, runs in flight are abandoned and
    /// finished ones stay; the same call on the same folder then continues.
    pub fn run(self, observer: &dyn Observer, stop: &AtomicBool) -> Result<SweepOutcome> {
        let files: Vec<&EnvironmentFile> = self.resolved.worlds.iter().map(|w| w.file()).collect();
        // A folder that cannot be written is found out before any run.
        self.store.begin(&self.resolved.manifest, &files)?;
        let progress = Mutex::new(Progress {
            finished: self.saved.clone(),
            failed: BTreeMap::new(),
            broken: None,
        });
        let give_up = AtomicBool::new(false);
        let halted = || stop.load(Ordering::Relaxed) || give_up.load(Ordering::Relaxed);
        let pending = self.resolved.part(self.shard);
        let pending = pending.filter(|(_, spec)| !self.saved.contains_key(&spec.id));
        // Handing out runs one by one keeps their order, so an interrupted sweep has whole
        // environments rather than a bit of each.
        pending.par_bridge().for_each(|(world, spec)| {
            if halted() {
                return;
            }
            if let Err(e) = self.one(*world, spec, observer, &halted, &progress) {
                give_up.store(true, Ordering::Relaxed);
                lock(&progress).broken.get_or_insert(e);
            }
        });
        let progress = progress
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        self.end(progress)
    }

    /// One run, from its first iteration to the disk.
    fn one(
        &self,
        world: usize,
        spec: &RunSpec,
        observer: &dyn Observer,
        halted: &(dyn Fn() -> bool + Sync),
        progress: &Mutex<Progress>,
    ) -> Result<()> {
        let started = Instant::now();
        observer.started(&spec.id);
        let mut observe = |row: &Row| {
            observer.iteration(&spec.id, row);
            match halted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let mut keeper = FileKeeper::new(self.store.checkpoint(&spec.id), self.checkpoints);
        let world = &self.resolved.worlds[world];
        match world.run_kept(spec, &mut observe, &halted, &mut keeper) {
            Ok(result) if result.summary.stop == Stop::Interrupted => {}
            Ok(result) => {
                self.store.save(spec, &result)?;
                keeper.remove()?;
                let seconds = started.elapsed().as_secs_f64();
                self.store.note_time(&spec.id, seconds)?;
                observer.finished(&spec.id, &result.summary);
                let finished = (spec.id.clone(), result.summary);
                lock(progress).finished.extend([finished]);
            }
            Err(error) => {
                self.store.save_failure(&spec.id, &error)?;
                keeper.remove()?;
                observer.failed(&spec.id, &error);
                let failed = (spec.id.clone(), error.to_string());
                lock(progress).failed.extend([failed]);
            }
        }
        Ok(())
    }

    fn end(&self, progress: Progress) -> Result<SweepOutcome> {
        if let Some(error) = progress.broken {
            return Err(error);
        }
        let summary = summary(&self.resolved, &progress.finished);
        write_atomic(&self.store.summary(), &summary_to_csv(&summary)?)?;
        let part: Vec<&RunId> = self.resolved.part(self.shard).map(|(_, s)| &s.id).collect();
        let mut stops = BTreeMap::new();
        for run in part.iter().filter_map(|id| progress.finished.get(id)) {
            *stops.entry(run.stop).or_default() += 1;
        }
        let finished = stops.values().sum();
        let failed: Vec<(RunId, String)> = part
            .iter()
            .filter_map(|&id| Some((id.clone(), progress.failed.get(id)?.clone())))
            .collect();
        Ok(SweepOutcome {
            stops,
            runs: part.len(),
            finished,
            interrupted: finished + failed.len() < part.len(),
            failed,
            summary,
        })
    }
}

/// One row per environment and strategy that has runs in the experiment.
fn summary(resolved: &Resolved, finished: &BTreeMap<RunId, RunSummary>) -> Vec<SummaryRow> {
    let seeds = resolved.manifest.seeds.len();
    let groups = resolved.runs.chunks(seeds).filter(|g| !g.is_empty());
    let row = |group: &[(usize, RunSpec)]| {
        let (world, spec) = &group[0];
        let file = resolved.worlds[*world].file();
        let runs = group.iter().filter_map(|(_, s)| finished.get(&s.id));
        let runs: Vec<&RunSummary> = runs.collect();
        let expert = (file.expert_reward, file.expert_cost);
        let exact = file.exact.as_ref();
        summarise(&file.name, &spec.id.strategy, expert, exact, &runs)
    };
    groups.map(row).collect()
}

/// A thread that panicked left nothing half-done behind this lock.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
