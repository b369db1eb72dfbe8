//! Classes of pairs that are forbidden as a whole or not at all.

use hedgerow::columns::Column;
use hedgerow::constraint::{Constraint, Evidence, Named, read_classes};
use hedgerow::env::{Environment, builtin};
use hedgerow::index::Pair;
use hedgerow::model::Dynamics;
use hedgerow::verdict::{
    ClassVerdict, Classes, Count, CriteriaParams, Scope, SearchOptions, Verdict, infer,
};
use std::ops::ControlFlow;

#[test]
fn verdicts_on_classes_by_hand() {
    let counted = |verdicts: &[Verdict]| {
        let mut count = Count::default();
        verdicts.iter().for_each(|&v| count.add(v, false));
        count.verdict()
    };
    use Verdict::{Constrained, NoGain, Taken, Undecided};
    assert_eq!(
        counted(&[Constrained, NoGain, Undecided]),
        ClassVerdict::Forbidden
    );
    assert_eq!(counted(&[Taken, NoGain, Undecided]), ClassVerdict::Allowed);
    assert_eq!(counted(&[Taken, Constrained]), ClassVerdict::Contradicted);
    assert_eq!(counted(&[NoGain, NoGain]), ClassVerdict::NoGain);
    assert_eq!(counted(&[NoGain, Undecided]), ClassVerdict::Undecided);
    assert_eq!(counted(&[]), ClassVerdict::NoGain);
}

/// Moves by whether the true cost charges the cell that they most likely lead into.
fn zones(environment: &Environment) -> Classes {
    let (task, truth) = (environment.task(), environment.truth());
    let charged = truth.cost().by_state(task);
    let class = |pair: Pair| {
        let next = truth.model().rows().likeliest(pair)?;
        Some(if charged[next.at()] > 0.0 {
            "hedge"
        } else {
            "lawn"
        })
    };
    let classes: Vec<Option<&str>> = task.all_pairs().map(class).collect();
    Classes::new(Column::of_text("zone", classes))
}

fn search(environment: &Environment, classes: Option<&Classes>) -> Constraint {
    let criteria = CriteriaParams::usual_for(environment.task(), false)
        .check()
        .unwrap();
    let options = SearchOptions {
        criteria,
        inference: criteria.inference(environment.task()).unwrap(),
        classes: classes.cloned(),
        samples: Some(2_000_000),
        seed: 3,
        ..SearchOptions::default()
    };
    let found = infer(environment, options, &mut |_| ControlFlow::Continue(())).unwrap();
    let mut evidence = Evidence::explored(environment, found, 3);
    evidence.classes = classes.cloned();
    evidence.constraint()
}

#[test]
fn one_certified_pair_settles_its_class_and_saves_samples() {
    let environment = builtin::environment("gridworld-3").unwrap();
    let classes = zones(&environment);
    let named = Named {
        columns: &[],
        classes: Some(&classes),
    };
    let exact = Constraint::exact_with(&environment, Scope::All, &named).unwrap();
    let with = search(&environment, Some(&classes));
    let without = search(&environment, None);
    let verdict = |found: &Constraint, name: &str| {
        let class = found.classes.iter().find(|c| c.class == name).unwrap();
        class.verdict
    };
    assert_eq!(verdict(&exact, "hedge"), ClassVerdict::Forbidden);
    assert_eq!(verdict(&exact, "lawn"), ClassVerdict::Allowed);
    assert_eq!(verdict(&with, "hedge"), ClassVerdict::Forbidden);
    assert_eq!(verdict(&with, "lawn"), ClassVerdict::Allowed);
    assert_eq!(with.open, 0);
    assert!(
        2 * with.source.samples < without.source.samples,
        "{} against {}",
        with.source.samples,
        without.source.samples
    );
    // Pairs keep their own verdicts, and all of a forbidden class are forbidden.
    let forbidden = with.forbidden(environment.task()).unwrap();
    let of_class = environment
        .task()
        .all_pairs()
        .map(|p| classes.of(p) == Some(0));
    assert_eq!(classes.name(0), "hedge");
    assert_eq!(forbidden, of_class.collect::<Vec<_>>());
    assert!(with.constrained < without.constrained);
    assert!(
        with.text(true)
            .contains("classes, if each is forbidden as a whole or not at all")
    );
    assert!(without.classes.is_empty());
}

#[test]
fn a_class_with_both_is_contradicted_and_its_pairs_are_judged_one_by_one() {
    let environment = builtin::environment("gridworld-3").unwrap();
    let task = environment.task();
    let classes = Classes::new(Column::of_text("all", task.all_pairs().map(|_| Some("x"))));
    let named = Named {
        columns: &[],
        classes: Some(&classes),
    };
    let exact = Constraint::exact_with(&environment, Scope::All, &named).unwrap();
    assert_eq!(exact.classes[0].verdict, ClassVerdict::Contradicted);
    assert!(
        exact.warnings[0].contains("judged one by one"),
        "{:?}",
        exact.warnings
    );
    let plain = Constraint::exact(&environment, Scope::All).unwrap();
    assert_eq!(
        exact.forbidden(task).unwrap(),
        plain.forbidden(task).unwrap()
    );
}

#[test]
fn tables_of_classes_are_checked() {
    let environment = builtin::environment("gridworld-3").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("classes.csv");
    let read = |text: &str, soft: bool| {
        std::fs::write(&path, text).unwrap();
        read_classes(&path, environment.task(), soft).map_err(|e| e.to_string())
    };
    let good = "state,zone\n\"cell 0,0\",a\n\"cell 0,1\",b\n";
    assert_eq!(read(good, false).unwrap().len(), 2);
    assert!(read(good, true).unwrap_err().contains("soft budget"));
    assert!(
        read("state,a,b\n0,x,y\n", false)
            .unwrap_err()
            .contains("2 columns of your own")
    );
    assert!(
        read("state,a\n0,\n", false)
            .unwrap_err()
            .contains("no pair has a class")
    );
}
