//! What one panel of curves shows: lines of strategies, and ranges that show what matters.

use crate::curves::{Axis, Curve, Metric, curve_at};
use crate::draw::scale::Scale;
use hedgerow::results::{Results, SavedRun};

/// One panel.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub env: String,
    pub metric: &'static Metric,
    pub lines: Vec<Line>,
    pub expert: Option<f64>,
    /// What exact inference would score.
    pub exact: Option<f64>,
    pub x: Scale,
    pub y: Scale,
    /// Number of strategies in the whole figure.
    pub strategies: usize,
    /// Strategies without a single finite value.
    pub infinite: Vec<String>,
    /// Whether a mean leaves the panel.
    pub cut: bool,
}

/// The curve of one strategy.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub strategy: String,
    /// Its position among the strategies of the results.
    pub order: usize,
    pub curve: Curve,
}

/// Places across a panel at which curves are taken.
const PLACES: usize = 200;

impl Plot {
    /// The panel of a metric in an environment; `None` if no run has anything to show.
    pub fn new(results: &Results, env: &str, metric: &'static Metric, axis: Axis) -> Option<Self> {
        let names = results.strategy_names();
        let all: Vec<&SavedRun> = results.runs.iter().filter(|r| r.id.env == env).collect();
        let x = x_scale(&all, axis)?;
        let log = metric.alone.is_some();
        let (mut lines, mut infinite) = (Vec::new(), Vec::new());
        for (order, &strategy) in names.iter().enumerate() {
            let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
            let Some(whole) = curve_at(&runs, metric, axis, places(&runs, axis, x)) else {
                continue;
            };
            let strategy = strategy.to_owned();
            match drawable(whole, log) {
                Some(curve) => lines.push(Line {
                    strategy,
                    order,
                    curve,
                }),
                None => infinite.push(strategy),
            }
        }
        if lines.is_empty() {
            return None;
        }
        let expert = all.first().and_then(|r| (metric.expert)(r.summary()));
        let file = results.environment(env).and_then(|e| e.exact.as_ref());
        let exact = file.and_then(metric.exact);
        let references = [expert, exact].into_iter().flatten();
        let references: Vec<f64> = references.filter(|v| v.is_finite()).collect();
        let (y, cut) = y_scale(&lines, &references, log);
        Some(Self {
            env: env.to_owned(),
            metric,
            lines,
            expert,
            exact,
            x,
            y,
            strategies: names.len(),
            infinite,
            cut,
        })
    }
}

impl Plot {
    /// Whether nothing ever moves: all that there is to see is one number.
    pub fn is_flat(&self) -> bool {
        let means = || self.lines.iter().flat_map(|l| &l.curve.mean);
        let (low, high) = means().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| {
            (low.min(v), high.max(v))
        });
        high - low <= 1e-9 * high.abs()
    }
}

/// Logarithmic, as strategies differ by factors and most is learned early; few iterations linear.
fn x_scale(runs: &[&SavedRun], axis: Axis) -> Option<Scale> {
    let rows = runs
        .iter()
        .flat_map(|r| &r.result.rows)
        .map(|row| axis.of(row));
    let positive = rows.filter(|x| *x > 0.0);
    let (low, high) = positive.fold((f64::INFINITY, 0.0_f64), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    match axis {
        _ if high == 0.0 => None,
        Axis::Samples => Some(Scale::log(low, high).padded(0.02)),
        Axis::Iterations if high >= 100.0 => Some(Scale::log(1.0, high).padded(0.02)),
        Axis::Iterations => Some(Scale::linear(0.0, high).padded(0.02)),
    }
}

/// Equally spaced on the axis, up to where the longest run ends.
fn places(runs: &[&SavedRun], axis: Axis, scale: Scale) -> Vec<f64> {
    let ends = runs.iter().filter_map(|r| r.result.rows.last());
    let end = ends.map(|row| axis.of(row)).fold(0.0, f64::max);
    let values = (0..=PLACES).map(|i| scale.value(i as f64 / PLACES as f64));
    let mut x: Vec<f64> = values.filter(|v| *v >= 0.0 && *v < end).collect();
    x.push(end);
    x
}

/// The part of a curve that has a place in the panel.
fn drawable(curve: Curve, log: bool) -> Option<Curve> {
    let fits = |i: &usize| curve.mean[*i].is_finite() && (!log || curve.mean[*i] > 0.0);
    let kept: Vec<usize> = (0..curve.x.len()).filter(fits).collect();
    if kept.is_empty() {
        return None;
    }
    let pick = |from: &[f64]| -> Vec<f64> { kept.iter().map(|&i| from[i]).collect() };
    let mut low = pick(&curve.low);
    let mean = pick(&curve.mean);
    if log {
        // A band that reaches down to 0 has no end on this axis.
        let least = |(l, m): (&mut f64, &f64)| *l = l.max(m / 100.0);
        low.iter_mut().zip(&mean).for_each(least);
    }
    Some(Curve {
        x: pick(&curve.x),
        low,
        high: pick(&curve.high),
        mean,
        seeds: curve.seeds,
    })
}

/// The lowest value of a logarithmic axis, as a share of the highest.
const FLOOR: f64 = 1e-6;

/// A range that holds the means and the references, and bands as far as they do not squeeze them. Means that would
/// squeeze all others are left out: second result.
fn y_scale(lines: &[Line], references: &[f64], log: bool) -> (Scale, bool) {
    let mut means: Vec<f64> = lines.iter().flat_map(|l| l.curve.mean.clone()).collect();
    means.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| means[((means.len() - 1) as f64 * share).round() as usize];
    let (mut low, mut high) = (at(0.0), at(1.0));
    let (most_low, most_high) = (at(0.02), at(0.98));
    let cut = !log && most_high > most_low && most_high - most_low < 0.4 * (high - low);
    if cut {
        (low, high) = (most_low, most_high);
    }
    for &reference in references {
        (low, high) = (low.min(reference), high.max(reference));
    }
    let ends = |f: fn(&Curve) -> &Vec<f64>| lines.iter().flat_map(move |l| f(&l.curve).clone());
    if log {
        // A bound may fall to nearly nothing at once; the others are to be seen, too.
        let floor = FLOOR * high;
        let cut = low < floor;
        low = low.max(floor);
        let lowest = ends(|c| &c.low).fold(low, f64::min).max(low / 1.3);
        return (Scale::log(lowest, high).padded(0.08), cut);
    }
    let room = 0.15 * (high - low);
    let lowest = ends(|c| &c.low).fold(low, f64::min).max(low - room);
    let highest = ends(|c| &c.high).fold(high, f64::max).min(high + room);
    (Scale::linear(lowest, highest).padded(0.05), cut)
}
