//! One strategy several times in a sweep.

use hedgerow::results::{Manifest, Results};
use hedgerow::sweep::{Experiment, Shard, Silent, Sweep, merge};
use std::path::Path;

fn experiment(ties: &str) -> Experiment {
    let mut e = Experiment::default();
    e.set_environments(["gridworld-1"]).unwrap();
    e.add_variant("other", "bear").unwrap();
    e.set_strategies(["bear", "other"]).unwrap();
    e.set_seeds(vec![0, 1]).unwrap();
    e.set("iterations", "8").unwrap();
    e.set("other.ties", ties).unwrap();
    e
}

fn run(e: &Experiment, folder: &Path) -> Results {
    let outcome = Sweep::open(e, folder).unwrap();
    let outcome = outcome.run(&Silent, &Default::default()).unwrap();
    assert_eq!((outcome.finished, outcome.failed.len()), (4, 0));
    Results::read(folder).unwrap()
}

#[test]
fn a_variant_is_filed_under_its_name_and_does_what_its_strategy_would() {
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment("first"), folder.path());
    let of = |name: &'static str| results.runs.iter().filter(move |r| r.id.strategy == name);
    assert_eq!((of("bear").count(), of("other").count()), (2, 2));
    let manifest: &Manifest = &results.manifest;
    assert_eq!(manifest.variants["other"], "bear");
    assert_eq!(manifest.strategies(), ["bear", "other"]);
    let summary = results.summary();
    let names: Vec<&str> = summary.iter().map(|row| row.strategy.as_str()).collect();
    assert_eq!(names, ["bear", "other"]);
    // The strategy itself with the same parameter does the same, row by row.
    let again = tempfile::tempdir().unwrap();
    let mut direct = Experiment::default();
    direct.set_environments(["gridworld-1"]).unwrap();
    direct.set_strategies(["bear"]).unwrap();
    direct.set_seeds(vec![0, 1]).unwrap();
    direct.set("iterations", "8").unwrap();
    direct.set("bear.ties", "first").unwrap();
    let sweep = Sweep::open(&direct, again.path()).unwrap();
    sweep.run(&Silent, &Default::default()).unwrap();
    let direct = Results::read(again.path()).unwrap();
    for ((variant, strategy), shared) in of("other").zip(&direct.runs).zip(of("bear")) {
        assert_eq!(variant.result.rows, strategy.result.rows);
        assert_ne!(variant.result.rows, shared.result.rows);
    }
}

#[test]
fn sweeps_with_variants_continue_and_merge_and_refuse_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let whole = run(&experiment("first"), &at("whole"));
    let sweep = Sweep::open(&experiment("first"), &at("whole")).unwrap();
    assert_eq!((sweep.saved(), sweep.runs()), (4, 4));
    drop(sweep);
    let refused = Sweep::open(&experiment("shared"), &at("whole")).unwrap_err();
    let said = "other.ties was first, now shared";
    assert!(refused.to_string().contains(said), "{refused}");
    let mut of_another = Experiment::default();
    of_another.set_environments(["gridworld-1"]).unwrap();
    of_another.add_variant("other", "max-entropy").unwrap();
    of_another.set_strategies(["bear", "other"]).unwrap();
    of_another.set_seeds(vec![0, 1]).unwrap();
    of_another.set("iterations", "8").unwrap();
    let refused = Sweep::open(&of_another, &at("whole")).unwrap_err();
    let said = "other was a variant of bear, now of max-entropy";
    assert!(refused.to_string().contains(said), "{refused}");
    let parts = [at("part-1"), at("part-2")];
    for (n, part) in parts.iter().enumerate() {
        let shard = Shard::new(n + 1, 2).unwrap();
        let sweep = Sweep::open_part(&experiment("first"), part, shard, false).unwrap();
        sweep.run(&Silent, &Default::default()).unwrap();
    }
    let merged = merge(&parts, &at("merged")).unwrap();
    assert_eq!((merged.planned, merged.finished), (4, 4));
    assert_eq!(merged.summary, whole.summary());
    for file in [
        "manifest.json",
        "summary.csv",
        "runs/gridworld-1/other/1.json",
    ] {
        let read = |name: &str| std::fs::read(at(name).join(file)).unwrap();
        assert_eq!(read("whole"), read("merged"), "{file}");
    }
}
