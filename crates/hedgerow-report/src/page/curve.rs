//! The curves of the page.

use crate::curves::{Axis, Curve, METRICS, Metric, curve};
use crate::number::{Short, Whole, shorts};
use hedgerow::results::{Results, SavedRun};
use serde::Serialize;
use std::collections::BTreeMap;

/// Points per curve: as many as a small panel can show.
const POINTS: usize = 101;

/// How a metric or an axis is called.
#[derive(Serialize)]
pub(super) struct Label {
    name: &'static str,
    short: &'static str,
    label: &'static str,
    /// Whether it is shown unless somebody chooses otherwise.
    shown: bool,
}

/// The metrics in order.
pub(super) fn metrics() -> Vec<Label> {
    let label = |m: &Metric| Label {
        name: m.name,
        short: m.short,
        label: m.label,
        shown: m.alone.is_none(),
    };
    METRICS.iter().map(label).collect()
}

/// The axes in order.
pub(super) fn axes() -> Vec<Label> {
    let label = |a: Axis| Label {
        name: a.name(),
        short: a.name(),
        label: a.label(),
        shown: a == Axis::Samples,
    };
    [Axis::Samples, Axis::Iterations].map(label).into()
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
    let curves = METRICS
        .iter()
        .map(|m| (m.name, curve(runs, m, axis, POINTS)));
    let curves: Vec<_> = curves.collect();
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
