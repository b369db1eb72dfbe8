//! Runs the command and takes what it prints.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// What it prints; it must succeed and say nothing else.
pub fn text(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The same with `--json`.
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(&[arguments, &["--json"]].concat())).unwrap()
}

/// It must fail with `code` and one line that holds all of `words`, and print nothing else.
pub fn refused(code: i32, arguments: &[&str], words: &[&str]) {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let output = command.args(arguments).output().unwrap();
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {line}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(line.starts_with("error: "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    for word in words {
        assert!(line.contains(word), "`{word}` not in: {line}");
    }
}

pub fn near(found: &Value, known: f64, within: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - known).abs() <= within, "{found} for {known}");
}

/// Demonstrations and logs of gridworld-3 in `folder`.
pub fn recorded(folder: &Path) -> (String, String) {
    let (demos, logs) = (folder.join("demos.csv"), folder.join("logs.jsonl"));
    let (demos, logs) = (demos.to_str().unwrap(), logs.to_str().unwrap());
    let log = ["log", "gridworld-3", "--policy"];
    let expert = ["expert", "--episodes", "10000", "--out", demos];
    let random = ["random", "--samples", "20000", "--out", logs];
    text(&[&log[..], &expert].concat());
    text(&[&log[..], &random].concat());
    (demos.to_owned(), logs.to_owned())
}
