//! What the page opens with: per environment, what was found by the strategy that found it best.

use super::costliest::{costliest, is_cut, is_none};
use crate::curves::mean_cost;
use crate::number::{Short, pairs};
use hedgerow::results::{Results, SavedRun, SummaryRow};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What was found in an environment.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    env: &'a str,
    /// The strategy whose answer it is.
    strategy: String,
    /// Why this one, in words.
    why: String,
    seeds: usize,
    /// The inferred cost at the end, mean over the seeds, of cells that at least half of them charge.
    cells: Vec<(u32, Short)>,
    /// States that they charge besides, too many to be listed.
    #[serde(skip_serializing_if = "is_none")]
    more: usize,
    /// Cells that fewer seeds charge: state, number of seeds.
    rarely: Vec<(u32, usize)>,
}

/// The answers, in the order of the environments.
pub(super) fn answers(results: &Results) -> Vec<Answer<'_>> {
    let summary = results.summary();
    let names = results.env_names().into_iter();
    let answer = |env| {
        let rows = summary.iter().filter(|row| row.env == env);
        let best = best(rows)?;
        let runs: Vec<&SavedRun> = results.runs_of(env, &best.strategy).collect();
        let mean: Vec<(u32, f64)> = mean_cost(&runs, None).into_iter().collect();
        let charged = charged(&runs);
        let charging = |state: u32| charged.get(&state).copied().unwrap_or(0);
        let (often, rarely): (Vec<_>, Vec<_>) = mean
            .into_iter()
            .partition(|&(state, _)| 2 * charging(state) >= runs.len());
        let cut = results.environment(env).is_some_and(is_cut);
        let (often, more) = costliest(&often, cut);
        let (rarely, _) = costliest(&rarely, cut);
        Some(Answer {
            env,
            why: why(best, summary.iter().filter(|row| row.env == env).count()),
            strategy: best.strategy.clone(),
            seeds: best.seeds,
            cells: pairs(&often),
            more,
            rarely: rarely.iter().map(|&(s, _)| (s, charging(s))).collect(),
        })
    };
    names.filter_map(answer).collect()
}

/// The states that any run charges in the end, each with the number of runs that do.
fn charged(runs: &[&SavedRun]) -> BTreeMap<u32, usize> {
    let mut found = BTreeMap::new();
    for last in runs.iter().filter_map(|run| run.result.snapshots.last()) {
        let positive = last.cells.iter().filter(|(_, cost)| *cost > 0.0);
        for state in positive.map(|(s, _)| *s).collect::<BTreeSet<u32>>() {
            *found.entry(state).or_default() += 1;
        }
    }
    found
}

/// The one whose seeds came to the expert most often; of those the one that took the fewest
/// samples; then the one whose reward is nearest to the expert's; then the first.
fn best<'r>(rows: impl Iterator<Item = &'r SummaryRow>) -> Option<&'r SummaryRow> {
    let rank = |row: &SummaryRow| {
        [
            -row.converged.unwrap_or(0.0),
            row.samples_to_expert.unwrap_or(f64::INFINITY),
            row.final_reward
                .map_or(f64::INFINITY, |r| (r - row.expert_reward).abs()),
        ]
    };
    let compare = |a: &&SummaryRow, b: &&SummaryRow| {
        let (a, b) = (rank(a), rank(b));
        let orders = a.iter().zip(&b).map(|(a, b)| a.total_cmp(b));
        orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    };
    // The first of equals.
    rows.min_by(compare)
}

fn why(row: &SummaryRow, of: usize) -> String {
    let came = (row.converged.unwrap_or(0.0) * row.seeds as f64).round();
    match (of, came > 0.0) {
        (1, _) => "the only strategy here".to_owned(),
        (_, false) => "no strategy came to the expert\u{2019}s level and stayed there; this one \
                       ended nearest to the expert\u{2019}s reward"
            .to_owned(),
        (_, true) if came < row.seeds as f64 => {
            "the most seeds came to the expert\u{2019}s level".to_owned()
        }
        (_, true) => {
            "all seeds came to the expert\u{2019}s level, with the fewest samples".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample;

    #[test]
    fn the_answer_is_that_of_the_strategy_that_came_to_the_expert_soonest() {
        let (_folder, mut results) = sample::results();
        let mut set = |samples: [[Option<u64>; 2]; 2]| {
            let all = samples.iter().flatten();
            for (run, &needed) in results.runs.iter_mut().zip(all) {
                run.result.summary.samples_to_expert = needed;
            }
            let found = answers(&results);
            assert_eq!(found.len(), 1);
            (found[0].strategy.clone(), found[0].why.clone())
        };
        // The runs are those of pcse, then those of random.
        let (strategy, why) = set([[Some(300), Some(500)], [Some(100), Some(200)]]);
        assert_eq!(strategy, "random");
        assert!(why.starts_with("all seeds came"), "{why}");
        let (strategy, why) = set([[Some(300), Some(500)], [Some(100), None]]);
        assert_eq!(
            (strategy.as_str(), why.starts_with("all seeds")),
            ("pcse", true)
        );
        let (strategy, why) = set([[Some(300), None], [None, None]]);
        assert_eq!(
            (strategy.as_str(), why.starts_with("the most seeds")),
            ("pcse", true)
        );
        let (_, why) = set([[None, None], [None, None]]);
        assert!(why.starts_with("no strategy came"), "{why}");
    }

    #[test]
    fn a_cell_is_part_of_the_answer_if_half_of_the_seeds_charge_it() {
        let (_folder, mut results) = sample::results();
        results.runs.retain(|r| r.id.strategy == "pcse");
        for (run, cells) in results
            .runs
            .iter_mut()
            .zip([vec![(3, 1.0), (5, 0.5)], vec![(3, 0.5)]])
        {
            run.result.snapshots.last_mut().unwrap().cells = cells;
        }
        let found = answers(&results);
        assert_eq!(found[0].cells, [(3, Short(0.75)), (5, Short(0.25))]);
        let mut three = results.clone();
        three.runs.push(three.runs[1].clone());
        let found = answers(&three);
        assert_eq!(found[0].cells, [(3, Short(2.0 / 3.0))]);
        assert_eq!(found[0].rarely, [(5, 1)]);
        assert_eq!(found[0].why, "the only strategy here");
    }
}
