//! The JSON Schemas accept what is read and written, and refuse what the readers refuse.

use crate::common::program::{json, refused, text};
use hedgerow::constraint::Constraint;
use hedgerow::results::FailedRun;
use hedgerow::run::RunId;
use hedgerow::verdict::Scope;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema(name: &str) -> Validator {
    let schema: Value = serde_json::from_str(&text(&["schema", name])).unwrap();
    let known = "https://json-schema.org/draft/2020-12/schema";
    assert_eq!(schema["$schema"], known, "{name}");
    assert!(jsonschema::meta::is_valid(&schema), "{name}");
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Why `file` does not fit; empty if it does.
fn problems(schema: &Validator, file: &Value) -> String {
    let errors = schema.iter_errors(file);
    let lines = errors.map(|e| format!("{}: {e}\n", e.instance_path()));
    lines.collect()
}

fn fits(name: &str, file: &Value) {
    let problems = problems(&schema(name), file);
    assert!(problems.is_empty(), "{name}: {problems}");
}

fn toml(text: &str) -> Value {
    let table: toml::Table = text.parse().unwrap();
    serde_json::to_value(table).unwrap()
}

fn file(path: impl AsRef<Path>) -> Value {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).unwrap();
    match path.extension().is_some_and(|e| e == "toml") {
        true => toml(&text),
        false => serde_json::from_str(&text).unwrap(),
    }
}

/// Language and content of the code blocks of a page.
fn blocks(page: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let blocks = text.split("```").skip(1).step_by(2);
    let block = |b: &str| {
        b.split_once('\n')
            .map(|(l, c)| (l.to_owned(), c.to_owned()))
    };
    blocks.filter_map(block).collect()
}

#[test]
fn every_schema_is_listed_and_in_its_folder() {
    let listed = json(&["schema"]);
    let listed: BTreeSet<String> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|s| format!("{}.schema.json", s["name"].as_str().unwrap()))
        .collect();
    let folder = std::fs::read_dir(root().join("schemas")).unwrap();
    let there: BTreeSet<String> = folder
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(listed, there);
    let page = std::fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for name in listed.iter().map(|f| f.trim_end_matches(".schema.json")) {
        schema(name);
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
        assert!(text(&["schema"]).contains(&format!(" {name} ")), "{name}");
    }
    refused(1, &["schema", "modle"], &["modle", "`model`"]);
}

#[test]
fn every_documented_example_fits() {
    let mut seen = BTreeSet::new();
    for (language, content) in blocks("docs/formats.md") {
        let name = match language.as_str() {
            "toml" if content.contains("kind = \"maze\"") => "maze",
            "toml" => "grid",
            "json" if content.contains("hedgerow-policy/1") => "policy",
            "json" => "model",
            "jsonl" => "record",
            _ => continue,
        };
        seen.insert(name);
        match language.as_str() {
            "toml" => fits(name, &toml(&content)),
            "json" => fits(name, &serde_json::from_str(&content).unwrap()),
            _ => {
                for line in content.lines() {
                    fits(name, &serde_json::from_str(line).unwrap());
                }
            }
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
    let examples = blocks("docs/results.md");
    let (_, example) = examples.iter().find(|(l, _)| l == "toml").unwrap();
    fits("experiment", &toml(example));
    for entry in std::fs::read_dir(root().join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            fits("experiment", &file(path));
        }
    }
}

#[test]
fn every_export_fits() {
    let folder = tempfile::tempdir().unwrap();
    for env in hedgerow::env::builtin::names() {
        for (ending, name) in [("json", "model"), ("toml", "grid")] {
            // The large ones differ in nothing but their size.
            if ending == "json" && hedgerow::io::open(&env).unwrap().task().states() > 200 {
                continue;
            }
            let path = folder.path().join(format!("{env}.{ending}"));
            text(&["envs", "export", &env, path.to_str().unwrap()]);
            fits(name, &file(path));
        }
    }
}

#[test]
fn what_commands_write_fits() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    text(&["init", &path("start")]);
    fits("grid", &file(path("start/map.toml")));
    fits("model", &file(path("start/model.json")));
    fits("experiment", &file(path("start/experiment.toml")));
    let (experiment, out) = (path("start/experiment.toml"), path("out"));
    let few = ["--seeds", "0", "--iterations", "3", "--out", &out];
    text(&[&["run", &experiment][..], &few].concat());
    fits("manifest", &file(path("out/manifest.json")));
    for env in ["map", "delivery"] {
        fits(
            "environment",
            &file(path(&format!("out/environments/{env}.json"))),
        );
        fits("run", &file(path(&format!("out/runs/{env}/pcse/0.json"))));
    }
    for env in ["map.toml", "model.json"] {
        let (env, verdicts) = (path(&format!("start/{env}")), path("verdicts.json"));
        text(&["infer", &env, "--samples", "2000", "--out", &verdicts]);
        fits("constraint", &file(&verdicts));
        text(&["infer", &env, "--exact", "--out", &verdicts]);
        fits("constraint", &file(&verdicts));
    }
    let (map, records) = (path("start/map.toml"), path("records.jsonl"));
    let ask = ["--policy", "random", "--ask", "--samples", "50"];
    text(&[&["log", &map, "--out", &records][..], &ask].concat());
    for line in std::fs::read_to_string(&records).unwrap().lines() {
        fits("record", &serde_json::from_str(line).unwrap());
    }
    let id = RunId {
        env: "map".to_owned(),
        strategy: "pcse".to_owned(),
        seed: 3,
    };
    let mut failed = serde_json::to_value(FailedRun::new(id, "why".to_owned())).unwrap();
    failed["checksum"] = json!("0123456789abcdef");
    fits("failed-run", &failed);
}

#[cfg(feature = "continuous")]
#[test]
fn files_of_mazes_fit() {
    let folder = tempfile::tempdir().unwrap();
    for maze in hedgerow_continuous::maze::builtin::NAMES {
        let shown = json(&["envs", "show", maze]);
        fits("maze", &toml(shown["definition"].as_str().unwrap()));
    }
    let recorded = "crates/hedgerow-continuous/tests/data/pointmaze_reference.json";
    fits("trajectories", &file(root().join(recorded)));
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let sweep = ["--strategy", "random", "--seeds", "0", "--iterations", "1"];
    text(&[&["run", "--env", "point-maze", "--out", out][..], &sweep].concat());
    fits("manifest", &file(format!("{out}/manifest.json")));
    fits(
        "environment",
        &file(format!("{out}/environments/point-maze.json")),
    );
    fits("run", &file(format!("{out}/runs/point-maze/random/0.json")));
}

/// A change to a file, as path and value; `null` removes the key.
type Change<'a> = (&'a str, Value);

/// Both the schema and the reader must refuse the file after each change, and accept it before.
fn both_refuse(name: &str, whole: &Value, changes: &[Change], read: impl Fn(&Value) -> bool) {
    let schema = schema(name);
    assert!(problems(&schema, whole).is_empty() && read(whole), "{name}");
    for (place, value) in changes {
        let mut changed = whole.clone();
        let (parent, key) = place.rsplit_once('/').unwrap();
        let parent = changed.pointer_mut(parent).unwrap();
        match (parent, value) {
            (Value::Object(map), Value::Null) => drop(map.remove(key)),
            (Value::Object(map), value) => drop(map.insert(key.to_owned(), value.clone())),
            (Value::Array(list), value) => list[key.parse::<usize>().unwrap()] = value.clone(),
            (other, _) => panic!("{other}"),
        }
        assert!(
            !schema.is_valid(&changed),
            "{name} {place} {value}: the schema takes it"
        );
        assert!(
            !read(&changed),
            "{name} {place} {value}: the reader takes it"
        );
    }
}

/// Whether the command succeeds with `content` in a file called `name`.
fn runs(name: &str, content: &str, command: impl Fn(&str) -> Vec<String>) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let mut program = assert_cmd::Command::cargo_bin("hedgerow").unwrap();
    let output = program.args(command(path.to_str().unwrap())).output();
    output.unwrap().status.success()
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| (*w).to_owned()).collect()
}

#[test]
fn models_that_are_refused_do_not_fit() {
    let model = json!({
        "format": "hedgerow-model/1", "states": ["a", "b", "end"], "actions": ["go"],
        "gamma": 0.9, "start": [["a", 1.0]], "terminal": ["end"],
        "transitions": [["a", "go", "b", 1.0], ["b", "go", "end", 1.0]],
        "rewards": [["b", "go", 1.0]], "cost": [], "budget": 0.0,
        "layout": {"cells": [["a", 0, 0], ["b", 0, 1]]}
    });
    let changes = [
        ("/surplus", json!(1)),
        ("/format", json!("hedgerow-model/9")),
        ("/format", Value::Null),
        ("/name", json!("../up")),
        ("/states", json!(-1)),
        ("/states", json!(["a", "a", "end"])),
        ("/states", Value::Null),
        ("/actions", json!([])),
        ("/gamma", json!(1.0)),
        ("/gamma", json!(-0.1)),
        ("/horizon", json!(0)),
        ("/start", json!([])),
        ("/start/0", json!(["a", 2.0])),
        ("/transitions/0", json!(["a", "go", "b"])),
        ("/transitions/0", json!(["a", "go", "b", -1.0])),
        ("/transitions/0", json!(["a", "go", true, 1.0])),
        ("/transitions/0", json!(["a", "go", "b", 1.0, "much"])),
        ("/transitions/0", json!(["a", "go", "b", 1.0, 0.5, "yes"])),
        ("/transitions/0", json!(["a", "go", "b", 1.0, 0.5, true, 3])),
        ("/rewards", Value::Null),
        ("/rewards", json!([["b", "go", "end", 1.0]])),
        ("/value_range", json!([0.0])),
        ("/available", json!([["a", "go"]])),
        ("/rewards", json!([["b", "go", "much"]])),
        ("/cost", json!([["b", "go", -1.0]])),
        ("/cost", Value::Null),
        ("/budget", json!(-1)),
        ("/layout", json!({})),
        ("/layout/surplus", json!(1)),
        ("/layout/positions", json!([])),
        ("/layout/cells", json!([["a", -1, 0]])),
        ("/layout/cells", json!([["a", 0]])),
    ];
    both_refuse("model", &model, &changes, |m| {
        runs("m.json", &m.to_string(), |f| words(&["envs", "show", f]))
    });
}

#[test]
fn rewards_may_be_those_of_transitions() {
    let mut model = json!({
        "format": "hedgerow-model/1", "states": 3, "actions": ["go"], "gamma": 0.9,
        "start": [[0, 1.0]],
        "transitions": [[0, 0, 1, 0.5, -1.0], [0, 0, 0, 0.5, 2.0, true], [1, 0, 2, 1.0, 0, true]],
        "expert": [[0, 0, 1.0], [1, 0, 1.0]], "value_range": [-3, 3]
    });
    let read = |m: &Value| hedgerow::io::model_file::parse(&m.to_string(), "m").is_ok();
    both_refuse("model", &model, &[("/value_range", json!("wide"))], read);
    let task = hedgerow::io::model_file::parse(&model.to_string(), "m").unwrap();
    fits(
        "model",
        &serde_json::from_str(&hedgerow::io::to_json(&task)).unwrap(),
    );
    model["transitions"] = json!([[0, 0, 1, 1.0], [1, 0, 2, 1.0]]);
    assert!(!schema("model").is_valid(&model), "no rewards at all");
}

#[test]
fn constraints_that_are_refused_do_not_fit() {
    let env = hedgerow::env::builtin::environment("gridworld-3").unwrap();
    let found = Constraint::exact(&env, Scope::All).unwrap();
    let whole = serde_json::to_value(&found).unwrap();
    let changes = [
        ("/surplus", json!(1)),
        ("/format", json!("hedgerow-constraint/9")),
        ("/source", Value::Null),
        ("/source/method", json!("guessing")),
        ("/source/surplus", json!(1)),
        ("/scope", json!("some")),
        ("/cells/surplus", json!([])),
        ("/criteria", json!({"confidence": 2.0})),
        ("/pairs/0/verdict", json!("forbidden")),
        ("/pairs/0/surplus", json!(1)),
        ("/pairs/0/low", Value::Null),
        ("/pairs/0/visits", json!(-1)),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("constraint.json");
    both_refuse("constraint", &whole, &changes, |c| {
        std::fs::write(&path, c.to_string()).unwrap();
        Constraint::read(&path).is_ok()
    });
}

#[test]
fn models_without_dynamics_that_are_refused_do_not_fit() {
    let model = json!({
        "format": "hedgerow-model/1", "states": 2, "actions": ["go"], "gamma": 0.9,
        "start": [[0, 1.0]], "terminal": [1], "available": [[0, "go"]], "rewards": [[0, 0, 1.0]]
    });
    let changes = [
        ("/cost", json!([[0, 0, 1.0]])),
        ("/budget", json!(0.5)),
        ("/expert", json!([[0, 0, 1.0]])),
        ("/demonstrations", json!([[0, 0]])),
        ("/available", json!([])),
    ];
    both_refuse("model", &model, &changes, |m| {
        hedgerow::io::model_file::parse_known(&m.to_string(), "m").is_ok()
    });
}

#[test]
fn drawn_grids_and_experiments_that_are_refused_do_not_fit() {
    let write = |file: &Value| toml::to_string(file).unwrap();
    let grid = json!({"map": "S.G", "goals": {"G": 1.0}});
    let changes = [
        ("/surplus", json!(1)),
        ("/map", Value::Null),
        ("/map", json!("")),
        ("/name", json!(".hidden")),
        ("/gamma", json!(1.0)),
        ("/slip", json!(1.5)),
        ("/moves", json!(5)),
        ("/horizon", json!(0)),
        ("/budget", json!(-1.0)),
        ("/deterministic", json!(1)),
        ("/step", json!("much")),
        ("/goals/GG", json!(1.0)),
        ("/goals/S", json!(1.0)),
        ("/goals/v", json!(1.0)),
        ("/goals/G", json!("much")),
    ];
    both_refuse("grid", &grid, &changes, |g| {
        runs("g.toml", &write(g), |f| words(&["envs", "show", f]))
    });
    let experiment = json!({
        "env": ["gridworld-3"], "strategy": ["random"], "seeds": [1],
        "settings": {"iterations": 1}
    });
    let changes = [
        ("/surplus", json!(1)),
        ("/env", json!("gridworld-3")),
        ("/env", json!([])),
        ("/strategy", json!([])),
        ("/seeds", json!([])),
        ("/seeds", json!([-1])),
        ("/seeds", json!(3)),
        ("/settings", json!(3)),
        ("/settings/iterations", json!([3])),
    ];
    both_refuse("experiment", &experiment, &changes, |e| {
        runs("e.toml", &write(e), |f| {
            words(&["run", f, "--out", &format!("{f}.results")])
        })
    });
}

#[cfg(feature = "continuous")]
#[test]
fn mazes_that_are_refused_do_not_fit() {
    let map = "#####\n#S.G#\n#####";
    let maze = json!({"kind": "maze", "map": map});
    let changes = [
        ("/surplus", json!(1)),
        ("/kind", json!("grid")),
        ("/map", Value::Null),
        ("/name", json!("")),
        ("/gamma", json!(1.0)),
        ("/hold", json!(0)),
        ("/horizon", json!(0)),
        ("/goal_radius", json!(0.0)),
        ("/start_noise", json!(0.5)),
        ("/position_noise", json!(-0.1)),
        ("/expert", json!(3)),
    ];
    both_refuse("maze", &maze, &changes, |m| {
        hedgerow_continuous::maze::file::parse(&toml::to_string(m).unwrap(), "m").is_ok()
    });
}

#[test]
fn experts_and_records_that_are_refused_do_not_fit() {
    let expert = json!({
        "format": "hedgerow-policy/1",
        "expert": [["cell 0,0", "right", 1.0], ["cell 0,1", "left", 1.0]]
    });
    let changes = [
        ("/surplus", json!(1)),
        ("/format", json!("hedgerow-model/1")),
        ("/expert", Value::Null),
        ("/demonstrations", json!([["cell 0,0", "right"]])),
        ("/expert/0", json!(["cell 0,0", "right"])),
        ("/expert/0", json!(["cell 0,0", "right", -1.0])),
    ];
    let env = hedgerow::io::grid_file::parse("map = 'SG'", "line").unwrap();
    let env = env.environment().unwrap();
    both_refuse("policy", &expert, &changes, |p| {
        hedgerow::io::policy_file::parse_json(&p.to_string(), &env).is_ok()
    });
    let record = json!({
        "episode": "monday", "step": 0, "state": "cell 0,0", "action": "right",
        "next_state": "cell 0,1", "source": "expert", "expert_action": null
    });
    let changes = [
        ("/surplus", json!(1)),
        ("/episode", Value::Null),
        ("/episode", json!(1.5)),
        ("/state", Value::Null),
        ("/action", json!([])),
        ("/step", json!(-1)),
        ("/source", json!("nobody")),
        ("/next_state", json!(true)),
    ];
    both_refuse("record", &record, &changes, |r| {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("line.toml");
        std::fs::write(&map, "map = 'SG'").unwrap();
        let map = map.to_str().unwrap();
        runs("r.jsonl", &r.to_string(), |f| {
            words(&["infer", map, "--demos", f])
        })
    });
}
