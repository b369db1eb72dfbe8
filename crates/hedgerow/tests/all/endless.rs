//! Episodes without an end: they stop when they are told to, at the samples that were asked for, and
//! their evaluation stops when nothing is left to earn.

use hedgerow::env::Environment;
use hedgerow::explore;
use hedgerow::finite::{FiniteExploration, RunOptions, run, run_until};
use hedgerow::io::model_file;
use hedgerow::run::{Row, Stop};
use hedgerow::theory::PseudoCounts;
use hedgerow::verdict::{SearchOptions, infer};
use hedgerow::verify::{Searches, VerifyOptions, Watch, verify, verify_verdicts};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Two states, no terminal one, and a horizon of 2^64 - 1 steps.
fn endless() -> Environment {
    let text = r#"{"format": "hedgerow-model/1", "states": 2, "actions": ["a", "b"], "gamma": 0.9,
        "start": [[0, 1.0]], "terminal": [],
        "transitions": [[0, 0, 0, 1.0], [0, 1, 1, 1.0], [1, 0, 0, 1.0], [1, 1, 1, 1.0]],
        "rewards": [[0, 0, 1.0], [1, 1, 2.0]], "cost": [[1, 1, 1.0]],
        "horizon": 18446744073709551615}"#;
    model_file::parse(text, "endless").unwrap()
}

fn options(samples: Option<u64>) -> RunOptions {
    let mut options = RunOptions::default();
    options.run.samples = samples;
    options
}

fn searches(samples: u64) -> Searches {
    Searches::new(Default::default(), samples)
}

#[test]
fn samples_end_an_episode() {
    for strategy in ["pcse", "random", "undecided"] {
        let mut strategy = explore::find(strategy).unwrap().with_defaults();
        let result = run(&endless(), strategy.as_mut(), &options(Some(12_345))).unwrap();
        assert_eq!(result.summary.stop, Stop::Samples);
        assert_eq!(result.rows.last().unwrap().samples, 12_345);
        // The reward of the sampled episode is that of a few hundred steps.
        assert!(result.rows.iter().all(|row| row.rollout_reward.is_finite()));
    }
}

#[test]
fn a_question_ends_an_episode() {
    let mut strategy = explore::find("random").unwrap().with_defaults();
    let asked = Cell::new(0);
    let halted = || {
        asked.set(asked.get() + 1);
        asked.get() > 5
    };
    let mut observe = |_: &Row, _: &FiniteExploration| Ok(ControlFlow::Continue(()));
    let result = run_until(
        &endless(),
        strategy.as_mut(),
        &options(None),
        &mut observe,
        &halted,
    );
    let result = result.unwrap();
    assert_eq!(result.summary.stop, Stop::Interrupted);
    assert!(result.rows.last().unwrap().samples > 4_000);
}

#[test]
fn time_ends_an_episode() {
    let mut strategy = explore::find("random").unwrap().with_defaults();
    let mut options = options(None);
    options.run.time = Some(Duration::from_millis(50));
    let started = Instant::now();
    let result = run(&endless(), strategy.as_mut(), &options).unwrap();
    assert_eq!(result.summary.stop, Stop::Time);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_search_looks_at_its_verdicts_and_can_be_stopped() {
    let found = infer(
        &endless(),
        SearchOptions {
            samples: Some(2_000),
            ..SearchOptions::default()
        },
        &mut |_| ControlFlow::Continue(()),
    );
    assert_eq!(found.unwrap().learner.samples(), 2_000);
    let stop = Arc::new(AtomicBool::new(false));
    let raised = stop.clone();
    let mut looks = 0;
    let found = infer(
        &endless(),
        SearchOptions {
            stop: Some(stop),
            ..SearchOptions::default()
        },
        &mut |_| {
            looks += 1;
            raised.store(true, Ordering::Relaxed);
            ControlFlow::Continue(())
        },
    );
    assert_eq!((found.unwrap().stop, looks), (Stop::Interrupted, 1));
}

#[test]
fn what_has_to_count_every_step_is_refused() {
    let environment = endless();
    let entry = explore::find("random").unwrap();
    let values = hedgerow::param::Values::default();
    let few = VerifyOptions {
        runs: 2,
        ..VerifyOptions::default()
    };
    let refused = verify(
        &environment,
        (entry, &values),
        &options(None),
        &few,
        &Watch::default(),
    );
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("18446744073709551615 steps"), "{message}");
    let rows = environment.truth().model().rows();
    let mut counts = PseudoCounts::new(environment.task(), rows, usize::MAX);
    let added = counts.add(environment.truth().expert(), 1.0);
    assert!(added.unwrap_err().to_string().contains("too long"));
    // Searches have a limit of their own.
    let found = verify_verdicts(&environment, &searches(2_000), &few, &Watch::default());
    assert_eq!(found.unwrap().verdicts.runs, 2);
}

#[test]
fn expected_counts_stop_where_nobody_is_left() {
    let environment = hedgerow::env::builtin::environment("gridworld-3").unwrap();
    let rows = environment.truth().model().rows();
    let count = |horizon| {
        let mut counts = PseudoCounts::new(environment.task(), rows, horizon);
        counts.add(environment.truth().expert(), 1.0).unwrap();
        counts.counts().to_vec()
    };
    assert_eq!(count(50_000), count(100_000));
}

#[test]
fn stopped_verifying_counts_what_has_ended() {
    let environment = hedgerow::env::builtin::environment("gridworld-4").unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let raised = stop.clone();
    let watch = Watch {
        ended: &move || raised.store(true, Ordering::Relaxed),
        stop,
    };
    let many = VerifyOptions {
        runs: 1_000,
        ..VerifyOptions::default()
    };
    let found = verify_verdicts(&environment, &searches(3_000), &many, &watch).unwrap();
    let ended = found.verdicts.runs;
    assert!((1..1_000).contains(&ended), "{ended}");
    let nothing = verify_verdicts(&environment, &searches(3_000), &many, &watch).unwrap();
    assert_eq!(nothing.verdicts.runs, 0);
    assert_eq!(
        (
            nothing.verdicts.interval.lower,
            nothing.verdicts.interval.upper
        ),
        (0.0, 1.0)
    );
}
