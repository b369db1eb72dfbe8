//! Verdicts and explanations of a run, from its saved files.

use crate::common::results;
use hedgerow::results::{EnvironmentFile, SavedRun};
use hedgerow::verdict::Verdict;
use hedgerow_report::Reports;
use hedgerow_report::verdicts::RunVerdicts;

fn verdicts(environment: &EnvironmentFile, run: &SavedRun) -> RunVerdicts {
    let found = Reports::default().verdicts(environment, run);
    found.unwrap().unwrap()
}

#[test]
fn every_cell_that_a_run_charges_is_explained_by_a_better_trajectory() {
    let folder = tempfile::tempdir().unwrap();
    let results = results(
        folder.path(),
        &["gridworld-3"],
        &["pcse", "undecided"],
        &[1, 2, 3],
        200,
    );
    let environment = results.environment("gridworld-3").unwrap();
    let truth: Vec<u32> = environment.true_cells.iter().map(|c| c.0).collect();
    let (mut charged, mut explained) = (0, 0);
    for run in &results.runs {
        let found = verdicts(environment, run);
        assert_eq!(found.samples, run.summary().last.samples);
        // The state after the goal lies nowhere.
        assert_eq!(found.cells.iter().flatten().count(), 49);
        assert!(found.cells[49].is_none());
        for cell in found.cells.iter().flatten() {
            let state = cell.state;
            assert_eq!(cell.truth, Some(truth.contains(&state.0)));
            assert!(!cell.words.is_empty() && !cell.sure.is_empty());
            if cell.verdict == Verdict::Constrained {
                assert_eq!(cell.truth, Some(true), "{}: {}", run.id, cell.words);
            }
            if !cell.inferred {
                continue;
            }
            charged += 1;
            let best = &cell.moves[0];
            assert!(best.low <= best.advantage && best.advantage <= best.high);
            // A cell may also be charged as the less likely outcome of a pair.
            if !["inferred", "constrained"].contains(&best.verdict.as_str()) {
                continue;
            }
            explained += 1;
            let both = cell.witness.as_ref().unwrap();
            let begin = (both.alternative[0], both.expert[0]);
            assert_eq!(begin, (both.from, both.from));
            assert!(both.gain > 0.0);
            let estimate = cell.sure.starts_with("An estimate");
            assert_eq!(
                estimate,
                cell.verdict == Verdict::Undecided,
                "{}",
                cell.sure
            );
        }
        let looks = |s: &u32| found.cells[*s as usize].as_ref().unwrap().inferred;
        assert!(truth.iter().filter(|s| looks(s)).count() >= 3, "{}", run.id);
    }
    assert!(
        charged >= 18 && explained * 10 >= charged * 9,
        "{explained} of {charged}"
    );
}

#[test]
fn verdicts_are_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let results = results(folder.path(), &["gridworld-1"], &["random"], &[1, 2, 3], 30);
    let environment = results.environment("gridworld-1").unwrap();
    let text = || serde_json::to_string(&verdicts(environment, &results.runs[0])).unwrap();
    assert_eq!(text(), text());
}
