//! Domains that bring reports of their own, and domains that nobody knows.

use crate::common::{self, layout::check_layout};
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow::run::Payload;
use hedgerow::{Error, Result};
use hedgerow_report::Reports;
use hedgerow_report::domain::{DomainReport, PageParts};
use hedgerow_report::figure::{self, Figure};
use hedgerow_report::page;
use hedgerow_report::verdicts::RunVerdicts;
use serde_json::Value;

/// Says a little about everything, or only complains.
#[derive(Debug)]
struct Own {
    readable: bool,
}

impl Own {
    fn told(&self, what: &str) -> Result<Option<Payload>> {
        match self.readable {
            true => Payload::new(&[what]).map(Some),
            false => Err(Error::invalid(what, "it cannot be read", "run it again")),
        }
    }
}

impl DomainReport for Own {
    fn domain(&self) -> &str {
        "own"
    }

    fn figures(&self, results: &Results) -> Result<Vec<Figure>> {
        Ok(vec![Figure {
            name: "own-figure".into(),
            title: "Own".into(),
            caption: format!("{} runs", results.runs.len()),
            svg: "<svg/>".into(),
        }])
    }

    fn remark(&self, envs: &[&str]) -> Option<String> {
        Some(format!("In {} everything is different.", envs.join(", ")))
    }

    fn page(&self) -> PageParts {
        PageParts {
            script: "domains[\"own\"] = {};\n",
            style: ".own { color: red; }\n",
        }
    }

    fn environment(&self, environment: &EnvironmentFile) -> Result<Option<Payload>> {
        self.told(&environment.name)
    }

    fn run(&self, _: &EnvironmentFile, run: &SavedRun) -> Result<Option<Payload>> {
        self.told(&run.id.to_string())
    }

    fn verdicts(&self, _: &EnvironmentFile, run: &SavedRun) -> Result<Option<RunVerdicts>> {
        Ok(Some(RunVerdicts {
            samples: run.summary().last.samples,
            confidence: None,
            margin: None,
            promise: None,
            cells: Vec::new(),
        }))
    }
}

/// Two environments, the second one of the domain `own`.
fn sweep(folder: &std::path::Path) -> Results {
    let envs = ["gridworld-1", "gridworld-3"];
    let mut results = common::results(folder, &envs, &["random"], &[1, 2], 5);
    results.manifest.environments[1].domain = "own".into();
    results.environments[1].domain = "own".into();
    for run in results.runs.iter_mut().filter(|r| r.id.env == envs[1]) {
        run.domain = "own".into();
    }
    results
}

fn names(figures: &[Figure]) -> Vec<&str> {
    figures.iter().map(|f| f.name.as_str()).collect()
}

fn data(results: &Results, reports: &Reports) -> Value {
    serde_json::from_str(&page::data(results, reports, None).unwrap()).unwrap()
}

#[test]
fn a_domain_that_is_known_adds_to_figures_and_page() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let reports = Reports::default().with(Own { readable: true });
    let figures = figure::all(&results, &reports).unwrap();
    // After those that all domains have, and those of domains named before.
    let at = |name: &str| names(&figures).iter().position(|n| *n == name).unwrap();
    assert!(at("constraint-learning-gridworld-3") < at("own-figure"));
    assert!(at("trajectories-gridworld-1") < at("own-figure"));
    assert!(at("own-figure") < at("sample-efficiency"));
    let different = "In gridworld-3 everything is different.";
    assert!(figures[1].caption.contains(different));
    assert_eq!(figure::notes(&results, &reports), [] as [String; 0]);

    let data = data(&results, &reports);
    assert_eq!(data["remarks"], Value::from(vec![different]));
    assert_eq!(data["environments"][0]["extra"], Value::Null);
    assert_eq!(data["environments"][1]["extra"][0], "gridworld-3");
    for run in data["runs"].as_array().unwrap() {
        assert_eq!(run["extra"].is_string(), run["env"] == "gridworld-3");
        assert!(run["verdicts"].is_string());
    }
    let html = page::html(&results, &reports, None).unwrap();
    assert!(html.contains("domains[\"own\"] = {};") && html.contains(".own {"));
    // Its part of the page is there only if one of its environments is.
    let mut finite = results.clone();
    finite.manifest.environments.truncate(1);
    let html = page::html(&finite, &reports, None).unwrap();
    assert!(!html.contains("domains[\"own\"]") && !html.contains(".own {"));
    assert!(!names(&figure::all(&finite, &reports).unwrap()).contains(&"own-figure"));
}

#[test]
fn a_domain_that_nobody_knows_is_reported_with_what_all_domains_share() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let reports = Reports::default();
    let figures = figure::all(&results, &reports).unwrap();
    assert!(names(&figures).contains(&"constraint-learning-gridworld-3"));
    figures.iter().for_each(check_layout);
    assert_eq!(
        figure::notes(&results, &reports),
        [
            "gridworld-3: this program has no report for the domain own, so only what all domains \
             share is shown"
        ]
    );
    let data = data(&results, &reports);
    let known = |i: usize| data["environments"][i]["known"].as_bool().unwrap();
    assert!(known(0) && !known(1));
    for run in data["runs"].as_array().unwrap() {
        assert_eq!(run["verdicts"].is_string(), run["env"] == "gridworld-1");
        assert!(run["snapshots"][0].is_object() && run["extra"].is_null());
    }
    assert_eq!(data["problems"], Value::Array(Vec::new()));
}

#[test]
fn what_a_domain_cannot_read_is_listed_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let reports = Reports::default().with(Own { readable: false });
    let data = data(&results, &reports);
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
            "runs/gridworld-3/random/1.json",
            "runs/gridworld-3/random/2.json"
        ]
    );
    assert_eq!(data["environments"][1]["extra"], Value::Null);
}

#[test]
fn a_report_replaces_one_of_the_same_domain() {
    let reports = Reports::none().with(Own { readable: false });
    let reports = reports.with(Own { readable: true });
    let own = reports.of("own").unwrap();
    assert!(format!("{own:?}").contains("readable: true"));
    assert!(reports.of("finite").is_none() && Reports::default().of("finite").is_some());
}
