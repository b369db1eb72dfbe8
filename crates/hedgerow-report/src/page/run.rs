//! The runs of the page: pictures of what they inferred, and their verdicts, as far as there is
//! room.

use super::blob::{Budget, pack};
use super::number::{Short, pairs};
use super::plane;
use super::unwritable;
use crate::verdicts::verdicts;
use hedgerow::Result;
use hedgerow::run::{Snapshot, Stop};
use hedgerow::sweep::{Results, SavedRun};
use serde::Serialize;

/// Bytes for verdicts. A page of the default experiment has room for all of them.
const VERDICTS: usize = 1_500_000;

/// Bytes for pictures.
const SNAPSHOTS: usize = 500_000;

/// Bytes for points and maps of mazes.
const PLANES: usize = 1_500_000;

#[derive(Serialize)]
pub(super) struct PageRun<'a> {
    env: &'a str,
    strategy: &'a str,
    seed: u64,
    stop: Stop,
    iterations: usize,
    samples: u64,
    samples_to_expert: Option<u64>,
    snapshots: Vec<Shot>,
    verdicts: Option<String>,
    /// Points and maps, in a maze.
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<String>,
}

#[derive(Serialize)]
struct Shot {
    iteration: usize,
    samples: u64,
    reward: Option<Short>,
    cost: Option<Short>,
    wgiou: Option<Short>,
    cells: Vec<(u32, Short)>,
}

/// Runs whose parts had no room.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct LeftOut {
    verdicts: usize,
    snapshots: usize,
    planes: usize,
}

/// The runs in the order of the results. Room is given seed by seed, so that what is left out is
/// left out for all strategies alike. While the sweep is `running`, no verdicts are found.
pub(super) fn runs(results: &Results, running: bool) -> Result<(Vec<PageRun<'_>>, LeftOut)> {
    fit(
        results,
        running,
        Budget::new(VERDICTS),
        Budget::new(SNAPSHOTS),
        Budget::new(PLANES),
    )
}

fn fit(
    results: &Results,
    running: bool,
    mut for_verdicts: Budget,
    mut for_snapshots: Budget,
    mut for_planes: Budget,
) -> Result<(Vec<PageRun<'_>>, LeftOut)> {
    let mut pages: Vec<PageRun> = results.runs.iter().map(page_run).collect();
    let mut left_out = LeftOut::default();
    for i in by_seed(results) {
        let (run, page) = (&results.runs[i], &mut pages[i]);
        let shots = run.snapshots.iter().map(|s| shot(run, s)).collect();
        match for_snapshots.takes(size(&shots)?) {
            true => page.snapshots = shots,
            false => left_out.snapshots += 1,
        }
        match plane::packed(run)? {
            Some(blob) if for_planes.takes(blob.len()) => page.plane = Some(blob),
            Some(_) => left_out.planes += 1,
            None => {}
        }
        if running {
            continue;
        }
        if for_verdicts.is_used_up() {
            left_out.verdicts += 1;
            continue;
        }
        match packed(results, run)? {
            Some(blob) if for_verdicts.takes(blob.len()) => page.verdicts = Some(blob),
            Some(_) => left_out.verdicts += 1,
            None => {}
        }
    }
    Ok((pages, left_out))
}

/// The runs' places, the first seed of the configuration first.
fn by_seed(results: &Results) -> Vec<usize> {
    let seeds = &results.configuration.seeds;
    let mut places: Vec<usize> = (0..results.runs.len()).collect();
    places.sort_by_key(|&i| seeds.iter().position(|s| *s == results.runs[i].run.seed));
    places
}

fn page_run(run: &SavedRun) -> PageRun<'_> {
    PageRun {
        env: &run.run.env,
        strategy: &run.run.strategy,
        seed: run.run.seed,
        stop: run.finished.stop,
        iterations: run.finished.last.iteration,
        samples: run.finished.last.samples,
        samples_to_expert: run.finished.samples_to_expert,
        snapshots: Vec::new(),
        verdicts: None,
        plane: None,
    }
}

fn shot(run: &SavedRun, snapshot: &Snapshot) -> Shot {
    let row = run.rows.iter().find(|r| r.iteration == snapshot.iteration);
    Shot {
        iteration: snapshot.iteration,
        samples: snapshot.samples,
        reward: row.map(|r| Short(r.reward)),
        cost: row.map(|r| Short(r.cost)),
        wgiou: row.and_then(|r| r.wgiou).map(Short),
        cells: pairs(&snapshot.cells),
    }
}

/// The packed verdicts; none if there is no environment to find them in, or if what the run has
/// seen does not fit it.
fn packed(results: &Results, run: &SavedRun) -> Result<Option<String>> {
    let environment = results.environment(&run.run.env);
    match environment.and_then(|e| verdicts(e, run).ok()) {
        Some(verdicts) => pack(&serde_json::to_string(&verdicts).map_err(unwritable)?).map(Some),
        None => Ok(None),
    }
}

fn size<T: Serialize>(content: &T) -> Result<usize> {
    Ok(serde_json::to_string(content).map_err(unwritable)?.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample;

    #[test]
    fn pictures_carry_the_numbers_of_their_iteration() {
        let (_folder, results) = sample::results();
        let (pages, left_out) = runs(&results, false).unwrap();
        assert_eq!(left_out, LeftOut::default());
        let (run, page) = (&results.runs[0], &pages[0]);
        assert_eq!(page.snapshots.len(), run.snapshots.len());
        let (shot, row) = (page.snapshots.last().unwrap(), run.rows.last().unwrap());
        assert_eq!((shot.iteration, shot.samples), (row.iteration, row.samples));
        assert_eq!(shot.reward, Some(Short(row.reward)));
        assert_eq!(shot.wgiou, row.wgiou.map(Short));
        assert!(pages.iter().all(|p| p.verdicts.is_some()));
    }

    #[test]
    fn room_is_given_seed_by_seed_and_what_has_none_is_counted() {
        let (_folder, results) = sample::results();
        let (all, _) = runs(&results, false).unwrap();
        let first = results.configuration.seeds[0];
        let of_first = || all.iter().filter(|p| p.seed == first);
        let verdicts = of_first()
            .filter_map(|p| p.verdicts.as_ref())
            .map(String::len)
            .sum();
        let snapshots = of_first().map(|p| size(&p.snapshots).unwrap()).sum();
        let (some, left_out) = fit(
            &results,
            false,
            Budget::new(verdicts),
            Budget::new(snapshots),
            Budget::new(0),
        )
        .unwrap();
        let others = all.len() - of_first().count();
        assert!(others > 0);
        assert_eq!((left_out.verdicts, left_out.snapshots), (others, others));
        for page in &some {
            let has = page.seed == first;
            assert_eq!(
                (page.verdicts.is_some(), !page.snapshots.is_empty()),
                (has, has)
            );
        }
    }

    #[test]
    fn a_running_sweep_shows_no_verdicts_and_counts_none_as_left_out() {
        let (_folder, results) = sample::results();
        let (pages, left_out) = runs(&results, true).unwrap();
        assert!(
            pages
                .iter()
                .all(|p| p.verdicts.is_none() && !p.snapshots.is_empty())
        );
        assert_eq!(left_out, LeftOut::default());
    }
}
