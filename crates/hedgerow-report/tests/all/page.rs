//! The page from results on disk: its size, its bytes, and what it does with results that are not
//! whole or mean harm.

use crate::common;
use hedgerow::param::Value as Parameter;
use hedgerow::results::{FileProblem, Results};
use hedgerow::sweep::Experiment;
use hedgerow_report::Reports;
use hedgerow_report::page::{self, Live};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

fn small() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let envs = ["gridworld-1", "gridworld-3"];
    common::results(folder.path(), &envs, &["pcse", "random"], &[7, 8], 10);
    folder
}

fn read(folder: &TempDir) -> Results {
    Results::read(folder.path()).unwrap()
}

fn html(results: &Results, live: Option<&Live>) -> hedgerow::Result<String> {
    page::html(results, &Reports::default(), live)
}

fn data(results: &Results, live: Option<&Live>) -> Value {
    serde_json::from_str(&page::data(results, &Reports::default(), live).unwrap()).unwrap()
}

#[test]
fn the_page_of_the_default_experiment_holds_everything_in_less_than_3_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let results = common::swept(&Experiment::default(), folder.path());
    let page = html(&results, None).unwrap();
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    let data = data(&results, None);
    let runs = data["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &data["planned"]), (180, &Value::from(180)));
    let whole = |r: &&Value| r["verdicts"].is_string() && r["snapshots"][0].is_object();
    assert_eq!(runs.iter().filter(whole).count(), 180);
    assert_eq!(data["curves"].as_array().unwrap().len(), 36);
    assert_eq!(data["summary"].as_array().unwrap().len(), 36);
}

#[test]
fn the_same_results_give_the_same_bytes_and_the_data_says_what_they_are() {
    let folder = small();
    let results = read(&folder);
    let page = html(&results, None).unwrap();
    assert_eq!(page, html(&read(&folder), None).unwrap());
    let data = data(&results, None);
    assert_eq!(data["format"], "hedgerow-page/3");
    assert_eq!(data["live"], Value::Null);
    assert_eq!(data["problems"], Value::Array(Vec::new()));
    let command = data["command"].as_str().unwrap();
    assert!(command.starts_with(
        "hedgerow run --env gridworld-1,gridworld-3 --strategy pcse,random --seeds 7,8 \
         --set iterations=10 --out "
    ));
    // What a row of the summary says, its curve ends with.
    let (row, curve) = (&data["summary"][0], &data["curves"][0]);
    for key in ["env", "strategy", "seeds"] {
        assert_eq!(row[key], curve[key]);
    }
    for axis in ["iterations", "samples"] {
        let mean = curve[axis]["reward"]["mean"].as_array().unwrap();
        let ends = mean.last().and_then(Value::as_f64).unwrap();
        let last = row["final_reward"].as_f64().unwrap();
        assert!((ends - last).abs() <= 5e-4 * last, "{ends} {last}");
        let (x, low) = (&curve[axis]["x"], &curve[axis]["wgiou"]["low"]);
        assert_eq!(x.as_array().unwrap().len(), low.as_array().unwrap().len());
    }
    let environment = &data["environments"][0];
    assert_eq!(environment["grid"]["map"][0], "......G");
    assert_eq!(environment["true_cells"].as_array().unwrap().len(), 10);
}

#[test]
fn the_page_is_made_from_what_is_whole_and_lists_what_is_not() {
    let folder = small();
    let history = folder.path().join("runs/gridworld-1/pcse/7.csv");
    let text = fs::read_to_string(&history).unwrap();
    fs::write(&history, &text[..text.len() / 2]).unwrap();
    fs::write(folder.path().join("environments/gridworld-3.json"), "{").unwrap();
    let results = read(&folder);
    let data = data(&results, None);
    assert_eq!(data["runs"].as_array().unwrap().len(), 7);
    assert_eq!(data["planned"], 8);
    let files: Vec<&str> = data["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["file"].as_str().unwrap())
        .collect();
    assert_eq!(
        files,
        [
            "environments/gridworld-3.json",
            "runs/gridworld-1/pcse/7.csv"
        ]
    );
    // Without its map, a run keeps its curves and has no verdicts.
    for run in data["runs"].as_array().unwrap() {
        assert_eq!(run["verdicts"].is_string(), run["env"] == "gridworld-1");
    }
    assert_eq!(data["left_out"]["verdicts"], 0);
    html(&results, None).unwrap();
}

#[test]
fn nothing_in_results_becomes_markup() {
    let folder = small();
    let mut results = read(&folder);
    let nasty =
        "</script><script>window.__pwned = 1</script><img src=x onerror=alert(1)>&lt;\u{2028}";
    let m = &mut results.manifest;
    m.version = nasty.into();
    m.environments[0].source = nasty.into();
    let settings = m.settings.get_mut("finite").unwrap();
    settings.insert(nasty, Parameter::Word(nasty.into()));
    results.environments[0].state_names = vec![nasty.into(); 50];
    results.problems.push(FileProblem {
        file: nasty.into(),
        problem: nasty.into(),
    });
    let page = html(&results, None).unwrap();
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<img") && !page.contains('\u{2028}'));
    let data = data(&results, None);
    assert_eq!(data["configuration"]["environments"][0]["source"], nasty);
    assert!(
        data["command"]
            .as_str()
            .unwrap()
            .contains(&format!("--env '{nasty},gridworld-3'"))
    );
}

#[test]
fn a_live_page_tells_how_far_it_is_and_may_ask_its_own_server_only() {
    let folder = small();
    let mut results = read(&folder);
    let live = Live {
        finished: 3,
        planned: 8,
        failed: 1,
        running: vec!["gridworld-1 pcse seed 7: iteration 4".into()],
        done: false,
    };
    let page = html(&results, Some(&live)).unwrap();
    assert!(page.contains("connect-src 'self'"));
    let now = data(&results, Some(&live));
    assert_eq!(
        (&now["live"]["finished"], &now["live"]["done"]),
        (&3.into(), &false.into())
    );
    assert_eq!(now["runs"][0]["verdicts"], Value::Null);
    let done = Live {
        done: true,
        ..live.clone()
    };
    assert!(data(&results, Some(&done))["runs"][0]["verdicts"].is_string());
    // Before the first run has finished.
    results.runs.clear();
    let empty = data(&results, Some(&live));
    assert_eq!(
        (&empty["runs"], &empty["curves"]),
        (&Value::Array(Vec::new()), &Value::Array(Vec::new()))
    );
}
