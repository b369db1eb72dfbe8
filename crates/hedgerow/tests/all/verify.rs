//! Promises over many runs: kept where they hold, found out where they do not.

use crate::common;

use common::{Kind, draw, environment, iterations, mixing_without_a_future, random_policy};
use hedgerow::costset::canonical;
use hedgerow::env::Environment;
use hedgerow::explore::find;
use hedgerow::finite::{RunOptions, run};
use hedgerow::learn::{InferenceParams, Learner, ZetaRule};
use hedgerow::model::{Model, ModelBuilder, Policy};
use hedgerow::param::Parameters;
use hedgerow::run::Stop;
use hedgerow::verify::{Tally, VerifyOptions, Watch, nearest, verify};

fn watch(
    environment: &Environment,
    strategy: &str,
    parameters: &[(&str, &str)],
    options: &RunOptions,
    runs: u64,
) -> Vec<Tally> {
    let entry = find(strategy).unwrap();
    let mut chosen = Parameters::defaults(entry.info.parameters);
    for (key, value) in parameters {
        chosen.set(key, value).unwrap();
    }
    let verifying = VerifyOptions {
        runs,
        every: 5,
        ..VerifyOptions::default()
    };
    let strategy = (entry, chosen.values());
    verify(
        environment,
        strategy,
        options,
        &verifying,
        &Watch::default(),
    )
    .unwrap()
}

/// A small world with at least two pairs to charge: one alone cannot be off in proportion.
fn small() -> Environment {
    let kind = Kind {
        states: 3..=3,
        actions: 3,
        gammas: &[],
        holes: false,
    };
    let mut worlds = (0..100).map(|seed| {
        let case = draw(&kind, 3, 1, 0.2, seed);
        let expert = random_policy(case.task(), 77);
        (case.model, expert)
    });
    let charged = |m: &Model, e: &Policy| canonical(m, e, 1.0).unwrap().support();
    let (model, expert) = worlds.find(|(m, e)| charged(m, e) >= 2).unwrap();
    environment(model, expert, 6)
}

#[test]
fn promises_are_kept_by_strategies_that_walk_and_that_do_not() {
    let environment = small();
    for strategy in ["random", "bear", "pcse", "undecided", "uniform-generative"] {
        for zeta in [ZetaRule::Uniform, ZetaRule::PerPair] {
            let mut settings = iterations(40);
            settings.run.episodes = 20;
            settings.finite.inference = InferenceParams {
                zeta,
                ..InferenceParams::DEFAULT
            }
            .check()
            .unwrap();
            let found = watch(&environment, strategy, &[], &settings, 20);
            assert_eq!(found.len(), 3);
            for finding in &found {
                assert!(finding.kept(), "{strategy} {zeta:?}: {finding:?}");
                assert_eq!(finding.runs, 20);
            }
            // With a scale for every pair the signs alone matter, and they are soon right.
            if zeta == ZetaRule::Uniform {
                let loose = found[0].looseness.unwrap();
                assert!(loose > 1.0, "{strategy}: {loose}");
            }
            // Counts deviate, so there is something to be loose about.
            let counts = &found[1];
            assert_eq!(counts.may_fail, 0.05);
            if strategy != "uniform-generative" {
                assert!(counts.looseness.unwrap() > 1.0, "{strategy}: {counts:?}");
            }
        }
    }
}

#[test]
fn a_run_that_stops_on_its_accuracy_is_that_accurate() {
    let environment = small();
    let mut settings = iterations(2000);
    settings.run.episodes = 100;
    settings.run.accuracy = Some(1.0);
    let found = watch(&environment, "uniform-generative", &[], &settings, 10);
    let values = &found[2];
    assert_eq!(values.failures, 0, "{values:?}");
    // It did stop on it: the last accuracy of a run of the same settings is the target.
    let mut strategy = find("uniform-generative").unwrap().with_defaults();
    let record = run(&environment, strategy.as_mut(), &settings).unwrap();
    assert_eq!(record.summary.stop, Stop::Accuracy);
}

/// With `gamma = 0` the bound is 0 although the expert's mixture has to be estimated.
fn without_a_future() -> Environment {
    let (model, expert) = mixing_without_a_future();
    environment(model, expert, 1)
}

#[test]
fn a_promise_that_is_not_kept_is_found_out() {
    let mut settings = iterations(3);
    settings.run.episodes = 51;
    let found = watch(&without_a_future(), "random", &[], &settings, 30);
    let cost = &found[0];
    assert!(cost.failures > 20 && !cost.kept(), "{cost:?}");
    // The bound is 0, the error is not.
    assert_eq!(cost.looseness, Some(0.0));
    assert!(found[1].kept(), "{:?}", found[1]);
}

#[test]
fn a_run_that_may_be_cut_is_refused() {
    let entry = find("random").unwrap();
    let parameters = Parameters::defaults(entry.info.parameters);
    let mut settings = RunOptions::default();
    settings.run.samples = Some(100);
    let environment = without_a_future();
    let refused = verify(
        &environment,
        (entry, parameters.values()),
        &settings,
        &VerifyOptions::default(),
        &Watch::default(),
    );
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("limit the iterations"), "{message}");
    let none = VerifyOptions {
        runs: 0,
        ..VerifyOptions::default()
    };
    let refused = verify(
        &environment,
        (entry, parameters.values()),
        &RunOptions::default(),
        &none,
        &Watch::default(),
    );
    assert!(refused.unwrap_err().to_string().contains("at least 1 run"));
}

#[test]
fn the_nearest_cost_by_hand() {
    // In 0 the expert leaves 1 for 0 (advantage 1), in 1 it leaves 1/2 for 0 (advantage 1/2).
    let mut b = ModelBuilder::new(3, ["take", "leave"], 0.0);
    b.start(0, 0.5).start(1, 0.5).terminal(2);
    for (s, a, r) in [(0, 0, 0.0), (0, 1, 1.0), (1, 0, 0.0), (1, 1, 0.5)] {
        b.transition(s, a, 2, 1.0).reward(s, a, r);
    }
    let model = b.build().unwrap();
    let expert = Policy::new(model.task(), vec![1.0, 0.0, 1.0, 0.0]).unwrap();
    let environment = environment(model, expert, 1);
    let learner = |zeta| -> Learner {
        let inference = InferenceParams {
            zeta,
            ..InferenceParams::DEFAULT
        }
        .check()
        .unwrap();
        common::generated(&environment, inference, 3, 1)
    };
    // One scale: z and z/2 against 0.2 and 0.7. |z - 0.2| = |z/2 - 0.7| at z = 0.6: off by 0.4.
    let truth = [0.0, 0.2, 0.0, 0.7];
    let found = nearest(&learner(ZetaRule::Uniform), &truth);
    assert!((found.error - 0.4).abs() < 1e-9, "{found:?}");
    for (c, known) in found.cost.iter().zip([0.0, 0.6, 0.0, 0.3]) {
        assert!((c - known).abs() < 1e-9, "{found:?}");
    }
    // C_k is 0 where nothing follows, so the excess is the error.
    assert!((found.excess - 0.4).abs() < 1e-9);
    // A scale for each: nothing is off, unless the expert takes the pair.
    assert_eq!(nearest(&learner(ZetaRule::PerPair), &truth).error, 0.0);
    let taken = nearest(&learner(ZetaRule::PerPair), &[0.3, 0.2, 0.0, 0.7]);
    assert_eq!(taken.error, 0.3);
}
