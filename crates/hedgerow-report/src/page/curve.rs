//! The curves of the page.

use crate::curves::{Axis, Curve, METRICS, Metric, curve};
use crate::number::{Whole, Within};
use hedgerow::finite;
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
    METRICS.iter().map(label).collect()
}

/// The metrics in order, without those that stand alone and never move in these results. In finite worlds they
/// stay, as strategies stop on them.
pub(super) fn moving_metrics(results: &Results) -> Vec<Label> {
    let moves = |m: &&Metric| {
        let mut of_runs = results.runs.iter();
        let still = |r: &SavedRun| {
            let mut values = r.result.rows.iter().filter_map(|row| (m.value)(row));
            let first = values.next();
            values.all(|v| Some(v) == first)
        };
        m.alone.is_none()
            || results.runs.is_empty()
            || !of_runs.all(|r| r.domain != finite::NAME && still(r))
    };
    METRICS.iter().filter(moves).map(label).collect()
}

fn label(m: &Metric) -> Label {
    Label {
        name: m.name,
        short: m.short,
        label: m.label,
        shown: m.alone.is_none(),
    }
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
    mean: Vec<Within>,
    low: Vec<Within>,
    high: Vec<Within>,
}

impl<'a> StrategyCurves<'a> {
    pub(super) fn all(results: &'a Results) -> Vec<Self> {
        let mut all = Vec::new();
        for env in results.env_names() {
            let mut found = Vec::new();
            for strategy in results.strategy_names() {
                let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
                if !runs.is_empty() {
                    let curves = [Axis::Iterations, Axis::Samples].map(|axis| of(&runs, axis));
                    found.push((strategy, runs.len(), curves));
                }
            }
            let curves = || found.iter().flat_map(|(_, _, curves)| curves);
            let ranges: Vec<f64> = (0..METRICS.len())
                .map(|m| {
                    range(
                        curves().filter_map(|c| c[m].as_ref()),
                        references(results, env, m),
                    )
                })
                .collect();
            all.extend(
                found
                    .iter()
                    .map(|(strategy, seeds, [iterations, samples])| Self {
                        env,
                        strategy,
                        seeds: *seeds,
                        iterations: along(iterations, &ranges),
                        samples: along(samples, &ranges),
                    }),
            );
        }
        all
    }
}

/// The curves of all metrics.
fn of(runs: &[&SavedRun], axis: Axis) -> Vec<Option<Curve>> {
    let curves = METRICS.iter().map(|m| curve(runs, m, axis, POINTS));
    curves.collect()
}

/// What a metric is compared with: the expert's, and that of exact inference.
fn references(results: &Results, env: &str, metric: usize) -> Vec<f64> {
    let metric = &METRICS[metric];
    let run = results.runs.iter().find(|r| r.id.env == env);
    let expert = run.and_then(|r| (metric.expert)(r.summary()));
    let file = results.environment(env).and_then(|e| e.exact.as_ref());
    [expert, file.and_then(metric.exact)]
        .into_iter()
        .flatten()
        .collect()
}

/// How long an axis is at least that shows some curves and what they are compared with: without
/// the few values that the page leaves outside of its panels.
fn range<'c>(curves: impl Iterator<Item = &'c Curve>, references: Vec<f64>) -> f64 {
    let means = curves.flat_map(|c| c.mean.iter().copied());
    let mut means: Vec<f64> = means.filter(|x| x.is_finite()).collect();
    means.sort_unstable_by(f64::total_cmp);
    let spread = |cut: f64| {
        let last = means.len().saturating_sub(1) as f64;
        let at = |share: f64| means.get((share * last).round() as usize).copied();
        let shown = [at(cut), at(1.0 - cut)].into_iter().flatten();
        let shown = shown.chain(references.iter().copied().filter(|x| x.is_finite()));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        (high - low).max(0.0)
    };
    match spread(0.02) {
        0.0 => spread(0.0),
        most => most,
    }
}

fn along(curves: &[Option<Curve>], ranges: &[f64]) -> Along {
    // All metrics stand at the same places.
    let x = curves.iter().flatten().map(|c| &c.x).next();
    let band = |curve: &Option<Curve>, range: f64| curve.as_ref().map(|c| band(c, range));
    let bands = METRICS.iter().zip(curves).zip(ranges);
    Along {
        x: x.map_or(Vec::new(), |x| x.iter().map(|&x| Whole(x)).collect()),
        metrics: bands
            .map(|((metric, curve), range)| (metric.name, band(curve, *range)))
            .collect(),
    }
}

fn band(c: &Curve, range: f64) -> Band {
    let within = |values: &[f64]| values.iter().map(|&x| Within::new(x, range)).collect();
    Band {
        mean: within(&c.mean),
        low: within(&c.low),
        high: within(&c.high),
    }
}
