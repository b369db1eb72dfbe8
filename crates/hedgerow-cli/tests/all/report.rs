//! `hedgerow report` as a process.

use crate::common;

use common::{SMALL, assert_same, done, files, read, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A folder with `results` of a small sweep.
fn swept() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    done(&folder.path().join("results"), SMALL);
    folder
}

/// `hedgerow report` beside the results.
fn report(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command.current_dir(folder).arg("report").args(arguments);
    command.output().unwrap()
}

/// What it prints when it succeeds.
fn reported(folder: &Path, arguments: &[&str]) -> String {
    let output = report(folder, arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_report_is_a_page_and_figures_and_leaves_the_results_alone() {
    let folder = swept();
    let results = folder.path().join("results");
    let before = files(&results);
    let said = reported(folder.path(), &["results"]);
    assert!(
        said.starts_with("8 of 8 runs\npage: results/report.html"),
        "{said}"
    );
    assert!(said.contains("training-curves"), "{said}");
    let after = files(&results);
    let mut kept = after.clone();
    kept.retain(|name, _| name != "report.html" && !name.starts_with("figures/"));
    assert_same(&kept, &before);
    for name in ["environments", "training-curves", "sample-efficiency"] {
        let svg = read(results.join(format!("figures/{name}.svg")));
        assert!(svg.contains("<svg"), "{name}");
        let png = &after[&format!("figures/{name}.png")];
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n", "{name}");
    }
    // Once more, with the first report lying there: the same bytes, and no complaint. The folder
    // is the default one.
    assert_eq!(reported(folder.path(), &[]), said);
    assert_same(&files(&results), &after);
}

#[test]
fn a_report_can_go_elsewhere_and_be_a_part() {
    let folder = swept();
    let results = folder.path().join("results");
    let before = files(&results);
    reported(folder.path(), &["--out", "talk", "--only", "page"]);
    let talk = files(&folder.path().join("talk"));
    assert_eq!(talk.keys().collect::<Vec<_>>(), ["report.html"]);
    let said = reported(
        folder.path(),
        &["--out", "paper", "--only", "figures", "--json"],
    );
    let made: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&made["runs"], &made["planned"]), (&8.into(), &8.into()));
    assert!(made["page"].is_null());
    let paper = files(&folder.path().join("paper"));
    // And the list of them, for the next report.
    assert_eq!(made["figures"].as_array().unwrap().len() + 1, paper.len());
    assert!(paper.keys().all(|name| name.starts_with("figures/")));
    assert_same(&files(&results), &before);
}

#[test]
fn what_is_not_whole_is_listed_and_the_rest_is_reported() {
    let folder = swept();
    let results = folder.path().join("results");
    let damaged = results.join("runs/gridworld-3/pcse/1.csv");
    let bytes = fs::read(&damaged).unwrap();
    fs::write(&damaged, &bytes[..bytes.len() / 2]).unwrap();
    fs::remove_file(results.join("environments/gridworld-4.json")).unwrap();
    fs::write(results.join("notes.txt"), "mine").unwrap();
    let said = reported(folder.path(), &[]);
    assert!(said.starts_with("7 of 8 runs\n"), "{said}");
    for line in [
        "  runs/gridworld-3/pcse/1.csv: it is truncated or was changed; the run is left out\n",
        "  environments/gridworld-4.json: there is no such file; its maps are left out\n",
        "  notes.txt: it is not part of these results and is left out\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    let page = read(results.join("report.html"));
    for file in ["pcse/1.csv", "gridworld-4.json", "notes.txt"] {
        assert!(page.contains(file), "{file}");
    }
    assert!(results.join("figures/training-curves.svg").exists());
}

#[test]
fn a_folder_without_results_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (name, problem) in [
        ("empty", "it holds no results of `hedgerow run`"),
        ("nowhere", "there is no such folder"),
    ] {
        let output = report(folder.path(), &[name]);
        assert_eq!(output.status.code(), Some(1));
        let line = text(&output.stderr);
        assert!(line.contains(name) && line.contains(problem), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(!folder.path().join(name).join("report.html").exists());
    }
}

#[test]
fn figures_of_an_earlier_report_go_and_files_of_others_stay() {
    let folder = swept();
    let results = folder.path().join("results");
    reported(folder.path(), &[]);
    let made = files(&results.join("figures"));
    let stale = made.keys().find(|n| n.contains("gridworld-4")).unwrap();
    assert!(made.keys().any(|n| n.contains("gridworld-3")));
    fs::write(results.join("figures/mine.svg"), "mine").unwrap();
    // The same folder with one environment only.
    let fresh = [
        "--env",
        "gridworld-3",
        "--strategy",
        "pcse,random",
        "--seeds",
        "1,7",
    ];
    let rest = ["--iterations", "12", "--fresh", "--quiet"];
    common::done(&results, &[&fresh[..], &rest].concat());
    assert!(!results.join("report.html").exists());
    let left = files(&results.join("figures"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["mine.svg"]);
    reported(folder.path(), &[]);
    assert!(!results.join("figures").join(stale).exists());
    // Without --fresh, what a report no longer makes goes too.
    fs::write(results.join("figures/old.svg"), "").unwrap();
    let list = read(results.join("figures/.made"));
    fs::write(
        results.join("figures/.made"),
        format!("{list}old.svg\n../manifest.json\n"),
    )
    .unwrap();
    reported(folder.path(), &["--only", "figures"]);
    assert!(!results.join("figures/old.svg").exists());
    assert!(results.join("figures/mine.svg").exists());
    assert!(results.join("manifest.json").exists());
}

#[test]
fn an_unfinished_sweep_is_not_among_the_damaged_files() {
    let folder = swept();
    let results = folder.path().join("results");
    for ending in ["csv", "json"] {
        fs::remove_file(results.join(format!("runs/gridworld-4/random/7.{ending}"))).unwrap();
    }
    let said = reported(folder.path(), &["--only", "page"]);
    assert!(said.starts_with("7 of 8 runs\n"), "{said}");
    assert!(!said.contains("not whole"), "{said}");
    fs::write(results.join("manifest.json"), "{").unwrap();
    let said = reported(folder.path(), &["--only", "page"]);
    assert!(said.starts_with("7 runs, of an unknown number\n"), "{said}");
    assert!(said.contains("manifest.json: "), "{said}");
}
