//! `hedgerow verify`: promises counted, the same on any number of threads, bad values refused.

use crate::common::program;

use assert_cmd::Command;
use program::{near, refused, text};
use serde_json::Value;

const SIX: &[&str] = &[
    "verify",
    "gridworld-4",
    "--runs",
    "6",
    "--iterations",
    "30",
    "--json",
];

fn on_threads(threads: &str, more: &[&str]) -> Vec<u8> {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    command
        .env("RAYON_NUM_THREADS", threads)
        .args(SIX)
        .args(more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output.stdout
}

#[test]
fn six_runs_keep_five_promises_on_any_number_of_threads() {
    // The first part of each search is enough to tell threads apart.
    let few = ["--samples", "20000"];
    assert_eq!(on_threads("1", &few), on_threads("2", &few));
    let found: Value = serde_json::from_slice(&on_threads("2", &[])).unwrap();
    let promises = found["promises"].as_array().unwrap();
    assert_eq!(promises.len(), 5);
    for p in promises {
        assert_eq!((&p["failures"], &p["runs"]), (&0.into(), &6.into()), "{p}");
        assert_eq!(p["kept"], true, "{p}");
        // Clopper and Pearson: none of n leaves [0, 1 - (0.05 / 2)^(1/n)].
        assert_eq!(p["at_least"], 0.0);
        near(&p["at_most"], 1.0 - 0.025_f64.powf(1.0 / 6.0), 1e-9);
    }
    assert_eq!(
        (&found["decided"], &found["missed"]),
        (&6.into(), &0.into())
    );
    let most = found["most_samples"].as_u64().unwrap();
    assert!(most > 0 && most <= 5_000_000, "{most}");
    assert!(found["median_samples"].as_f64().unwrap() <= most as f64);
}

#[test]
fn the_text_is_a_table_and_few_samples_leave_pairs_open() {
    let short = ["--runs", "2", "--iterations", "5", "--samples", "1000"];
    let said = text(&[&["verify", "gridworld-4"], &short[..]].concat());
    let first = "gridworld-4: 2 runs of pcse, 2 searches for verdicts\n";
    assert!(said.starts_with(first), "{said}");
    assert_eq!(
        said.matches("0 of 2  0.0000 to 0.8419  too few runs to tell")
            .count(),
        5,
        "{said}"
    );
    for words in [
        " promise ",
        " may fail ",
        "decided in 0 of 2",
        "at most 1000.",
    ] {
        assert!(said.contains(words), "`{words}` not in: {said}");
    }
}

#[test]
fn searches_may_assume_something_and_ask_another_question() {
    // Without progress, which a slow machine would print.
    let asked = ["verify", "gridworld-4", "--goal", "explain", "--quiet"];
    let few = ["--runs", "3", "--iterations", "5", "--know", "dynamics"];
    let known = [&asked, &few[..]].concat();
    let said = text(&known);
    let line = said.lines().find(|l| l.contains("expert explained"));
    assert!(line.unwrap().contains("0 of 3"), "{said}");
    assert!(
        said.contains("The expert was explained in 3 of 3 searches"),
        "{said}"
    );
    // Without a word on the dynamics it takes far more samples than these.
    let short = ["--runs", "1", "--iterations", "5", "--samples", "20000"];
    let unknown = [&asked, &short[..]].concat();
    assert!(text(&unknown).contains("The expert was explained in 0 of 1 searches"));
}

#[test]
fn bad_values_are_refused_in_one_line() {
    for (given, words) in [
        (["--runs", "0"], ["verify", "at least 1 run"]),
        (["--iterations", "0"], ["verify", "1 iteration"]),
        (["--samples", "0"], ["samples", "at least 1"]),
        (["--delta", "2"], ["delta", "2 is out of range"]),
        (["--confidence", "1"], ["confidence", "below 1"]),
        (["--strategy", "pcsee"], ["`pcsee`", "pcse"]),
        (["--eps", "0.1"], ["--eps", "add --goal explain"]),
    ] {
        let arguments = [&["verify", "gridworld-4"], &given[..]].concat();
        refused(1, &arguments, &words);
    }
}
