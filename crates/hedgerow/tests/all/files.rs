//! Files: the examples of the documentation, and what is written can be read back.

use hedgerow::env::{Environment, builtin};
use hedgerow::io::{self, Defaults, grid_file, model_file, policy_file};
use std::path::Path;

/// The code blocks of `docs/formats.md` in one language.
fn examples(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let text = std::fs::read_to_string(path).unwrap();
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

fn two_ways() -> Environment {
    model_file::parse(&examples("json")[0], "other").unwrap()
}

fn same(a: &Environment, b: &Environment) {
    let (x, y) = (a.truth(), b.truth());
    assert_eq!(x.model(), y.model());
    assert_eq!(x.cost(), y.cost());
    assert_eq!(x.expert(), y.expert());
    assert_eq!(x.budget().to_bits(), y.budget().to_bits());
    assert_eq!((a.name(), a.horizon()), (b.name(), b.horizon()));
}

#[test]
fn the_documented_grids_are_grids() {
    let mut grids = examples("toml");
    grids.retain(|text| !text.contains("kind = \"maze\""));
    assert_eq!(grids.len(), 2);
    for text in grids {
        let grid = grid_file::parse(&text, "line").unwrap();
        let environment = grid.environment().unwrap();
        assert!(environment.layout().is_some());
        assert_eq!(grid_file::parse(&grid.to_toml(), "other").unwrap(), grid);
    }
}

#[test]
fn the_documented_models_are_models() {
    let environment = two_ways();
    assert_eq!(environment.name(), "two-ways");
    // A hard constraint on the bridge: the expert takes the detour.
    assert_eq!(environment.truth().expert().probs(), [0.0, 1.0, 1.0, 1.0]);
    let shown = model_file::parse(&examples("json")[1], "shown").unwrap();
    assert_eq!((shown.name(), shown.horizon()), ("shown", 50));
    assert_eq!(shown.truth().expert().probs(), [1.0, 0.0, 1.0]);
    assert_eq!(shown.truth().cost().support(), 0);
}

#[test]
fn the_documented_experts_are_experts() {
    let environment = two_ways();
    let table = policy_file::parse_csv(&examples("csv")[0], &environment).unwrap();
    assert_eq!(table.probs(), [0.25, 0.75, 1.0, 1.0]);
    let all = examples("json");
    let object = all.iter().find(|text| text.contains(policy_file::FORMAT));
    let object = policy_file::parse_json(object.unwrap(), &environment).unwrap();
    assert_eq!(object.probs(), [0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn every_key_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let text = std::fs::read_to_string(path).unwrap();
    let written = io::to_json(&two_ways());
    for line in written.lines().filter_map(|l| l.strip_prefix("  \"")) {
        let key = line.split('"').next().unwrap();
        assert!(text.contains(&format!("| `{key}` |")), "{key}");
    }
}

#[test]
fn a_model_survives_a_round_trip_bit_for_bit() {
    let mut environments = vec![two_ways()];
    for name in builtin::names() {
        environments.push(builtin::environment(&name).unwrap());
    }
    for environment in environments {
        let read = model_file::parse(&io::to_json(&environment), "other").unwrap();
        same(&environment, &read);
    }
}

#[test]
fn numbers_without_a_short_form_survive_too() {
    let text = |p: &str, q: &str| {
        format!(
            r#"{{"format": "hedgerow-model/1", "states": 2, "actions": ["a \"quoted\" one"],
            "gamma": 0.30000000000000004, "start": [[0, 1]], "terminal": [1],
            "transitions": [[0, 0, 0, {p}], [0, 0, 1, {q}]], "rewards": [[0, 0, 1e-300]],
            "cost": [[0, 0, 123456789.12345679]], "expert": [[0, 0, 1]]}}"#
        )
    };
    let environment = model_file::parse(&text("0.1234567890123456", "0.8765432109876544"), "odd");
    let environment = environment.unwrap();
    let read = model_file::parse(&io::to_json(&environment), "other").unwrap();
    same(&environment, &read);
}

#[test]
fn names_and_indices_mean_the_same_in_a_table() {
    let environment = builtin::environment("gridworld-1").unwrap();
    let expert = environment.truth().expert();
    let task = environment.task();
    let (mut named, mut numbered) = (
        "state,action,probability\n".to_owned(),
        "state,action,probability\n".to_owned(),
    );
    for pair in task.all_pairs().filter(|&p| expert.prob(p) > 0.0) {
        let (s, a, p) = (task.state_of(pair), task.action_of(pair), expert.prob(pair));
        let (name, action) = (task.state_name(s), task.action_name(a));
        named.push_str(&format!("\"{name}\",{action},{p:?}\n"));
        numbered.push_str(&format!("{},{},{p:?}\n", s.0, a.0));
    }
    for text in [named, numbered] {
        let read = policy_file::parse_csv(&text, &environment).unwrap();
        assert_eq!(&read, expert);
    }
}

#[test]
fn demonstrations_become_frequencies() {
    let text =
        "state,action\nhome,walk\nhome,detour\nhome,detour\nhome,detour\nbridge,walk\npath,walk\n";
    let policy = policy_file::parse_csv(text, &two_ways()).unwrap();
    assert_eq!(policy.probs(), [0.25, 0.75, 1.0, 1.0]);
}

#[test]
fn a_soft_budget_is_spent_by_the_computed_expert() {
    let text = examples("json")[0].replace("\"budget\": 0.0", "\"budget\": 0.45");
    let environment = model_file::parse(&text, "soft").unwrap();
    // Crossing costs 0.9 discounted, so half of the crossings fit.
    let walk = environment.truth().expert().probs()[0];
    assert!((walk - 0.5).abs() < 1e-6, "{walk}");
}

/// The last documented model: one without dynamics.
fn undriven() -> String {
    let all = examples("json");
    let found = all.iter().find(|text| text.contains("\"available\""));
    found.expect("a documented model without dynamics").clone()
}

#[test]
fn a_model_without_dynamics_is_a_task_and_no_environment() {
    let known = model_file::parse_known(&undriven(), "other").unwrap();
    assert!(known.environment.is_none() && known.layout.is_none());
    let task = &known.task;
    assert_eq!(
        (known.name.as_str(), task.states(), task.pairs()),
        ("ward", 4, 4)
    );
    assert_eq!(task.reward(), [0.0, 0.0, -0.1, -0.5]);
    let (fever, home) = (hedgerow::index::Pair(2), hedgerow::index::State(3));
    assert_eq!(task.reward_of(fever, home), 0.9);
    assert_eq!(task.pair_name(hedgerow::index::Pair(1)), "(rest, treat)");
    let refused = model_file::parse(&undriven(), "other").unwrap_err();
    let message = refused.to_string();
    assert!(
        message.contains("no dynamics") && message.contains("--demos"),
        "{message}"
    );
    // Without the list, every action is available wherever the episode goes on.
    let start = undriven();
    let (before, rest) = start.split_once("\"available\"").unwrap();
    let (_, after) = rest.split_once("]],").unwrap();
    let all = model_file::parse_known(&format!("{before}{after}"), "other").unwrap();
    assert_eq!(all.task.pairs(), 2 * 3);
}

#[test]
fn what_has_no_meaning_without_dynamics_is_refused() {
    let with = |key: &str| undriven().replacen('{', &format!("{{ {key},"), 1);
    let entries = "[[\"rest\", \"treat\", 1.0]]";
    for (text, words) in [
        (
            with(&format!("\"cost\": {entries}")),
            ["cost", "transitions"],
        ),
        (
            with(&format!("\"expert\": {entries}")),
            ["expert", "transitions"],
        ),
        (with("\"budget\": 1"), ["budget", "transitions"]),
        (with("\"demonstrations\": []"), ["demonstrations", "log"]),
        (with("\"transitions\": []"), ["available", "already say"]),
        (
            undriven().replace("[\"rest\", \"wait\"]", "[\"rest\", \"treat\"]"),
            ["available[1]", "twice"],
        ),
        (
            undriven().replace("[\"rest\", \"wait\"]", "[9, \"wait\"]"),
            ["available[0]", "out of range"],
        ),
        (
            undriven().replace("[\"rest\", \"wait\"]", "[\"home\", \"wait\"]"),
            ["state 3", "terminal but has actions"],
        ),
    ] {
        let message = model_file::parse_known(&text, "x").unwrap_err().to_string();
        for word in words {
            assert!(message.contains(word), "`{word}` not in: {message}");
        }
    }
}

#[test]
fn a_task_is_opened_wherever_an_environment_is() {
    let known = io::open_task("gridworld-1").unwrap();
    let environment = known.environment.unwrap();
    assert_eq!(&known.task, environment.task());
    assert!(known.layout.is_some());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.json");
    std::fs::write(&file, undriven()).unwrap();
    let file = file.to_str().unwrap();
    assert!(io::open_task(file).unwrap().environment.is_none());
    let message = io::open(file).unwrap_err().to_string();
    assert!(message.starts_with(file), "{message}");
    std::fs::write(file, examples("json")[0].as_bytes()).unwrap();
    assert!(io::open_task(file).unwrap().environment.is_some());
    assert!(io::open_task("gridwrld-1").is_err());
}

#[test]
fn what_would_exhaust_memory_is_refused_first() {
    let model = |states: u64, transitions: &str| {
        let text = format!(
            r#"{{"format": "hedgerow-model/1", "states": {states}, "actions": ["a"], "gamma": 0.9,
            "start": [[0, 1.0]], "terminal": [1], {transitions} "rewards": [[0, 0, 1.0]]}}"#
        );
        hedgerow::io::model_file::parse_known(&text, "huge")
    };
    for (states, transitions) in [
        (4_000_000_000, r#""transitions": [[0, 0, 1, 1.0]],"#),
        (4, r#""transitions": [[0, 0, 1, 1.0]],"#),
        (4_000_000_000, ""),
        (u64::MAX, ""),
    ] {
        let message = model(states, transitions).unwrap_err().to_string();
        assert!(
            message.contains(&format!("states: {states} states")),
            "{message}"
        );
    }
    assert!(model(2, "").is_ok());
    // A map of 160,000 cells takes more than 100 MB, and says so before any of it is taken.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.toml");
    let first = format!("S{}G\n", ".".repeat(398));
    let map = first + &format!("{}\n", ".".repeat(400)).repeat(399);
    std::fs::write(&path, format!("map = \"\"\"\n{map}\"\"\"\n")).unwrap();
    let defaults = Defaults {
        memory: Some(100_000_000),
        ..Defaults::default()
    };
    let message = match hedgerow::io::open_with(path.to_str().unwrap(), &defaults) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("it was opened"),
    };
    assert!(
        message.contains("memory: opening and solving it takes up to"),
        "{message}"
    );
    assert!(
        message.contains("more than the limit of 100 MB; raise --memory"),
        "{message}"
    );
}
