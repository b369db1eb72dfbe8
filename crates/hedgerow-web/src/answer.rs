//! Verdicts from exploring or from records, with all that the page tells about them.

use crate::world::defect;
use hedgerow::constraint::{Constraint, Evidence};
use hedgerow::env::Environment;
use hedgerow::io::OpenedTask;
use hedgerow::io::records::{Records, Source};
use hedgerow::model::{Dynamics, Task};
use hedgerow::verdict::{Criteria, CriteriaParams, SearchOptions, Verdicts, infer};
use hedgerow::{Error, Result};
use hedgerow_report::of_evidence;
use hedgerow_report::verdicts::RunVerdicts;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::Path;

/// How sure verdicts have to be, and from how many samples.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Probability that all verdicts are right.
    pub confidence: f64,
    /// Most samples.
    pub samples: u64,
    /// The seed of exploring.
    pub seed: u64,
}

/// A file of records.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordFile {
    /// Its name; the ending says how it is written.
    pub name: String,
    /// Whether its rows are the expert's, unless a row says otherwise.
    pub expert: bool,
    /// What it holds.
    pub text: String,
}

/// An answer of the engine.
#[derive(Debug, Serialize)]
pub struct Found {
    /// What the page draws and says of every cell.
    pub verdicts: RunVerdicts,
    /// The same for somebody who may not know the rule.
    pub blind: RunVerdicts,
    /// What `hedgerow infer --json` prints.
    pub constraint: Constraint,
}

/// How far a search is.
#[derive(Debug, Serialize)]
pub struct Standing {
    /// Samples seen.
    pub samples: u64,
    /// In a few words.
    pub words: String,
}

/// Explores `environment` until all that matters is decided or the samples run out; `observe` is told
/// now and then, and may break it off.
pub fn explore(
    environment: &Environment,
    asked: &Asked,
    observe: &mut dyn FnMut(&Standing) -> ControlFlow<()>,
) -> Result<Found> {
    let task = environment.task();
    let criteria = criteria(environment, task, asked)?;
    if asked.samples == 0 {
        return Err(Error::invalid("samples", "0 samples", "use at least 1"));
    }
    let options = SearchOptions {
        criteria,
        inference: criteria.inference(task)?,
        samples: Some(asked.samples),
        seed: asked.seed,
        ..SearchOptions::default()
    };
    let found = infer(environment, options, &mut |verdicts: &Verdicts| {
        observe(&Standing {
            samples: verdicts.samples(),
            words: verdicts.standing(task),
        })
    })?;
    found_in(Evidence::explored(environment, found, asked.seed))
}

/// What recorded steps show in `environment`.
pub fn recorded(environment: Environment, files: &[RecordFile], asked: &Asked) -> Result<Found> {
    let known = OpenedTask::from(environment);
    let environment = known.environment.as_ref();
    let environment = environment.ok_or_else(|| defect("a drawn map without dynamics"))?;
    let criteria = criteria(environment, &known.task, asked)?;
    let mut all = Records::default();
    for file in files {
        let source = match file.expert {
            true => Source::Expert,
            false => Source::Log,
        };
        let dynamics: &dyn Dynamics = environment.truth().model().rows();
        let (text, name) = (file.text.as_bytes(), Path::new(&file.name));
        let records = Records::read_from(text, name, &known.task, source, Some(dynamics))?;
        all.append(records);
    }
    let mut evidence =
        Evidence::recorded(&known, all, 0.0, &criteria).map_err(as_the_command_says)?;
    evidence.origin.records = files.iter().map(|f| f.name.clone()).collect();
    found_in(evidence)
}

/// The command names the option that was given wrongly.
fn as_the_command_says(error: Error) -> Error {
    match &error {
        Error::Invalid { place, .. } if place == "demonstrations" => error.at_place("--demos"),
        _ => error,
    }
}

fn criteria(environment: &Environment, task: &Task, asked: &Asked) -> Result<Criteria> {
    let soft = environment.truth().budget() > 0.0;
    CriteriaParams {
        confidence: asked.confidence,
        ..CriteriaParams::usual_for(task, soft)
    }
    .check()
}

fn found_in(mut evidence: Evidence) -> Result<Found> {
    let mut constraint = evidence.constraint();
    // What was seen is for programs that learn on.
    constraint.seen = None;
    let verdicts = of_evidence(&evidence)?;
    evidence.charged = None;
    Ok(Found {
        verdicts,
        blind: of_evidence(&evidence)?,
        constraint,
    })
}
