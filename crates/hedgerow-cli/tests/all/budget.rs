//! `hedgerow infer --exact` of an expert with a budget.

use crate::common::program;

use program::{json, near, text};

#[test]
fn the_true_cost_of_a_budget_is_optimal_but_breaks_a_condition() {
    let found = json(&["infer", "soft-strip", "--exact"]);
    let truth = &found["true_cost"];
    assert!(truth["optimality"].is_null(), "{truth}");
    let broken = truth["conditions"].as_str().unwrap();
    assert!(broken.starts_with("condition 3 at (cell "), "{broken}");
    let budget = found["budget"].as_f64().unwrap();
    assert!(budget > 0.0);
    near(&truth["spent"], budget, 1e-9);
    let said = text(&["infer", "soft-strip", "--exact"]);
    assert!(
        said.contains("By optimality: yes. By the three conditions: no: condition 3"),
        "{said}"
    );
}

#[test]
fn without_a_budget_there_is_nothing_to_hold_it_to() {
    let found = json(&["infer", "gridworld-1", "--exact"]);
    assert_eq!(found["budget"], 0.0);
    assert!(found.get("true_cost").is_none());
}
