//! `hedgerow infer --demos FILE --logs FILE`: verdicts from files, without acting.

use crate::common::program;

use program::{json, near, recorded, refused, text};
use serde_json::{Value, json as value};
use std::path::Path;

/// Resting, treating a fever pays 0.9 later and waiting for the crisis 0.45.
const WARD: &str = r#"{"format": "hedgerow-model/1", "name": "ward",
    "states": ["rest", "fever", "crisis", "home"], "actions": ["wait", "treat"], "gamma": 0.9,
    "start": [["rest", 0.5], ["fever", 0.5]], "terminal": ["home"],
    "available": [["rest", "wait"], ["rest", "treat"], ["fever", "treat"], ["crisis", "treat"]],
    "rewards": [["fever", "treat", 1.0], ["crisis", "treat", 0.5]]}"#;

const HEADER: &str = "episode,state,action,next_state\n";

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// As many patients that wait, that are treated while they rest, and that come with a fever.
fn patients(wait: usize, treat: usize, fever: usize) -> String {
    let mut text = HEADER.to_owned();
    for i in 0..wait {
        text += &format!("w{i},rest,wait,crisis\nw{i},crisis,treat,home\n");
    }
    for i in 0..treat {
        text += &format!("t{i},rest,treat,fever\nt{i},fever,treat,home\n");
    }
    for i in 0..fever {
        text += &format!("f{i},fever,treat,home\n");
    }
    text
}

fn is_unseen(pair: &Value) -> bool {
    pair["visits"] == 0 && pair["chosen"] == 0
}

fn pairs(found: &Value) -> &Vec<Value> {
    found["pairs"].as_array().unwrap()
}

/// The rows of both files, the first as a table.
fn rows(demos: &str, logs: &str) -> (Vec<[String; 3]>, Vec<Value>) {
    let mut reader = csv::Reader::from_path(demos).unwrap();
    let table = reader.records().map(|row| {
        let row = row.unwrap();
        [&row[2], &row[3], &row[4]].map(str::to_owned)
    });
    let lines = std::fs::read_to_string(logs).unwrap();
    let lines = lines.lines().map(|l| serde_json::from_str(l).unwrap());
    (table.collect(), lines.collect())
}

#[test]
fn the_wall_is_seen_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let (demos, logs) = recorded(folder.path());
    let infer = ["infer", "gridworld-3", "--demos", &demos];
    let found = json(&[&infer[..], &["--logs", &logs]].concat());
    let wall: Vec<Value> = (0..5).map(|c| value!([3, c])).collect();
    assert_eq!(found["cells"]["guessed"], value!(wall));
    let sure = found["cells"]["constrained"].as_array().unwrap();
    assert!(!sure.is_empty() && sure.iter().all(|cell| wall.contains(cell)));
    let (table, lines) = rows(&demos, &logs);
    let shown = table.iter().filter(|[_, _, next]| !next.is_empty()).count();
    let logged = lines.iter().filter(|l| l["next_state"].is_string()).count();
    assert_eq!(found["source"]["samples"], shown + logged);
    assert!(found.get("stop").is_none() && found.get("seed").is_none());
    // Without the log most pairs were never tried, and none of those has a verdict.
    let alone = json(&infer);
    assert_eq!(alone["source"]["samples"], shown);
    let unseen = pairs(&alone).iter().filter(|p| is_unseen(p));
    assert!(unseen.clone().count() > 100);
    for pair in unseen {
        assert_eq!(pair["verdict"], "undecided", "{pair}");
        assert!(pair["estimate"].is_null(), "{pair}");
    }
}

fn is_left(name: &str) -> bool {
    let column = name.rsplit(',').next().unwrap();
    column.parse::<usize>().is_ok_and(|c| c <= 3)
}

#[test]
fn where_nothing_was_recorded_all_is_undecided() {
    let folder = tempfile::tempdir().unwrap();
    let (demos, logs) = recorded(folder.path());
    let (table, lines) = rows(&demos, &logs);
    // Every step is an episode of its own, so that none jumps over what is left out.
    let mut half = HEADER.to_owned();
    let kept: Vec<&[String; 3]> = table.iter().filter(|row| is_left(&row[0])).collect();
    for (i, [state, action, next]) in kept.iter().enumerate() {
        half += &format!("{i},\"{state}\",{action},\"{next}\"\n");
    }
    let mut log = String::new();
    for (i, mut line) in lines.into_iter().enumerate() {
        if is_left(line["state"].as_str().unwrap()) {
            line["episode"] = i.into();
            log += &format!("{line}\n");
        }
    }
    let demos = write(folder.path(), "half.csv", &half);
    let rows = kept.len() + log.lines().count();
    let logs = write(folder.path(), "half.jsonl", log);
    let found = json(&["infer", "gridworld-3", "--demos", &demos, "--logs", &logs]);
    assert_eq!(found["source"]["samples"], rows);
    let right = |p: &&Value| !is_left(p["state_name"].as_str().unwrap());
    // Columns 4 to 6: 10 inner cells with 8 moves, 9 at the border with 5, 2 corners with 3.
    assert_eq!(pairs(&found).iter().filter(right).count(), 131);
    for pair in pairs(&found).iter().filter(right) {
        assert!(is_unseen(pair) && pair["verdict"] == "undecided", "{pair}");
    }
    assert!(found["no_gain"].as_u64().unwrap() > 0);
}

#[test]
fn a_model_without_dynamics_needs_records() {
    let folder = tempfile::tempdir().unwrap();
    let ward = write(folder.path(), "ward.json", WARD);
    let demos = write(folder.path(), "demos.csv", patients(2000, 0, 2000));
    let logs = write(folder.path(), "logs.csv", patients(0, 2000, 0));
    let found = json(&["infer", &ward, "--demos", &demos, "--logs", &logs]);
    assert_eq!(found["source"]["samples"], 10_000);
    let treat = &pairs(&found)[1];
    assert_eq!(treat["verdict"], "constrained");
    near(&treat["estimate"], 0.45, 1e-9);
    // The pair leads to a state where episodes start too, which is innocent.
    assert_eq!(found["states"]["constrained"], value!([]));
    assert_eq!(found["constrained"], 1);
    let words = ["ward.json: transitions", "no dynamics", "--demos"];
    refused(1, &["infer", &ward], &words);
    refused(1, &["infer", &ward, "--exact"], &words);
    let none = ["--demos", "no choice of the expert", "expert_action"];
    refused(1, &["infer", &ward, "--logs", &logs], &none);
}

#[test]
fn an_expert_that_slips_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let ward = write(folder.path(), "ward.json", WARD);
    let demos = write(folder.path(), "demos.csv", patients(1800, 200, 0));
    let infer = |more: &[&str]| json(&[&["infer", &ward, "--demos", &demos], more].concat());
    let found = infer(&[]);
    let warnings = found["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1);
    let said = warnings[0].as_str().unwrap();
    let words = "in rest: treat 200 times, value 0.9000, wait 1800 times, value 0.4500;";
    assert!(said.contains(words), "{said}");
    let torn = &found["contradictions"][0];
    assert_eq!(
        (&torn["state_name"], &torn["state"]),
        (&"rest".into(), &0.into())
    );
    near(&torn["gap"], 0.9 - 0.45, 1e-9);
    assert_eq!(torn["choices"][1]["times"], 1800);
    assert_eq!(found["constrained"], 0);
    let shown = text(&["infer", &ward, "--demos", &demos]);
    assert!(shown.contains(&format!("warning: {said}\n")), "{shown}");
    // 0.45 is within 0.5 and not within 0.4.
    let forgiven = infer(&["--tolerance", "0.5"]);
    assert_eq!(forgiven["warnings"], value!([]));
    assert_eq!(forgiven["contradictions"], value!([]));
    assert_ne!(infer(&["--tolerance", "0.4"])["warnings"], value!([]));
    // One choice in ten is rarer than one in five, and not rarer than one in twenty.
    let dropped = infer(&["--slips", "0.2"]);
    let words = "200 choices of the expert taken for mistakes, at (rest, treat)";
    assert_eq!(dropped["warnings"], value!([words]));
    assert_eq!(dropped["contradictions"], value!([]));
    assert_eq!(pairs(&dropped)[1]["verdict"], "constrained");
    assert_eq!(infer(&["--slips", "0.05"])["warnings"], found["warnings"]);
    let much = ["infer", &ward, "--demos", &demos, "--slips", "2"];
    refused(1, &much, &["slip", "2 is out of range", "below 1"]);
}

#[test]
fn a_bad_row_is_named_with_file_and_line_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("verdicts.json");
    let good = format!("{HEADER}a,\"cell 0,0\",up,\"cell 1,0\"\n");
    let line = r#"{"episode": 1, "state": "cell 0,0", "action": "up", "next_state": "cell 1,0"}"#;
    for (ending, text, words) in [
        (
            "csv",
            format!("{good}b,\"cell 9,9\",up,\"cell 1,0\"\n"),
            ["line 3: state", "`cell 9,9`"],
        ),
        (
            "csv",
            format!("{good}b,\"cell 0,0\",up,\"cell 6,6\"\n"),
            ["line 3: next_state", "cannot lead to cell 6,6"],
        ),
        (
            "csv",
            "episode,state,action\n1,0,up\n".to_owned(),
            ["line 1", "`next_state` is missing"],
        ),
        ("csv", String::new(), ["line 1", "empty"]),
        (
            "csv",
            format!("{good}a,\"cell 5,5\",up,\"cell 6,5\"\n"),
            ["line 3: state", "`a` jumps from cell 1,0 to cell 5,5"],
        ),
        (
            "jsonl",
            format!("{line}\n{{\"episode\": 2,\n"),
            ["line 2, column", "one JSON object"],
        ),
    ] {
        let name = format!("bad.{ending}");
        let file = write(folder.path(), &name, text);
        let arguments = ["infer", "gridworld-3", "--demos", &file];
        let arguments = [&arguments[..], &["--out", out.to_str().unwrap()]].concat();
        refused(1, &arguments, &[&[&*file], &words[..]].concat());
        assert!(!out.exists(), "{words:?}");
    }
}

#[test]
fn records_and_acting_exclude_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let demos = write(folder.path(), "demos.csv", patients(1, 1, 1));
    for option in [
        &["--samples", "10"][..],
        &["--strategy", "pcse"],
        &["--seed", "1"],
        &["--exact"],
    ] {
        for records in ["--demos", "--logs"] {
            let given = ["infer", "gridworld-3", records, &demos];
            let arguments = [&given[..], option].concat();
            refused(2, &arguments, &[records, option[0], "cannot be used with"]);
        }
    }
}

#[test]
fn a_file_counts_once_and_slips_need_records() {
    let folder = tempfile::tempdir().unwrap();
    let demos = write(folder.path(), "demos.csv", patients(1, 1, 1));
    let twice = ["infer", "gridworld-3", "--demos", &demos, "--logs", &demos];
    refused(1, &twice, &["demos.csv", "given twice"]);
    let slips = ["infer", "gridworld-3", "--slips", "0.1"];
    refused(1, &slips, &["--slips", "no records", "--demos"]);
}
