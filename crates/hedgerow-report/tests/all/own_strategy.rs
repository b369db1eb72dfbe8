//! The example of an own strategy: it is swept beside built-in ones and stands in the report.

use hedgerow::results::Results;
use hedgerow_report::{Reports, figure};

#[path = "../../examples/own_strategy.rs"]
mod example;

#[test]
fn an_own_strategy_is_swept_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = example::compare(folder.path(), &[1, 2], 40).unwrap();
    assert_eq!((outcome.finished, outcome.failed.len()), (6, 0));
    assert_eq!(outcome.summary[0].strategy, "rarest");
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("\"rarest\""));
    assert!(page.contains("rarest.lookahead=2"));
    // It explores as the built-in ones do: more than nothing is inferred.
    let results = Results::read(folder.path()).unwrap();
    let mut runs = results.runs_of("gridworld-3", "rarest");
    assert!(runs.all(|r| r.summary().last.constrained > 0));
    let figures = figure::all(&results, &Reports::default()).unwrap();
    let curves = figures
        .iter()
        .find(|f| f.name == "training-curves")
        .unwrap();
    assert!(curves.svg.contains(">rarest<"));
}
