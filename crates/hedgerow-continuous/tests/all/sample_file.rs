//! Samples in a file beside the run: bit for bit, found damaged, done again, read by others.

use hedgerow::domain::Domains;
use hedgerow::results::Store;
use hedgerow::sweep::{Experiment, Silent, Sweep, merge};
use hedgerow_continuous::general::{GeneralLearner, GeneralSettings, PARAMETERS};
use hedgerow_continuous::sample_file::SampleFile;
use hedgerow_continuous::world::ContinuousWorld;
use hedgerow_continuous::{ContinuousDomain, GeneralDomain, car};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn experiment(env: &str, set: &[(&str, &str)]) -> Experiment {
    let domains = Domains::default()
        .with(ContinuousDomain)
        .with(GeneralDomain::default());
    let mut experiment = Experiment::new(domains);
    experiment.set_environments([env]).unwrap();
    experiment.set_strategies(["random"]).unwrap();
    experiment.set_seeds(vec![3]).unwrap();
    for (key, value) in set {
        experiment.set(key, value).unwrap();
    }
    experiment
}

fn run(experiment: &Experiment, folder: &Path) -> Store {
    let sweep = Sweep::open(experiment, folder).unwrap();
    sweep.run(&Silent, &Default::default()).unwrap();
    Store::new(folder).unwrap()
}

const QUICK: &[(&str, &str)] = &[
    ("iterations", "2"),
    ("steps", "5"),
    ("agent-episodes", "1"),
    ("keep-samples", "on"),
];

#[test]
fn samples_of_a_run_teach_another_learner_the_same_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let store = run(&experiment("car-speed", QUICK), folder.path());
    let id = store.runs().remove(0);
    let file = SampleFile::read(&store.samples(&id)).unwrap();
    assert_eq!((file.observed, file.chosen), (4, 2));
    assert_eq!(file.notes["world"], "car-speed");
    assert!(file.notes["observation"].ends_with("speed (m/s)"));
    // Five demonstrations of 24 decisions, and two iterations of one episode.
    assert_eq!(file.len(), 7 * 24);
    assert_eq!((file.episodes[0], file.episodes[167]), (0, 6));
    assert!(file.is_last(23) && !file.is_last(24));
    // What was saved is what the road answers, to the last bit: every step is driven again.
    for i in 0..file.len() {
        let [x, y, heading, speed] = file.observations[4 * i..4 * i + 4] else {
            unreachable!()
        };
        let mut car = car::Car {
            x,
            y,
            heading,
            speed,
        };
        let action = &file.actions[2 * i..2 * i + 2];
        let (gained, _) = car.drive(action[0], action[1], car::Constraint::SpeedLimit);
        assert_eq!(gained.to_bits(), file.rewards[i].to_bits());
        let after = [car.x, car.y, car.heading, car.speed].map(f64::to_bits);
        let kept: Vec<u64> = file.next_observations[4 * i..4 * i + 4]
            .iter()
            .map(|x| x.to_bits())
            .collect();
        assert_eq!(kept, after);
    }
    let world = car::CarWorld::named("car-speed").unwrap();
    let settings = GeneralSettings::new(hedgerow::param::Parameters::defaults(PARAMETERS).values());
    let mut learner = GeneralLearner::new(world.spec(), &settings, 0).unwrap();
    learner.observe_all(&file).unwrap();
    assert_eq!(learner.samples().file(world.spec()), file);
    assert_eq!(learner.samples().starts().len(), 7);
}

#[test]
fn a_damaged_or_missing_file_of_samples_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = experiment("car-speed", QUICK);
    let store = run(&wanted, folder.path());
    let id = store.runs().remove(0);
    let path = store.samples(&id);
    let good = fs::read(&path).unwrap();
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    for harm in [Some(bad), None] {
        match &harm {
            Some(bad) => fs::write(&path, bad).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let sweep = Sweep::open(&wanted, folder.path()).unwrap();
        assert_eq!((sweep.saved(), sweep.damaged().len()), (0, 1));
        assert!(sweep.damaged()[0].file.ends_with("3.samples.safetensors"));
        sweep.run(&Silent, &Default::default()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), good);
    }
    let sweep = Sweep::open(&wanted, folder.path()).unwrap();
    assert_eq!((sweep.saved(), sweep.damaged().len()), (1, 0));
    drop(sweep);
    // Merged results have it too, and nothing calls it foreign.
    let merged = tempfile::tempdir().unwrap();
    merge(&[folder.path().to_owned()], merged.path()).unwrap();
    let copy = Store::new(merged.path()).unwrap();
    assert_eq!(fs::read(copy.samples(&id)).unwrap(), good);
    let read = hedgerow::results::Results::read(merged.path()).unwrap();
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    store.clear().unwrap();
    assert!(!path.exists());
}

#[test]
fn mazes_keep_theirs_in_the_same_format() {
    let folder = tempfile::tempdir().unwrap();
    let set = [("iterations", "1"), ("keep-samples", "on")];
    let store = run(&experiment("point-maze", &set), folder.path());
    let id = store.runs().remove(0);
    let file = SampleFile::read(&store.samples(&id)).unwrap();
    assert_eq!((file.observed, file.chosen), (4, 1));
    assert!(file.next_expert_actions.is_empty());
    // The five demonstrations reach the goal, and each step begins where the last one led.
    let ends = (0..file.len()).filter(|&i| file.ended[i] && file.is_last(i));
    assert!(ends.count() >= 5);
    for i in (0..file.len() - 1).filter(|&i| !file.is_last(i)) {
        let (now, then) = (4 * i..4 * i + 4, 4 * i + 4..4 * i + 8);
        assert_eq!(file.next_observations[now], file.observations[then]);
    }
    let world = car::CarWorld::named("car-line").unwrap();
    let settings = GeneralSettings::new(hedgerow::param::Parameters::defaults(PARAMETERS).values());
    let mut learner = GeneralLearner::new(world.spec(), &settings, 0).unwrap();
    let refused = learner.observe_all(&file).unwrap_err().to_string();
    assert!(
        refused.contains("4 numbers observed, 1 chosen"),
        "{refused}"
    );
}

fn table(width: usize, rows: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(any::<u64>().prop_map(f64::from_bits), width * rows)
}

prop_compose! {
    fn files()(rows in 0..9_usize, observed in 1..4_usize, chosen in 1..3_usize)(
        observed in Just(observed),
        chosen in Just(chosen),
        observations in table(observed, rows),
        next_observations in table(observed, rows),
        actions in table(chosen, rows),
        expert_actions in table(chosen, rows),
        rewards in table(1, rows),
        episodes in prop::collection::vec(any::<i64>(), rows),
        ended in prop::collection::vec(any::<bool>(), rows),
        note in ".*",
    ) -> SampleFile {
        SampleFile {
            observed, chosen, observations, actions, expert_actions, next_observations,
            next_expert_actions: Vec::new(), rewards, episodes, ended,
            notes: [("note".to_owned(), note)].into(),
        }
    }
}

proptest! {
    /// Whatever the bits, signed zeros and numbers that are none included.
    #[test]
    fn any_bits_come_back(file in files()) {
        let bytes = file.bytes().unwrap();
        let again = SampleFile::from_bytes(&bytes).unwrap();
        prop_assert_eq!(again.bytes().unwrap(), bytes.clone());
        let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&again.observations), bits(&file.observations));
        prop_assert_eq!(bits(&again.expert_actions), bits(&file.expert_actions));
        prop_assert_eq!(again.notes, file.notes);
        prop_assert!(SampleFile::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    }
}
