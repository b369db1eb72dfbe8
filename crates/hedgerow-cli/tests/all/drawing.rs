//! Models that are drawn: on a grid, at positions of their own, or laid out by the program.

use crate::common::program::{json, refused, text};
use serde_json::json;
use std::path::Path;

/// Two ways from home to town; `layout` is the key of that name with its comma, or nothing.
fn ways(folder: &Path, layout: &str) -> String {
    let file = folder.join("ways.json");
    let model = format!(
        r#"{{"format": "hedgerow-model/1", {layout} "states": ["home", "bridge", "path", "town"],
        "actions": ["walk", "detour, slow"], "gamma": 0.9, "horizon": 20, "start": [["home", 1.0]],
        "terminal": ["town"],
        "transitions": [["home", "walk", "bridge", 1.0], ["home", "detour, slow", "path", 1.0],
            ["bridge", "walk", "town", 1.0], ["path", "walk", "town", 1.0]],
        "rewards": [["bridge", "walk", 1.0], ["path", "walk", 0.5]],
        "cost": [["bridge", "walk", 1.0]]}}"#
    );
    std::fs::write(&file, model).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_model_without_a_layout_is_laid_out_from_left_to_right() {
    let folder = tempfile::tempdir().unwrap();
    let env = ways(folder.path(), "");
    let shown = text(&["envs", "show", &env]);
    let drawing: Vec<&str> = shown.lines().skip(2).take(3).collect();
    assert_eq!(
        drawing,
        [
            "          ··>x bridge··",
            "S home····             ··>E town",
            "         ···>o path····",
        ]
    );
    let shown = json(&["envs", "show", &env]);
    assert_eq!(shown["positions"][1], json!([1, 1.0, 0.5]));
    assert!(shown.get("map").is_none());
}

#[test]
fn positions_of_the_file_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let layout =
        r#""layout": {"positions": [["town", 0, 0], ["home", 30, 0], ["path", 30, -10]]},"#;
    let env = ways(folder.path(), layout);
    let shown = text(&["envs", "show", &env]);
    let line = shown.lines().nth(2).unwrap();
    assert!(line.starts_with("E town"), "{shown}");
    assert!(line.ends_with("S home"), "{shown}");
    assert!(!shown.contains("x bridge"), "{shown}");
}

#[test]
fn a_model_on_cells_is_drawn_as_a_map_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let layout = r#""layout": {"cells": [["home", 0, 0], ["bridge", 0, 1], ["path", 1, 0], ["town", 1, 1]]},"#;
    let env = ways(folder.path(), layout);
    let map = "1 | . E\n0 | S x\n  +----\n    0 1\n";
    assert!(text(&["envs", "show", &env]).contains(map));
    let found = text(&["infer", &env, "--exact"]);
    assert!(found.contains("1 | . E\n0 | S X\n"), "{found}");
    let why = text(&["explain", &env, "--cell", "0,1", "--exact"]);
    assert!(
        why.contains("1 | . *     1 | o o\n0 | @ *     0 | @ x\n"),
        "{why}"
    );
}

#[test]
fn an_exported_grid_keeps_its_map_and_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.json");
    let file = file.to_str().unwrap();
    text(&["envs", "export", "gridworld-2", file]);
    let (copy, grid) = (
        json(&["envs", "show", file]),
        json(&["envs", "show", "gridworld-2"]),
    );
    for key in ["map", "rows", "columns", "start_cells", "constraint_cells"] {
        assert_eq!(copy[key], grid[key], "{key}");
    }
    let exact = |env: &str| json(&["infer", env, "--exact"]);
    assert_eq!(exact(file), exact("gridworld-2"));
}

#[test]
fn states_and_actions_are_found_by_every_name_they_have() {
    let folder = tempfile::tempdir().unwrap();
    let layout = r#""layout": {"cells": [["home", 0, 0], ["bridge", 0, 1], ["path", 0, 1]]},"#;
    let env = ways(folder.path(), layout);
    let pair = |pair: &str| json(&["explain", &env, "--pair", pair, "--exact"]);
    // A cell, a name, an index; an action whose name has a comma.
    let known = pair("home,walk");
    for text in ["0,0,walk", "0,walk", "home, 0", "home,0"] {
        assert_eq!(pair(text), known, "{text}");
    }
    assert_eq!(pair("home,detour, slow"), pair("0,0,1"));
    let words = ["2 states share cell 0,1", "bridge, path"];
    refused(1, &["explain", &env, "--cell", "0,1", "--exact"], &words);
    refused(1, &["explain", &env, "--state", "0,1", "--exact"], &words);
}

#[test]
fn results_of_a_model_are_shown_as_a_graph_and_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let env = ways(folder.path(), "");
    let out = folder.path().join("results");
    let out = out.to_str().unwrap();
    let sweep = ["--strategy", "pcse", "--seeds", "0", "--iterations", "5"];
    text(&[&["run", "--env", &env, "--out", out][..], &sweep].concat());
    let shown = text(&["show", out]);
    for line in [" state   truth  pcse\n", " bridge      1     1\n"] {
        assert!(shown.contains(line), "{shown}");
    }
    let saved = std::fs::read_to_string(format!("{out}/environments/ways.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(saved["layout"], json!(null));
    assert_eq!(saved["graph"]["automatic"], true);
    assert_eq!(saved["graph"]["positions"][0], json!([0.0, 0.0]));
    assert_eq!(saved["graph"]["edges"][0], json!([0, 1, 1.0]));
}

#[test]
fn one_way_cells_are_drawn_wherever_the_map_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("streets.toml");
    std::fs::write(&file, "map = '''\n. > G\n^ # .\nS x .\n'''").unwrap();
    let env = file.to_str().unwrap();
    let map = "2 | . > G\n1 | ^ # .\n0 | S x .\n";
    assert!(text(&["envs", "show", env]).contains(map));
    let copy = folder.path().join("copy.json");
    let copy = copy.to_str().unwrap();
    text(&["envs", "export", env, copy]);
    assert!(text(&["envs", "show", copy]).contains(map));
    let found = text(&["infer", env, "--exact"]);
    assert!(found.contains("2 | . > G\n1 | ^ # .\n"), "{found}");
    let out = folder.path().join("results");
    let out = out.to_str().unwrap();
    let sweep = ["--strategy", "pcse", "--seeds", "0", "--iterations", "5"];
    text(&[&["run", "--env", env, "--out", out][..], &sweep].concat());
    assert!(text(&["show", out]).contains(". > G"));
    text(&["report", out, "--only", "figures"]);
    let figure = std::fs::read_to_string(format!("{out}/figures/environments.svg")).unwrap();
    assert!(figure.contains("one-way cell"), "no arrow in the legend");
}

#[test]
fn a_shared_cell_shows_the_strongest_verdict() {
    let folder = tempfile::tempdir().unwrap();
    // The bridge is constrained, the path is taken, and both are drawn at one place.
    let layout = r#""layout": {"cells": [["home", 0, 0], ["bridge", 0, 1], ["path", 0, 1], ["town", 0, 2]]},"#;
    let env = ways(folder.path(), layout);
    let file = folder.path().join("found.json");
    let file = file.to_str().unwrap();
    text(&["infer", &env, "--exact", "--out", file]);
    let saved: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(saved["cells"]["constrained"], json!([[0, 1]]));
    assert_eq!(saved["cells"]["taken"], json!([[0, 0], [0, 2]]));
    // The states that share it are told apart.
    assert_eq!(saved["states"]["constrained"], json!([1]));
    let found = hedgerow::constraint::Constraint::read(file.as_ref()).unwrap();
    let task = hedgerow::io::open(&env).unwrap().task().clone();
    assert_eq!(found.entering(&task).unwrap(), [false, true, false, false]);
    let explored = text(&["infer", &env, "--samples", "100000"]);
    assert!(explored.contains("0 | S X E\n"), "{explored}");
}
