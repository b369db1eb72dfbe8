//! An expert's policy from a file of its own, for an environment that exists.
//!
//! A CSV table with the columns `state,action,probability` (or `state,action` for demonstrations,
//! one row per visit), or a JSON object with the key `expert` or `demonstrations` written as in a
//! model file and `"format": "hedgerow-policy/1"`; see `docs/formats.md`.
//!
//! ```
//! use hedgerow::env::grid::Grid;
//! use hedgerow::io::policy_file;
//!
//! let environment = Grid::new("line", Grid::symbols_of("S G")).environment()?;
//! let text = "state,action,probability\n\"cell 0,0\",right,1\n\"cell 0,1\",left,1\n";
//! let expert = policy_file::parse_csv(text, &environment)?;
//! assert_eq!(expert.probs(), [1.0, 1.0]);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::Environment;
use crate::io::expert::{DEMONSTRATIONS, EXPERT, Evidence, LeftOut, demonstrated, said};
use crate::io::json_path::{JsonPath, Object, read_object};
use crate::io::model_file::check_format;
use crate::io::names::{Names, Reference};
use crate::model::Policy;
use crate::{Error, Result};
use serde::de::MapAccess;
use std::path::Path;

/// What the key `format` of a JSON policy must say.
pub const FORMAT: &str = "hedgerow-policy/1";

/// Reads the expert's policy for `environment`.
pub fn read(path: &Path, environment: &Environment) -> Result<Policy> {
    let text = super::read_text(path)?;
    let policy = match super::ending(path) {
        "csv" => parse_csv(&text, environment),
        "json" => parse_json(&text, environment),
        ending => Err(Error::invalid(
            "file name",
            format!("ending `{ending}` is not known here"),
            "an expert's policy ends in .csv or .json",
        )),
    };
    policy.map_err(|e| e.within(path.display()))
}

/// The policy a CSV table describes.
pub fn parse_csv(text: &str, environment: &Environment) -> Result<Policy> {
    let model = environment.truth().model();
    let names = Names::of(model.task())?;
    let mut evidence = Evidence::new(model, &names);
    let mut table = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = table.headers().map_err(csv_error)?;
    let columns: Vec<&str> = header.iter().collect();
    let said = match columns[..] {
        ["state", "action", "probability"] => true,
        ["state", "action"] => false,
        _ => {
            return Err(Error::invalid(
                "line 1",
                format!("the columns are `{}`", columns.join(",")),
                "write `state,action,probability`, or `state,action` for demonstrations",
            ));
        }
    };
    for record in table.records() {
        let record = record.map_err(csv_error)?;
        let line = record.position().map_or(0, csv::Position::line);
        let place = || format!("line {line}");
        let reference = |i: usize| Reference::Either(record[i].to_owned());
        if said {
            let prob: f64 = record[2].parse().map_err(|_| {
                Error::invalid(
                    place(),
                    format!("`{}` is not a number", &record[2]),
                    "give a probability",
                )
            })?;
            evidence.say(place, &reference(0), &reference(1), prob)?;
        } else {
            evidence.see(place, &reference(0), &reference(1))?;
        }
    }
    if said {
        evidence.said("policy")
    } else {
        evidence.seen("demonstrations")
    }
}

pub(super) fn csv_error(error: csv::Error) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    Error::invalid(
        format!("line {line}"),
        match error.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => format!("{len} fields where the header has {expected_len}"),
            _ => super::one_line(&error.to_string()),
        },
        "correct the table; names that hold a comma go in double quotes",
    )
}

#[derive(Default)]
struct Parts {
    format: Option<String>,
    expert: Option<Vec<(Reference, Reference, f64)>>,
    demonstrations: Option<Vec<(Reference, Reference)>>,
}

impl Object for Parts {
    const KEYS: &'static [(&'static str, &'static str)] =
        &[("format", "\"hedgerow-policy/1\""), EXPERT, DEMONSTRATIONS];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        path: &JsonPath,
    ) -> std::result::Result<(), A::Error> {
        match key {
            "format" => self.format = Some(map.next_value()?),
            "expert" => self.expert = Some(path.list(map)?),
            _ => self.demonstrations = Some(path.list(map)?),
        }
        Ok(())
    }
}

/// The policy a JSON object describes.
pub fn parse_json(text: &str, environment: &Environment) -> Result<Policy> {
    let parts: Parts = read_object(text)?;
    check_format(parts.format.as_deref(), FORMAT)?;
    let model = environment.truth().model();
    let names = Names::of(model.task())?;
    match (parts.expert, parts.demonstrations) {
        (Some(entries), None) => said(model, &names, &entries, &LeftOut::default()),
        (None, Some(entries)) => demonstrated(model, &names, &entries, &LeftOut::default()),
        _ => Err(Error::invalid(
            "policy",
            "one of `expert` and `demonstrations` is needed",
            "give exactly one of them",
        )),
    }
}
