//! Results to report on.

use hedgerow::sweep::{Experiment, Results, Silent, Sweep};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Runs a small sweep into `folder` and reads it back.
pub fn results(folder: &Path, envs: &[&str], strategies: &[&str], iterations: usize) -> Results {
    let mut experiment = Experiment::default();
    let envs: Vec<String> = envs.iter().map(|e| (*e).to_owned()).collect();
    experiment.set_environments(&envs).unwrap();
    experiment
        .set_strategies(strategies.iter().copied())
        .unwrap();
    experiment.set_seeds(vec![1, 2, 3]).unwrap();
    experiment
        .set("iterations", &iterations.to_string())
        .unwrap();
    let sweep = Sweep::open(experiment, folder, false).unwrap();
    sweep.run(&Silent, &AtomicBool::new(false)).unwrap();
    Results::read(folder).unwrap()
}
