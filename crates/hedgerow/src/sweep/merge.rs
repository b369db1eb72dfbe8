//! Putting the parts of a sweep together.

use crate::fingerprint::Fingerprint;
use crate::io::write_atomic;
use crate::results::{
    Manifest, ManifestEnvironment, Results, Store, SummaryRow, summarise, summary_to_csv,
};
use crate::run::RunId;
use crate::{Error, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a merge put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// Runs that were asked for.
    pub planned: usize,
    /// Those that are there now.
    pub finished: usize,
    /// Those that were copied.
    pub copied: usize,
    /// The summary of what is there.
    pub summary: Vec<SummaryRow>,
}

/// Copies the finished runs of all `parts` into `into`, which may hold some already. All must come
/// from the same experiment. Files are copied as they are, so that parts that are all of a sweep
/// give the bytes of the sweep; only `timings.csv` is in another order.
pub fn merge(parts: &[PathBuf], into: &Path) -> Result<Merged> {
    let Some(first) = parts.first() else {
        let remedy = "name the folders of the parts";
        return Err(Error::invalid("merge", "there is nothing to merge", remedy));
    };
    let manifest = read_manifest(first)?;
    for part in &parts[1..] {
        check_same(&manifest, first, part)?;
    }
    let target = Store::new(into)?;
    let _lock = target.claim()?;
    target.clean();
    target.check_ours(false)?;
    if target.manifest().exists() {
        check_same(&manifest, first, into)?;
    }
    let runs: Vec<RunId> = manifest.runs().collect();
    let stores: Vec<Store> = parts.iter().map(|p| Store::new(p)).collect::<Result<_>>()?;
    for environment in &manifest.environments {
        copy_environment(&stores, &target, environment)?;
    }
    let mut copied = 0;
    for part in &stores {
        copied += copy_runs(part, &target, &runs)?;
        if !target.manifest().exists() {
            copy(&part.manifest(), &target.manifest())?;
        }
        add_timings(part, &target)?;
    }
    let results = Results::read(into)?;
    let summary = whole_summary(&results);
    write_atomic(&target.summary(), &summary_to_csv(&summary)?)?;
    Ok(Merged {
        planned: runs.len(),
        finished: results.runs.len(),
        copied,
        summary,
    })
}

fn read_manifest(folder: &Path) -> Result<Manifest> {
    Store::new(folder)?.read_manifest().map_err(|problem| {
        Error::invalid(
            folder.join("manifest.json").display().to_string(),
            problem,
            "name a folder that `hedgerow run --shard` has filled",
        )
    })
}

fn check_same(manifest: &Manifest, first: &Path, folder: &Path) -> Result<()> {
    match read_manifest(folder)?.difference(manifest) {
        None => Ok(()),
        Some(difference) => Err(Error::invalid(
            folder.display().to_string(),
            format!(
                "it is not a part of the same sweep as {}: {difference}",
                first.display()
            ),
            "merge folders of the same experiment, settings and version only",
        )),
    }
}

/// Copies the runs that `target` lacks; those that are damaged are left out.
fn copy_runs(part: &Store, target: &Store, runs: &[RunId]) -> Result<usize> {
    let mut copied = 0;
    for run in runs {
        let Ok(file) = part.run_file(run) else {
            continue;
        };
        if target.run_file(run).is_ok() {
            continue;
        }
        let history = part.history(run);
        let bytes = fs::read(&history).map_err(|e| Error::reading(&history, e))?;
        let samples = (file.samples.is_some()).then(|| fs::read(part.samples(run)).ok());
        let samples = samples.flatten();
        let whole = file.check_samples(samples.as_deref()).is_ok();
        if !whole || file.result(&bytes).is_err() {
            continue;
        }
        write_atomic(&target.history(run), &bytes)?;
        if let Some(samples) = samples {
            write_atomic(&target.samples(run), &samples)?;
        }
        copy(&part.run(run), &target.run(run))?;
        copied += 1;
    }
    Ok(copied)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).map_err(|e| Error::reading(from, e))?;
    write_atomic(to, &bytes)
}

/// Copies the file of an environment from a part that has it whole, unless it is there.
fn copy_environment(
    parts: &[Store],
    target: &Store,
    environment: &ManifestEnvironment,
) -> Result<()> {
    let name = &environment.name;
    let whole = |store: &Store| {
        let bytes = fs::read(store.environment(name)).ok()?;
        (Fingerprint::of(&bytes).to_string() == environment.file).then_some(bytes)
    };
    if whole(target).is_some() {
        return Ok(());
    }
    match parts.iter().find_map(whole) {
        Some(bytes) => write_atomic(&target.environment(name), &bytes),
        None => Err(Error::invalid(
            format!("environments/{name}.json"),
            "no part has this file whole",
            "run one of the parts again, which writes it anew",
        )),
    }
}

/// Adds the times of a part that are not there yet, its header only to an empty file.
fn add_timings(part: &Store, target: &Store) -> Result<()> {
    let Ok(text) = fs::read_to_string(part.timings()) else {
        return Ok(());
    };
    let path = target.timings();
    let there = fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeSet<&str> = there.lines().collect();
    // A line that a crash cut short says nothing.
    let is_whole = |line: &&str| line.split(',').count() == 4 && !known.contains(line);
    let whole = text.ends_with('\n');
    let count = text.lines().count();
    let lines = text.lines().take(if whole { count } else { count - 1 });
    let new = lines.filter(is_whole);
    let all: String = there.lines().chain(new).flat_map(|l| [l, "\n"]).collect();
    write_atomic(&path, all.as_bytes())
}

/// The summary of a sweep: a strategy of which no run is there has its row too.
fn whole_summary(results: &Results) -> Vec<SummaryRow> {
    let mut found = results.summary();
    let mut rows = Vec::new();
    for environment in &results.manifest.environments {
        for strategy in &environment.strategies {
            let is = |r: &SummaryRow| r.env == environment.name && r.strategy == *strategy;
            if let Some(i) = found.iter().position(is) {
                rows.push(found.remove(i));
            } else if let Some(file) = results.environment(&environment.name) {
                let expert = (file.expert_reward, file.expert_cost);
                let exact = file.exact.as_ref();
                rows.push(summarise(&environment.name, strategy, expert, exact, &[]));
            }
        }
    }
    rows
}
