//! `hedgerow infer` by exploring, as a user runs it.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::process::Output;

fn infer(arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    command.arg("infer").args(arguments).output().unwrap()
}

fn answer(arguments: &[&str]) -> Value {
    let output = infer(&[arguments, &["--json", "--quiet"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = infer(&[arguments, &["--quiet"]].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_wall_of_gridworld_3_is_found_and_promised() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/verdicts.json");
    let found = answer(&[
        "gridworld-3",
        "--seed",
        "5",
        "--out",
        file.to_str().unwrap(),
    ]);
    assert_eq!(found["format"], "hedgerow-constraint/1");
    assert_eq!(found["source"]["stop"], "decided");
    assert_eq!(found["criteria"]["confidence"], 0.95);
    let wall: Vec<Value> = (0..5).map(|c| json!([3, c])).collect();
    assert_eq!(found["cells"]["constrained"], json!(wall));
    assert_eq!(found["cells"]["undecided"], json!([]));
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 312);
    let of = |verdict: &str| pairs.iter().filter(|p| p["verdict"] == verdict).count();
    assert_eq!(found["constrained"], of("constrained"));
    assert_eq!(found["taken"], of("taken"));
    assert_eq!(found["no_gain"], of("no-gain"));
    assert_eq!(found["undecided"], of("undecided"));
    for pair in pairs {
        let low = pair["low"].as_f64().unwrap();
        let high = pair["high"].as_f64().unwrap();
        assert!(low <= high);
        match pair["verdict"].as_str().unwrap() {
            "constrained" => assert!(low > 0.0),
            "no-gain" => assert!(high <= 0.0),
            "taken" => assert!(pair["chosen"] != 0),
            _ => assert!(high <= 0.01 && pair["negligible"] == true),
        }
    }
    let mut saved: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    // The file has what was seen, and its checksum, besides.
    for key in ["seen", "checksum"] {
        assert!(saved.as_object_mut().unwrap().remove(key).is_some());
    }
    assert_eq!(saved, found);
}

#[test]
fn a_small_budget_leaves_pairs_open_and_says_so() {
    let drawn = text(&["gridworld-4", "--samples", "4000"]);
    assert!(
        drawn.starts_with("gridworld-4: 4000 samples used up"),
        "{drawn}"
    );
    assert!(drawn.contains("? undecided"), "{drawn}");
    assert!(drawn.contains("\nopen:\n"), "{drawn}");
    let found = answer(&["gridworld-4", "--samples", "4000"]);
    assert_eq!(found["source"]["samples"], 4000);
    assert_eq!(found["source"]["stop"], "samples");
    assert!(found["open"].as_u64().unwrap() > 200);
    assert!(found["cells"]["constrained"].as_array().unwrap().is_empty());
}

#[test]
fn the_same_seed_gives_the_same_answer_and_another_another() {
    let search = |seed: &str| answer(&["gridworld-2", "--samples", "20000", "--seed", seed]);
    assert_eq!(search("1"), search("1"));
    assert_ne!(search("1"), search("2"));
}

#[test]
fn more_confidence_gives_wider_intervals() {
    let width = |confidence: &str| {
        let found = answer(&[
            "gridworld-2",
            "--samples",
            "20000",
            "--strategy",
            "random",
            "--confidence",
            confidence,
        ]);
        let pairs = found["pairs"].as_array().unwrap().clone();
        let width = |p: &Value| p["high"].as_f64().unwrap() - p["low"].as_f64().unwrap();
        pairs.iter().map(width).sum::<f64>()
    };
    assert!(width("0.5") < width("0.95") && width("0.95") < width("0.999"));
}

#[test]
fn an_answer_without_a_grid_names_states() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rooms.json");
    let mut export = Command::cargo_bin("hedgerow").unwrap();
    export
        .args(["envs", "export", "gridworld-3"])
        .arg(&file)
        .assert()
        .success();
    // An exported grid keeps its map; without it there are no cells.
    let mut model: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    model.as_object_mut().unwrap().remove("layout").unwrap();
    std::fs::write(&file, model.to_string()).unwrap();
    let found = answer(&[file.to_str().unwrap(), "--samples", "2000"]);
    assert_eq!(found["cells"], Value::Null);
    assert!(!found["states"]["undecided"].as_array().unwrap().is_empty());
}

#[test]
fn values_out_of_range_are_refused_in_one_line() {
    for (arguments, words) in [
        (["--confidence", "1"], ["confidence", "below 1"]),
        (["--confidence", "-3"], ["confidence", "-3"]),
        (["--margin", "0"], ["margin", "positive"]),
        (["--tolerance", "-1"], ["tolerance", "-1"]),
        (["--rare", "2"], ["rare", "at most 1"]),
        (["--samples", "0"], ["samples", "at least 1"]),
        (["--strategy", "pcsee"], ["pcsee", "pcse"]),
        (["--assume", "best"], ["best", "mixed"]),
    ] {
        let output = infer(&[&["gridworld-1"], &arguments[..]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
        for word in words {
            assert!(said.contains(word), "{said}");
        }
    }
    let both = infer(&["gridworld-1", "--exact", "--samples", "10"]);
    assert_eq!(both.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_is_known() {
    use std::process::Stdio;
    let program = assert_cmd::cargo::cargo_bin("hedgerow");
    let child = std::process::Command::new(program)
        .args([
            "infer",
            "gridworld-1-31",
            "--samples",
            "4000000000",
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["source"]["stop"], "interrupted");
    assert!(found["source"]["samples"].as_u64().unwrap() > 0);
}

#[test]
fn a_goal_that_cannot_be_reached_is_not_called_decided() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walled.toml");
    std::fs::write(
        &file,
        r#"map = """
. # G .
. # # #
S . . .
"""
"#,
    )
    .unwrap();
    let said = crate::common::program::text(&["infer", file.to_str().unwrap(), "--quiet"]);
    assert!(
        said.starts_with("walled: no reward was reached in "),
        "{said}"
    );
    assert!(!said.contains("all that matters is decided"), "{said}");
    let found = ["infer", "gridworld-3", "--samples", "2000", "--quiet"];
    let said = crate::common::program::text(&found);
    assert!(!said.contains("no reward was reached"), "{said}");
}
