//! Every wrong `hedgerow run`: one line, and nothing is run or written.

use crate::common;

use common::*;
use std::path::Path;

fn refused_unwritten(arguments: &[&str], words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    refused(&out, arguments, words);
    assert!(!out.exists(), "{arguments:?}");
}

#[test]
fn wrong_options() {
    for (arguments, words) in [
        (
            ["--strategy", "psce"],
            ["`psce` is unknown", "did you mean `pcse`?"],
        ),
        (
            ["--strategy", "pcse,pcse"],
            ["`pcse` is given twice", "name it once"],
        ),
        (["--strategy", ""], ["strategy", "missing"]),
        (
            ["--checkpoint-every", "-1"],
            ["checkpoint-every: -1", "at least 0"],
        ),
        (
            ["--env", "gridwrld-1"],
            ["`gridwrld-1`", "did you mean `gridworld-1`?"],
        ),
        (
            ["--env", "rooms,rooms"],
            ["`rooms` is given twice", "name it once"],
        ),
        (["--env", "no/such.toml"], ["no/such.toml", "no such file"]),
        (["--seeds", "1,1"], ["1 is given twice", "name it once"]),
        (["--seeds", "5..5"], ["`5..5` holds no seed", "exceed"]),
        (["--seeds", "-1"], ["`-1` is not a whole number", "0..20"]),
        (["--seeds", ""], ["missing", "0..20"]),
        (
            ["--iterations", "x"],
            ["iterations: `x`", "use a whole number, 0 to"],
        ),
        (
            ["--iterations", "-3"],
            ["iterations: `-3`", "use a whole number, 0 to"],
        ),
        (
            ["--set", "delat=1"],
            ["delat: unknown key", "did you mean `delta`?"],
        ),
        (["--set", "delta"], ["no `=`", "key=value"]),
        (["--set", "delta=7"], ["delta: `7`", "1e-300 to 0.999"]),
        (
            ["--set", "pcs.x=1"],
            ["no strategy or domain `pcs`", "did you mean `pcse`?"],
        ),
        (
            ["--set", "pcse.look=1"],
            ["pcse.look: unknown key", "lookahead"],
        ),
        (["--no-such", "option"], ["--no-such", "--help"]),
    ] {
        refused_unwritten(&arguments, &words);
    }
}

#[test]
fn wrong_experiment_files() {
    refused_unwritten(
        &["no-such.toml"],
        &["no-such.toml: cannot read", "check the name"],
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.toml");
    for (text, words) in [
        (
            "stratgy = ['pcse']",
            ["bad.toml: stratgy: unknown key", "did you mean `strategy`?"],
        ),
        (
            "[settings]\nitertions = 3",
            ["settings.itertions", "did you mean `iterations`?"],
        ),
        ("seeds = [1,\nenv = 3", ["bad.toml: line 2", "TOML"]),
        (
            "env = [1]",
            ["bad.toml: env: found the integer 1", "list of names"],
        ),
        ("env = ['here.toml']", ["here.toml", "no such file"]),
    ] {
        std::fs::write(&file, text).unwrap();
        refused_unwritten(&[file.to_str().unwrap()], &words);
    }
}

#[test]
fn folders_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    refused(&file, SMALL, &["file: it is a file", "--out"]);
    refused(
        &file.join("below"),
        SMALL,
        &["below: cannot write", "a part of the path is a file"],
    );
    assert_eq!(read(&file), "mine");
    if Path::new("/proc/self").exists() {
        refused(
            Path::new("/proc/results"),
            SMALL,
            &["/proc/results: cannot write"],
        );
    }
    let manifest = folder.path().join("manifest.json");
    std::fs::write(&manifest, "{\"name\": \"an extension\"}").unwrap();
    for arguments in [SMALL.to_vec(), [SMALL, &["--fresh"]].concat()] {
        refused(
            folder.path(),
            &arguments,
            &["manifest.json", "another program"],
        );
    }
    assert_eq!(read(&manifest), "{\"name\": \"an extension\"}");
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn two_environments_of_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rooms.toml");
    std::fs::write(&file, "map = \"S..xG\\n.....\"").unwrap();
    let envs = format!("rooms,{}", file.display());
    refused_unwritten(&["--env", &envs], &["called `rooms` too", "another name"]);
}
