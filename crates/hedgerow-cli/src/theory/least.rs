//! How many samples any algorithm needs before it can answer for sure.

use crate::terminal::{number, table};
use clap::Args;
use hedgerow::Result;
use hedgerow::env::Environment;
use hedgerow::theory::{Demand, Question, lower_bound};
use hedgerow::verdict::CriteriaParams;
use serde::Serialize;

/// What has to be answered, and how surely.
#[derive(Debug, Args)]
pub struct Demanded {
    /// How many samples any algorithm needs before it can answer for sure instead; needs ENV.
    #[arg(long, requires = "env", conflicts_with = "policy")]
    pub lower_bound: bool,
    /// Probability with which all answers are right [default: 0.95].
    #[arg(long, value_name = "P", requires = "lower_bound")]
    confidence: Option<f64>,
    /// Advantages up to this do not count [default: 0].
    #[arg(long, value_name = "X", requires = "lower_bound")]
    tolerance: Option<f64>,
    /// What gains no more than this need not be told from what gains nothing [default: 0.01 of the
    /// largest reward].
    #[arg(long, value_name = "X", requires = "lower_bound")]
    margin: Option<f64>,
}

#[derive(Serialize)]
pub struct Report {
    env: String,
    confidence: f64,
    tolerance: f64,
    margin: f64,
    /// `kl(1 - delta, delta)`.
    information: f64,
    constrained: Samples,
    settled: Samples,
    /// Questions that known rewards answer.
    answered: usize,
    /// Pairs that may be called either.
    either: usize,
    pairs: Vec<Asked>,
}

#[derive(Serialize)]
struct Samples {
    questions: usize,
    at_least: f64,
    at_most: f64,
}

#[derive(Serialize)]
struct Asked {
    state: usize,
    state_name: String,
    action: String,
    question: &'static str,
    advantage: f64,
    gap: f64,
    /// Samples that this question alone needs at least.
    alone: f64,
}

pub fn report(given: &Demanded, environment: &Environment) -> Result<Report> {
    let (task, truth) = (environment.task(), environment.truth());
    let usual = CriteriaParams::usual_for(task, truth.budget() > 0.0);
    let criteria = CriteriaParams {
        confidence: given.confidence.unwrap_or(usual.confidence),
        tolerance: given.tolerance.unwrap_or(usual.tolerance),
        margin: given.margin.unwrap_or(usual.margin),
        ..usual
    }
    .check()?;
    let found = lower_bound(truth.model(), truth.expert(), &criteria)?;
    let samples = |demand: Demand, questions| Samples {
        questions,
        at_least: demand.at_least,
        at_most: demand.at_most,
    };
    let constrained = |q: &Question| *q == Question::Constrained;
    let forbidden = found.pairs.iter().filter(|p| constrained(&p.question));
    Ok(Report {
        env: environment.name().to_owned(),
        confidence: criteria.confidence,
        tolerance: criteria.tolerance,
        margin: criteria.margin,
        information: found.information,
        constrained: samples(found.constrained, forbidden.count()),
        settled: samples(found.settled, found.pairs.len()),
        answered: found.answered,
        either: found.either,
        pairs: found
            .pairs
            .iter()
            .map(|p| Asked {
                state: task.state_of(p.pair).at(),
                state_name: task.state_name(task.state_of(p.pair)),
                action: task.action_name(task.action_of(p.pair)).to_owned(),
                question: match p.question {
                    Question::Constrained => "constrained",
                    Question::NoGain => "no-gain",
                },
                advantage: p.advantage,
                gap: p.gap,
                alone: p.alone,
            })
            .collect(),
    })
}

/// Pairs that are listed.
const SHOWN: usize = 5;

impl Report {
    pub fn text(&self) -> String {
        let row = |what: &str, samples: &Samples| {
            [
                what.to_owned(),
                samples.questions.to_string(),
                format!("{:.0}", samples.at_least.ceil()),
                format!("{:.0}", samples.at_most.ceil()),
            ]
        };
        let rows = [
            row("call what is constrained so", &self.constrained),
            row("settle every pair", &self.settled),
        ];
        let mut hardest: Vec<&Asked> = self.pairs.iter().collect();
        hardest.sort_by(|a, b| b.alone.total_cmp(&a.alone));
        let hardest = hardest.into_iter().take(SHOWN).map(|p| {
            [
                p.state_name.clone(),
                p.action.clone(),
                p.question.to_owned(),
                number(p.advantage),
                format!("{:.0}", p.alone.ceil()),
            ]
        });
        format!(
            "{}: samples that any algorithm needs to be right with probability {} (tolerance {}, margin {})\n{}\n\
             No algorithm that chooses pairs freely does with fewer than \"at least\" in expectation; \"at most\" would do \
             against every other world that was found. Walking to pairs and asking the expert come on top.\n\
             {} pairs may be called either, {} questions are answered by what is known.\n\n\
             hardest questions, each alone:\n{}",
            self.env,
            number(self.confidence),
            number(self.tolerance),
            number(self.margin),
            table(["to", "questions", "at least", "at most"], 1, rows),
            self.either,
            self.answered,
            table(
                ["state", "action", "question", "advantage", "at least"],
                3,
                hardest
            ),
        )
    }
}
