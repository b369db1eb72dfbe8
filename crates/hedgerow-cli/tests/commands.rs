//! Every command, as a user runs it.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

fn hedgerow(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let done = command.args(arguments).assert().success();
    let output = done.get_output();
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&hedgerow(&[arguments, &["--json"]].concat())).unwrap()
}

fn near(found: &Value, known: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - known).abs() < 1e-9, "{found} for {known}");
}

#[test]
fn envs_lists_what_is_built_in() {
    let text = hedgerow(&["envs"]);
    let all = json(&["envs"]);
    assert_eq!(all.as_array().unwrap().len(), text.lines().count() - 2);
    assert_eq!(all[0]["name"], "gridworld-1");
    assert_eq!(
        (&all[0]["states"], &all[0]["pairs"]),
        (&50.into(), &312.into())
    );
    assert!(
        text.lines()
            .any(|l| l.contains("soft-block") && l.ends_with("0.3"))
    );
}

#[test]
fn envs_show_draws_the_map() {
    let text = hedgerow(&["envs", "show", "gridworld-3"]);
    assert!(text.contains("6 | G . . . . . .\n"), "{text}");
    assert!(text.contains("3 | x x x x x . .\n"), "{text}");
    assert!(text.contains("gamma        0.7\n"), "{text}");
    let shown = json(&["envs", "show", "gridworld-3"]);
    assert_eq!(shown["map"][0], "G . . . . . .");
    assert_eq!(shown["constraint_cells"].as_array().unwrap().len(), 5);
    assert_eq!(shown["goals"][0]["cell"], serde_json::json!([6, 0]));
}

#[test]
fn an_exported_grid_is_the_same_environment() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["toml", "json"] {
        let file = folder.path().join(format!("new/copy.{ending}"));
        let file = file.to_str().unwrap();
        hedgerow(&["envs", "export", "gridworld-1", file]);
        assert_eq!(json(&["solve", file]), json(&["solve", "gridworld-1"]));
        assert!(hedgerow(&["envs", "show", file]).starts_with("gridworld-1\n"));
    }
}

#[test]
fn solve_compares_the_expert_with_the_optimum() {
    let solved = json(&["solve", "gridworld-1"]);
    near(&solved["expert_reward"], 0.007_599_009_429_56);
    near(&solved["expert_cost"], 0.028_661_136_322_13);
    near(&solved["unconstrained_reward"], 0.105_256_069_028_79);
    assert!(solved["unconstrained_cost"].as_f64().unwrap() > 0.7);
    assert_eq!(
        (&solved["env"], &solved["budget"]),
        (&"gridworld-1".into(), &0.0.into())
    );
    assert!(hedgerow(&["solve", "gridworld-1"]).contains("unconstrained optimum"));
}

#[test]
fn solve_takes_another_expert() {
    let folder = tempfile::tempdir().unwrap();
    let (env, expert) = files(folder.path());
    let own = json(&["solve", &env]);
    near(&own["expert_reward"], 0.5 * 0.5);
    let other = json(&["solve", &env, "--expert", &expert]);
    near(&other["expert_reward"], 1.0);
}

/// A model with a short way that costs 1, and an expert who takes it.
fn files(folder: &Path) -> (String, String) {
    let env = folder.join("ways.json");
    let expert = folder.join("bold.csv");
    let model = r#"{"format": "hedgerow-model/1", "states": 3, "actions": ["short", "long"],
        "gamma": 0.5, "start": [[0, 1.0]], "terminal": [2],
        "transitions": [[0, 0, 2, 1.0], [0, 1, 1, 1.0], [1, 1, 2, 1.0]],
        "rewards": [[0, 0, 1.0], [1, 1, 0.5]], "cost": [[0, 0, 1.0]]}"#;
    std::fs::write(&env, model).unwrap();
    std::fs::write(&expert, "state,action,probability\n0,short,1\n1,1,1\n").unwrap();
    let text = |p: std::path::PathBuf| p.to_str().unwrap().to_owned();
    (text(env), text(expert))
}

#[test]
fn infer_finds_the_walls_of_gridworld_1() {
    let found = json(&["infer", "gridworld-1", "--exact"]);
    assert_eq!(found["wgiou"], 1.0);
    let walls: Vec<[usize; 2]> = (0..5)
        .map(|c| [2, c])
        .chain((2..7).map(|c| [4, c]))
        .collect();
    assert_eq!(found["cells"], serde_json::json!(walls));
    let pairs = found["pairs"].as_array().unwrap().len();
    assert_eq!(found["constrained_pairs"], pairs);
    let text = hedgerow(&["infer", "gridworld-1", "--exact"]);
    assert!(text.contains("2 | X X X X X . .\n"), "{text}");
    assert!(text.contains("WGIoU 1,"), "{text}");
}

#[test]
fn infer_names_states_where_there_is_no_grid() {
    let folder = tempfile::tempdir().unwrap();
    let (env, _) = files(folder.path());
    let found = json(&["infer", &env, "--exact"]);
    assert_eq!(found["constrained_pairs"], 1);
    assert_eq!(found["pairs"][0]["action"], "short");
    assert!(found.get("cells").is_none());
    assert!(found["constrained_states"].is_array());
    hedgerow(&["infer", &env, "--exact"]);
}

#[test]
fn a_reader_that_leaves_early_is_no_panic() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("hedgerow"))
        .args(["envs", "show", "gridworld-1-31", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn help_names_every_command() {
    let help = hedgerow(&["--help"]);
    for command in ["envs", "solve", "infer"] {
        assert!(help.contains(command), "{help}");
    }
}

#[test]
fn transfer_shows_who_stays_safe() {
    let map = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/maps/wall-from-above.toml"
    );
    let cells = json(&["transfer", "gridworld-3", map]);
    let enters = |report: &Value, i: usize| report["agents"][i]["enters"].as_f64().unwrap();
    assert_eq!(cells["agents"][0]["agent"], "transferred");
    // Carried as cells the wall is kept; as pairs it is open from the other side.
    near(&cells["agents"][0]["enters"], enters(&cells, 3));
    let pairs = json(&["transfer", "gridworld-3", map, "--as", "pairs"]);
    near(&pairs["agents"][0]["enters"], enters(&cells, 1));
    assert!(enters(&cells, 3) < 0.2 && enters(&cells, 1) > 0.99);
    let text = hedgerow(&["transfer", "gridworld-3", map]);
    assert!(
        text.contains("A common cost explains both experts"),
        "{text}"
    );
}
