//! A run that is interrupted in its middle goes on to the same results.

use hedgerow::Result;
use hedgerow::domain::{Domain, World};
use hedgerow::finite::{FiniteDomain, PARAMETERS};
use hedgerow::param::Parameters;
use hedgerow::run::{self, Keeper, RunId, RunResult, RunSpec, Stop};
use std::ops::ControlFlow;
use std::sync::Arc;

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

/// A run of this strategy, as it goes on from its last checkpoint as well, and what it left.
fn resumed(
    strategy: &str,
    iterations: usize,
) -> (Arc<dyn World>, RunSpec, RunResult, Vec<Vec<u8>>) {
    let world = FiniteDomain::default().open("gridworld-3-31").unwrap();
    let spec = spec(strategy, iterations);
    let mut keeper = All::default();
    let whole = done(world.as_ref(), &spec, &mut keeper, usize::MAX);
    assert_eq!(whole.summary.stop, Stop::Iterations);
    let kept = keeper.0.last().expect("it left a checkpoint").clone();
    let mut again = All(vec![kept]);
    let mut rows = 0;
    let mut observe = |_: &run::Row| {
        rows += 1;
        ControlFlow::Continue(())
    };
    let resumed = world.run_kept(&spec, &mut observe, &|| false, &mut again);
    assert_eq!(resumed.unwrap(), whole, "{strategy}");
    assert!(rows < 1_000, "{strategy} began anew");
    (world, spec, whole, keeper.0)
}

#[test]
fn a_run_that_plans_goes_on_from_its_middle_to_the_same_results() {
    resumed("undecided", 2_300);
}

#[test]
fn a_run_that_scores_goes_on_from_its_middle_to_the_same_results() {
    resumed("ucb", 2_600);
}

#[test]
fn runs_are_the_same_whether_they_are_kept_or_broken_off_or_neither() {
    let (world, spec, whole, _) = resumed("random", 2_300);
    let mut observe = |_: &run::Row| ControlFlow::Continue(());
    assert_eq!(world.run(&spec, &mut observe).unwrap(), whole);
    let mut broken = All::default();
    let result = done(world.as_ref(), &spec, &mut broken, 2_270);
    assert_eq!(result.summary.stop, Stop::Interrupted);
    let mut result = done(world.as_ref(), &spec, &mut broken, 20);
    assert_eq!(result.summary.stop, Stop::Interrupted);
    while result.summary.stop == Stop::Interrupted {
        result = done(world.as_ref(), &spec, &mut broken, 1_000);
    }
    assert_eq!(result, whole);
}

#[test]
fn a_checkpoint_of_another_run_or_a_damaged_one_is_not_used() {
    let (world, ours, _, kept) = resumed("random", 2_300);
    let begun = |spec: &RunSpec, keeper: &mut All| done(world.as_ref(), spec, keeper, 20).rows;
    let kept = kept.last().unwrap().clone();
    let fresh = begun(&ours, &mut All::default());
    assert!(fresh.len() < 30);
    assert!(begun(&ours, &mut All(vec![kept.clone()])).len() > 1_000);
    let mut cut = kept.clone();
    cut.truncate(kept.len() - 9);
    for damaged in [cut, b"{}".to_vec(), Vec::new()] {
        assert_eq!(begun(&ours, &mut All(vec![damaged])), fresh);
    }
    let mut other = ours.clone();
    other.id.seed = 4;
    let alone = begun(&other, &mut All::default());
    assert_eq!(begun(&other, &mut All(vec![kept])), alone);
    assert_ne!(alone, fresh);
}
