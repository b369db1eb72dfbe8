//! `hedgerow run --shard` and `hedgerow merge`: parts of a sweep are the sweep.

use crate::common::{self, SMALL, assert_same, done, files, refused, results};
use std::path::{Path, PathBuf};

fn part(folder: &Path, number: usize, of: usize) -> PathBuf {
    let out = folder.join(format!("part-{number}"));
    let shard = format!("{number}/{of}");
    done(&out, &[SMALL, &["--quiet", "--shard", &shard]].concat());
    out
}

fn merge(parts: &[PathBuf], out: &Path) -> std::process::Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command.arg("merge").args(parts).arg("--out").arg(out);
    command.output().unwrap()
}

#[test]
fn eight_parts_put_together_are_the_bytes_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    done(&whole, SMALL);
    // More parts than a machine has cores, fewer runs than three each.
    let parts: Vec<PathBuf> = (1..=8).map(|i| part(folder.path(), i, 8)).collect();
    let output = merge(&parts, &merged);
    let said = common::text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("8 runs copied, 8 of 8 runs in"), "{said}");
    assert_same(&results(&merged), &results(&whole));
    // A part is a results folder of its own, and putting it in again changes nothing.
    assert!(files(&parts[0]).contains_key("summary.csv"));
    let again = merge(&parts[..1], &merged);
    assert!(common::text(&again.stdout).contains("0 runs copied, 8 of 8"));
    assert_same(&results(&merged), &results(&whole));
    let timings = common::read(merged.join("timings.csv"));
    assert_eq!(timings.lines().count(), 9);
}

#[test]
fn what_is_missing_is_done_by_the_same_command() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    done(&whole, SMALL);
    let parts = [part(folder.path(), 1, 3), part(folder.path(), 3, 3)];
    // A part with a damaged map does not spoil the whole, and a damaged run is left out.
    let map = parts[0].join("environments/gridworld-3.json");
    std::fs::write(&map, "half").unwrap();
    let run = parts[0].join("runs/gridworld-3/pcse/1.csv");
    std::fs::write(&run, "half").unwrap();
    let said = common::text(&merge(&parts, &merged).stdout);
    assert!(
        said.contains("4 runs copied, 4 of 8 runs in") && said.contains("4 are missing"),
        "{said}"
    );
    done(&merged, SMALL);
    assert_same(&results(&merged), &results(&whole));
}

#[test]
fn parts_of_another_sweep_and_parts_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = part(folder.path(), 1, 2);
    let other = folder.path().join("other");
    done(
        &other,
        &[SMALL, &["--quiet", "--set", "delta=0.2"]].concat(),
    );
    let merged = folder.path().join("merged");
    let nothing = folder.path().join("nothing");
    for (parts, said) in [
        (vec![first.clone(), other], "not a part of the same sweep"),
        (vec![nothing], "manifest.json: there is no such file"),
    ] {
        let output = merge(&parts, &merged);
        let line = common::text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(line.contains(said) && line.lines().count() == 1, "{line}");
        assert!(!merged.exists());
    }
    refused(
        &merged,
        &[SMALL, &["--shard", "9/9"]].concat(),
        &["part 9/9 has no run: the sweep has 8", "at most 8 parts"],
    );
    for (shard, said) in [
        ("0/2", "no part 0 of 2"),
        ("3/2", "no part 3 of 2"),
        ("2", "2/8"),
    ] {
        refused(&merged, &["--shard", shard], &["shard: ", said]);
    }
}
