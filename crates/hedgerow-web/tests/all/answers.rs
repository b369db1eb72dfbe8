//! Verdicts with their reasons, by exploring and from records.

use hedgerow::env::Environment;
use hedgerow::verdict::Verdict;
use hedgerow_report::verdicts::RunVerdicts;
use hedgerow_web::answer::{Asked, Found, RecordFile, explore, recorded};
use hedgerow_web::world::Drawn;
use std::ops::ControlFlow;

/// A short way through the forbidden cell, and one round it; nothing slips.
fn corner() -> Environment {
    let text = "gamma = 0.9\nslip = 0.0\nmoves = 4\nmap = '''\n. . .\n. # .\nS x G\n'''";
    Drawn::read(text, "corner.toml")
        .unwrap()
        .environment()
        .unwrap()
}

fn asked(samples: u64) -> Asked {
    Asked {
        confidence: 0.95,
        samples,
        seed: 3,
    }
}

fn explored(samples: u64) -> (Found, Vec<u64>) {
    let mut told = Vec::new();
    let found = explore(&corner(), &asked(samples), &mut |standing| {
        told.push(standing.samples);
        ControlFlow::Continue(())
    });
    (found.unwrap(), told)
}

fn cell<'a>(verdicts: &'a RunVerdicts, name: &str) -> &'a hedgerow_report::verdicts::CellVerdict {
    let cells = verdicts.cells.iter().flatten();
    cells.into_iter().find(|c| c.name == name).unwrap()
}

#[test]
fn the_forbidden_cell_is_found_and_explained() {
    let (found, told) = explored(500_000);
    assert!(told.windows(2).all(|w| w[0] < w[1]) && told.len() > 2);
    let wall = cell(&found.verdicts, "cell 0,1");
    assert_eq!(
        (wall.verdict, wall.truth),
        (Verdict::Constrained, Some(true))
    );
    assert!(wall.missing.is_empty());
    let witness = wall.witness.as_ref().unwrap();
    assert!(witness.alternative.len() < witness.expert.len());
    // Two steps less to the goal: 0.9^2 - 0.9^6.
    assert!((witness.gain - (0.81 - 0.531_441)).abs() < 1e-3);
    assert_eq!(found.constraint.constrained, 1);
    assert!(found.constraint.seen.is_none());
}

#[test]
fn those_who_may_not_know_the_rule_are_told_nothing_of_it() {
    let (found, _) = explored(20_000);
    let (open, blind) = (&found.verdicts, &found.blind);
    assert_eq!(open.cells.len(), blind.cells.len());
    for (a, b) in open
        .cells
        .iter()
        .flatten()
        .zip(blind.cells.iter().flatten())
    {
        assert_eq!(
            (a.verdict, &a.name, a.inferred),
            (b.verdict, &b.name, b.inferred)
        );
        assert_eq!(b.truth, None);
        assert!(!b.words.contains("truth"), "{}", b.words);
    }
}

#[test]
fn what_is_missing_is_named_until_it_is_there() {
    let (few, _) = explored(60);
    let open: Vec<_> = few.verdicts.cells.iter().flatten().collect();
    let open: Vec<_> = open
        .iter()
        .filter(|c| c.verdict == Verdict::Undecided)
        .collect();
    assert!(!open.is_empty());
    for c in open {
        assert!(!c.missing.is_empty(), "{}", c.name);
        let about = c.missing.join(" ");
        assert!(
            about.contains("from cell") || about.contains("Nobody"),
            "{about}"
        );
    }
    let (many, _) = explored(500_000);
    for c in many.verdicts.cells.iter().flatten() {
        assert_eq!(c.missing.is_empty(), c.verdict != Verdict::Undecided);
    }
}

#[test]
fn no_samples_and_no_confidence_are_refused() {
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let none = explore(&corner(), &asked(0), go_on).unwrap_err();
    assert_eq!(none.to_string(), "samples: 0 samples; use at least 1");
    let sure = Asked {
        confidence: 1.0,
        ..asked(10)
    };
    let message = explore(&corner(), &sure, go_on).unwrap_err().to_string();
    assert!(
        message.starts_with("confidence: 1 is out of range"),
        "{message}"
    );
}

fn file(name: &str, expert: bool, text: &str) -> RecordFile {
    RecordFile {
        name: name.to_owned(),
        expert,
        text: text.to_owned(),
    }
}

#[test]
fn records_are_evidence_and_their_errors_name_the_file() {
    let header = "episode,state,action,next_state\n";
    let round = "1,\"cell 0,0\",up,\"cell 1,0\"\n1,\"cell 1,0\",up,\"cell 2,0\"\n";
    let demos = file("demos.csv", true, &format!("{header}{round}"));
    let found = recorded(corner(), std::slice::from_ref(&demos), &asked(1)).unwrap();
    assert_eq!((found.constraint.taken, found.verdicts.samples), (2, 2));
    assert_eq!(found.constraint.source.records, ["demos.csv"]);
    // Nothing is known of what was never tried.
    assert_eq!(
        cell(&found.verdicts, "cell 0,1").verdict,
        Verdict::Undecided
    );

    let logs = file("logs.csv", false, &demos.text);
    let message = recorded(corner(), &[logs], &asked(1))
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("--demos: the records hold no choice"),
        "{message}"
    );
    for (text, place) in [
        ("", "bad.csv: line 1"),
        ("episode,state\n", "bad.csv: line 1"),
    ] {
        let message = recorded(corner(), &[file("bad.csv", true, text)], &asked(1));
        let message = message.unwrap_err().to_string();
        assert!(message.starts_with(place), "{message}");
    }
}
