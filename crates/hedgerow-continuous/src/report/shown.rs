//! Which runs pictures of mazes show, and what their files keep.

use crate::payload::{MazeSummary, Points};
use hedgerow::results::{Results, SavedRun};
use hedgerow::run::Snapshot;

/// The runs of the strategies that are `wanted`, if there are any of them; else of the first one
/// with a run.
pub(super) fn shown<'a>(
    results: &'a Results,
    env: &'a str,
    wanted: &[&str],
) -> Vec<(&'a str, Vec<&'a SavedRun>)> {
    let mut all: Vec<(&str, Vec<&SavedRun>)> = Vec::new();
    for strategy in results.strategy_names() {
        let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
        if !runs.is_empty() {
            all.push((strategy, runs));
        }
    }
    match all.iter().any(|(name, _)| wanted.contains(name)) {
        true => all.retain(|(name, _)| wanted.contains(name)),
        false => all.truncate(1),
    }
    all
}

/// The inferred points of a snapshot; none if it has none or they cannot be read.
pub(super) fn points(snapshot: &Snapshot) -> Vec<[f64; 3]> {
    let payload = snapshot.payload.as_ref();
    let points = payload.and_then(|p| p.read::<Points>().ok());
    points.unwrap_or_default().points
}

/// What a run knew in the end; none if that cannot be read or does not fit together.
pub(super) fn summary(run: &SavedRun) -> Option<MazeSummary> {
    let summary: MazeSummary = run.result.payload.read().ok()?;
    summary.is_whole().then_some(summary)
}
