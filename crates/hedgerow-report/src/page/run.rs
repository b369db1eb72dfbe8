//! The runs of the page: pictures of what they inferred, what their domain adds, and their
//! verdicts, as far as there is room.

use super::blob::{Budget, pack};
use super::json::text;
use crate::Reports;
use crate::number::{Fine, Short, pairs};
use hedgerow::Result;
use hedgerow::results::{FileProblem, Results, SavedRun};
use hedgerow::run::{Snapshot, Stop};
use serde::Serialize;

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
    /// What the domain's part of the page needs, packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<String>,
}

#[derive(Serialize)]
struct Shot {
    iteration: usize,
    samples: u64,
    reward: Option<Fine>,
    cost: Option<Fine>,
    iou: Option<Fine>,
    wgiou: Option<Fine>,
    cells: Vec<(u32, Short)>,
}

/// Runs whose parts had no room.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct LeftOut {
    verdicts: usize,
    snapshots: usize,
    extras: usize,
}

/// Room for the parts of runs, in bytes.
struct Room {
    verdicts: Budget,
    snapshots: Budget,
    extras: Budget,
}

impl Default for Room {
    /// A page of the default experiment has room for all its verdicts.
    fn default() -> Self {
        Self {
            verdicts: Budget::new(1_500_000),
            snapshots: Budget::new(500_000),
            extras: Budget::new(1_500_000),
        }
    }
}

/// The runs in the order of the results. Room is given seed by seed, so that what is left out is
/// left out for all strategies alike. While the sweep is `running`, no verdicts are found. What a
/// domain cannot read is a problem.
pub(super) fn runs<'a>(
    results: &'a Results,
    reports: &Reports,
    running: bool,
    problems: &mut Vec<FileProblem>,
) -> Result<(Vec<PageRun<'a>>, LeftOut)> {
    within(Room::default(), results, reports, running, problems)
}

fn within<'a>(
    room: Room,
    results: &'a Results,
    reports: &Reports,
    running: bool,
    problems: &mut Vec<FileProblem>,
) -> Result<(Vec<PageRun<'a>>, LeftOut)> {
    let mut all: Vec<PageRun> = results.runs.iter().map(page_run).collect();
    let mut filling = Filling {
        results,
        reports,
        running,
        problems,
        room,
        left_out: LeftOut::default(),
    };
    for i in by_seed(results) {
        filling.fill(&mut all[i], &results.runs[i])?;
    }
    Ok((all, filling.left_out))
}

/// The runs' places, the first seed of the manifest first.
fn by_seed(results: &Results) -> Vec<usize> {
    let seeds = &results.manifest.seeds;
    let mut places: Vec<usize> = (0..results.runs.len()).collect();
    places.sort_by_key(|&i| seeds.iter().position(|s| *s == results.runs[i].id.seed));
    places
}

fn page_run(run: &SavedRun) -> PageRun<'_> {
    let summary = run.summary();
    PageRun {
        env: &run.id.env,
        strategy: &run.id.strategy,
        seed: run.id.seed,
        stop: summary.stop,
        iterations: summary.last.iteration,
        samples: summary.last.samples,
        samples_to_expert: summary.samples_to_expert,
        snapshots: Vec::new(),
        verdicts: None,
        extra: None,
    }
}

/// Runs that are being filled.
struct Filling<'a> {
    results: &'a Results,
    reports: &'a Reports,
    running: bool,
    problems: &'a mut Vec<FileProblem>,
    room: Room,
    left_out: LeftOut,
}

impl Filling<'_> {
    fn fill(&mut self, page: &mut PageRun, run: &SavedRun) -> Result<()> {
        let shots = run.result.snapshots.iter().map(|s| shot(run, s)).collect();
        match self.room.snapshots.takes(text(&shots)?.len()) {
            true => page.snapshots = shots,
            false => self.left_out.snapshots += 1,
        }
        match self.extra(run)? {
            Some(blob) if self.room.extras.takes(blob.len()) => page.extra = Some(blob),
            Some(_) => self.left_out.extras += 1,
            None => {}
        }
        if self.running {
            return Ok(());
        }
        if self.room.verdicts.is_used_up() {
            self.left_out.verdicts += 1;
            return Ok(());
        }
        match self.verdicts(run)? {
            Some(blob) if self.room.verdicts.takes(blob.len()) => page.verdicts = Some(blob),
            Some(_) => self.left_out.verdicts += 1,
            None => {}
        }
        Ok(())
    }

    /// What the domain adds, packed; none if there is no environment or it cannot be read.
    fn extra(&mut self, run: &SavedRun) -> Result<Option<String>> {
        let Some(environment) = self.results.environment(&run.id.env) else {
            return Ok(None);
        };
        let report = self.reports.of(&environment.domain);
        let extra = report.map_or(Ok(None), |r| r.run(environment, run));
        let extra = self.whole(run, extra);
        extra.map(|payload| pack(payload.text())).transpose()
    }

    /// The packed verdicts; none if there is no environment to find them in, or if what the run
    /// has seen does not fit it.
    fn verdicts(&mut self, run: &SavedRun) -> Result<Option<String>> {
        let Some(environment) = self.results.environment(&run.id.env) else {
            return Ok(None);
        };
        let verdicts = self.reports.verdicts(environment, run);
        let verdicts = self.whole(run, verdicts);
        verdicts.map(|verdicts| pack(&text(&verdicts)?)).transpose()
    }

    /// What was found; an error is listed instead.
    fn whole<T>(&mut self, run: &SavedRun, found: Result<Option<T>>) -> Option<T> {
        found.unwrap_or_else(|error| {
            let id = &run.id;
            self.problems.push(FileProblem {
                file: format!("runs/{}/{}/{}.json", id.env, id.strategy, id.seed),
                problem: error.to_string(),
            });
            None
        })
    }
}

fn shot(run: &SavedRun, snapshot: &Snapshot) -> Shot {
    let mut rows = run.result.rows.iter();
    let row = rows.find(|r| r.iteration == snapshot.iteration);
    Shot {
        iteration: snapshot.iteration,
        samples: snapshot.samples,
        reward: row.map(|r| Fine(r.reward)),
        cost: row.map(|r| Fine(r.cost)),
        iou: row.and_then(|r| r.iou).map(Fine),
        wgiou: row.and_then(|r| r.wgiou).map(Fine),
        cells: pairs(&snapshot.cells),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample;

    /// The runs of whole results, which have no problems.
    fn whole(results: &Results, running: bool, room: Room) -> (Vec<PageRun<'_>>, LeftOut) {
        let mut problems = Vec::new();
        let runs = within(room, results, &Reports::default(), running, &mut problems);
        assert_eq!(problems, []);
        runs.unwrap()
    }

    #[test]
    fn pictures_carry_the_numbers_of_their_iteration() {
        let (_folder, results) = sample::results();
        let (pages, left_out) = whole(&results, false, Room::default());
        assert_eq!(left_out, LeftOut::default());
        let (run, page) = (&results.runs[0].result, &pages[0]);
        assert_eq!(page.snapshots.len(), run.snapshots.len());
        let (shot, row) = (page.snapshots.last().unwrap(), run.rows.last().unwrap());
        assert_eq!((shot.iteration, shot.samples), (row.iteration, row.samples));
        assert_eq!(shot.reward, Some(Fine(row.reward)));
        assert_eq!(shot.wgiou, row.wgiou.map(Fine));
        assert!(pages.iter().all(|p| p.verdicts.is_some()));
    }

    #[test]
    fn room_is_given_seed_by_seed_and_what_has_none_is_counted() {
        let (_folder, results) = sample::results();
        let (all, _) = whole(&results, false, Room::default());
        let first = results.manifest.seeds[0];
        let of_first = || all.iter().filter(|p| p.seed == first);
        let verdicts = of_first()
            .filter_map(|p| p.verdicts.as_ref())
            .map(String::len)
            .sum();
        let snapshots = of_first().map(|p| text(&p.snapshots).unwrap().len()).sum();
        let room = Room {
            verdicts: Budget::new(verdicts),
            snapshots: Budget::new(snapshots),
            extras: Budget::new(0),
        };
        let (some, left_out) = whole(&results, false, room);
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
        let (pages, left_out) = whole(&results, true, Room::default());
        assert!(
            pages
                .iter()
                .all(|p| p.verdicts.is_none() && !p.snapshots.is_empty())
        );
        assert_eq!(left_out, LeftOut::default());
    }
}
