//! The manifest: what was asked for, and how far it has come.

use crate::run::Stop;
use crate::sweep::{Finished, RunId};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The tag of the manifest's format.
pub(super) const FORMAT: &str = "hedgerow-results/1";

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Not finished yet.
    Pending,
    /// On disk.
    Finished,
    /// Ended with an error.
    Failed,
}

/// One environment of the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestEnvironment {
    /// Its name, under which results are filed.
    pub name: String,
    /// The name or file it was asked for by.
    pub source: String,
    /// Fingerprint of its definition.
    pub fingerprint: String,
}

/// One run of the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestRun {
    /// The run.
    #[serde(flatten)]
    pub run: RunId,
    /// Where it stands.
    pub status: Status,
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// Iterations done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<usize>,
    /// Samples seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Samples after which it stayed at the expert's level; absent if it never did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples_to_expert: Option<u64>,
    /// How long it took. Only here: everything else about a run can be repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_seconds: Option<f64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl ManifestRun {
    pub(super) fn pending(run: RunId) -> Self {
        Self {
            run,
            status: Status::Pending,
            stop: None,
            iterations: None,
            samples: None,
            samples_to_expert: None,
            elapsed_seconds: None,
            error: None,
        }
    }

    pub(super) fn finish(&mut self, finished: &Finished, elapsed_seconds: Option<f64>) {
        *self = Self {
            status: Status::Finished,
            stop: Some(finished.stop),
            iterations: Some(finished.last.iteration),
            samples: Some(finished.last.samples),
            samples_to_expert: finished.samples_to_expert,
            elapsed_seconds,
            ..Self::pending(self.run.clone())
        };
    }

    pub(super) fn fail(&mut self, error: String, elapsed_seconds: f64) {
        *self = Self {
            status: Status::Failed,
            elapsed_seconds: Some(elapsed_seconds),
            error: Some(error),
            ..Self::pending(self.run.clone())
        };
    }
}

/// The part of `manifest.json` that stays the same while the sweep goes on: what was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// `hedgerow-results/1`.
    pub format: String,
    /// Version of the program.
    pub version: String,
    /// The environments in order.
    pub environments: Vec<ManifestEnvironment>,
    /// The strategies in order.
    pub strategies: Vec<String>,
    /// The seeds in order.
    pub seeds: Vec<u64>,
    /// The parameters that all strategies share.
    pub settings: BTreeMap<String, Value>,
    /// Every strategy's own.
    pub strategy_settings: BTreeMap<String, BTreeMap<String, Value>>,
    /// What was set of the parameters of one kind of environment, by the name of their table.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, BTreeMap<String, Value>>,
}

/// `manifest.json` as it is read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ManifestFile {
    #[serde(flatten)]
    pub(super) configuration: Configuration,
    pub(super) runs: Vec<ManifestRun>,
}

/// `manifest.json`.
#[derive(Debug)]
pub(super) struct Manifest {
    head: String,
    pub(super) runs: Vec<ManifestRun>,
}

impl Manifest {
    pub(super) fn new(head: &Configuration, runs: Vec<ManifestRun>) -> Result<Self> {
        let head = serde_json::to_string_pretty(head).map_err(unwritable)?;
        let head = head.trim_end_matches("\n}").to_owned();
        Ok(Self { head, runs })
    }

    /// The manifest as text, one line a run.
    pub(super) fn to_text(&self) -> Result<Vec<u8>> {
        let mut text = format!("{},\n  \"runs\": [", self.head);
        for (i, run) in self.runs.iter().enumerate() {
            text.push_str(if i == 0 { "\n    " } else { ",\n    " });
            text.push_str(&serde_json::to_string(run).map_err(unwritable)?);
        }
        text.push_str("\n  ]\n}\n");
        Ok(text.into_bytes())
    }
}

/// What an earlier manifest says that nothing else does.
#[derive(Debug, Deserialize)]
pub(super) struct Earlier {
    pub(super) format: Option<String>,
    #[serde(default)]
    pub(super) runs: Vec<ManifestRun>,
}

/// Any of the result files as JSON, ending in a line feed.
pub(super) fn to_json<T: Serialize>(content: &T) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(content).map_err(unwritable)?;
    text.push(b'\n');
    Ok(text)
}

pub(super) fn to_value<T: Serialize>(content: &T) -> Result<Value> {
    serde_json::to_value(content).map_err(unwritable)
}

fn unwritable(error: serde_json::Error) -> Error {
    Error::invalid(
        "results",
        format!("cannot be written as JSON: {error}"),
        "this is a defect of the program: please report it",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_json_with_one_line_a_run_and_reads_back() {
        let head = Configuration {
            format: FORMAT.into(),
            version: "1".into(),
            environments: Vec::new(),
            strategies: vec!["pcse".into()],
            seeds: vec![1, 2],
            settings: BTreeMap::new(),
            strategy_settings: BTreeMap::new(),
            tables: BTreeMap::new(),
        };
        let run = |seed| RunId {
            env: "e".into(),
            strategy: "pcse".into(),
            seed,
        };
        let mut runs = vec![ManifestRun::pending(run(1)), ManifestRun::pending(run(2))];
        runs[1].fail("no; why".into(), 1.5);
        let text = Manifest::new(&head, runs.clone())
            .unwrap()
            .to_text()
            .unwrap();
        let value: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(value["seeds"][1], 2);
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(
            "\n    {\"env\":\"e\",\"strategy\":\"pcse\",\"seed\":1,\"status\":\"pending\"},\n"
        ));
        let earlier: Earlier = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (earlier.format.as_deref(), earlier.runs),
            (Some(FORMAT), runs)
        );
    }
}
