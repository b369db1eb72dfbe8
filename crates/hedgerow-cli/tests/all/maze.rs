//! `hedgerow maze replay`, as a user runs it.

use crate::common::program;

use program::{json, refused, text};
use serde_json::{Value, json as value};

fn reference() -> String {
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../hedgerow-continuous/tests/data/pointmaze_reference.json"
    )
    .to_owned()
}

#[test]
fn the_real_environment_is_matched() {
    let report = json(&["maze", "replay", &reference()]);
    let all = report["trajectories"].as_array().unwrap();
    assert_eq!(all.len(), 11);
    for one in all {
        assert_eq!(one["steps"], 200);
        for key in ["max_position_error", "max_velocity_error"] {
            let error = one[key].as_f64().unwrap();
            assert!(error < 1e-5, "{one}");
            assert!(error <= report[key].as_f64().unwrap(), "{one}");
        }
    }
}

#[test]
fn the_table_has_a_row_a_trajectory_and_one_for_all() {
    let text = text(&["maze", "replay", &reference()]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 11 + 1, "{text}");
    assert!(lines[0].contains("largest position error (m)"), "{text}");
    assert!(lines[2].starts_with(" free_8dir_circle"), "{text}");
    let all: Vec<&str> = lines[13].split_whitespace().collect();
    assert_eq!(all[..2], ["all", "2200"], "{text}");
}

/// Two steps by hand: at rest without a force nothing moves.
fn still() -> Value {
    value!([{
        "name": "still",
        "map": [[1, 1, 1], [1, 0, 1], [1, 1, 1]],
        "scaling": 1.0,
        "reset_cell": [1, 1],
        "init_qpos": [0.0, 0.0],
        "init_qvel": [0.0, 0.0],
        "actions": [[0.0, 0.0], [0.0, 0.0]],
        "qpos": [[0.0, 0.0], [0.0, 0.25]],
        "qvel": [[0.0, 0.0], [-0.5, 0.0]]
    }])
}

fn refuse(text: &str, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.json");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    refused(
        1,
        &["maze", "replay", file],
        &[&["record.json"], words].concat(),
    );
    refused(1, &["maze", "replay", file, "--json"], words);
}

#[test]
fn errors_are_the_largest_differences() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.json");
    std::fs::write(&file, still().to_string()).unwrap();
    let report = json(&["maze", "replay", file.to_str().unwrap()]);
    let known = value!({
        "name": "still", "steps": 2, "max_position_error": 0.25, "max_velocity_error": 0.5
    });
    assert_eq!(report["trajectories"], value!([known]));
    assert_eq!(report["max_position_error"], 0.25);
    assert_eq!(report["max_velocity_error"], 0.5);
}

#[test]
fn files_that_are_no_recordings_are_refused_in_one_line() {
    refuse("", &["the file is empty", "JSON list"]);
    refuse("[]", &["the list is empty", "at least one"]);
    refuse(
        "{\"a\": 1}",
        &["line 1", "expected a sequence", "JSON list"],
    );
    refuse("[{", &["line 1, column 2", "JSON list"]);
    refuse("[3]", &["trajectory 0", "not an object"]);
    let with = |key: &str, new: Value, words: &[&str]| {
        let mut file = still();
        file[0][key] = new;
        refuse(
            &file.to_string(),
            &[&["trajectory 0 (still)", key], words].concat(),
        );
    };
    for key in [
        "map",
        "scaling",
        "init_qpos",
        "init_qvel",
        "actions",
        "qpos",
        "qvel",
    ] {
        let mut file = still();
        file[0].as_object_mut().unwrap().remove(key);
        refuse(&file.to_string(), &["trajectory 0 (still)", key, "missing"]);
        with(key, Value::Null, &["invalid type: null"]);
    }
    with(
        "qpos",
        value!([[0.0, 0.0]]),
        &["1 steps where `actions` has 2"],
    );
    with("qvel", value!([]), &["0 steps where `actions` has 2"]);
    with("actions", value!([]), &["no step"]);
    with("actions", value!([[0.0], [0.0]]), &["two numbers per step"]);
    with(
        "map",
        value!([[1, 2, 1]]),
        &["map cell (0, 1)", "2 is neither"],
    );
    with("map", value!([[1, -1, 1]]), &["-1", "lines of 1 (wall)"]);
    with("map", value!([[1, 1], [1]]), &["row 0", "equally long"]);
    with("map", value!([]), &["it is empty"]);
    with("scaling", value!(0.0), &["cells of 0 m", "at least 0.25"]);
    with(
        "init_qpos",
        value!([1.0, 0.0]),
        &["in the wall of map cell (1, 2)"],
    );
    with("init_qpos", value!([9.0, 0.0]), &["outside the map"]);
    // What Python writes for a number that is none.
    let nan = still().to_string().replace("-0.5", "NaN");
    refuse(&nan, &["line 1", "numbers finite"]);
    let huge = still().to_string().replace("-0.5", "1e999");
    refuse(&huge, &["line 1", "out of range", "numbers finite"]);
}

#[test]
fn a_file_that_is_not_there() {
    refused(
        1,
        &["maze", "replay", "nowhere.json"],
        &["nowhere.json", "cannot read"],
    );
    refused(2, &["maze", "replay"], &["FILE"]);
}

#[test]
fn commands_for_finite_worlds_refuse_mazes_and_say_what_to_do() {
    for command in ["infer", "solve", "verify", "theory"] {
        let words = ["domain `continuous`", "hedgerow run --env"];
        refused(1, &[command, "point-maze"], &words);
    }
}
