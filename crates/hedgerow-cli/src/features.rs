//! `hedgerow features`: which given features of pairs the cost consists of.

use crate::environment::Chosen;
use crate::terminal::{number, print, print_json, table};
use clap::Args;
use hedgerow::constraint::Constraint;
use hedgerow::costset::{CostSet, FeatureFound, Features, FeaturesFound, Range};
use hedgerow::env::Environment;
use hedgerow::index::Pair;
use hedgerow::io::features_file;
use hedgerow::{Error, Result};
use serde::Serialize;
use std::path::PathBuf;

/// Which features of pairs, such as rooms or tiles, a cost must, may or cannot consist of.
#[derive(Debug, Args)]
pub struct WhichFeatures {
    #[command(flatten)]
    chosen: Chosen,
    /// The features: a table with the columns state, action and one for each (FILE.csv).
    #[arg(value_name = "FEATURES")]
    features: PathBuf,
    /// By the verdicts of this constraint (saved by `infer --out`) instead of known dynamics.
    #[arg(long, value_name = "FILE")]
    constraint: Option<PathBuf>,
    /// The largest cost of a pair.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        conflicts_with = "constraint"
    )]
    cost_max: f64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    env: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<String>,
    /// Whether some combination of the features explains the expert.
    explained: bool,
    features: Vec<Known>,
    /// Constrained pairs that no feature explains.
    unexplained: Vec<String>,
}

#[derive(Serialize)]
struct Known {
    name: String,
    weight: &'static str,
    /// The pair that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
    /// The least and the largest weight, with known dynamics.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[f64; 2]>,
}

impl WhichFeatures {
    /// Reads, judges and prints.
    pub fn run(&self) -> Result<()> {
        let environment = self.chosen.open()?;
        let features = features_file::read(&self.features, environment.task())?;
        let report = match &self.constraint {
            Some(path) => recorded(&environment, &features, &Constraint::read(path)?)?,
            None => self.known(&environment, &features)?,
        };
        match self.json {
            true => print_json(&report),
            false => print(&report.text()),
        }
    }

    fn known(&self, environment: &Environment, features: &Features) -> Result<Report> {
        let truth = environment.truth();
        let (model, expert) = (truth.model(), truth.expert());
        let set = CostSet::of(model, expert, truth.budget(), self.cost_max)?;
        let ranges = features.ranges(&set)?;
        let explained = ranges.is_some();
        // Under a budget no single pair shows anything; the ranges say it all.
        let found = match set.is_hard() {
            true => features.found_in(&set),
            false => FeaturesFound {
                features: vec![FeatureFound::Possible; features.names().len()],
                unexplained: Vec::new(),
            },
        };
        let mut report = Report::new(environment, features, &found);
        report.explained = explained;
        for (known, range) in report.features.iter_mut().zip(ranges.iter().flatten()) {
            known.range = Some([range.low, range.high]);
            known.weight = weight(range);
        }
        Ok(report)
    }
}

/// What a range says of a weight.
fn weight(range: &Range) -> &'static str {
    match range {
        Range { high, .. } if *high == 0.0 => "excluded",
        Range { low, low_open, .. } if *low > 0.0 || *low_open => "certain",
        _ => "possible",
    }
}

fn recorded(
    environment: &Environment,
    features: &Features,
    constraint: &Constraint,
) -> Result<Report> {
    if environment.truth().budget() > 0.0 {
        return Err(Error::invalid(
            "--constraint",
            "verdicts bound no weights under a soft budget",
            "leave it out: known dynamics do",
        ));
    }
    let found = constraint.features(environment.task(), features)?;
    let mut report = Report::new(environment, features, &found);
    report.promise = Some(constraint.promise.clone());
    Ok(report)
}

impl Report {
    fn new(environment: &Environment, features: &Features, found: &FeaturesFound) -> Self {
        let name = |pair: &Pair| environment.task().pair_name(*pair);
        let known = |(name_of, found): (&String, &FeatureFound)| {
            let (weight, pair) = match found {
                FeatureFound::Excluded(pair) => ("excluded", Some(name(pair))),
                FeatureFound::Certain(pair) => ("certain", Some(name(pair))),
                FeatureFound::Possible => ("possible", None),
            };
            Known {
                name: name_of.clone(),
                weight,
                pair,
                range: None,
            }
        };
        Self {
            env: environment.name().to_owned(),
            promise: None,
            explained: found.unexplained.is_empty(),
            features: features
                .names()
                .iter()
                .zip(&found.features)
                .map(known)
                .collect(),
            unexplained: found.unexplained.iter().map(name).collect(),
        }
    }

    fn text(&self) -> String {
        let row = |known: &Known| {
            let because = match (known.weight, &known.pair) {
                ("excluded", Some(pair)) => format!("the expert takes {pair}"),
                ("certain", Some(pair)) => format!("nothing else explains {pair}"),
                _ => String::new(),
            };
            let range = known
                .range
                .map(|[low, high]| format!("{} to {}", number(low), number(high)));
            [
                known.name.clone(),
                known.weight.to_owned(),
                range.unwrap_or_default(),
                because,
            ]
        };
        let rows = self.features.iter().map(row);
        let mut text = format!(
            "{}: {} features\n{}",
            self.env,
            self.features.len(),
            table(["feature", "weight", "range", "because"], 4, rows)
        );
        if !self.explained {
            text += "No combination of these features explains the expert";
            text += &match self.unexplained.first() {
                None => ".\n".to_owned(),
                Some(pair) => format!(
                    ": {} constrained pairs have none that is left, such as {pair}.\n",
                    self.unexplained.len()
                ),
            };
        }
        if let Some(promise) = &self.promise {
            text += &format!("Excluded and certain hold if the verdicts do: {promise}\n");
        }
        text
    }
}
