//! Verdicts from recorded transitions and demonstrations, without acting.

use super::evidence::Evidence;
use super::search::Search;
use crate::environment::Chosen;
use clap::Args;
use hedgerow::env::Environment;
use hedgerow::io::records::{self, Records};
use hedgerow::io::{self, OpenedTask};
use hedgerow::learn::{Contradiction, Learner, contradictions};
use hedgerow::model::{Dynamics, Task};
use hedgerow::verdict::Verdicts;
use hedgerow::{Error, Result};
use std::path::{Path, PathBuf};

/// Places named in a warning; `--json` has them all.
const NAMED: usize = 3;

/// Options that need an environment to act in.
const ACTING: [&str; 4] = ["samples", "strategy", "seed", "expert"];

/// Recorded data.
#[derive(Debug, Args)]
pub struct Recorded {
    /// Recorded steps of the expert (FILE.csv or FILE.jsonl): infer from records, without acting.
    #[arg(long, value_name = "FILE", conflicts_with_all = ACTING)]
    demos: Vec<PathBuf>,
    /// Recorded steps of anybody, evidence of the dynamics only.
    #[arg(long, value_name = "FILE", conflicts_with_all = ACTING)]
    logs: Vec<PathBuf>,
    /// Demonstrated choices made in less than this share of the visits to a state are mistakes.
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    slips: f64,
}

impl Recorded {
    /// Whether there are records to infer from.
    pub fn is_given(&self) -> bool {
        !self.demos.is_empty() || !self.logs.is_empty()
    }

    /// The verdicts that the records allow in the chosen model.
    pub fn evidence(&self, chosen: &Chosen, search: &Search) -> Result<Evidence> {
        crate::domains::require_finite(&chosen.env)?;
        let known = io::open_task_with(&chosen.env, &chosen.defaults())?;
        let soft = |e: &Environment| e.truth().budget() > 0.0;
        let soft = known.environment.as_ref().is_some_and(soft);
        let criteria = search.criteria(&known.task, soft)?;
        let (records, mut warnings) = self.records(&known)?;
        let mut learner = Learner::new(known.task.clone(), search.inference(&known.task)?);
        records.feed(&mut learner);
        let contradictions = contradictions(&learner, criteria.tolerance);
        warnings.extend(torn_apart(&known.task, &contradictions));
        let verdicts = Verdicts::of(&learner, &criteria);
        let (layout, environment) = (known.layout.as_ref(), known.environment.as_ref());
        let files = self.demos.iter().chain(&self.logs);
        Ok(Evidence {
            records: files.map(|f| f.display().to_string()).collect(),
            warnings,
            contradictions,
            ..Evidence::new(&known.name, layout, environment, (learner, verdicts))
        })
    }

    /// The same rows counted twice would be taken for more evidence than there is.
    fn refuse_twice(&self) -> Result<()> {
        let mut seen = Vec::new();
        for path in self.demos.iter().chain(&self.logs) {
            let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            if seen.contains(&place) {
                return Err(Error::invalid(
                    path.display().to_string(),
                    "given twice",
                    "give every file of records once",
                ));
            }
            seen.push(place);
        }
        Ok(())
    }

    /// Refuses options that need records where there are none.
    pub fn refuse_without_records(&self) -> Result<()> {
        if self.slips == 0.0 {
            return Ok(());
        }
        let remedy = "add --demos FILE, or leave --slips out";
        Err(Error::invalid("--slips", "there are no records", remedy))
    }

    fn records(&self, known: &OpenedTask) -> Result<(Records, Vec<String>)> {
        let task = &*known.task;
        let rows = known.environment.as_ref().map(|e| e.truth().model().rows());
        let dynamics = rows.map(|rows| rows as &dyn Dynamics);
        let read = |path: &Path, source| Records::read(path, task, source, dynamics);
        self.refuse_twice()?;
        let mut all = Records::default();
        for path in &self.demos {
            all.append(read(path, records::Source::Expert)?);
        }
        for path in &self.logs {
            all.append(read(path, records::Source::Log)?);
        }
        if all.choices.is_empty() {
            return Err(Error::invalid(
                "--demos",
                "the records hold no choice of the expert",
                "give demonstrations, or logs with a column `expert_action`",
            ));
        }
        let (kept, slips) = all.without_slips(task, self.slips)?;
        let mut warnings = Vec::new();
        if !slips.is_empty() {
            let times: u32 = slips.iter().map(|s| s.times).sum();
            let places = slips.iter().map(|s| task.pair_name(s.pair));
            warnings.push(format!(
                "{times} choices of the expert taken for mistakes, at {}",
                named(places)
            ));
        }
        Ok((kept, warnings))
    }
}

fn torn_apart(task: &Task, torn: &[Contradiction]) -> Option<String> {
    let first = torn.first()?;
    let choices = first.choices.iter().map(|c| {
        let action = task.action_name(task.action_of(c.pair));
        format!("{action} {} times, value {:.4}", c.times, c.q)
    });
    let choices: Vec<String> = choices.collect();
    let others = match torn.len() {
        1 => String::new(),
        _ => {
            let names = torn[1..].iter().map(|c| task.state_name(c.state));
            format!(" (and in {})", named(names))
        }
    };
    Some(format!(
        "the demonstrations contradict each other in {}: {}{others}; --tolerance forgives small differences, --slips drops rare choices, and steps of others belong into --logs",
        task.state_name(first.state),
        choices.join(", "),
    ))
}

fn named(places: impl ExactSizeIterator<Item = String>) -> String {
    let more = places.len().saturating_sub(NAMED);
    let mut text = places.take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
