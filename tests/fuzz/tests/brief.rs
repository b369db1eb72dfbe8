//! Every reader with its whole corpus and some hundreds of changes of it.

use hedgerow_fuzz::campaign::Campaign;
use hedgerow_fuzz::input::{Input, corpus, sorted};
use hedgerow_fuzz::mutate::Mutator;
use hedgerow_fuzz::targets::{BROKEN, TARGETS};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn campaign(offenders: &Path, inputs: u64) -> Campaign {
    Campaign {
        program: env!("CARGO_BIN_EXE_hedgerow-fuzz").into(),
        corpus: folder(),
        offenders: offenders.to_owned(),
        seed: 1,
        time: Duration::from_secs(600),
        inputs,
    }
}

#[test]
fn no_reader_panics_hangs_or_takes_much_memory() {
    let offenders = tempfile::tempdir().unwrap();
    let campaign = campaign(offenders.path(), 300);
    for target in &TARGETS {
        let tried = campaign.run(target).unwrap();
        let name = target.name;
        assert_eq!(
            tried.offenders, 0,
            "{name}: see `tests/fuzz/run.sh 60 {name}`"
        );
        assert!(tried.inputs >= 300, "{name}: {tried:?}");
        // The corpus can be read, and changes of it reach more than one message.
        assert!(tried.accepted > 0 && tried.shapes > 5, "{name}: {tried:?}");
    }
}

#[test]
fn the_corpus_has_a_folder_for_every_reader_and_no_other() {
    let folders = sorted(&folder()).unwrap();
    let mut found: Vec<String> = folders
        .iter()
        .map(|f| f.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut names: Vec<String> = TARGETS.iter().map(|t| t.name.to_owned()).collect();
    names.sort();
    found.sort();
    assert_eq!(found, names);
}

#[test]
fn the_same_seed_makes_the_same_inputs() {
    let inputs = corpus(&folder().join("model")).unwrap();
    let make = |seed: u64| -> Vec<Input> {
        let mut mutator = Mutator::new(seed, "model", &inputs);
        let mut made = Vec::new();
        for i in 0..50 {
            let mut input = inputs[i % inputs.len()].clone();
            mutator.change(&mut input, &inputs[0]);
            made.push(input);
        }
        made
    };
    assert_eq!(make(3), make(3));
    assert_ne!(make(3), make(4));
}

/// What a broken reader does must be noticed, or the test above could not fail.
#[test]
fn whatever_a_reader_must_not_do_is_noticed_and_kept() {
    for (word, begins) in [
        ("panic", ""),
        ("lines", ""),
        ("crash", "crash-"),
        ("hang", "hang-"),
        ("memory", "memory-"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let corpus = place.path().join("corpus/broken");
        fs::create_dir_all(&corpus).unwrap();
        fs::write(corpus.join("input.txt"), word).unwrap();
        let offenders = place.path().join("offenders");
        let mut campaign = campaign(&offenders, 1);
        campaign.corpus = place.path().join("corpus");
        campaign.time = Duration::from_millis(1);
        let tried = campaign.run(&BROKEN).unwrap();
        assert_eq!(tried.offenders, 1, "{word}");
        let kept = sorted(&offenders.join("broken")).unwrap();
        assert_eq!(kept.len(), 1, "{word}");
        let name = kept[0].file_name().unwrap().to_str().unwrap().to_owned();
        assert!(name.starts_with(begins), "{word}: {name}");
        assert_eq!(fs::read_to_string(kept[0].join("input.txt")).unwrap(), word);
    }
}
