//! Reading a results folder back: all that is whole, and a list of what is not.

use hedgerow::sweep::{Experiment, Outcome, Results, Silent, Sweep};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const RUN: &str = "runs/gridworld-1/pcse/2";

fn experiment() -> Experiment {
    let mut experiment = Experiment::default();
    let envs = ["gridworld-1".to_owned(), "gridworld-3".to_owned()];
    experiment.set_environments(&envs).unwrap();
    experiment.set_strategies(["random", "pcse"]).unwrap();
    experiment.set_seeds(vec![2, 1]).unwrap();
    experiment.set("iterations", "12").unwrap();
    experiment
}

fn sweep(folder: &Path) -> Outcome {
    let sweep = Sweep::open(experiment(), folder, false).unwrap();
    sweep.run(&Silent, &AtomicBool::new(false)).unwrap()
}

/// What is wrong with a folder after `damage`, and how many runs are left.
fn after(damage: impl FnOnce(&Path)) -> (Vec<String>, usize) {
    let folder = tempfile::tempdir().unwrap();
    sweep(folder.path());
    damage(folder.path());
    let results = Results::read(folder.path()).unwrap();
    let said = |p: &hedgerow::sweep::Problem| format!("{}: {}", p.file, p.problem);
    (
        results.problems.iter().map(said).collect(),
        results.runs.len(),
    )
}

fn truncate(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
}

#[test]
fn everything_is_read_back_in_the_order_of_the_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = sweep(folder.path());
    let results = Results::read(folder.path()).unwrap();
    assert_eq!(results.problems, []);
    assert_eq!((results.planned, results.runs.len()), (8, 8));
    assert_eq!(results.env_names(), ["gridworld-1", "gridworld-3"]);
    assert_eq!(results.strategy_names(), ["random", "pcse"]);
    assert_eq!(results.summary(), outcome.summary);
    assert_eq!(results.configuration.settings["iterations"], 12);
    let seeds: Vec<u64> = results
        .runs_of("gridworld-1", "pcse")
        .map(|r| r.run.seed)
        .collect();
    assert_eq!(seeds, [2, 1]);
    for run in &results.runs {
        assert_eq!(run.rows.len(), 13);
        assert_eq!(run.rows.last(), Some(&run.finished.last));
        assert_eq!(run.snapshots.last().unwrap().iteration, 12);
        let seen: u64 = run.seen.transitions.iter().map(|t| u64::from(t.2)).sum();
        assert_eq!(seen, run.finished.last.samples);
        let environment = results.environment(&run.run.env).unwrap();
        assert_eq!(environment.task().unwrap().pairs(), environment.pairs.len());
    }
}

#[test]
fn a_damaged_file_costs_its_run_and_is_named() {
    for ending in ["csv", "snapshots.json", "learner.json", "json"] {
        let file = format!("{RUN}.{ending}");
        let (problems, runs) = after(|folder| truncate(&folder.join(&file)));
        let expected = format!("{file}: it is truncated or was changed; the run is left out");
        assert_eq!((problems, runs), (vec![expected], 7));
        let (problems, runs) = after(|folder| fs::remove_file(folder.join(&file)).unwrap());
        let expected = format!("{file}: there is no such file; the run is left out");
        assert_eq!((problems, runs), (vec![expected], 7));
    }
}

#[test]
fn a_run_in_the_place_of_another_is_left_out() {
    let (problems, runs) = after(|folder| {
        for ending in ["csv", "snapshots.json", "learner.json", "json"] {
            let other = folder.join(format!("runs/gridworld-1/pcse/1.{ending}"));
            fs::copy(other, folder.join(format!("{RUN}.{ending}"))).unwrap();
        }
    });
    assert_eq!(runs, 7);
    assert_eq!(
        problems,
        [
            "runs/gridworld-1/pcse/2.json: it belongs to another run (gridworld-1 pcse seed 1); the run is left out"
        ]
    );
}

#[test]
fn without_a_manifest_the_runs_tell_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    sweep(folder.path());
    let whole = Results::read(folder.path()).unwrap();
    truncate(&folder.path().join("manifest.json"));
    let results = Results::read(folder.path()).unwrap();
    assert_eq!(results.runs.len(), 8);
    assert_eq!(results.problems.len(), 1);
    assert!(
        results.problems[0]
            .problem
            .contains("truncated or not JSON")
    );
    assert_eq!(results.configuration.settings, whole.configuration.settings);
    // Seeds and environments come in no particular order from the runs, strategies in ours.
    assert_eq!(results.strategy_names(), ["pcse", "random"]);
    fs::write(
        folder.path().join("manifest.json"),
        "{\"format\": \"other/1\"}",
    )
    .unwrap();
    let results = Results::read(folder.path()).unwrap();
    assert!(results.problems[0].problem.contains("not of the format"));
    assert_eq!(results.runs.len(), 8);
}

#[test]
fn a_manifest_cannot_lead_out_of_the_folder() {
    let (problems, runs) = after(|folder| {
        let path = folder.join("manifest.json");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text.replacen("gridworld-3", "../../else", 1)).unwrap();
    });
    assert_eq!(runs, 8);
    assert!(problems[0].contains("\"../../else\" cannot be the name of a folder"));
}

#[test]
fn without_its_map_an_environment_keeps_its_runs() {
    for damage in [truncate, |p: &Path| fs::remove_file(p).unwrap()] {
        let (problems, runs) =
            after(|folder| damage(&folder.join("environments/gridworld-3.json")));
        assert_eq!((problems.len(), runs), (1, 8));
        assert!(problems[0].starts_with("environments/gridworld-3.json: "));
        assert!(problems[0].ends_with("; its maps are left out"));
    }
    let (problems, _) = after(|folder| {
        let path = folder.join("environments/gridworld-3.json");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text.replace("\"rows\":7", "\"rows\":8")).unwrap();
    });
    assert!(problems[0].contains("the map and its cells do not fit"));
}

#[test]
fn what_is_not_part_of_the_results_is_named_and_left_alone() {
    let (problems, runs) = after(|folder| {
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        fs::write(folder.join("runs/gridworld-1/pcse/9.csv"), "mine").unwrap();
        fs::write(folder.join("report.html"), "a report is ours").unwrap();
        fs::write(folder.join(".hidden"), "").unwrap();
        fs::remove_file(folder.join("summary.csv")).unwrap();
    });
    assert_eq!(runs, 8);
    let left_out = "it is not part of these results and is left out";
    assert_eq!(
        problems,
        [
            "summary.csv: there is no such file; the table is computed from the runs".to_owned(),
            format!("notes.txt: {left_out}"),
            format!("runs/gridworld-1/pcse/9.csv: {left_out}"),
        ]
    );
}

#[test]
fn a_summary_that_was_changed_is_not_believed() {
    let (problems, runs) = after(|folder| {
        let path = folder.join("summary.csv");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text.replacen("pcse", "best", 1)).unwrap();
    });
    assert_eq!(runs, 8);
    assert_eq!(
        problems,
        ["summary.csv: it is truncated or was changed; the table is computed from the runs"]
    );
}

#[test]
fn an_unfinished_sweep_is_read_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::open(experiment(), folder.path(), false).unwrap();
    sweep.run(&Silent, &AtomicBool::new(true)).unwrap();
    let message = Results::read(folder.path()).unwrap_err().to_string();
    assert!(
        message.contains("8 of 8 runs are not finished"),
        "{message}"
    );
}

#[test]
fn a_folder_without_results_is_an_error_of_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let empty = Results::read(folder.path()).unwrap_err().to_string();
    assert!(empty.contains("it holds no results of"), "{empty}");
    assert!(empty.contains("hedgerow run --out"), "{empty}");
    let missing = Results::read(&folder.path().join("nowhere")).unwrap_err();
    assert!(missing.to_string().contains("there is no such folder"));
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let message = Results::read(&file).unwrap_err().to_string();
    assert!(message.contains("it is a file, not a results folder"));
    assert_eq!(message.lines().count(), 1);
}
