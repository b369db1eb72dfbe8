//! Every command, as a user runs it.

use assert_cmd::Command;
use hedgerow::io::records::{Records, Source};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

fn hedgerow(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let done = command.args(arguments).assert().success();
    let output = done.get_output();
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&hedgerow(&[arguments, &["--json"]].concat())).unwrap()
}

fn near(found: &Value, known: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - known).abs() < 1e-9, "{found} for {known}");
}

#[test]
fn envs_lists_what_is_built_in() {
    let text = hedgerow(&["envs"]);
    let all = json(&["envs"]);
    // Two lines above the table, and below it one line of two mazes and one of two roads.
    assert_eq!(all.as_array().unwrap().len(), text.lines().count() - 4 + 4);
    assert!(text.contains("point-maze, point-maze-two"), "{text}");
    assert!(text.contains("car-speed, car-line"), "{text}");
    assert_eq!(all[0]["name"], "gridworld-1");
    assert_eq!(
        (&all[0]["states"], &all[0]["pairs"]),
        (&50.into(), &312.into())
    );
    assert!(
        text.lines()
            .any(|l| l.contains("soft-block") && l.ends_with("0.3"))
    );
}

#[test]
fn envs_show_draws_the_map() {
    let text = hedgerow(&["envs", "show", "gridworld-3"]);
    assert!(text.contains("6 | G . . . . . .\n"), "{text}");
    assert!(text.contains("3 | x x x x x . .\n"), "{text}");
    assert!(text.contains("gamma        0.7\n"), "{text}");
    let shown = json(&["envs", "show", "gridworld-3"]);
    assert_eq!(shown["map"][0], "G . . . . . .");
    assert_eq!(shown["constraint_cells"].as_array().unwrap().len(), 5);
    assert_eq!(shown["goals"][0]["cell"], serde_json::json!([6, 0]));
}

#[test]
fn an_exported_grid_is_the_same_environment() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["toml", "json"] {
        let file = folder.path().join(format!("new/copy.{ending}"));
        let file = file.to_str().unwrap();
        hedgerow(&["envs", "export", "gridworld-1", file]);
        assert_eq!(json(&["solve", file]), json(&["solve", "gridworld-1"]));
        assert!(hedgerow(&["envs", "show", file]).starts_with("gridworld-1\n"));
    }
}

#[test]
fn solve_compares_the_expert_with_the_optimum() {
    let solved = json(&["solve", "gridworld-1"]);
    near(&solved["expert_reward"], 0.007_599_009_429_56);
    near(&solved["expert_cost"], 0.028_661_136_322_13);
    near(&solved["unconstrained_reward"], 0.105_256_069_028_79);
    assert!(solved["unconstrained_cost"].as_f64().unwrap() > 0.7);
    assert_eq!(
        (&solved["env"], &solved["budget"]),
        (&"gridworld-1".into(), &0.0.into())
    );
    assert!(hedgerow(&["solve", "gridworld-1"]).contains("unconstrained optimum"));
}

#[test]
fn solve_takes_another_expert() {
    let folder = tempfile::tempdir().unwrap();
    let (env, expert) = files(folder.path());
    let own = json(&["solve", &env]);
    near(&own["expert_reward"], 0.5 * 0.5);
    let other = json(&["solve", &env, "--expert", &expert]);
    near(&other["expert_reward"], 1.0);
}

/// A model with a short way that costs 1, and an expert who takes it.
fn files(folder: &Path) -> (String, String) {
    let env = folder.join("ways.json");
    let expert = folder.join("bold.csv");
    let model = r#"{"format": "hedgerow-model/1", "states": 3, "actions": ["short", "long"],
        "gamma": 0.5, "start": [[0, 1.0]], "terminal": [2],
        "transitions": [[0, 0, 2, 1.0], [0, 1, 1, 1.0], [1, 1, 2, 1.0]],
        "rewards": [[0, 0, 1.0], [1, 1, 0.5]], "cost": [[0, 0, 1.0]]}"#;
    std::fs::write(&env, model).unwrap();
    std::fs::write(&expert, "state,action,probability\n0,short,1\n1,1,1\n").unwrap();
    let text = |p: std::path::PathBuf| p.to_str().unwrap().to_owned();
    (text(env), text(expert))
}

#[test]
fn infer_finds_the_walls_of_gridworld_1() {
    let found = json(&["infer", "gridworld-1", "--exact"]);
    assert_eq!(found["wgiou"], 1.0);
    let walls: Vec<[usize; 2]> = (0..5)
        .map(|c| [2, c])
        .chain((2..7).map(|c| [4, c]))
        .collect();
    assert_eq!(found["cells"], serde_json::json!(walls));
    let pairs = found["pairs"].as_array().unwrap().len();
    assert_eq!(found["constrained_pairs"], pairs);
    let text = hedgerow(&["infer", "gridworld-1", "--exact"]);
    assert!(text.contains("2 | X X X X X . .\n"), "{text}");
    assert!(text.contains("WGIoU 1,"), "{text}");
}

#[test]
fn infer_names_states_where_there_is_no_grid() {
    let folder = tempfile::tempdir().unwrap();
    let (env, _) = files(folder.path());
    let found = json(&["infer", &env, "--exact"]);
    assert_eq!(found["constrained_pairs"], 1);
    assert_eq!(found["pairs"][0]["action"], "short");
    assert!(found.get("cells").is_none());
    assert!(found["constrained_states"].is_array());
    hedgerow(&["infer", &env, "--exact"]);
}

#[test]
fn explain_draws_both_ways_of_a_cell() {
    let text = hedgerow(&["explain", "gridworld-3", "--cell", "3,0", "--exact"]);
    for line in [
        "6 | * . . . . . .     6 | o o o . . . .\n",
        "@ start, * after the move, o the expert\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains("it is constrained.\n"), "{text}");
    let found = json(&["explain", "gridworld-3", "--cell", "3,0", "--exact"]);
    assert_eq!(found["reason"]["kind"], "constrained");
    assert_eq!(found["place"]["cell"], serde_json::json!([3, 0]));
    let (way, expert) = (&found["witness"]["trajectory"], &found["witness"]["expert"]);
    assert!(way["reward"].as_f64() > expert["reward"].as_f64());
    assert_eq!(way["end"], "terminal");
    // The last step acts in the goal and earns 1.
    let steps = way["steps"].as_array().unwrap();
    near(&steps[steps.len() - 1]["reward"], 1.0);
    assert_eq!(found["moves"][0]["status"], "constrained");
}

#[test]
fn explain_says_why_a_true_cell_is_not_found() {
    let text = hedgerow(&["explain", "gridworld-2", "--state", "cell 3,3", "--exact"]);
    let words = "The truth charges cell 3,3, but explaining the expert does not need it";
    assert!(text.contains(words), "{text}");
    assert!(!text.contains('@'), "{text}");
    let soft = hedgerow(&["explain", "soft-block", "--cell", "1,1", "--exact"]);
    assert!(
        soft.contains("a budget of 0.3: constrained is what costs more"),
        "{soft}"
    );
}

#[test]
fn explain_takes_a_pair_and_a_model_without_a_map() {
    let pair = json(&[
        "explain",
        "gridworld-1",
        "--pair",
        "1,1,up-right",
        "--exact",
    ]);
    assert_eq!(pair["status"], "constrained");
    assert_eq!(pair["start"]["name"], "cell 1,1");
    let folder = tempfile::tempdir().unwrap();
    let (env, _) = files(folder.path());
    let text = hedgerow(&["explain", &env, "--pair", "0,short", "--exact"]);
    assert!(text.contains("* s0 --short--> s2\n"), "{text}");
    assert!(text.contains("o s0 --long--> s1 --long--> s2\n"), "{text}");
    let text = hedgerow(&["explain", &env, "--state", "0", "--exact"]);
    assert!(text.contains("s0: no move can end there."), "{text}");
}

#[test]
fn log_writes_records_that_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let environment = hedgerow::io::open("gridworld-3").unwrap();
    let (task, expert) = (environment.task(), environment.truth().expert());
    let read = |arguments: &[&str], name: &str| {
        let file = folder.path().join(name);
        let out = ["--out", file.to_str().unwrap()];
        let said = json(&[&["log", "gridworld-3"], arguments, &out].concat());
        let rows = environment.truth().model().rows();
        let records = Records::read(&file, task, Source::Log, Some(rows)).unwrap();
        assert_eq!(said["samples"], records.rows);
        assert_eq!(said["episodes"], records.episodes);
        (records, std::fs::read(file).unwrap())
    };
    let demos = ["--policy", "expert", "--episodes", "30", "--seed", "4"];
    let (shown, bytes) = read(&demos, "a.csv");
    assert_eq!(shown.episodes, 30);
    assert_eq!(shown.choices.len(), shown.rows);
    assert!(shown.choices.iter().all(|&pair| expert.prob(pair) > 0.0));
    // The same seed gives the same bytes, and both formats the same steps.
    assert_eq!(read(&demos, "b.csv").1, bytes);
    assert_eq!(read(&demos, "c.jsonl").0, shown);
    let random = ["--policy", "random", "--samples", "500"];
    let (logged, _) = read(&random, "d.csv");
    assert_eq!((logged.rows, logged.choices.len()), (500, 0));
    let (asked, _) = read(&[&random[..], &["--ask"]].concat(), "e.jsonl");
    assert_eq!(asked.transitions, logged.transitions);
    assert_eq!(asked.choices.len(), 500);
    assert!(asked.choices.iter().all(|&pair| expert.prob(pair) > 0.0));
    let text = hedgerow(&[
        "log",
        "gridworld-3",
        "--episodes",
        "2",
        "--out",
        folder.path().join("f.csv").to_str().unwrap(),
    ]);
    assert!(
        text.contains("2 episodes in gridworld-3 written to"),
        "{text}"
    );
}

#[test]
fn a_reader_that_leaves_early_is_no_panic() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("hedgerow"))
        .args(["envs", "show", "gridworld-1-31", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn help_names_every_command() {
    let help = hedgerow(&["--help"]);
    for command in [
        "run",
        "strategies",
        "envs",
        "solve",
        "infer",
        "explain",
        "log",
        "transfer",
        "theory",
        "verify",
    ] {
        assert!(help.contains(command), "{help}");
    }
}

#[test]
fn theory_prints_sample_sizes() {
    // sigma = 0.5 (3.5 * 2 + 0.5) / 0.25 = 15, e = 1/2, y = 1/6, a = 4050, b = 3600.
    let arguments = [
        "theory",
        "--states",
        "5",
        "--actions",
        "2",
        "--gamma",
        "0.5",
        "--zeta-max",
        "2",
        "--eps",
        "1",
    ];
    let found = json(&arguments);
    near(&found["sigma"], 15.0);
    let [uniform, bear, pcse] = [0, 1, 2].map(|i| &found["sizes"][i]);
    let share = |found: &Value, known: f64| near(&(found.as_f64().unwrap() / known).into(), 1.0);
    share(&uniform["pair_closed"], 4.0 * 4050.0 * 486_000.0_f64.ln());
    share(&bear["pair_closed"], 16.0 * 4050.0 * 1_944_000.0_f64.ln());
    let n = uniform["pair_exact"].as_f64().unwrap();
    share(&uniform["pair_exact"], 4050.0 * (3600.0 * n * n).ln());
    share(&uniform["all_exact"], 10.0 * n);
    assert_eq!(bear["all_closed"], pcse["all_closed"]);
    assert_eq!(found["gap"], Value::Null);
    let text = hedgerow(&arguments);
    for words in [
        "uniform",
        "bear",
        "pcse",
        "error on discounted costs",
        "S A = 10",
        "no gap",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let gap = json(&[&arguments[..9], &["--eps", "0.01", "--gap", "0.9"]].concat());
    let [bear, pcse] = [1, 2].map(|i| gap["sizes"][i]["pair_exact"].as_f64().unwrap());
    assert!(pcse < bear, "{pcse} {bear}");
}

#[test]
fn theory_takes_its_sizes_from_an_environment() {
    let folder = tempfile::tempdir().unwrap();
    let (env, _) = files(folder.path());
    let found = json(&["theory", &env, "--eps", "0.5"]);
    assert_eq!((&found["pairs"], &found["gamma"]), (&3.into(), &0.5.into()));
    // V(0) = 0.25, so the short way is worth 0.75 more, and it is the only one that costs.
    near(&found["zeta_max"], 4.0 / 3.0);
    near(&found["gap"], 1.0);
    let text = hedgerow(&["theory", "gridworld-1"]);
    assert!(
        text.starts_with("gridworld-1: 312 pairs, horizon "),
        "{text}"
    );
}

#[test]
fn theory_counts_expected_visits() {
    let folder = tempfile::tempdir().unwrap();
    let (env, _) = files(folder.path());
    let expert = json(&["theory", &env, "--policy", "expert", "--episodes", "10"]);
    // The expert goes the long way: 10 visits of (0, long) and of (1, long).
    let visits = |v: &Value| -> Vec<f64> {
        let pairs = v["pairs"].as_array().unwrap();
        pairs
            .iter()
            .map(|p| p["expected"].as_f64().unwrap())
            .collect()
    };
    assert_eq!(visits(&expert), [0.0, 10.0, 10.0]);
    assert_eq!(
        (&expert["never"], &expert["samples"]),
        (&1.into(), &20.0.into())
    );
    assert_eq!(
        (&expert["least"], &expert["median"]),
        (&0.0.into(), &10.0.into())
    );
    let uniform = json(&["theory", &env, "--policy", "uniform", "--horizon", "1"]);
    assert_eq!(visits(&uniform), [0.5, 0.5, 0.0]);
    let text = hedgerow(&["theory", &env, "--policy", "uniform"]);
    assert!(text.contains("pairs never visited"), "{text}");
    assert!(text.contains("1 episode of the uniform policy"), "{text}");
}

#[test]
fn theory_says_how_many_samples_are_needed_at_least() {
    let folder = tempfile::tempdir().unwrap();
    let (env, _) = files(folder.path());
    // The short way earns 1 at once; whatever the rows are, the long one earns 1/2 at most.
    let known = json(&["theory", &env, "--lower-bound"]);
    assert_eq!(
        (&known["answered"], &known["settled"]["at_least"]),
        (&1.into(), &0.0.into())
    );
    // A coin that earns 1 or nothing beside a sure 1/2: KL(3/4, 1/2) has to add up to 0.98 log 99.
    let coin = folder.path().join("coin.json");
    let model = r#"{"format": "hedgerow-model/1", "states": 3, "actions": ["risk", "safe"],
        "gamma": 0.9, "start": [[0, 1.0]], "terminal": [1, 2],
        "transitions": [[0, "risk", 1, 0.75, 1.0], [0, "risk", 2, 0.25], [0, "safe", 2, 1.0]],
        "rewards": [[0, "safe", 0.5]], "cost": [[0, "risk", 1.0]]}"#;
    std::fs::write(&coin, model).unwrap();
    let coin = coin.to_str().unwrap();
    let found = json(&["theory", coin, "--lower-bound", "--confidence", "0.99"]);
    let least = found["constrained"]["at_least"].as_f64().unwrap();
    let exact = 0.98 * 99_f64.ln() / (0.75 * 1.5_f64.ln() + 0.25 * 0.5_f64.ln());
    assert!(least <= exact && least > 0.98 * exact, "{least} {exact}");
    assert_eq!(found["pairs"][0]["question"], "constrained");
    let text = hedgerow(&["theory", coin, "--lower-bound"]);
    for words in [
        "right with probability 0.95",
        "settle every pair",
        "hardest questions",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn features_are_judged_by_the_truth_and_by_saved_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let (env, _) = files(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (table, fence) = (path("features.csv"), path("fence.json"));
    // The expert avoids `short` in 0 and takes `long` in both states.
    std::fs::write(
        &table,
        "state,action,short,at home,walk\n0,short,1,1,0\n0,long,0,1,1\n",
    )
    .unwrap();
    let known = json(&["features", &env, &table]);
    let of = |report: &Value, key: &str| -> Vec<String> {
        let all = report["features"].as_array().unwrap();
        all.iter()
            .map(|f| f[key].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let weights = ["certain", "excluded", "excluded"];
    let pairs = ["(s0, short)", "(s0, long)", "(s0, long)"];
    assert_eq!(
        (of(&known, "weight"), of(&known, "pair")),
        (
            weights.map(String::from).to_vec(),
            pairs.map(String::from).to_vec()
        )
    );
    assert_eq!(known["features"][0]["range"], serde_json::json!([0.0, 1.0]));
    hedgerow(&["infer", &env, "--exact", "--out", &fence]);
    let saved = json(&["features", &env, &table, "--constraint", &fence]);
    assert_eq!(
        (of(&saved, "weight"), of(&saved, "pair")),
        (of(&known, "weight"), of(&known, "pair"))
    );
    assert!(
        saved["promise"]
            .as_str()
            .unwrap()
            .contains("every constrained pair")
    );
    let text = hedgerow(&["features", &env, &table]);
    assert!(text.contains("nothing else explains (s0, short)"), "{text}");
    std::fs::write(&table, "state,action,walk\n0,long,1\n").unwrap();
    let text = hedgerow(&["features", &env, &table]);
    assert!(
        text.contains("No combination of these features explains the expert"),
        "{text}"
    );
}

#[test]
fn transfer_shows_who_stays_safe() {
    let map = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/maps/wall-from-above.toml"
    );
    let cells = json(&["transfer", "gridworld-3", map]);
    let enters = |report: &Value, i: usize| report["agents"][i]["enters"].as_f64().unwrap();
    assert_eq!(cells["agents"][0]["agent"], "transferred");
    // Carried as cells the wall is kept; as pairs it is open from the other side.
    near(&cells["agents"][0]["enters"], enters(&cells, 3));
    let pairs = json(&["transfer", "gridworld-3", map, "--as", "pairs"]);
    near(&pairs["agents"][0]["enters"], enters(&cells, 1));
    assert!(enters(&cells, 3) < 0.2 && enters(&cells, 1) > 0.99);
    let text = hedgerow(&["transfer", "gridworld-3", map]);
    assert!(
        text.contains("A common cost explains both experts"),
        "{text}"
    );
}

#[test]
fn the_version_is_that_of_the_command() {
    let said = crate::common::program::text(&["--version"]);
    assert_eq!(said, format!("hedgerow {}\n", env!("CARGO_PKG_VERSION")));
}

#[cfg(feature = "continuous")]
#[test]
fn mazes_are_listed_too() {
    let all = crate::common::program::json(&["envs"]);
    let domain = |name: &str| {
        let all = all.as_array().unwrap();
        all.iter().find(|e| e["name"] == name).unwrap()["domain"].clone()
    };
    assert_eq!(
        (domain("rooms"), domain("point-maze")),
        ("finite".into(), "continuous".into())
    );
}
