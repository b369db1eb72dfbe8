//! The curves of the page.

use super::number::{Short, Whole, shorts};
use crate::curves::{Axis, Curve, Metric, curve};
use hedgerow::sweep::{Results, SavedRun};
use serde::Serialize;
use std::collections::BTreeMap;

/// Points a curve: as many as a small panel can show.
const POINTS: usize = 101;

/// How metrics and axes are called.
pub(super) type Labels = BTreeMap<&'static str, Label>;

#[derive(Serialize)]
pub(super) struct Label {
    short: &'static str,
    label: &'static str,
}

/// The names on buttons and axes.
pub(super) fn labels() -> Labels {
    let short = |m: Metric| match m {
        Metric::Wgiou => "WGIoU",
        other => other.name(),
    };
    let metrics = Metric::ALL.map(|m| (m.name(), short(m), m.label()));
    let axes = Axis::ALL.map(|a| (a.name(), a.name(), a.label()));
    let all = metrics.into_iter().chain(axes);
    all.map(|(name, short, label)| (name, Label { short, label }))
        .collect()
}

/// The curves of one strategy in one environment.
#[derive(Serialize)]
pub(super) struct StrategyCurves<'a> {
    env: &'a str,
    strategy: &'a str,
    seeds: usize,
    iterations: Along,
    samples: Along,
}

#[derive(Serialize)]
struct Along {
    x: Vec<Whole>,
    #[serde(flatten)]
    metrics: BTreeMap<&'static str, Option<Band>>,
}

#[derive(Serialize)]
struct Band {
    mean: Vec<Short>,
    low: Vec<Short>,
    high: Vec<Short>,
}

impl<'a> StrategyCurves<'a> {
    pub(super) fn all(results: &'a Results) -> Vec<Self> {
        let mut all = Vec::new();
        for env in results.env_names() {
            for strategy in results.strategy_names() {
                let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
                if !runs.is_empty() {
                    all.push(Self {
                        env,
                        strategy,
                        seeds: runs.len(),
                        iterations: along(&runs, Axis::Iterations),
                        samples: along(&runs, Axis::Samples),
                    });
                }
            }
        }
        all
    }
}

fn along(runs: &[&SavedRun], axis: Axis) -> Along {
    let curves = Metric::ALL.map(|m| (m.name(), curve(runs, m, axis, POINTS)));
    // All metrics stand at the same places.
    let x = curves.iter().find_map(|(_, c)| Some(&c.as_ref()?.x));
    Along {
        x: x.map_or(Vec::new(), |x| x.iter().map(|&x| Whole(x)).collect()),
        metrics: curves
            .iter()
            .map(|(name, c)| (*name, c.as_ref().map(band)))
            .collect(),
    }
}

fn band(c: &Curve) -> Band {
    Band {
        mean: shorts(&c.mean),
        low: shorts(&c.low),
        high: shorts(&c.high),
    }
}
