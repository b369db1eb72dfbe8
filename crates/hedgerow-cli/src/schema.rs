//! `hedgerow schema`: JSON Schemas of all files that are read or written.

use crate::terminal::{print, print_json, table};
use clap::Args;
use hedgerow::error::nearest;
use hedgerow::{Error, Result};
use serde::Serialize;

/// The schema of a file format.
#[derive(Serialize)]
struct Schema {
    name: &'static str,
    /// What it describes.
    files: &'static str,
    #[serde(skip)]
    text: &'static str,
}

macro_rules! schema {
    ($name:literal, $files:literal) => {
        Schema {
            name: $name,
            files: $files,
            text: include_str!(concat!("../../../schemas/", $name, ".schema.json")),
        }
    };
}

const SCHEMAS: [Schema; 12] = [
    schema!("grid", "drawn grid (.toml)"),
    schema!("maze", "maze (.toml)"),
    schema!("experiment", "experiment (.toml)"),
    schema!("model", "model (.json)"),
    schema!("policy", "expert (.json)"),
    schema!("record", "one line of records (.jsonl)"),
    schema!("constraint", "constraint of `infer --out` (.json)"),
    schema!("trajectories", "trajectories for `maze replay` (.json)"),
    schema!("manifest", "manifest.json of results"),
    schema!("environment", "environments/ENV.json of results"),
    schema!("run", "runs/ENV/STRATEGY/SEED.json of results"),
    schema!(
        "failed-run",
        "runs/ENV/STRATEGY/SEED.failed.json of results"
    ),
];

/// The options of `hedgerow schema`.
#[derive(Debug, Args)]
pub struct PrintSchema {
    /// The format; without it all are listed
    name: Option<String>,
    /// Print the list as JSON
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

impl PrintSchema {
    /// Prints a schema, or which there are.
    pub fn run(&self) -> Result<()> {
        if let Some(name) = &self.name {
            let known = || SCHEMAS.iter().map(|s| s.name);
            return match SCHEMAS.iter().find(|s| s.name == name) {
                Some(schema) => print(schema.text),
                None => Err(Error::invalid(
                    "schema",
                    format!("there is none called `{name}`"),
                    nearest(name, known()),
                )),
            };
        }
        if self.json {
            return print_json(&SCHEMAS);
        }
        let rows = SCHEMAS
            .iter()
            .map(|s| [s.name.to_owned(), s.files.to_owned()]);
        let list = table(["name", "describes"], 2, rows);
        print(&format!(
            "{list}\n`hedgerow schema NAME` prints one (JSON Schema 2020-12).\n"
        ))
    }
}
