//! Results to report on.

pub mod layout;

use hedgerow::results::Results;
use hedgerow::sweep::{Experiment, Shard, Silent, Sweep};
use std::path::Path;

/// Runs a small sweep into `folder` and reads it back.
pub fn results(
    folder: &Path,
    envs: &[&str],
    strategies: &[&str],
    seeds: &[u64],
    iterations: usize,
) -> Results {
    let mut experiment = Experiment::default();
    experiment.set_environments(envs.iter().copied()).unwrap();
    experiment
        .set_strategies(strategies.iter().copied())
        .unwrap();
    experiment.set_seeds(seeds.to_vec()).unwrap();
    experiment
        .set("iterations", &iterations.to_string())
        .unwrap();
    swept(&experiment, folder)
}

/// Runs an experiment into `folder` and reads it back.
pub fn swept(experiment: &Experiment, folder: &Path) -> Results {
    let sweep = Sweep::open_part(experiment, folder, Shard::WHOLE, true).unwrap();
    let outcome = sweep.run(&Silent, &Default::default()).unwrap();
    assert_eq!(outcome.finished, outcome.runs);
    Results::read(folder).unwrap()
}
