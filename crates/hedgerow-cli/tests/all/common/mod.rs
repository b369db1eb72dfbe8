//! What the tests of `hedgerow run` share.

pub mod program;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// A small sweep: eight runs.
pub const SMALL: &[&str] = &[
    "--env",
    "gridworld-3,gridworld-4",
    "--strategy",
    "pcse,random",
    "--seeds",
    "1,7",
    "--iterations",
    "12",
];

/// `hedgerow run` into `out`.
pub fn run(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command.arg("run").args(arguments).arg("--out").arg(out);
    command
}

/// Runs it, which must succeed.
pub fn done(out: &Path, arguments: &[&str]) -> Output {
    let output = run(out, arguments).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

/// Runs it, which must fail with one line that holds all of `words` and print nothing else.
pub fn refused(out: &Path, arguments: &[&str], words: &[&str]) {
    let output = run(out, arguments).output().unwrap();
    let line = text(&output.stderr);
    assert!(!output.status.success(), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(line.starts_with("error: "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    for word in words {
        assert!(line.contains(word), "`{word}` not in: {line}");
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub fn json(path: impl AsRef<Path>) -> serde_json::Value {
    serde_json::from_str(&read(path)).unwrap()
}

/// All files below `folder`, by name.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    found
}

/// The files that must be the same however a sweep was done: all but the times that it took.
pub fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    files.remove("timings.csv");
    files
}

/// Equal files, without printing megabytes if they are not.
pub fn assert_same(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>) {
    let names = |m: &BTreeMap<String, Vec<u8>>| m.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(a), names(b));
    for (name, bytes) in a {
        assert!(*bytes == b[name], "{name} differs");
    }
}
