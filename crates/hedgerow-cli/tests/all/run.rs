//! `hedgerow run`: what it leaves behind, and that it leaves the same whatever happens to it.

use crate::common;

use common::*;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

#[test]
fn the_results_are_what_readers_of_them_rely_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/b");
    let output = done(&out, SMALL);
    let shown = text(&output.stdout);
    assert!(shown.contains("gridworld-4: expert's reward 0."), "{shown}");
    assert!(shown.contains("8 runs saved in "), "{shown}");
    assert!(
        shown
            .lines()
            .all(|l| l.chars().count() <= 100 || l.contains("saved in"))
    );
    // Only a busy machine takes long enough for a word about progress.
    let said = text(&output.stderr);
    assert!(said.lines().all(|l| l.contains(" of 8 runs, ")), "{said}");

    let history = read(out.join("runs/gridworld-3/pcse/7.csv"));
    let header = history.lines().next().unwrap();
    assert!(header.starts_with("iteration,samples,reward,cost,wgiou,accuracy"));
    assert_eq!(history.lines().count(), 14);
    assert!(history.lines().last().unwrap().starts_with("12,"));

    let summary = read(out.join("summary.csv"));
    let header = "env,strategy,seeds,expert_reward,expert_cost,final_reward,final_cost,\
                  final_wgiou,converged,samples_to_expert";
    assert!(summary.starts_with(header), "{summary}");
    let rows: Vec<&str> = summary.lines().skip(1).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[0].starts_with("gridworld-3,pcse,2,"));
    assert!(rows[3].starts_with("gridworld-4,random,2,"));

    let marker = json(out.join("runs/gridworld-3/pcse/7.json"));
    assert_eq!(marker["format"], "hedgerow-run/2");
    assert_eq!(marker["summary"]["stop"], "iterations");
    assert_eq!(marker["spec"]["domain"], "finite");
    assert_eq!(marker["spec"]["settings"]["iterations"], 12);
    assert!(marker["spec"]["strategy_settings"]["lookahead"].is_number());
    assert!(marker["payload"]["transitions"].is_array());

    let list = marker["snapshots"].as_array().unwrap();
    let iterations: Vec<u64> = list
        .iter()
        .map(|s| s["iteration"].as_u64().unwrap())
        .collect();
    assert_eq!(iterations, [0, 1, 2, 5, 10, 12]);
    assert!(
        list.iter()
            .all(|s| s["cells"].is_array() && s["pairs"].is_array())
    );

    let environment = json(out.join("environments/gridworld-3.json"));
    assert_eq!(environment["layout"]["map"][3], "xxxxx..");
    assert_eq!(environment["true_cells"].as_array().unwrap().len(), 5);

    let manifest = json(out.join("manifest.json"));
    assert_eq!(manifest["format"], "hedgerow-results/2");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["settings"]["finite"]["delta"], 0.1);
    assert_eq!(manifest["settings"]["finite"]["iterations"], 12);
    assert!(manifest["strategy_settings"]["finite"]["pcse"]["lookahead"].is_number());
    assert_eq!(manifest["environments"][1]["name"], "gridworld-4");
    assert_eq!(manifest["chosen"]["parameters"]["iterations"], 12);

    let timings = read(out.join("timings.csv"));
    let lines: Vec<&str> = timings.lines().collect();
    assert_eq!((lines.len(), lines[0]), (9, "env,strategy,seed,seconds"));
    for line in &lines[1..] {
        let seconds = line.rsplit(',').next().unwrap();
        assert!(seconds.parse::<f64>().unwrap() > 0.0, "{line}");
    }
}

#[test]
fn threads_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let of = |threads: &str| {
        let out = folder.path().join(threads);
        let mut command = run(&out, SMALL);
        assert!(
            command
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .unwrap()
                .status
                .success()
        );
        results(&out)
    };
    assert_same(&of("1"), &of("2"));
}

#[test]
fn what_is_finished_is_kept_and_more_can_be_added() {
    let folder = tempfile::tempdir().unwrap();
    let (out, whole) = (folder.path().join("out"), folder.path().join("whole"));
    let first = &[
        "--env",
        "gridworld-3",
        "--strategy",
        "pcse",
        "--seeds",
        "1",
        "--iterations",
        "12",
    ];
    done(&out, first);
    let history = out.join("runs/gridworld-3/pcse/1.csv");
    let written = || std::fs::metadata(&history).unwrap().modified().unwrap();
    let before = written();
    let output = done(&out, SMALL);
    assert!(text(&output.stdout).contains("8 runs saved in "));
    assert!(text(&output.stdout).contains("1 of them from before"));
    assert_eq!(written(), before);
    assert_eq!(read(out.join("timings.csv")).lines().count(), 9);
    done(&whole, SMALL);
    assert_same(&results(&out), &results(&whole));
    let again = done(&out, SMALL);
    assert!(again.stderr.is_empty());
    assert_same(&results(&out), &results(&whole));
}

#[test]
fn damaged_files_are_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&out, SMALL);
    let before = results(&out);
    let runs = out.join("runs/gridworld-4/random");
    let cut = |name: &str, keep: f64| {
        let bytes = std::fs::read(runs.join(name)).unwrap();
        std::fs::write(
            runs.join(name),
            &bytes[..(bytes.len() as f64 * keep) as usize],
        )
        .unwrap();
    };
    let replace = |name: &str, old: &str, new: &str| {
        let text = read(runs.join(name));
        assert!(text.contains(old));
        std::fs::write(runs.join(name), text.replacen(old, new, 1)).unwrap();
    };
    let repaired = |said: &str, named: &str| {
        let output = done(&out, SMALL);
        let line = text(&output.stderr);
        assert!(line.starts_with("not whole, done again: "), "{line}");
        assert!(line.contains(named), "{line}");
        assert!(
            text(&output.stdout).contains(said),
            "{}",
            text(&output.stdout)
        );
        assert_same(&results(&out), &before);
    };
    cut("1.csv", 0.5);
    cut("7.json", 0.7);
    repaired(
        "6 of them from before",
        "runs/gridworld-4/random/1.csv (it is truncated or was changed) and 1 more",
    );
    // A file that still parses, and would name another configuration.
    replace("1.json", "\"iterations\":12", "\"iterations\":13");
    replace("7.csv", "0", "1");
    repaired("6 of them from before", "runs/gridworld-4/random/1.json");
    std::fs::remove_file(runs.join("1.csv")).unwrap();
    std::fs::write(runs.join("7.json"), "{}").unwrap();
    repaired("6 of them from before", "1.csv (there is no such file)");
    std::fs::write(out.join("manifest.json"), "{\"for").unwrap();
    std::fs::remove_file(out.join("summary.csv")).unwrap();
    std::fs::write(runs.join(".writing-abc"), "half").unwrap();
    std::fs::remove_dir_all(out.join("environments")).unwrap();
    repaired("8 of them from before", "manifest.json");
}

/// Many short runs, so that there is time between the first and the last.
const LONG: &[&str] = &[
    "--env",
    "gridworld-1,gridworld-2",
    "--strategy",
    "bear,pcse,random",
    "--seeds",
    "0..8",
    "--iterations",
    "100",
];

fn until_some_runs_are_saved(out: &Path) -> Child {
    let mut child = run(out, LONG)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let marker = out.join("runs/gridworld-1/bear/2.json");
    let started = Instant::now();
    while !marker.exists() {
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "nothing was saved"
        );
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn a_killed_sweep_continues_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (killed, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    let mut child = until_some_runs_are_saved(&killed);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    let saved = |out: &Path| {
        let is_marker = |n: &String| {
            let seed = n.rsplit('/').next().and_then(|n| n.strip_suffix(".json"));
            n.starts_with("runs") && seed.is_some_and(|s| !s.contains('.'))
        };
        files(out).into_keys().filter(is_marker).count()
    };
    assert!(saved(&killed) < 48, "it was over before it was killed");
    done(&killed, LONG);
    done(&whole, LONG);
    assert_eq!(saved(&killed), 48);
    assert_same(&results(&killed), &results(&whole));
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let child = until_some_runs_are_saved(&out);
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(output.stdout.is_empty());
    let line = said.lines().last().unwrap();
    assert!(line.starts_with("interrupted: "), "{line}");
    assert!(line.ends_with(&format!(
        " of 48 runs saved in {}; the same command continues",
        out.display()
    )));
    let names = files(&out).into_keys();
    let finished = names
        .filter(|n| n.starts_with("runs/") && n.ends_with(".json"))
        .count();
    assert!(line.contains(&format!(" {finished} of 48 ")), "{line}");
    assert!(finished < 48);
}

#[test]
fn another_configuration_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&out, SMALL);
    let before = files(&out);
    let with = |more: &[&'static str]| [SMALL, more].concat();
    for (arguments, said) in [
        (with(&["--set", "delta=0.2"]), "delta was 0.1, now 0.2"),
        (with(&["--set", "pcse.lookahead=9"]), "pcse.lookahead was "),
        (SMALL[..6].to_vec(), "iterations was 12, now 200"),
        (
            [&SMALL[2..], &["--env", "gridworld-3"]].concat(),
            "leaves out (gridworld-4 ",
        ),
    ] {
        let words = [said, "out", "--fresh", "--out"];
        refused(&out, &arguments, &words);
        assert_same(&files(&out), &before);
    }
}

#[test]
fn fresh_starts_over_and_spares_what_is_not_a_result() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&out, SMALL);
    std::fs::write(out.join("runs/gridworld-4/notes.txt"), "mine").unwrap();
    std::fs::write(out.join("runs/notes.csv"), "mine").unwrap();
    let small = &[
        "--env",
        "gridworld-3",
        "--strategy",
        "random",
        "--seeds",
        "3",
        "--iterations",
        "2",
    ];
    done(&out, &[small, &["--fresh"][..]].concat());
    let names: Vec<String> = files(&out).into_keys().collect();
    assert_eq!(
        names,
        [
            ".lock",
            "environments/gridworld-3.json",
            "manifest.json",
            "runs/gridworld-3/random/3.csv",
            "runs/gridworld-3/random/3.json",
            "runs/gridworld-4/notes.txt",
            "runs/notes.csv",
            "summary.csv",
            "timings.csv",
        ]
    );
}

#[test]
fn an_experiment_file_is_changed_by_options_and_json_is_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("out"), folder.path().join("small.toml"));
    let experiment = "env = ['own.toml']\nstrategy = ['pcse', 'random']\nseeds = '0..4'\n\
                      [settings]\niterations = 3\n[settings.pcse]\nlookahead = 2\n";
    std::fs::write(&file, experiment).unwrap();
    // Found beside the experiment, wherever the program is started.
    let map = "map = \"S..xG\\n.....\"";
    std::fs::write(folder.path().join("own.toml"), map).unwrap();
    let file = file.to_str().unwrap();
    let output = done(
        &out,
        &[
            file,
            "--json",
            "--quiet",
            "--seeds",
            "1",
            "--set",
            "delta=0.2",
        ],
    );
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert_eq!(
        (&rows[0]["env"], &rows[1]["strategy"]),
        (&"own".into(), &"random".into())
    );
    assert_eq!(rows[0]["seeds"], 1);
    assert!(rows[0]["converged"].is_number());
    let manifest = json(out.join("manifest.json"));
    assert_eq!(manifest["settings"]["finite"]["iterations"], 3);
    assert_eq!(manifest["settings"]["finite"]["delta"], 0.2);
    let own = &manifest["strategy_settings"]["finite"];
    assert_eq!(own["pcse"]["lookahead"], 2.0);
}

#[test]
fn a_world_without_a_true_cost_is_run_and_its_overlap_left_empty() {
    let folder = tempfile::tempdir().unwrap();
    let (out, map) = (folder.path().join("out"), folder.path().join("free.toml"));
    std::fs::write(&map, "map = \"S..G\"").unwrap();
    let envs = format!("{},gridworld-3", map.display());
    let arguments = [
        "--env",
        &envs,
        "--strategy",
        "random",
        "--seeds",
        "1,2",
        "--iterations",
        "2",
    ];
    let output = run(&out, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let summary = read(out.join("summary.csv"));
    let fields = |env: &str| -> Vec<String> {
        let line = summary.lines().find(|l| l.starts_with(env)).unwrap();
        line.split(',').map(str::to_owned).collect()
    };
    assert_eq!(fields("free")[2], "2");
    assert_eq!(fields("free")[7], "", "final_wgiou");
    assert_ne!(fields("gridworld-3")[7], "", "final_wgiou");
    let history = read(out.join("runs/free/random/1.csv"));
    for line in history.lines().skip(1) {
        assert_eq!(line.split(',').nth(4), Some(""), "{line}");
    }
}

#[test]
fn all_strategies_are_listed() {
    let list = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hedgerow"));
        let output = command.arg("strategies").args(arguments).output().unwrap();
        assert!(output.status.success());
        text(&output.stdout)
    };
    let listed: serde_json::Value = serde_json::from_str(&list(&["--json"])).unwrap();
    let names: Vec<&str> = listed["finite"]["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    for name in [
        "bear",
        "pcse",
        "random",
        "eps-greedy",
        "max-entropy",
        "ucb",
        "undecided",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(listed["settings"][0]["name"], "iterations");
    let settings = listed["finite"]["settings"].as_array().unwrap();
    let delta = settings.iter().find(|p| p["name"] == "delta").unwrap();
    assert_eq!(
        (&delta["default"], &delta["kind"]),
        (&0.1.into(), &"number".into())
    );
    assert!(list(&[]).contains("  delta = 0.1 "));
}
