//! `hedgerow transfer` of what was explored.

use crate::common::program;

use program::{json, near, refused, text};

const MAP: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/maps/wall-from-above.toml"
);

#[test]
fn an_explored_wall_is_as_good_as_a_known_one() {
    let exact = json(&["transfer", "gridworld-3", MAP]);
    let explore = ["transfer", "gridworld-3", MAP, "--explore", "--quiet"];
    let explored = json(&explore);
    assert_eq!(
        (&exact["explored"], &explored["explored"]),
        (&false.into(), &true.into())
    );
    assert_eq!(exact["agents"], explored["agents"]);
    assert_eq!(exact["forbidden_pairs"], explored["forbidden_pairs"]);
    let names: Vec<_> = (0..4).map(|i| &explored["agents"][i]["agent"]).collect();
    assert_eq!(names, ["transferred", "reward only", "imitation", "expert"]);
    let enters = |i: usize| explored["agents"][i]["enters"].as_f64().unwrap();
    near(&explored["agents"][0]["enters"], enters(3), 1e-9);
    assert!(enters(1) > 5.0 * enters(3) && enters(2) > 5.0 * enters(3));
    // How it is told needs no search as long as that one.
    let said = text(&[&explore[..], &["--margin", "0.05"]].concat());
    assert!(said.contains("\n transferred "), "{said}");
}

#[test]
fn a_search_that_decides_too_little_carries_nothing() {
    refused(
        1,
        &[
            "transfer",
            "gridworld-3",
            MAP,
            "--explore",
            "--quiet",
            "--samples",
            "100",
        ],
        &["gridworld-3", "pairs open", "--samples"],
    );
}

/// Exploring this map takes millions of samples and would show its progress.
#[test]
fn other_worlds_are_refused_before_exploring() {
    refused(
        1,
        &["transfer", "gridworld-1-31", MAP, "--explore"],
        &[
            "962 states",
            "wall-from-above has 50",
            "same states and actions",
        ],
    );
    refused(
        1,
        &["transfer", "gridworld-3", "nowhere", "--explore"],
        &["`nowhere`", "neither a file nor built in"],
    );
}
