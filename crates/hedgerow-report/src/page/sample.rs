//! Small results to test with.

use hedgerow::results::Results;
use hedgerow::sweep::{Experiment, Silent, Sweep};
use tempfile::TempDir;

/// Two strategies with two seeds in one environment, in a folder that lives as long as the guard.
pub(super) fn results() -> (TempDir, Results) {
    let mut e = Experiment::default();
    e.set_environments(["gridworld-3"]).unwrap();
    e.set_strategies(["pcse", "random"]).unwrap();
    e.set_seeds(vec![7, 8]).unwrap();
    e.assign("iterations=12").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::open(&e, folder.path()).unwrap();
    sweep.run(&Silent, &Default::default()).unwrap();
    let results = Results::read(folder.path()).unwrap();
    (folder, results)
}
