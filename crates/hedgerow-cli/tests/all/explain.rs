//! `hedgerow explain` of what was learned: by exploring, or from records.

use crate::common::program;

use program::{json, near, recorded, refused, text};

#[test]
fn a_cell_of_the_wall_is_explained_by_two_ways() {
    let cell = ["explain", "gridworld-3", "--cell", "3,2", "--quiet"];
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
