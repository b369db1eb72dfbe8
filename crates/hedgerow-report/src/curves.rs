//! What many seeds come to: curves with bands, and samples to the expert with intervals.
//!
//! ```
//! use hedgerow::results::{Results, SavedRun};
//! use hedgerow::sweep::{Experiment, Silent, Sweep};
//! use hedgerow_report::curves::{Axis, METRICS, curve};
//!
//! let mut experiment = Experiment::default();
//! experiment.set_environments(["gridworld-3"])?;
//! experiment.set_strategies(["random"])?;
//! experiment.set("iterations", "5")?;
//! let folder = tempfile::tempdir()?;
//! Sweep::open(&experiment, folder.path())?.run(&Silent, &Default::default())?;
//!
//! let results = Results::read(folder.path())?;
//! let runs: Vec<&SavedRun> = results.runs.iter().collect();
//! let reward = METRICS.iter().find(|m| m.name == "reward").unwrap();
//! let curve = curve(&runs, reward, Axis::Iterations, 100).unwrap();
//! assert_eq!(curve.x, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
//! assert!(curve.low[5] <= curve.mean[5] && curve.mean[5] <= curve.high[5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use hedgerow::results::{ExactFile, SavedRun, summarise};
use hedgerow::run::{Row, RunSummary};
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::collections::BTreeMap;

/// The probability of one standard deviation about the mean of a normal distribution.
pub const ONE_SIGMA: f64 = 0.682_689_492_137_086;

/// What a curve shows: an entry of [`METRICS`].
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name in files and addresses.
    pub name: &'static str,
    /// The name on a button.
    pub short: &'static str,
    /// The label of an axis.
    pub label: &'static str,
    /// Its value in a row of a history; `None` if that takes a true cost and there is none.
    pub value: fn(&Row) -> Option<f64>,
    /// The expert's, if it has one.
    pub expert: fn(&RunSummary) -> Option<f64>,
    /// What exact inference with known dynamics scores, if it can be scored.
    pub exact: fn(&ExactFile) -> Option<f64>,
    /// What a figure of its own shows, on logarithmic axes; `None` for a row of the training
    /// curves.
    pub alone: Option<&'static str>,
}

/// All metrics, in the order of figures and buttons.
pub const METRICS: &[Metric] = &[
    Metric {
        name: "reward",
        short: "reward",
        label: "discounted reward",
        value: |row| Some(row.reward),
        expert: |run| Some(run.expert_reward),
        exact: |_| None,
        alone: None,
    },
    Metric {
        name: "cost",
        short: "cost",
        label: "discounted cost",
        value: |row| row.wgiou.map(|_| row.cost),
        expert: |run| Some(run.expert_cost),
        exact: |_| None,
        alone: None,
    },
    Metric {
        name: "iou",
        short: "IoU",
        label: "IoU with the truth",
        value: |row| row.iou,
        expert: |_| None,
        exact: |exact| Some(exact.iou),
        alone: None,
    },
    Metric {
        name: "wgiou",
        short: "WGIoU",
        label: "WGIoU with the truth",
        value: |row| row.wgiou,
        expert: |_| None,
        exact: |exact| Some(exact.wgiou),
        alone: None,
    },
    Metric {
        name: "accuracy",
        short: "accuracy",
        label: "accuracy (error bound)",
        value: |row| Some(row.accuracy),
        expert: |_| None,
        exact: |_| None,
        alone: Some("The error bound that strategies stop on"),
    },
];

/// The scores of sampled episodes, as the paper's curves show them: one episode per iteration of
/// the best policy under the inferred cost, smoothed by [`hedgerow::run::running_score`]. They
/// belong to a figure of their own: [`METRICS`] has the same without noise.
pub const RUNNING: &[Metric] = &[
    Metric {
        name: "running-reward",
        short: "running reward",
        label: "running score: reward",
        value: |row| Some(row.rollout_reward),
        expert: |run| Some(run.expert_reward),
        exact: |_| None,
        alone: None,
    },
    Metric {
        name: "running-cost",
        short: "running cost",
        label: "running score: cost",
        value: |row| row.wgiou.map(|_| row.rollout_cost),
        expert: |run| Some(run.expert_cost),
        exact: |_| None,
        alone: None,
    },
];

/// What a curve is drawn against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Iterations of the loop.
    Iterations,
    /// Transitions seen.
    Samples,
}

impl Axis {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Iterations, Self::Samples];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Iterations => "iterations",
            Self::Samples => "samples",
        }
    }

    /// The label of an axis.
    pub fn label(self) -> &'static str {
        match self {
            Self::Iterations => "iterations",
            Self::Samples => "samples (transitions)",
        }
    }

    /// Its value in a row of a history.
    pub fn of(self, row: &Row) -> f64 {
        match self {
            Self::Iterations => row.iteration as f64,
            Self::Samples => row.samples as f64,
        }
    }
}

/// The mean over seeds, and a 68 % confidence interval of the mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Iterations or samples, rising.
    pub x: Vec<f64>,
    /// The mean.
    pub mean: Vec<f64>,
    /// The lower end of the interval.
    pub low: Vec<f64>,
    /// The upper end.
    pub high: Vec<f64>,
    /// Number of seeds.
    pub seeds: usize,
}

/// The curve of some runs that differ in their seed, at no more than about `points` places.
///
/// Between two rows of its history a run stays where it was, and a run that has ended stays where
/// it ended. `None` if there is no run or one of them does not have the metric.
pub fn curve(runs: &[&SavedRun], metric: &Metric, axis: Axis, points: usize) -> Option<Curve> {
    curve_at(runs, metric, axis, places(runs, axis, points))
}

/// The same at the places `x`, which must rise.
pub fn curve_at(runs: &[&SavedRun], metric: &Metric, axis: Axis, x: Vec<f64>) -> Option<Curve> {
    if runs.is_empty() || x.is_empty() {
        return None;
    }
    let mut curve = Curve {
        mean: Vec::with_capacity(x.len()),
        low: Vec::with_capacity(x.len()),
        high: Vec::with_capacity(x.len()),
        seeds: runs.len(),
        x,
    };
    let mut at = vec![0; runs.len()];
    let mut values = vec![0.0; runs.len()];
    for &x in &curve.x {
        for ((run, at), value) in runs.iter().zip(&mut at).zip(&mut values) {
            while *at + 1 < run.result.rows.len() && axis.of(&run.result.rows[*at + 1]) <= x {
                *at += 1;
            }
            *value = (metric.value)(run.result.rows.get(*at)?)?;
        }
        let (mean, half) = mean_and_half_width(&values);
        curve.mean.push(mean);
        curve.low.push(mean - half);
        curve.high.push(mean + half);
    }
    Some(curve)
}

/// 0 and then whole numbers at equal ratios, from the first row to the last one of the longest run:
/// learning is quick at first and slow later.
fn places(runs: &[&SavedRun], axis: Axis, points: usize) -> Vec<f64> {
    let rows = || {
        runs.iter()
            .flat_map(|r| &r.result.rows)
            .map(|row| axis.of(row))
    };
    let Some(end) = rows().reduce(f64::max) else {
        return Vec::new();
    };
    let first = rows().filter(|&x| x > 0.0).fold(end, f64::min);
    if end <= 0.0 {
        return vec![0.0];
    }
    let steps = points.max(3) - 2;
    let place = |i: usize| (first * libm::pow(end / first, i as f64 / steps as f64)).round();
    let mut all: Vec<f64> = std::iter::once(0.0).chain((0..=steps).map(place)).collect();
    all.dedup();
    all
}

/// The mean, and half the width of its 68 % interval: `t s / sqrt(n)` with Student's `t` of
/// `n - 1` degrees of freedom. One value has no width, and neither has one that is infinite.
fn mean_and_half_width(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 || !mean.is_finite() {
        return (mean, 0.0);
    }
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    let error = (squares / (n - 1.0) / n).sqrt();
    (mean, quantile(values.len() - 1) * error)
}

/// Student's `t` within which [`ONE_SIGMA`] of the probability lies on both sides of 0.
fn quantile(freedom: usize) -> f64 {
    let students = StudentsT::new(0.0, 1.0, freedom as f64);
    students.map_or(1.0, |t| t.inverse_cdf(f64::midpoint(1.0, ONE_SIGMA)))
}

/// The mean over some runs of the inferred cost on cells, by state, at an iteration or at their end.
/// A run that has ended stays where it ended; what is not listed is 0.
pub fn mean_cost(runs: &[&SavedRun], iteration: Option<usize>) -> BTreeMap<u32, f64> {
    let mut sum: BTreeMap<u32, f64> = BTreeMap::new();
    for run in runs {
        let mut past = run.result.snapshots.iter().rev();
        let snapshot = past.find(|s| iteration.is_none_or(|i| s.iteration <= i));
        for &(state, cost) in snapshot.iter().flat_map(|s| &s.cells) {
            *sum.entry(state).or_default() += cost;
        }
    }
    let n = runs.len() as f64;
    sum.values_mut().for_each(|cost| *cost /= n);
    sum
}

/// Samples to the expert over some seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// Number of seeds.
    pub seeds: usize,
    /// What the seeds that reached the expert needed, rising.
    pub samples: Vec<u64>,
    /// The median, as in the summary: a seed that never got there counts as infinite.
    pub median: Option<f64>,
    /// The median of all seeds there could be is at least this.
    pub low: Option<f64>,
    /// And at most this; `None` if it may be infinite.
    pub high: Option<f64>,
}

/// How many samples some runs that differ in their seed needed to reach the expert.
///
/// The interval holds the median with a probability of at least 68 %, whatever the distribution:
/// it runs from the `k`-th smallest to the `k`-th largest value, `k` as large as
/// `P(k <= B < n - k + 1) >= 0.68` allows, `B` binomial with `n` tosses of a fair coin. A single
/// seed has none.
pub fn reached(runs: &[&SavedRun]) -> Reached {
    let finished: Vec<&RunSummary> = runs.iter().map(|r| r.summary()).collect();
    let needed = finished.iter().filter_map(|f| f.samples_to_expert);
    let mut samples: Vec<u64> = needed.collect();
    samples.sort_unstable();
    let median = summarise("", "", (0.0, 0.0), None, &finished).samples_to_expert;
    let n = runs.len();
    let at = |i: usize| samples.get(i).map(|&s| s as f64);
    let (low, high) = match median_rank(n) {
        Some(k) => (at(k - 1), at(n - k)),
        None => (None, None),
    };
    Reached {
        seeds: n,
        samples,
        median,
        low,
        high,
    }
}

/// The largest `k` with `P(k <= B <= n - k) >= 0.68`, `B` binomial (`n`, 1/2).
fn median_rank(n: usize) -> Option<usize> {
    // Binomial coefficients over 2^n, one after the other.
    let mut term = 0.5_f64.powi(i32::try_from(n).ok()?);
    let mut tail = 0.0;
    let mut best = None;
    for k in 1..=n / 2 {
        tail += term;
        if 1.0 - 2.0 * tail < ONE_SIGMA {
            break;
        }
        best = Some(k);
        term *= (n - k + 1) as f64 / k as f64;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use hedgerow::run::{Payload, RunId, RunResult, Snapshot, Stop};

    fn metric(name: &str) -> &'static Metric {
        METRICS.iter().find(|m| m.name == name).unwrap()
    }

    fn run(rows: &[(usize, u64, f64)], samples_to_expert: Option<u64>) -> SavedRun {
        let row = |&(iteration, samples, reward): &(usize, u64, f64)| Row {
            iteration,
            samples,
            reward,
            cost: 2.0 * reward,
            accuracy: f64::INFINITY,
            ..Row::default()
        };
        let rows: Vec<Row> = rows.iter().map(row).collect();
        SavedRun {
            id: RunId {
                env: "e".into(),
                strategy: "s".into(),
                seed: 0,
            },
            domain: "finite".into(),
            result: RunResult {
                summary: RunSummary {
                    stop: Stop::Iterations,
                    samples_to_expert,
                    expert_reward: 1.0,
                    expert_cost: 0.0,
                    samples_to_map: None,
                    last: rows[rows.len() - 1],
                },
                rows,
                snapshots: Vec::new(),
                payload: Payload::empty(),
                samples: None,
            },
        }
    }

    #[test]
    fn the_band_is_the_confidence_interval_of_the_mean() {
        // Two values: t of one degree of freedom is tan(pi/2 p), the error |a - b| / 2.
        let (a, b) = (run(&[(0, 0, 1.0)], None), run(&[(0, 0, 3.0)], None));
        let c = curve(&[&a, &b], metric("reward"), Axis::Iterations, 10).unwrap();
        let half = (std::f64::consts::FRAC_PI_2 * ONE_SIGMA).tan();
        assert_eq!((c.x.as_slice(), c.mean[0], c.seeds), (&[0.0][..], 2.0, 2));
        assert!((c.high[0] - 2.0 - half).abs() < 1e-9, "{}", c.high[0]);
        assert!((2.0 - c.low[0] - half).abs() < 1e-9);
        // Five seeds: the table value for 84.13 % and four degrees of freedom.
        assert!((quantile(4) - 1.1416).abs() < 1e-4, "{}", quantile(4));
    }

    #[test]
    fn one_seed_has_no_band_and_an_infinite_bound_stays_infinite() {
        let a = run(&[(0, 0, 1.0), (1, 10, 2.0)], None);
        let c = curve(&[&a], metric("reward"), Axis::Samples, 3).unwrap();
        assert_eq!((&c.low, &c.high), (&c.mean, &c.mean));
        assert_eq!((c.x, c.mean), (vec![0.0, 10.0], vec![1.0, 2.0]));
        let c = curve(&[&a, &a], metric("accuracy"), Axis::Samples, 3).unwrap();
        assert!(c.mean.iter().chain(&c.high).all(|v| v.is_infinite()));
        assert_eq!(curve(&[&a], metric("wgiou"), Axis::Samples, 3), None);
        assert_eq!(curve(&[&a], metric("cost"), Axis::Samples, 3), None);
        assert_eq!(curve(&[], metric("reward"), Axis::Samples, 3), None);
    }

    #[test]
    fn a_run_that_ended_stays_where_it_ended() {
        let a = run(&[(0, 0, 0.0), (1, 4, 1.0)], None);
        let b = run(&[(0, 0, 0.0), (1, 2, 2.0), (2, 8, 3.0)], None);
        let c = curve(&[&a, &b], metric("reward"), Axis::Samples, 5).unwrap();
        // 2, 2 * 4^(1/3), 2 * 4^(2/3), 8.
        assert_eq!(c.x, [0.0, 2.0, 3.0, 5.0, 8.0]);
        assert_eq!(c.mean, [0.0, 1.0, 1.0, 1.5, 2.0]);
        let c = curve(&[&a, &b], metric("reward"), Axis::Iterations, 100).unwrap();
        assert_eq!(c.x, [0.0, 1.0, 2.0]);
        let c = curve_at(
            &[&a, &b],
            metric("reward"),
            Axis::Samples,
            vec![1.5, 3.5, 9.0],
        )
        .unwrap();
        assert_eq!(c.mean, [0.0, 1.0, 2.0]);
    }

    #[test]
    fn the_mean_of_costs_counts_what_is_not_listed_as_0() {
        let with = |costs: &[(usize, f64)]| {
            let mut run = run(&[(0, 0, 0.0)], None);
            let snapshot = |&(iteration, cost): &(usize, f64)| Snapshot {
                iteration,
                samples: 0,
                pairs: Vec::new(),
                cells: vec![(7, cost)],
                payload: None,
            };
            run.result.snapshots = costs.iter().map(snapshot).collect();
            run
        };
        let (a, b) = (with(&[(1, 2.0), (5, 4.0)]), with(&[(2, 1.0)]));
        let at = |i| mean_cost(&[&a, &b], i).into_iter().collect::<Vec<_>>();
        assert_eq!(at(Some(0)), []);
        assert_eq!(at(Some(1)), [(7, 1.0)]);
        assert_eq!(at(Some(4)), [(7, 1.5)]);
        assert_eq!(at(None), [(7, 2.5)]);
    }

    #[test]
    fn the_interval_of_a_median_is_one_of_order_statistics() {
        // Five tosses: P(1 <= B <= 4) = 30/32, P(2 <= B <= 3) = 20/32. Twenty: 0.737 for k = 8.
        assert_eq!(
            [1, 2, 3, 5, 20].map(median_rank),
            [None, None, Some(1), Some(1), Some(8)]
        );
        let of = |needed: &[Option<u64>]| {
            let runs: Vec<SavedRun> = needed.iter().map(|&s| run(&[(0, 0, 0.0)], s)).collect();
            reached(&runs.iter().collect::<Vec<_>>())
        };
        let r = of(&[Some(5), Some(1), Some(4), Some(2), Some(3)]);
        assert_eq!((r.low, r.median, r.high), (Some(1.0), Some(3.0), Some(5.0)));
        let r = of(&[Some(5), None, Some(4), Some(2), None]);
        assert_eq!((r.low, r.median, r.high), (Some(2.0), Some(5.0), None));
        assert_eq!((r.samples, r.seeds), (vec![2, 4, 5], 5));
        let r = of(&[Some(5)]);
        assert_eq!((r.low, r.median, r.high), (None, Some(5.0), None));
    }
}
