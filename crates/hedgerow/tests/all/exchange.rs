//! Models of other programs: UMB files and explicit text. What is written is read back bit for bit.

use flate2::{Compression, write::GzEncoder};
use hedgerow::env::{Environment, Truth, builtin};
use hedgerow::index::{Action, State};
use hedgerow::io::explicit::{self, Form};
use hedgerow::io::{self, Defaults, model_file, umb};
use hedgerow::model::{Cost, Dynamics, ModelBuilder, Policy};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;

type Entries = BTreeMap<String, Vec<u8>>;

const NONE: Defaults = Defaults {
    gamma: None,
    memory: None,
};

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn same(a: &Environment, b: &Environment) {
    let (x, y) = (a.truth(), b.truth());
    assert_eq!(x.model(), y.model());
    assert_eq!(bits(x.model().reward()), bits(y.model().reward()));
    assert_eq!(bits(x.cost().values()), bits(y.cost().values()));
    assert_eq!(bits(x.expert().probs()), bits(y.expert().probs()));
    assert_eq!(x.budget().to_bits(), y.budget().to_bits());
    assert_eq!((a.name(), a.horizon()), (b.name(), b.horizon()));
    assert_eq!(io::to_json(a), io::to_json(b));
}

/// Through a file of every kind, and through the name.
fn survives(environment: &Environment) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.umb");
    umb::write(&path, environment).unwrap();
    same(&umb::read(&path, &NONE).unwrap(), environment);
    same(&io::open(path.to_str().unwrap()).unwrap(), environment);
    let packed = packed(&std::fs::read(&path).unwrap());
    same(&umb::parse(&packed, "two", &NONE).unwrap(), environment);
    for form in [Form::Prism, Form::Storm] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.tra");
        explicit::write(&path, environment, form).unwrap();
        same(&explicit::read(&path, &NONE).unwrap(), environment);
        same(&io::open(path.to_str().unwrap()).unwrap(), environment);
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// Numbers from a seed, so that a model is drawn in one go.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (1 + self.below(1 << 30)) as f64 / f64::from((1 << 30) + 1)
    }

    fn shares(&mut self, n: usize) -> Vec<f64> {
        let weights: Vec<f64> = (0..n).map(|_| self.unit()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|w| w / sum).collect()
    }
}

/// A model with everything there is: rewards of pairs and transitions, several ends, a declared range
/// of returns, names, a cost, a budget and an expert who randomises.
fn random(seed: u64) -> Environment {
    let mut draws = Draws(seed);
    let states = 2 + draws.below(9);
    let ends = draws.below(states.min(3));
    let actions = ["go", "stay put", "turn, then go", "\"wait\""];
    let mut b = ModelBuilder::new(states, actions, [0.0, 0.5, 0.9, 0.99][draws.below(4)]);
    if draws.below(2) == 0 {
        b.state_names((0..states).map(|s| format!("Zustand {s} – ü")).collect());
    }
    let live = states - ends;
    for s in live..states {
        b.terminal(s);
    }
    let starts = 1 + draws.below(live.min(3));
    for (s, p) in draws.shares(starts).into_iter().enumerate() {
        b.start(s, p);
    }
    for s in 0..live {
        for a in (0..4)
            .filter(|a| *a == s % 4 || draws.below(2) == 0)
            .collect::<Vec<_>>()
        {
            let width = 1 + draws.below(states.min(3));
            let first = draws.below(states);
            let paid = draws.below(3) == 0;
            for (i, p) in draws.shares(width).into_iter().enumerate() {
                let own = if paid { draws.unit() - 0.5 } else { 0.0 };
                b.outcome((s, a), (first + i) % states, p, own, false);
            }
            if draws.below(2) == 0 {
                b.reward(s, a, 3.0 * draws.unit() - 1.0);
            }
        }
    }
    if draws.below(3) == 0 {
        b.value_range(-1000.0, 1000.0);
    }
    let model = b.build().unwrap();
    let task = model.task().clone();
    let mut probs = Vec::new();
    for s in task.all_states() {
        probs.extend(draws.shares(task.pairs_of(s).len()));
    }
    let charged = draws.below(4) > 0;
    let cost = |draws: &mut Draws| if charged { draws.unit() } else { 0.0 };
    let costs = (0..task.pairs()).map(|_| cost(&mut draws)).collect();
    let cost = Cost::new(&task, costs).unwrap();
    let expert = Policy::new(&task, probs).unwrap();
    let truth = Truth::new(model, cost, draws.unit(), expert).unwrap();
    Environment::new("drawn", 1 + draws.below(99), None, truth).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_models_survive_every_form(seed in any::<u64>()) {
        survives(&random(seed));
    }

    #[test]
    fn a_damaged_file_is_refused_or_read_but_never_a_panic(
        seed in any::<u64>(), at in any::<prop::sample::Index>(), to in any::<u8>(), cut in any::<bool>()
    ) {
        let mut bytes = written(&random(seed));
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = to,
        }
        if let Err(e) = umb::parse(&bytes, "damaged", &NONE) {
            let said = e.to_string();
            prop_assert!(!said.contains('\n') && said.contains("; "), "{}", said);
        }
        let _ = umb::parse(&packed(&bytes), "damaged", &NONE);
    }

    #[test]
    fn damaged_text_is_refused_or_read_but_never_a_panic(
        seed in any::<u64>(), at in any::<prop::sample::Index>(), to in "[0-9 .x\n-]", which in 0..4_usize
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.tra");
        explicit::write(&path, &random(seed), Form::Prism).unwrap();
        let ending = ["tra", "lab", "trew", "hedgerow.json"][which];
        let file = path.with_extension(ending);
        let mut bytes = std::fs::read(&file).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = to.as_bytes()[0];
        std::fs::write(&file, bytes).unwrap();
        let _ = explicit::read(&path, &NONE);
    }
}

#[test]
fn built_in_environments_and_their_drawings_survive_every_form() {
    for name in ["gridworld-1", "gridworld-4", "rooms"] {
        survives(&builtin::environment(name).unwrap());
    }
}

fn written(environment: &Environment) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.umb");
    umb::write(&path, environment).unwrap();
    std::fs::read(path).unwrap()
}

/// The entries of an archive.
fn unpacked(bytes: &[u8]) -> Entries {
    let mut archive = tar::Archive::new(bytes);
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.path().unwrap().to_str().unwrap().to_owned(), bytes)
    });
    entries.collect()
}

fn archive(entries: &Entries) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, &bytes[..]).unwrap();
    }
    builder.into_inner().unwrap()
}

fn two_ways() -> Environment {
    let text = r#"{
        "format": "hedgerow-model/1", "states": 3, "actions": ["left", "right"], "gamma": 0.5,
        "start": [[0, 1.0]], "terminal": [2],
        "transitions": [[0, 0, 1, 1.0], [0, 1, 2, 0.5], [0, 1, 1, 0.5], [1, 0, 2, 1.0]],
        "rewards": [[0, 1, 1.0], [1, 0, 1.0]], "cost": [[0, 1, 1.0]]
    }"#;
    model_file::parse(text, "two-ways").unwrap()
}

/// What is said of the file of `two_ways` after a change.
fn refused(change: impl FnOnce(&mut Entries)) -> String {
    let mut entries = unpacked(&written(&two_ways()));
    change(&mut entries);
    let refused = umb::parse(&archive(&entries), "changed", &NONE);
    let said = refused.unwrap_err().to_string();
    assert!(!said.contains('\n'), "{said}");
    said
}

fn words(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn doubles(values: &[f64]) -> Vec<u8> {
    words(&bits(values))
}

fn in_index(entries: &mut Entries, part: &str, by: &str) {
    let text = String::from_utf8(entries["index.json"].clone()).unwrap();
    assert!(text.contains(part), "{part} is not in {text}");
    let changed = text.replace(part, by).into_bytes();
    entries.insert("index.json".into(), changed);
}

fn put(name: &str, bytes: Vec<u8>) -> impl FnOnce(&mut Entries) {
    move |entries| drop(entries.insert(name.into(), bytes))
}

fn index(part: &'static str, by: &'static str) -> impl FnOnce(&mut Entries) {
    move |entries| in_index(entries, part, by)
}

#[test]
fn what_is_wrong_in_an_array_is_named_with_its_place() {
    let branches = "branch-to-probability.bin";
    for (said, parts) in [
        (
            refused(put("choice-to-branches.bin", words(&[0, 3, 2, 4, 5]))),
            ["choice-to-branches.bin[2]", "the offset 2", "never go down"],
        ),
        (
            refused(put("choice-to-branches.bin", words(&[0, 1, 3, 4, 9]))),
            [
                "choice-to-branches.bin[4]",
                "9 is not from 4 to 5",
                "never go down",
            ],
        ),
        (
            refused(put("state-to-choices.bin", words(&[1, 2, 3, 4]))),
            ["state-to-choices.bin[0]", "the offset 1", "begin at 0"],
        ),
        (
            refused(put("state-to-choices.bin", words(&[0, 2, 3]))),
            [
                "state-to-choices.bin",
                "24 bytes where 4 values of 8",
                "as long as",
            ],
        ),
        (
            refused(put("branch-to-target.bin", words(&[1, 1, 7, 2, 2]))),
            ["branch-to-target.bin[2]", "7 is out of range", "below 3"],
        ),
        (
            refused(put(branches, doubles(&[1.0, 0.5, 0.4, 1.0, 1.0]))),
            ["state 0, action 1", "sums to 0.9", "sum to 1"],
        ),
        (
            refused(put(branches, doubles(&[f64::NAN, 0.5, 0.5, 1.0, 1.0]))),
            ["state 0, action 0", "NaN is not a positive", "leave out"],
        ),
        (
            refused(|e| drop(e.remove("branch-to-probability.bin"))),
            [branches, "missing from the archive", "export"],
        ),
        (
            refused(put(
                "annotations/rewards/reward/choices/values.bin",
                doubles(&[0.0, f64::INFINITY, 1.0, 0.0]),
            )),
            ["state 0, action 1", "the reward inf", "finite"],
        ),
        (
            refused(put(
                "annotations/hedgerow/discount/states/values.bin",
                doubles(&[0.5, 0.5, 0.6]),
            )),
            ["values.bin[2]", "0.6 where state 0", "one discount"],
        ),
        (
            refused(put(
                "annotations/hedgerow/expert/choices/values.bin",
                doubles(&[0.5, 0.0, 1.0, 1.0]),
            )),
            ["expert: policy at s0", "sum to 0.5", "sum to 1"],
        ),
        (
            refused(put(
                "annotations/hedgerow/terminal/states/values.bin",
                words(&[2]),
            )),
            ["state 1", "marked as terminal", "remove the mark"],
        ),
        (
            refused(put("actions/choices/strings.bin", vec![0xff; 9])),
            [
                "actions/choices/strings.bin",
                "not UTF-8",
                "write it as UTF-8",
            ],
        ),
    ] {
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}

#[test]
fn what_is_wrong_in_the_index_is_named_with_its_key() {
    for (said, parts) in [
        (
            refused(index("\"format-version\": 1", "\"format-version\": 2")),
            ["format-version", "version 2 is not known", "version 1"],
        ),
        (
            refused(index("\"discrete\"", "\"stochastic\"")),
            ["time", "`stochastic` time", "discrete time"],
        ),
        (
            refused(index("\"#players\": 1", "\"#players\": 2")),
            ["#players", "2 players", "one player"],
        ),
        (
            refused(index("\"#states\": 3", "\"#states\": 4000000000000")),
            ["transition-system", "4000000000000 states", "fewer than"],
        ),
        (
            refused(index("\"#states\": 3", "\"#states\": 4000000000")),
            [
                "state-to-choices.bin",
                "4000000001 values",
                "as long as the index says",
            ],
        ),
        (
            refused(index(
                "\"#branches\": 5",
                "\"#branches\": 4611686018427387904",
            )),
            [
                "branch-to-target.bin",
                "40 bytes",
                "as long as the index says",
            ],
        ),
        (
            refused(index(
                "\"#choice-actions\": 2",
                "\"#choice-actions\": 4000000000",
            )),
            [
                "string-mapping.bin",
                "24 bytes",
                "as long as the index says",
            ],
        ),
        (
            refused(index("\"#states\": 3", "\"#states\": -3")),
            ["index.json", "invalid value", "UMB specification"],
        ),
        (
            refused(|e| drop(e.remove("index.json"))),
            ["index.json", "no index", "give a UMB file"],
        ),
        (
            refused(index("\"budget\": 0.0", "\"budget\": -1.0")),
            ["budget", "-1 is not a budget", "at least 0"],
        ),
    ] {
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    let whole = written(&two_ways());
    let said = |bytes: &[u8]| umb::parse(bytes, "one", &NONE).unwrap_err().to_string();
    assert!(said(b"").contains("no index"));
    assert!(said(b"{\"format\": 1}").contains("cannot be unpacked"));
    assert!(said(&whole[..2100]).contains("; "));
    assert!(said(&packed(&whole)[..300]).contains("cannot be unpacked"));
    assert!(said(&[0xfd, b'7', b'z', b'X', b'Z', 0, 0]).contains("xz -d"));
    // Packed zeros, which take no room and unpack to a lot.
    let mut header = tar::Header::new_ustar();
    header
        .set_path("annotations/a/b/states/values.bin")
        .unwrap();
    header.set_size(1 << 29);
    header.set_cksum();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(header.as_bytes()).unwrap();
    let zeros = vec![0; 1 << 20];
    (0..512).for_each(|_| gzip.write_all(&zeros).unwrap());
    let bomb = gzip.finish().unwrap();
    assert!(said(&bomb).contains("far more"), "{}", said(&bomb));
    // A header that promises gigabytes.
    let mut header = tar::Header::new_ustar();
    header.set_path("index.json").unwrap();
    header.set_size(1 << 32);
    header.set_cksum();
    let mut huge = header.as_bytes().to_vec();
    huge.extend(b"{}");
    assert!(said(&huge).contains("; "), "{}", said(&huge));
}

/// The file without anything that only we know, as Storm writes it back.
fn foreign(bytes: &[u8]) -> Entries {
    let mut entries = unpacked(bytes);
    entries.retain(|name, _| !name.contains("hedgerow") && !name.starts_with("names"));
    let mut index: serde_json::Value = serde_json::from_slice(&entries["index.json"]).unwrap();
    index["annotations"]
        .as_object_mut()
        .unwrap()
        .remove("hedgerow");
    index["file-data"] = serde_json::json!({ "tool": "Storm" });
    entries.insert("index.json".into(), index.to_string().into_bytes());
    entries
}

#[test]
fn a_file_of_another_program_needs_a_discount_and_has_the_best_policy_as_its_expert() {
    let file = archive(&foreign(&written(&two_ways())));
    let said = umb::parse(&file, "x", &NONE).unwrap_err().to_string();
    assert!(said.starts_with("gamma: the file has no discount; give one with --gamma"));
    let defaults = Defaults {
        gamma: Some(0.5),
        memory: None,
    };
    let read = umb::parse(&file, "x", &defaults).unwrap();
    let own = two_ways();
    assert_eq!(read.truth().model(), own.truth().model());
    assert!(
        read.task().is_terminal(State(2)),
        "it stays there for nothing"
    );
    assert_eq!(read.truth().cost().support(), 0);
    // Right earns 1 and half of the time another half.
    assert_eq!(read.truth().expert().probs(), [0.0, 1.0, 1.0]);
}

#[test]
fn another_discount_than_that_of_the_file_is_refused() {
    let other = Defaults {
        gamma: Some(0.25),
        memory: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let (umb, json) = (folder.path().join("a.umb"), folder.path().join("a.json"));
    umb::write(&umb, &two_ways()).unwrap();
    std::fs::write(&json, io::to_json(&two_ways())).unwrap();
    let names = [umb.to_str().unwrap(), json.to_str().unwrap(), "gridworld-1"];
    for name in names {
        let said = io::open_with(name, &other).unwrap_err().to_string();
        assert!(
            said.contains("0.25 was asked for") && said.contains("leave out"),
            "{said}"
        );
    }
    let same = Defaults {
        gamma: Some(0.5),
        memory: None,
    };
    assert!(io::open_with(names[0], &same).is_ok());
}

#[test]
fn choices_without_actions_are_counted_and_those_that_share_one_are_told_apart() {
    let defaults = Defaults {
        gamma: Some(0.5),
        memory: None,
    };
    let mut entries = foreign(&written(&two_ways()));
    entries.insert("actions/choices/values.bin".into(), vec![0; 16]);
    let read = umb::parse(&archive(&entries), "x", &defaults).unwrap();
    assert_eq!(read.task().action_names(), ["left", "right", "left (2)"]);
    assert_eq!(read.task().pairs_of(State(0)), 0..2);
    entries.retain(|name, _| !name.starts_with("actions"));
    in_index(
        &mut entries,
        "\"#choice-actions\":2",
        "\"#choice-actions\":0",
    );
    let read = umb::parse(&archive(&entries), "x", &defaults).unwrap();
    assert_eq!(read.task().action_names(), ["a0", "a1"]);
}

#[test]
fn several_rewards_need_one_that_is_called_reward() {
    let defaults = Defaults {
        gamma: Some(0.5),
        memory: None,
    };
    let mut entries = foreign(&written(&two_ways()));
    let mut index: serde_json::Value = serde_json::from_slice(&entries["index.json"]).unwrap();
    let reward = index["annotations"]["rewards"]["reward"].take();
    let mut other = reward.clone();
    other["alias"] = "time".into();
    index["annotations"]["rewards"] = serde_json::json!({ "time": other, "steps": other });
    entries.insert("index.json".into(), index.to_string().into_bytes());
    let said = umb::parse(&archive(&entries), "x", &defaults)
        .unwrap_err()
        .to_string();
    assert!(said.contains("none called `reward`"), "{said}");
    index["annotations"]["rewards"] = serde_json::json!({ "time": other, "reward": reward });
    entries.insert("index.json".into(), index.to_string().into_bytes());
    assert!(umb::parse(&archive(&entries), "x", &defaults).is_ok());
}

/// Text files as PRISM's manual and Storm's documentation show them.
fn text_files(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn text_of_prism_and_of_storm_is_read() {
    let defaults = Defaults {
        gamma: Some(0.5),
        memory: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let prism = [
        (
            "p.tra",
            "3 4 5\n0 0 1 1 left\n0 1 1 0.5 right\n0 1 2 0.5 right\n1 0 2 1 left\n2 0 2 1\n",
        ),
        ("p.sta", "(x,b)\n0:(0,true)\n1:(1,true)\n2:(1,false)\n"),
        (
            "p.lab",
            "0=\"init\" 1=\"deadlock\" 2=\"far\"\n0: 0\n2: 1 2\n",
        ),
        ("p.srew", "# Reward structure \"r\"\n3 1\n1 1\n"),
        ("p.trew", "3 4 2\n0 1 1 1\n0 1 2 1\n"),
    ];
    let storm = [
        (
            "s.tra",
            "mdp\n0 0 1 1\n0 1 1 0.5\n0 1 2 0.5\n1 0 2 1\n2 0 2 1\n",
        ),
        ("s.lab", "#DECLARATION\ninit far\n#END\n0 init\n2 far\n"),
        ("s.state.rew", "1 1\n"),
        ("s.rew", "0 1 1 1\n0 1 2 1\n"),
    ];
    text_files(folder.path(), &prism);
    text_files(folder.path(), &storm);
    let own = two_ways();
    for name in ["p.tra", "s.tra"] {
        let read = explicit::read(&folder.path().join(name), &defaults).unwrap();
        let (model, known) = (read.truth().model(), own.truth().model());
        assert_eq!(model.rows(), known.rows());
        assert_eq!(model.task().reward(), known.task().reward());
        assert_eq!(model.task().start(), known.task().start());
        assert!(model.task().is_terminal(State(2)));
    }
    let named = explicit::read(&folder.path().join("p.tra"), &defaults).unwrap();
    assert_eq!(named.task().state_name(State(2)), "x=1,b=false");
    assert_eq!(named.task().action_names(), ["left", "right", "unnamed"]);
}

#[test]
fn names_of_actions_in_text_are_found_in_the_file_beside_it() {
    let tra = "2 3 3\n0 0 1 1.0 b\n0 1 0 1.0 a\n1 0 1 1.0 b\n";
    let lab = "0=\"init\"\n0: 0\n";
    let folder = tempfile::tempdir().unwrap();
    let read = |actions: &str| {
        let beside = format!(
            "{{\"format\":\"hedgerow-beside/1\",\"name\":\"x\",\"gamma\":0.5,\"horizon\":9,\"budget\":0.0,\
             \"start\":[[0,1.0]],\"actions\":{actions}}}"
        );
        let files = [
            ("x.tra", tra),
            ("x.lab", lab),
            ("x.hedgerow.json", &*beside),
        ];
        text_files(folder.path(), &files);
        explicit::read(&folder.path().join("x.tra"), &NONE)
    };
    let environment = read("[\"a\",\"b\"]").unwrap();
    let task = environment.task();
    assert_eq!(task.action_names(), ["a", "b"]);
    let leads = |action| {
        let pair = task.pair(State(0), action).unwrap();
        environment.truth().model().rows().row(pair).0.to_vec()
    };
    assert_eq!((leads(Action(0)), leads(Action(1))), (vec![0], vec![1]));
    let said = read("[\"a\",\"c\"]").unwrap_err().to_string();
    assert!(
        said.contains("there is no `b`, which the transitions name"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_in_text_is_named_with_its_line() {
    let defaults = Defaults {
        gamma: Some(0.5),
        memory: None,
    };
    let lab = "#DECLARATION\ninit\n#END\n0 init\n";
    let cases: &[(&str, &str, &str)] = &[
        ("", lab, "line 1: the file is empty"),
        ("mdp\n0 0 1\n", lab, "line 2: the probability is missing"),
        ("mdp\n0 0 x 1\n", lab, "line 2: `x` is no next state"),
        ("mdp\n0 0 1 NaN\n", lab, "line 2: NaN is not a positive"),
        ("mdp\n0 0 0 0.4\n0 0 1 0.4\n1 0 1 1\n", lab, "sums to 0.8"),
        (
            "mdp\n1 0 1 1\n0 0 1 1\n",
            lab,
            "line 3: choice 0 of state 0 is out of order",
        ),
        (
            "mdp\n0 1 0 1\n",
            lab,
            "line 2: choice 1 of state 0 is out of order",
        ),
        (
            "mdp\n0 0 4000000000 1\n",
            lab,
            "4000000001 states, but 1 transitions",
        ),
        (
            "4000000000 1 1\n0 0 0 1\n",
            lab,
            "4000000000 states, but 1 transitions",
        ),
        ("1 1 1\n0 0 1 1\n", lab, "1 states, but state 1 is named"),
        ("states\n", lab, "1 words where a first line is due"),
        (
            "mdp\n0 0 0 1\n",
            "#DECLARATION\ninit\n#END\n7 init\n",
            "state 7 is out of range",
        ),
        (
            "mdp\n0 0 0 1\n",
            "#DECLARATION\ninit\n#END\n",
            "no state has the label `init`",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (tra, lab, part) in cases {
        text_files(folder.path(), &[("x.tra", tra), ("x.lab", lab)]);
        let said = explicit::read(&folder.path().join("x.tra"), &defaults);
        let said = said.unwrap_err().to_string();
        assert!(
            said.contains(part) && !said.contains('\n'),
            "{part}: {said}"
        );
    }
    std::fs::remove_file(folder.path().join("x.lab")).unwrap();
    let said = explicit::read(&folder.path().join("x.tra"), &defaults);
    assert!(
        said.unwrap_err()
            .to_string()
            .contains("x.lab: there is no such file")
    );
}

#[test]
fn a_hundred_thousand_states_are_read_at_once() {
    let states = 100_000_usize;
    let mut b = ModelBuilder::new(states, ["on", "back"], 0.9);
    b.start(0, 1.0);
    for s in 0..states {
        b.transition(s, 0, (s + 1) % states, 1.0).reward(s, 0, 1.0);
        b.transition(s, 1, (s + states - 1) % states, 1.0);
    }
    let model = b.build().unwrap();
    let expert = Policy::uniform(model.task());
    let cost = Cost::zero(model.task());
    let truth = Truth::new(model, cost, 0.0, expert).unwrap();
    let environment = Environment::new("ring", 10, None, truth).unwrap();
    let bytes = written(&environment);
    let begun = std::time::Instant::now();
    let again = umb::parse(&bytes, "ring", &NONE).unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_secs(5));
    assert_eq!(again.truth().model(), environment.truth().model());
}
