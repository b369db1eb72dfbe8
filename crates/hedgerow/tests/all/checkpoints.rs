//! A run that is interrupted in its middle goes on to the same results.

use hedgerow::Result;
use hedgerow::domain::{Domain, World};
use hedgerow::finite::{FiniteDomain, PARAMETERS};
use hedgerow::param::Parameters;
use hedgerow::run::{self, Keeper, RunId, RunResult, RunSpec, Stop};
use std::ops::ControlFlow;

/// Keeps every checkpoint that is offered.
#[derive(Default)]
struct All(Vec<Vec<u8>>);

impl Keeper for All {
    fn kept(&mut self) -> Option<Vec<u8>> {
        self.0.last().cloned()
    }

    fn is_due(&self) -> bool {
        true
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.push(bytes.to_vec());
        Ok(())
    }
}

fn spec(strategy: &str, iterations: usize) -> RunSpec {
    let all = [run::PARAMETERS, PARAMETERS].concat();
    let mut settings = Parameters::defaults(Box::leak(all.into_boxed_slice()));
    settings.set("iterations", &iterations.to_string()).unwrap();
    settings.set("judge-every", "300").unwrap();
    let entry = hedgerow::explore::find(strategy).unwrap();
    RunSpec {
        version: "1".into(),
        id: RunId {
            env: "gridworld-3-31".into(),
            strategy: strategy.into(),
            seed: 3,
        },
        domain: "finite".into(),
        environment: "0".into(),
        settings: settings.values().clone(),
        strategy_settings: Parameters::defaults(entry.info.parameters).values().clone(),
        variant_of: None,
    }
}

/// The run with a keeper, ended by the observer after `most` rows of this call.
fn done(world: &dyn World, spec: &RunSpec, keeper: &mut All, most: usize) -> RunResult {
    let mut rows = 0;
    let mut observe = |_: &run::Row| {
        rows += 1;
        match rows > most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    world
        .run_kept(spec, &mut observe, &|| false, keeper)
        .unwrap()
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_results() {
    let world = FiniteDomain::default().open("gridworld-3-31").unwrap();
    for (strategy, iterations) in [("random", 5_000), ("eps-greedy", 2_600), ("ucb", 2_600)] {
        let spec = spec(strategy, iterations);
        let mut keeper = All::default();
        let whole = done(world.as_ref(), &spec, &mut keeper, usize::MAX);
        assert_eq!(whole.summary.stop, Stop::Iterations);
        assert!(!keeper.0.is_empty(), "{strategy} left no checkpoint");
        // Without anybody who keeps anything it is the same run.
        let mut observe = |_: &run::Row| ControlFlow::Continue(());
        assert_eq!(world.run(&spec, &mut observe).unwrap(), whole, "{strategy}");
        // From every checkpoint on, and broken off again and again.
        for kept in keeper.0.clone() {
            let mut again = All(vec![kept]);
            let resumed = done(world.as_ref(), &spec, &mut again, usize::MAX);
            assert_eq!(resumed, whole, "{strategy}");
        }
        let mut broken = All::default();
        let mut result = done(world.as_ref(), &spec, &mut broken, 2_400);
        while result.summary.stop == Stop::Interrupted {
            result = done(world.as_ref(), &spec, &mut broken, 2_400);
        }
        assert_eq!(result, whole, "{strategy}");
    }
}

#[test]
fn a_checkpoint_of_another_run_or_a_damaged_one_is_not_used() {
    let world = FiniteDomain::default().open("gridworld-3-31").unwrap();
    let ours = spec("random", 2_400);
    let mut keeper = All::default();
    let whole = done(world.as_ref(), &ours, &mut keeper, usize::MAX);
    let kept = keeper.0.last().unwrap().clone();
    let mut cut = kept.clone();
    cut.truncate(kept.len() - 9);
    for damaged in [cut, b"{}".to_vec(), Vec::new()] {
        let mut keeper = All(vec![damaged]);
        assert_eq!(done(world.as_ref(), &ours, &mut keeper, usize::MAX), whole);
    }
    let mut other = ours.clone();
    other.id.seed = 4;
    let alone = done(world.as_ref(), &other, &mut All::default(), usize::MAX);
    let misled = done(world.as_ref(), &other, &mut All(vec![kept]), usize::MAX);
    assert_eq!(alone, misled);
    assert_ne!(alone.rows, whole.rows);
}
