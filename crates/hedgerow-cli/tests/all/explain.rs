//! `hedgerow explain` of what was learned: by exploring, or from records.

use crate::common::program;

use program::{json, near, recorded, refused, text};

#[test]
fn a_cell_of_the_wall_is_explained_by_two_ways() {
    // Enough to certify the wall; to decide what is left takes four times as many.
    let few = ["--samples", "100000", "--quiet"];
    let cell = [&["explain", "gridworld-3", "--cell", "3,2"], &few[..]].concat();
    let said = text(&cell);
    for words in [
        "gridworld-3: explained from ",
        "3 of the 8 moves into it would earn more than the expert does",
        "3 | x x * x x . .     3 | x x x x x o .\n",
        "@ start, * after the move, o the expert\n",
        "it is constrained.\n",
    ] {
        assert!(said.contains(words), "`{words}` not in: {said}");
    }
    let found = json(&cell);
    assert_eq!(found["exact"], false);
    assert_eq!(found["reason"]["kind"], "constrained");
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    for m in moves {
        let low = m["interval"][0].as_f64().unwrap();
        assert_eq!(m["status"] == "constrained", low > 0.0, "{m}");
    }
    // Both ways start at the same place and end in the goal: 4 moves instead of 8.
    let witness = &found["witness"];
    let (way, expert) = (&witness["trajectory"], &witness["expert"]);
    near(&way["reward"], 0.7_f64.powi(4), 1e-12);
    assert!(expert["reward"].as_f64().unwrap() < 0.7_f64.powi(7));
    assert_eq!(
        (&way["end"], &expert["end"]),
        (&"terminal".into(), &"terminal".into())
    );
}

#[test]
fn a_pair_is_worth_what_known_dynamics_say() {
    let pair = ["explain", "gridworld-3", "--pair", "2,2,up"];
    let learned = json(&[&pair[..], &["--quiet"]].concat());
    let exact = json(&[&pair[..], &["--exact"]].concat());
    assert_eq!(
        (&learned["exact"], &exact["exact"]),
        (&false.into(), &true.into())
    );
    assert_eq!(learned["status"], "constrained");
    for key in ["q", "value", "advantage"] {
        near(&learned[key], exact[key].as_f64().unwrap(), 0.01);
        assert_ne!(learned[key], exact[key], "{key} was not learned");
    }
}

#[test]
fn a_true_cell_that_is_not_needed_is_neither_found_nor_drawn() {
    let said = text(&["explain", "gridworld-2", "--cell", "4,4", "--quiet"]);
    let words = "The truth charges cell 4,4, but explaining the expert does not need it";
    assert!(said.contains(words), "{said}");
    // The block is charged from (1,1) to (5,5); only the sides that the expert would cut through
    // from outside can be seen in what it does.
    let said = text(&["explain", "gridworld-2", "--pair", "0,0,up", "--quiet"]);
    let rows: Vec<&str> = said.lines().filter(|l| l.starts_with("3 | ")).collect();
    let cells: Vec<&str> = rows[0].split_whitespace().collect();
    assert_ne!(cells[2 + 3], "x", "{said}");
    let exact = text(&["explain", "gridworld-2", "--pair", "0,0,up", "--exact"]);
    assert!(exact.contains(" x x x x x .     3 | "), "{exact}");
}

#[test]
fn records_explain_too() {
    let folder = tempfile::tempdir().unwrap();
    let (demos, logs) = recorded(folder.path());
    let from = ["--demos", &demos, "--logs", &logs];
    let cell = [&["explain", "gridworld-3", "--cell", "3,2"], &from[..]].concat();
    let found = json(&cell);
    assert_eq!(found["reason"]["kind"], "constrained");
    assert!(found["witness"]["advantage"].as_f64().unwrap() > 0.1);
    let said = text(&cell);
    assert!(
        said.starts_with("gridworld-3: explained from 133307 samples;"),
        "{said}"
    );
    assert!(said.contains("it is constrained.\n"), "{said}");
}

#[test]
fn a_pair_that_no_record_shows_is_not_explained() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.csv");
    let step = "episode,state,action,next_state\n1,\"cell 0,0\",up,\"cell 1,0\"\n";
    std::fs::write(&file, step).unwrap();
    let demos = ["--demos", file.to_str().unwrap()];
    let said = text(&[&["explain", "gridworld-3", "--pair", "2,2,up"], &demos[..]].concat());
    assert!(
        said.contains("never tried: nothing is known of it"),
        "{said}"
    );
}

/// A wheel that pays 1 and goes on turning with 0.6, beside a sure 1 at once, which the expert takes.
const WHEEL: &str = r#"{"format": "hedgerow-model/1", "name": "wheel",
    "states": ["start", "wheel", "end"], "actions": ["rest", "enter", "turn"], "gamma": 0.9,
    "start": [["start", 1]], "terminal": ["end"],
    "transitions": [["start", "rest", "end", 1], ["start", "enter", "wheel", 1],
        ["wheel", "turn", "wheel", 0.6], ["wheel", "turn", "end", 0.4]],
    "rewards": [["start", "rest", 1], ["wheel", "turn", 1]],
    "expert": [["start", "rest", 1], ["wheel", "turn", 1]]}"#;

#[test]
fn a_loop_is_explained_by_visits_and_never_for_more_than_can_be_earned() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wheel.json");
    std::fs::write(&file, WHEEL).unwrap();
    let file = file.to_str().unwrap();
    let pair = ["explain", file, "--pair", "start,enter", "--exact"];
    let said = text(&pair);
    for words in [
        "enter in start, then as the expert, compared with the expert at once",
        "wheel turn 1.95652 0 1.95652",
        "start rest 0 1 -1",
        "sum 0.956522",
        "No single trajectory stands for what happens; expected visits do.",
    ] {
        let plain = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains(words), "`{words}` not in: {said}");
    }
    // For ever it would be 9.
    assert!(!said.contains(" 9 ") && !said.contains("(left)"), "{said}");
    let found = json(&pair);
    assert_eq!(found["shown"], "visits");
    assert!(found["trajectory"]["reward"].is_null(), "{found}");
    let changes = found["visits"].as_array().unwrap();
    let sum: f64 = changes
        .iter()
        .map(|c| c["contribution"].as_f64().unwrap())
        .sum();
    near(&found["advantage"], sum, 1e-9);
    // A state of a model is explained by its name, and what is taken is told as taken.
    let said = text(&["explain", file, "--state", "end", "--exact"]);
    assert!(said.contains("The expert goes there itself; the only move into it is its own choice (rest from start)"), "{said}");
}

#[test]
fn with_a_budget_nothing_is_concluded_where_the_expert_never_comes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("far.json");
    let far = r#"{"format": "hedgerow-model/1", "name": "far",
        "states": ["home", "far", "end"], "actions": ["rest", "go", "slow", "fast"], "gamma": 0.9,
        "start": [["home", 1]], "terminal": ["end"],
        "transitions": [["home", "rest", "end", 1], ["home", "go", "far", 1],
            ["far", "slow", "end", 1], ["far", "fast", "end", 1]],
        "rewards": [["home", "rest", 1], ["far", "slow", 0.1], ["far", "fast", 0.5]],
        "cost": [["far", "fast", 1]], "budget": 0.5,
        "expert": [["home", "rest", 1], ["far", "slow", 1]]}"#;
    std::fs::write(&file, far).unwrap();
    let pair = [
        "explain",
        file.to_str().unwrap(),
        "--pair",
        "far,fast",
        "--exact",
    ];
    let said = text(&pair);
    assert!(
        said.contains("Verdicts are limited to states that the expert visits")
            && said.contains("The expert never comes there: nothing is concluded"),
        "{said}"
    );
    let said = text(&[&pair[..], &["--scope", "all"]].concat());
    assert!(said.contains("it is constrained."), "{said}");
    assert!(!said.contains("limited"), "{said}");
}

#[test]
fn drawings_are_beside_each_other_only_if_they_are() {
    let said = |columns: &str, arguments: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("hedgerow").unwrap();
        let output = command
            .env("COLUMNS", columns)
            .args(arguments)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let pair = ["explain", "gridworld-3", "--pair", "2,2,up", "--exact"];
    // Two maps of 17 columns with 5 between them.
    let wide = said("39", &pair);
    assert!(
        wide.contains("(left)") && wide.contains("(right)"),
        "{wide}"
    );
    assert!(
        wide.contains("3 | x x * x x . .     3 | x x x x x o .\n"),
        "{wide}"
    );
    let narrow = said("38", &pair);
    assert!(!narrow.contains("left)"), "{narrow}");
    let first = narrow.find("3 | x x * x x . .\n").unwrap();
    let second = narrow.find("3 | x x x x x o .\n").unwrap();
    let between = narrow.find("\nThe expert at once:\n").unwrap();
    assert!(first < between && between < second, "{narrow}");
}

#[test]
fn what_the_expert_does_itself_gains_nothing_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (demos, logs) = recorded(folder.path());
    let from = ["--demos", &demos, "--logs", &logs];
    let cell = [&["explain", "gridworld-3", "--cell", "2,5"], &from[..]].concat();
    let taken = json(&cell)["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|m| m["status"] == "taken")
        .map(|m| m["advantage"].as_f64().unwrap())
        .collect::<Vec<_>>();
    assert!(!taken.is_empty());
    let rounding = |a: &f64| *a != 0.0 && a.abs() < 1e-12;
    assert!(!taken.iter().any(rounding), "{taken:?}");
}

/// Exploring this map takes millions of samples and would show its progress.
#[test]
fn what_is_not_there_is_refused_before_exploring() {
    for (what, words) in [
        (["--cell", "40,2"], ["--cell", "`40,2`"]),
        (["--state", "nowhere"], ["state", "`nowhere`"]),
        (["--pair", "2,2,fly"], ["action", "`fly`"]),
    ] {
        let arguments = [&["explain", "gridworld-1-31"], &what[..]].concat();
        refused(1, &arguments, &words);
    }
    let both = [
        "explain",
        "gridworld-3",
        "--cell",
        "3,2",
        "--pair",
        "2,2,up",
    ];
    refused(2, &both, &["--cell", "--pair"]);
}
