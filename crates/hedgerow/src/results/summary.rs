//! What a sweep comes to: one row per environment and strategy, over the seeds.

use super::ExactFile;
use super::history::table;
use crate::Result;
use crate::run::RunSummary;
use serde::{Deserialize, Serialize};

/// The finished runs of one strategy in one environment. New columns are added at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SummaryRow {
    /// Name of the environment.
    pub env: String,
    /// Name of the strategy.
    pub strategy: String,
    /// Number of finished runs; every other column is over these.
    pub seeds: usize,
    /// The expert's discounted reward.
    pub expert_reward: f64,
    /// The expert's discounted cost.
    pub expert_cost: f64,
    /// Mean reward at the end.
    pub final_reward: Option<f64>,
    /// Mean cost at the end.
    pub final_cost: Option<f64>,
    /// Mean WGIoU at the end.
    pub final_wgiou: Option<f64>,
    /// Share of the runs that reached the expert's level and stayed there.
    pub converged: Option<f64>,
    /// Median of the samples they needed, a run that never got there counting as infinite; none
    /// if fewer than half did.
    pub samples_to_expert: Option<f64>,
    /// Mean IoU at the end.
    pub final_iou: Option<f64>,
    /// What exact inference with known dynamics would score: IoU.
    pub exact_iou: Option<f64>,
    /// The same: WGIoU.
    pub exact_wgiou: Option<f64>,
    /// Share of the runs that reached the expert's level with a right map of cells and stayed there.
    pub converged_map: Option<f64>,
    /// Median of the samples they needed, as `samples_to_expert`.
    pub samples_to_map: Option<f64>,
}

/// Summarises the finished runs of one strategy in one environment, in the order of the seeds.
/// `expert` has its reward and cost, `exact` what exact inference would score.
pub fn summarise(
    env: &str,
    strategy: &str,
    expert: (f64, f64),
    exact: Option<&ExactFile>,
    finished: &[&RunSummary],
) -> SummaryRow {
    let n = finished.len();
    let mean = |value: fn(&RunSummary) -> Option<f64>| {
        let sum: Option<f64> = finished.iter().map(|f| value(f)).sum();
        sum.filter(|_| n > 0).map(|sum| sum / n as f64)
    };
    let needed = |samples: fn(&RunSummary) -> Option<u64>| -> Vec<u64> {
        finished.iter().filter_map(|f| samples(f)).collect()
    };
    let (expert_level, map) = (
        needed(|f| f.samples_to_expert),
        needed(|f| f.samples_to_map),
    );
    let share = |needed: &[u64]| needed.len() as f64 / n as f64;
    // Runs of earlier versions and of worlds without exact inference have no map to be right.
    let has_map = n > 0 && finished.iter().all(|f| f.last.map_iou.is_some());
    SummaryRow {
        env: env.to_owned(),
        strategy: strategy.to_owned(),
        seeds: n,
        expert_reward: expert.0,
        expert_cost: expert.1,
        final_reward: mean(|f| Some(f.last.reward)),
        final_cost: mean(|f| Some(f.last.cost)),
        final_wgiou: mean(|f| f.last.wgiou),
        converged: (n > 0).then(|| share(&expert_level)),
        samples_to_expert: median(expert_level, n),
        final_iou: mean(|f| f.last.iou),
        exact_iou: exact.map(|e| e.iou),
        exact_wgiou: exact.map(|e| e.wgiou),
        converged_map: has_map.then(|| share(&map)),
        samples_to_map: median(map, n).filter(|_| has_map),
    }
}

/// The median of `n` numbers of which only the finite ones are given.
///
/// With an even `n` any number between the two middle ones is a median. Their mean is taken, or
/// the lower one where the upper is infinite: exactly half of the runs then still have a median.
fn median(mut finite: Vec<u64>, n: usize) -> Option<f64> {
    finite.sort_unstable();
    let at = |i: usize| finite.get(i).map(|&x| x as f64);
    let lower = at(n.checked_sub(1)? / 2)?;
    Some(at(n / 2).map_or(lower, |upper| f64::midpoint(lower, upper)))
}

/// The summary as text. Its columns are the fields of [`SummaryRow`].
pub fn to_csv(rows: &[SummaryRow]) -> Result<Vec<u8>> {
    table(rows)
}

/// Whether `saved` says what `expected` says: the same rows, in any order, in all columns that it
/// has. Columns that a later version added may be missing.
pub(super) fn agrees(saved: &[u8], expected: &[u8]) -> bool {
    let read = |text: &[u8]| -> Option<(csv::StringRecord, Vec<csv::StringRecord>)> {
        let mut reader = csv::Reader::from_reader(text);
        let columns = reader.headers().ok()?.clone();
        let rows = reader.records().collect::<csv::Result<_>>().ok()?;
        Some((columns, rows))
    };
    let (Some((columns, mut rows)), Some((known, all))) = (read(saved), read(expected)) else {
        return false;
    };
    let places = columns.iter().map(|c| known.iter().position(|k| k == c));
    let Some(places) = places.collect::<Option<Vec<usize>>>() else {
        return false;
    };
    let chosen = |row: &csv::StringRecord| -> csv::StringRecord {
        places.iter().filter_map(|&i| row.get(i)).collect()
    };
    let mut wanted: Vec<csv::StringRecord> = all.iter().map(chosen).collect();
    let order = |a: &csv::StringRecord, b: &csv::StringRecord| a.iter().cmp(b.iter());
    rows.sort_by(order);
    wanted.sort_by(order);
    // A table of names alone would agree with everything.
    columns.len() > 2 && rows == wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Row, Stop};

    fn run(reward: f64, samples_to_expert: Option<u64>) -> RunSummary {
        RunSummary {
            stop: Stop::Iterations,
            samples_to_expert,
            samples_to_map: samples_to_expert.map(|s| 2 * s),
            expert_reward: 1.0,
            expert_cost: 0.5,
            last: Row {
                iteration: 10,
                samples: 500,
                reward,
                cost: 2.0 * reward,
                wgiou: Some(reward),
                accuracy: 0.0,
                giou: Some(0.0),
                iou: Some(0.5 * reward),
                rollout_reward: 0.0,
                rollout_cost: 0.0,
                constrained: 0,
                unseen: 0,
                map_iou: Some(0.5),
            },
        }
    }

    fn of(runs: &[RunSummary]) -> SummaryRow {
        let exact = ExactFile {
            iou: 0.75,
            wgiou: 0.25,
            cells: Vec::new(),
        };
        let runs: Vec<&RunSummary> = runs.iter().collect();
        summarise("e", "s", (1.0, 0.5), Some(&exact), &runs)
    }

    #[test]
    fn finals_are_means_and_converged_is_a_share() {
        let row = of(&[run(1.0, Some(100)), run(0.5, None), run(0.0, Some(300))]);
        assert_eq!(
            (row.seeds, row.final_reward, row.final_cost),
            (3, Some(0.5), Some(1.0))
        );
        assert_eq!(row.converged, Some(2.0 / 3.0));
        assert_eq!(row.samples_to_expert, Some(300.0));
        assert_eq!(
            String::from_utf8(to_csv(&[row]).unwrap()).unwrap(),
            "env,strategy,seeds,expert_reward,expert_cost,final_reward,final_cost,final_wgiou,\
             converged,samples_to_expert,final_iou,exact_iou,exact_wgiou,\
             converged_map,samples_to_map\n\
             e,s,3,1.0,0.5,0.5,1.0,0.5,0.6666666666666666,300.0,0.25,0.75,0.25,\
             0.6666666666666666,600.0\n"
        );
        let mut old = run(1.0, Some(100));
        old.last.map_iou = None;
        let row = of(&[old, run(1.0, Some(100))]);
        assert_eq!((row.converged, row.converged_map), (Some(1.0), None));
        assert_eq!(
            (row.samples_to_expert, row.samples_to_map),
            (Some(100.0), None)
        );
    }

    #[test]
    fn a_table_without_later_columns_agrees_and_a_changed_one_does_not() {
        let rows = [of(&[run(1.0, Some(100))]), of(&[run(0.5, None)])];
        let all = to_csv(&rows).unwrap();
        let text = String::from_utf8(all.clone()).unwrap();
        assert!(agrees(&all, &all));
        let old: String = text
            .lines()
            .map(|l| l.split(',').take(10).collect::<Vec<_>>().join(",") + "\n")
            .collect();
        assert!(agrees(old.as_bytes(), &all));
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1..].reverse();
        assert!(agrees(lines.join("\n").as_bytes(), &all));
        let changed = old.replace("100.0", "101.0");
        assert!(changed != old && !agrees(changed.as_bytes(), &all));
        for end in [0, 5, 20, text.len() / 2, text.len() - 5] {
            assert!(!agrees(&all[..end], &all), "{}", &text[..end]);
        }
    }

    #[test]
    fn the_median_counts_the_others_as_infinite_and_is_empty_below_half() {
        let samples = |s: &[Option<u64>]| {
            let runs: Vec<RunSummary> = s.iter().map(|&s| run(0.0, s)).collect();
            of(&runs).samples_to_expert
        };
        assert_eq!(samples(&[Some(3), Some(1), Some(2)]), Some(2.0));
        assert_eq!(samples(&[Some(4), Some(1), Some(2), Some(3)]), Some(2.5));
        assert_eq!(samples(&[Some(4), None, Some(2), Some(3)]), Some(3.5));
        assert_eq!(samples(&[Some(4), None, Some(2), None]), Some(4.0));
        assert_eq!(samples(&[Some(4), None, None, None]), None);
        assert_eq!(samples(&[Some(4), None, None]), None);
        assert_eq!(samples(&[Some(7)]), Some(7.0));
        assert_eq!(samples(&[None]), None);
    }

    #[test]
    fn a_strategy_without_finished_runs_has_a_row_of_blanks() {
        let row = of(&[]);
        assert!(
            to_csv(&[row])
                .unwrap()
                .ends_with(b"\ne,s,0,1.0,0.5,,,,,,,0.75,0.25,,\n")
        );
    }
}
