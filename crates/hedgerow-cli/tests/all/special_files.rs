//! Output onto what is not a plain file: written through, never replaced.

use assert_cmd::Command;
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::Output;

const INFER: &[&str] = &[
    "infer",
    "gridworld-3",
    "--samples",
    "600",
    "--quiet",
    "--out",
];

fn hedgerow(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    command
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// What `infer` writes into a plain file.
fn plain(folder: &Path) -> Vec<u8> {
    let output = hedgerow(folder, &[INFER, &["plain.json"]].concat());
    assert!(output.status.success(), "{output:?}");
    fs::read(folder.join("plain.json")).unwrap()
}

#[test]
fn pipes_and_links_stay_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let expected = plain(folder);
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    let output = hedgerow(folder, &[INFER, &["pipe"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(reader.join().unwrap(), expected);
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());

    fs::write(folder.join("target.json"), "old").unwrap();
    symlink("target.json", folder.join("link.json")).unwrap();
    let output = hedgerow(folder, &[INFER, &["link.json"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert!(folder.join("link.json").is_symlink());
    assert_eq!(fs::read(folder.join("target.json")).unwrap(), expected);

    // Commands that write other files take the same way.
    symlink("map.toml", folder.join("to-map.toml")).unwrap();
    let output = hedgerow(folder, &["envs", "export", "rooms", "to-map.toml"]);
    assert!(output.status.success(), "{output:?}");
    symlink("records.csv", folder.join("to-records.csv")).unwrap();
    let log = [
        "log",
        "rooms",
        "--samples",
        "25000",
        "--out",
        "to-records.csv",
    ];
    assert!(hedgerow(folder, &log).status.success());
    for link in ["to-map.toml", "to-records.csv"] {
        assert!(folder.join(link).is_symlink(), "{link}");
    }
    let records = fs::read_to_string(folder.join("records.csv")).unwrap();
    assert_eq!(records.lines().count(), 25_001);
    assert!(folder.join("map.toml").is_file());
}

#[test]
fn standard_output_and_devices_are_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let expected = plain(folder);
    let output = hedgerow(folder, &[INFER, &["/dev/stdout"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.starts_with(&expected));
    let (full, null) = (Path::new("/dev/full"), Path::new("/dev/null"));
    let is_device = |path: &Path| {
        let there = fs::symlink_metadata(path);
        there.is_ok_and(|m| m.file_type().is_char_device())
    };
    if is_device(null) {
        let output = hedgerow(folder, &[INFER, &["/dev/null"]].concat());
        assert!(output.status.success(), "{output:?}");
        assert!(is_device(null));
    }
    if is_device(full) {
        let output = hedgerow(folder, &[INFER, &["/dev/full"]].concat());
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}");
        let words = ["error: /dev/full: cannot write", "free some space"];
        assert!(words.iter().all(|w| line.contains(w)), "{line}");
        assert!(is_device(full));
    }
}

#[test]
fn standard_output_that_goes_to_a_file_keeps_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let expected = plain(folder);
    let file = fs::File::create(folder.join("both.txt")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command.current_dir(folder).args(INFER).arg("/dev/stdout");
    assert!(command.stdout(file).status().unwrap().success());
    let both = fs::read(folder.join("both.txt")).unwrap();
    assert!(both.starts_with(&expected) && both.len() > expected.len());
}

#[test]
fn a_device_is_not_read_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    symlink("/dev/zero", folder.path().join("zero.toml")).unwrap();
    symlink("/dev/zero", folder.path().join("zero.csv")).unwrap();
    for arguments in [
        &["solve", "zero.toml"][..],
        &["run", "zero.toml"],
        &["run", "--env", "zero.toml"],
        &["infer", "rooms", "--demos", "zero.csv"],
        &["solve", "rooms", "--expert", "zero.csv"],
    ] {
        let output = hedgerow(folder.path(), arguments);
        let line = String::from_utf8(output.stderr).unwrap();
        assert!(line.contains(": it is a device"), "{line}");
    }
}
