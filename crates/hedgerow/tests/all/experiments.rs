//! The experiment files that come with the program.

use hedgerow::io::open;
use hedgerow::sweep::Experiment;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

#[test]
fn every_file_is_an_experiment() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        // Scripts of worlds from Python lie here too.
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let experiment = Experiment::read(&path).unwrap_or_else(|e| panic!("{e}"));
        for environment in experiment.environments() {
            // Continuous worlds belong to another crate, whose tests open them, and large maps are drawn by
            // `benches/maps.py`.
            if ["point-maze", "car-"]
                .iter()
                .any(|of| environment.starts_with(of))
                || environment.contains("target/maps/")
            {
                continue;
            }
            open(environment).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
        count += 1;
    }
    assert!(count >= 4);
}

#[test]
fn the_default_experiment_is_written_out() {
    let written = Experiment::read(&folder().join("gridworlds.toml")).unwrap();
    let all = hedgerow::explore::STRATEGIES.iter().map(|s| s.info.name);
    let mut usual = Experiment::default();
    usual.set_strategies(all).unwrap();
    assert_eq!(written, usual);
}
