//! What a learner knows of a maze in the end, as files keep it.

use crate::learn::{EVIDENCE, Learner};
use crate::payload::{CellEstimate, MazeSummary, Points, thinned};
use crate::sample_file::SampleFile;
use hedgerow::verdict::Verdict;
use std::collections::BTreeMap;

/// Tiles along a side of a cell.
const TILES: usize = 10;

/// Samples that must lead into a cell, with their advantages known, before it counts as free.
const ENOUGH: u64 = 20;

/// Samples that are sure to gain nothing for every one that may, in a cell that counts as free.
const MOST: u64 = 4;

/// At most `most` of the points, evenly chosen, each standing for its share of the weight.
pub(super) fn points(points: &[[f64; 3]], most: usize) -> Points {
    let short = |x: f64| (x * 1e4).round() / 1e4;
    let points = thinned(points, most).into_iter();
    Points {
        points: points.map(|point| point.map(short)).collect(),
    }
}

/// What a run found out beside what its learner knows.
pub(super) struct RunFindings {
    /// Share of the charged weight on free cells.
    pub(super) overcharged: f64,
    /// The expert's value at the start, fitted and true.
    pub(super) value_at_start: (Option<f64>, f64),
    /// Objectives of the strategy.
    pub(super) objectives: Vec<(f64, f64)>,
}

/// All samples as a file.
pub(super) fn sample_file(learner: &Learner) -> SampleFile {
    let mut file = SampleFile::new(4, 1);
    let mut episode = 0;
    for s in learner.samples() {
        file.observations.extend(s.state);
        file.next_observations.extend(s.next);
        file.actions.push(f64::from(s.action));
        file.expert_actions.push(f64::from(s.expert));
        file.rewards.push(s.reward);
        file.episodes.push(episode);
        file.ended.push(s.terminated);
        episode += i64::from(s.last);
    }
    let columns = ["x (m)", "y (m)", "x velocity (m/s)", "y velocity (m/s)"];
    file.notes = BTreeMap::from([
        ("observation".to_owned(), columns.join(", ")),
        ("action".to_owned(), "number of the force".to_owned()),
    ]);
    file
}

/// The expert's fitted value, mean over the starts of all episodes where it is known.
pub(super) fn value_at_start(learner: &Learner) -> Option<f64> {
    let samples = learner.samples();
    let starts = (0..samples.len()).filter(|&i| i == 0 || samples[i - 1].last);
    let known = starts.filter_map(|i| learner.fitted_value().at_state_of(i));
    let (sum, n) = known.fold((0.0, 0), |(sum, n), v| (sum + v.value, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

/// The summary of what was seen.
pub(super) fn summary(learner: &Learner, found: RunFindings) -> MazeSummary {
    let map = &learner.known_world().map;
    let tile = map.size() / TILES as f64;
    let (columns, rows) = (map.columns() * TILES, map.rows() * TILES);
    let half = |cells: usize| map.size() * cells as f64 / 2.0;
    let (left, bottom) = (-half(map.columns()), -half(map.rows()));
    let mut sums = vec![(0.0, 0_u64); columns * rows];
    let mut counts = vec![0_u64; columns * rows];
    for (i, sample) in learner.samples().iter().enumerate() {
        let [x, y, ..] = sample.state;
        let place = |x: f64, from: f64, most: usize| {
            let at = ((x - from) / tile).floor();
            (at >= 0.0 && at < most as f64).then_some(at as usize)
        };
        let (Some(column), Some(row)) = (place(x, left, columns), place(y, bottom, rows)) else {
            continue;
        };
        let tile = row * columns + column;
        counts[tile] += 1;
        if let Some(known) = learner.fitted_value().at_state_of(i) {
            sums[tile].0 += known.value;
            sums[tile].1 += 1;
        }
    }
    let all = learner.samples().len().max(1) as f64;
    let short = |x: f64| (x * 1e5).round() / 1e5;
    MazeSummary {
        tile,
        columns,
        rows,
        value: sums
            .iter()
            .map(|(sum, n)| (*n > 0).then(|| short(sum / *n as f64)))
            .collect(),
        density: counts.iter().map(|n| short(*n as f64 / all)).collect(),
        margin: learner.inference().margin,
        evidence: EVIDENCE,
        cells: cell_estimates(learner),
        overcharged: found.overcharged,
        value_at_start: Some((
            found.value_at_start.0.map(short),
            short(found.value_at_start.1),
        )),
        objectives: found
            .objectives
            .iter()
            .map(|(a, b)| (short(*a), short(*b)))
            .collect(),
    }
}

fn cell_estimates(learner: &Learner) -> Vec<CellEstimate> {
    let map = &learner.known_world().map;
    let cells = learner.cell_costs();
    let margin = learner.inference().margin;
    let states = map.open_cells().enumerate();
    let estimate = |(state, (row, column)): (usize, (usize, usize))| {
        let cell = map.index(row, column);
        let mut estimate = CellEstimate {
            state: state as u32,
            visits: cells.visits[cell],
            constrained: cells.constrained[cell],
            verdict: Verdict::Undecided,
            advantage: None,
            width: None,
            from: None,
            action: None,
            expert: None,
        };
        let (mut free, mut open) = (0, 0);
        for (i, sample) in learner.samples().iter().enumerate() {
            if map.cell_at(learner.stopping_points()[i]) != Some((row, column)) {
                continue;
            }
            let Some(a) = learner.advantages()[i].filter(|_| !learner.is_expert_action(i)) else {
                continue;
            };
            let settled = a.value + a.width < margin;
            free += u64::from(settled);
            open += u64::from(!settled);
            // The surest one, which for a cell that counts is one that was counted.
            let sure = |value: f64, width: f64| value - width;
            let before = estimate.advantage.zip(estimate.width);
            if before.is_none_or(|(v, w)| sure(a.value, a.width) > sure(v, w)) {
                estimate.advantage = Some(a.value);
                estimate.width = Some(a.width);
                estimate.from = Some(sample.state);
                estimate.action = Some(sample.action.into());
                estimate.expert = Some(sample.expert.into());
            }
        }
        let settled = free >= ENOUGH && free >= MOST * open;
        estimate.verdict = match (cells.cost[cell] > 0.0, estimate.constrained) {
            (true, _) => Verdict::Constrained,
            (false, 0) if settled => Verdict::NoGain,
            _ => Verdict::Undecided,
        };
        estimate
    };
    states.map(estimate).collect()
}
