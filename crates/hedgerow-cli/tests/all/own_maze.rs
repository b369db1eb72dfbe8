//! A maze of one's own, from the drawing to the report, by the commands of the docs.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn docs() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mazes.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, own) = text.split_once("## Your own maze").unwrap();
    own.to_owned()
}

/// The block of the docs that begins with this fence.
fn block(text: &str, kind: &str) -> String {
    let (_, rest) = text.split_once(&format!("```{kind}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// Less of everything: the walk is tried here, not how good an expert becomes.
fn quick(command: &str) -> &'static [&'static str] {
    match command {
        "maze train" => &["--updates", "600", "--quiet"],
        "run" => &[
            "--strategy",
            "pcse,random",
            "--seeds",
            "1,2",
            "--iterations",
            "5",
        ],
        "maze retrain" => &["--updates", "40", "--episodes", "20", "--json", "--quiet"],
        "report" => &["--format", "svg"],
        other => panic!("the docs have a command that is not known here: {other}"),
    }
}

fn hedgerow(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    let output = command.args(arguments).current_dir(folder).output();
    output.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Makes every run charge the cells of these states in the end, as if it had inferred them; the file is
/// sealed again.
fn charge(file: &Path, states: &[u32]) {
    let mut run: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let last = run["snapshots"].as_array_mut().unwrap().last_mut().unwrap();
    last["cells"] = states.iter().map(|s| serde_json::json!([s, 0.5])).collect();
    let fields = run.as_object_mut().unwrap();
    fields.remove("checksum");
    let body = serde_json::to_string(&run).unwrap();
    let body = body.strip_suffix('}').unwrap();
    let sum = hedgerow::fingerprint::Fingerprint::of(body.as_bytes());
    fs::write(file, format!("{body},\"checksum\":\"{sum}\"}}\n")).unwrap();
}

#[test]
fn from_the_drawing_to_the_report_and_bad_runs_are_skipped() {
    let docs = docs();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("mine.toml"), block(&docs, "toml")).unwrap();
    let mut done = Vec::new();
    for line in block(&docs, "sh").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], "hedgerow", "{line}");
        let name = match words[1] {
            "maze" => words[1..3].join(" "),
            one => one.to_owned(),
        };
        let output = hedgerow(folder, &[&words[1..], quick(&name)].concat());
        let said = text(&output.stderr);
        assert!(output.status.success(), "{line}: {said}");
        if name == "maze retrain" {
            let agents: Value = serde_json::from_slice(&output.stdout).unwrap();
            let runs = agents.as_array().unwrap().iter();
            let runs: usize = runs.map(|a| a["runs"].as_array().unwrap().len()).sum();
            assert_eq!((runs, said.as_str()), (4, ""), "{agents}");
            assert!(agents[0]["expert_reward"].is_number(), "{agents}");
        }
        done.push(name);
    }
    assert_eq!(done, ["maze train", "run", "maze retrain", "report"]);
    for made in [
        "mine.safetensors",
        "mine/summary.csv",
        "mine/report.html",
        "mine/figures/maze-mine.svg",
    ] {
        assert!(folder.join(made).exists(), "{made}");
    }
    bad_runs_are_skipped(folder);
}

/// One run is damaged, one charges the start, the others charge the cell between start and goal.
fn bad_runs_are_skipped(folder: &Path) {
    let file = |run: &str| folder.join("mine/runs/mine").join(run);
    fs::write(file("pcse/1.json"), "{").unwrap();
    // States count open cells row by row from the bottom: 0, 1, 2 below and 3, 4, 5 above.
    charge(&file("pcse/2.json"), &[3]);
    charge(&file("random/1.json"), &[4]);
    charge(&file("random/2.json"), &[4]);
    let retrain = ["maze", "retrain", "mine"];
    let output = hedgerow(folder, &[&retrain[..], quick("maze retrain")].concat());
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(
        lines[0].starts_with("skipped: runs/mine/pcse/1.json: "),
        "{said}"
    );
    assert!(lines[1].starts_with("skipped: mine, pcse 2: "), "{said}");
    assert!(
        lines[1].contains("cell (2, 1)") && lines[1].contains("`S`"),
        "{said}"
    );
    let agents: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(agents.as_array().unwrap().len(), 1, "{agents}");
    assert_eq!(agents[0]["cells"], serde_json::json!([[2, 2]]));
    assert_eq!(agents[0]["runs"].as_array().unwrap().len(), 2);
    // With nothing left to train for, the reason is the error.
    charge(&file("random/1.json"), &[3]);
    charge(&file("random/2.json"), &[3]);
    let output = hedgerow(folder, &[&retrain[..], &["--quiet"]].concat());
    assert!(!output.status.success() && output.stdout.is_empty());
    let said = text(&output.stderr);
    assert!(
        said.lines().last().unwrap().starts_with("error: "),
        "{said}"
    );
}
