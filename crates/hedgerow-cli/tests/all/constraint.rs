//! A constraint saved by `hedgerow infer --out`, read by the other commands.

use crate::common::program;

use program::{json, near, refused, text};
use std::path::{Path, PathBuf};

const MAP: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/maps/wall-from-above.toml"
);

fn saved(folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let out = path.to_str().unwrap();
    let infer = [&["infer", "gridworld-3", "--out", out], options].concat();
    json(&infer);
    path
}

fn read(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn what_is_known_exactly_is_saved_and_kept_by_other_commands() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "wall.json", &["--exact"]);
    let file = path.to_str().unwrap();
    let found = read(&path);
    assert_eq!(found["format"], "hedgerow-constraint/1");
    assert_eq!(found["source"]["method"], "exact");
    assert_eq!(found["checksum"].as_str().unwrap().len(), 16);
    assert!(found["promise"].as_str().unwrap().ends_with('.'));
    assert_eq!(found["cells"]["constrained"].as_array().unwrap().len(), 5);

    // Keeping to it earns what the expert earns.
    let solved = json(&["solve", "gridworld-3", "--under", file]);
    let reward = solved["expert_reward"].as_f64().unwrap();
    near(&solved["under"]["reward"], reward, 1e-9);
    assert_eq!(solved["under"]["forbidden_pairs"], found["constrained"]);
    let said = text(&["solve", "gridworld-3", "--under", file]);
    assert!(said.contains("\n under the constraint"), "{said}");

    // Elsewhere it protects as the environment itself does.
    let direct = json(&["transfer", "gridworld-3", MAP]);
    let carried = json(&["transfer", file, MAP]);
    assert_eq!(carried["agents"][0], direct["agents"][0]);
    assert_eq!(carried["from"], "gridworld-3");
    assert_eq!(carried["agents"].as_array().unwrap().len(), 3);

    let why = ["explain", "gridworld-3", "--cell", "3,2"];
    let direct = json(&[&why[..], &["--exact"]].concat());
    let explained = json(&[&why[..], &["--under", file]].concat());
    assert_eq!(explained["reason"], direct["reason"]);
    assert_eq!(explained["words"], direct["words"]);
}

/// One run of `pcse` in `env`.
fn sweep(env: &str) -> [&str; 7] {
    ["run", "--env", env, "--strategy", "pcse", "--seeds", "1"]
}

#[test]
fn runs_begin_with_the_samples_of_a_constraint() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(
        folder.path(),
        "some.json",
        &["--samples", "3000", "--quiet"],
    );
    let file = path.to_str().unwrap();
    assert_eq!(read(&path)["source"]["samples"], 3000);
    let out = folder.path().join("runs");
    let sweep = sweep("gridworld-3");
    let end = [
        "--iterations",
        "3",
        "--quiet",
        "--out",
        out.to_str().unwrap(),
    ];
    json(&[&sweep[..], &end, &["--warm", file]].concat());
    let rows = std::fs::read_to_string(out.join("runs/gridworld-3/pcse/1.csv")).unwrap();
    let first = rows.lines().nth(1).unwrap();
    let header: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let samples = header.iter().position(|h| *h == "samples").unwrap();
    assert_eq!(first.split(',').nth(samples), Some("3000"));
    // Runs that begin otherwise are other runs.
    refused(1, &[&sweep[..], &end].concat(), &["gridworld-3", "--fresh"]);

    let exact = saved(folder.path(), "exact.json", &["--exact"]);
    let other = folder.path().join("other");
    let end = ["--quiet", "--out", other.to_str().unwrap(), "--warm"];
    let cold = [&sweep[..], &end, &[exact.to_str().unwrap()]].concat();
    refused(1, &cold, &["no samples", "exploring"]);
    let strange = ["run", "--env", "gridworld-4", "--strategy", "pcse"];
    let strange = [&strange[..], &end, &[file]].concat();
    refused(1, &strange, &["samples are of gridworld-3"]);
}

#[test]
fn a_changed_or_foreign_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "wall.json", &["--exact"]);
    let file = path.to_str().unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        whole.replacen("\"constrained\":", "\"constrained\": ", 1),
    )
    .unwrap();
    refused(
        1,
        &["solve", "gridworld-3", "--under", file],
        &[file, "changed", "--out"],
    );
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    refused(
        1,
        &["solve", "gridworld-3", "--under", file],
        &[file, "cannot be read"],
    );
    // Another program need not know the checksum.
    let mut value: serde_json::Value = serde_json::from_str(&whole).unwrap();
    value.as_object_mut().unwrap().remove("checksum");
    std::fs::write(&path, value.to_string()).unwrap();
    let solved = json(&["solve", "gridworld-3", "--under", file]);
    assert!(solved["under"]["forbidden_pairs"].as_u64().unwrap() > 0);
    value["pairs"][0]["low"] = 1e9.into();
    std::fs::write(&path, value.to_string()).unwrap();
    refused(
        1,
        &["solve", "gridworld-3", "--under", file],
        &["pairs[0]", "interval"],
    );
    let model = folder.path().join("model.json");
    let model = model.to_str().unwrap();
    text(&["envs", "export", "gridworld-3", model]);
    refused(
        1,
        &["solve", "gridworld-3", "--under", model],
        &["hedgerow-model/1"],
    );
    std::fs::write(&path, &whole).unwrap();
    let names = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/browser/crossing.json"
    );
    refused(1, &["solve", names, "--under", file], &["same names"]);
}

#[test]
fn rules_over_columns_and_declared_classes_are_saved_and_applied() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // The wall lies between the rows 2 and 4; what leads up from row 2 is one class.
    let mut classes = "state,action,zone\n".to_owned();
    let mut heights = "state,height\n".to_owned();
    for column in 0..7 {
        for row in 0..7 {
            heights += &format!("\"cell {row},{column}\",{}\n", row * 10);
        }
        if column < 5 {
            classes += &format!("\"cell 2,{column}\",up,hedge\n");
        }
    }
    let (classes, heights) = (write("zones.csv", &classes), write("heights.csv", &heights));
    let path = saved(
        folder.path(),
        "wall.json",
        &["--exact", "--classes", &classes, "--features", &heights],
    );
    let found = read(&path);
    let rule = &found["rules"][0];
    assert_eq!(rule["rule"], "no move into row 3, columns 0 to 4");
    assert_eq!(
        (&rule["constrained"], &rule["taken"]),
        (&found["constrained"], &0.into())
    );
    let class = &found["classes"][0];
    assert_eq!(
        (&class["class"], &class["verdict"]),
        (&"hedge".into(), &"forbidden".into())
    );
    let said = text(&["infer", "gridworld-3", "--exact", "--classes", &classes]);
    assert!(said.contains("\n hedge  forbidden"), "{said}");
    assert!(
        said.contains("\n no move into row 3, columns 0 to 4"),
        "{said}"
    );

    for (file, content, message) in [
        (
            "two.csv",
            "state,a,b\n0,x,y\n",
            "it has 2 columns of your own; keep one",
        ),
        (
            "none.csv",
            "state,a\n0,\n",
            "no pair has a class; name the class of some pairs",
        ),
        (
            "odd.csv",
            "place,a\n0,x\n",
            "line 1: the columns are `place,a`; write `state`",
        ),
    ] {
        let file = write(file, content);
        let arguments = ["infer", "gridworld-3", "--exact", "--classes", &file];
        refused(1, &arguments, &[message]);
    }
    let arguments = ["infer", "soft-strip", "--exact", "--classes", &classes];
    refused(1, &arguments, &["classes: under a soft budget"]);
}
