//! What the page needs of continuous worlds of any kind: places of pairs; of a run their probabilities
//! at every moment, and its reliability curves.

use super::{moment, shown_pairs, summary};
use crate::general::calibration::Reliability;
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, SavedRun};
use hedgerow::run::Payload;
use hedgerow_report::number::Short;
use serde::Serialize;

#[derive(Serialize)]
struct Known {
    /// By snapshot and pair: the probability that it is charged.
    charged: Vec<Vec<Short>>,
    /// By pair: whether it is truly constrained.
    truly: Vec<u8>,
    /// Bins on held-out pairs: predicted, observed, pairs.
    held_out: Vec<(Short, Short, u64)>,
    /// The same against the truth.
    truth: Vec<(Short, Short, u64)>,
}

/// Axes, places and boundaries, if pairs can be shown.
pub(super) fn environment(environment: &EnvironmentFile) -> Result<Option<Payload>> {
    let shown = shown_pairs(environment);
    shown.map(|shown| Payload::new(&shown)).transpose()
}

/// What is known of a run; none if it cannot be read.
pub(super) fn run(run: &SavedRun) -> Result<Option<Payload>> {
    let moments = run.result.snapshots.iter().map(moment);
    let Some(moments) = moments.collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let (Some(last), Some(end)) = (moments.last(), summary(run)) else {
        return Ok(None);
    };
    let short = |p: f64| Short((p * 100.0).round() / 100.0);
    let bins = |curve: &Reliability| {
        let there = curve.bins.iter().filter(|b| b.count > 0);
        let bin =
            |b: &crate::general::calibration::Bin| (short(b.predicted), short(b.observed), b.count);
        there.map(bin).collect()
    };
    let known = Known {
        charged: moments
            .iter()
            .map(|m| m.pairs.iter().map(|p| short(p.2)).collect())
            .collect(),
        truly: last.pairs.iter().map(|p| u8::from(p.3)).collect(),
        held_out: bins(&end.held_out),
        truth: end
            .comparison
            .map_or_else(Vec::new, |c| bins(&c.reliability)),
    };
    Payload::new(&known).map(Some)
}
