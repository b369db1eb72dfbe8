//! What a run in a maze concluded about its cells: estimates, with nothing promised.
//!
//! In a continuous world no state is seen twice, so there are no confidence intervals to decide
//! by. The run keeps what it concluded itself ([`Survey`]); here that is put into words.

use crate::verdicts::{Judged, RunVerdicts, rounded, signed};
use hedgerow::index::State;
use hedgerow::run::{Finding, Survey};
use hedgerow::sweep::{EnvironmentFile, SavedRun};
use hedgerow::verdict::Verdict;
use hedgerow::{Error, Result};
use serde::Serialize;

/// The sample that says most of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// Where it began, and how fast: x, y in metres, then both in metres a second.
    pub from: [f64; 4],
    /// What was done.
    pub action: String,
    /// What the expert does there.
    pub expert: String,
    /// What it earns more than the expert, as fitted.
    pub advantage: f64,
    /// The uncertainty of that.
    pub width: f64,
}

/// What `run` concluded about the cells of a maze.
pub fn estimates(environment: &EnvironmentFile, run: &SavedRun) -> Result<RunVerdicts> {
    let Some(survey) = &run.survey else {
        return Err(Error::invalid(
            run.run.to_string(),
            "it says nothing about the cells of its maze",
            "run it again",
        ));
    };
    let last = run.snapshots.last();
    let inferred: Vec<u32> = last
        .iter()
        .flat_map(|s| &s.cells)
        .map(|&(s, _)| s)
        .collect();
    let charged: Vec<u32> = environment.true_cells.iter().map(|&(s, _)| s).collect();
    let cell = |state: usize| {
        let finding = finding(survey, state)?;
        let name = environment.state_names.get(state).cloned();
        let tried = tried(environment, finding);
        Some(Judged {
            state: State::new(state),
            name: name.unwrap_or_else(|| format!("cell {state}")),
            verdict: finding.verdict,
            inferred: inferred.contains(&finding.state),
            truth: (!charged.is_empty()).then(|| charged.contains(&finding.state)),
            words: words(survey, finding, tried.as_ref()),
            sure: sure(finding),
            moves: Vec::new(),
            more: 0,
            witness: None,
            tried,
        })
    };
    Ok(RunVerdicts {
        samples: run.finished.last.samples,
        confidence: None,
        margin: Some(survey.margin),
        cells: (0..environment.states).map(cell).collect(),
    })
}

fn finding(survey: &Survey, state: usize) -> Option<&Finding> {
    let mut findings = survey.findings.iter();
    findings.find(|f| f.state as usize == state)
}

fn tried(environment: &EnvironmentFile, finding: &Finding) -> Option<Tried> {
    let action = |a: u32| environment.actions.get(a as usize).cloned();
    Some(Tried {
        from: finding.from?.map(|x| (x * 1e3).round() / 1e3),
        action: action(finding.action?)?,
        expert: action(finding.expert?)?,
        advantage: rounded(finding.advantage?),
        width: rounded(finding.width?),
    })
}

/// What was tried and what it would have paid.
fn words(survey: &Survey, finding: &Finding, tried: Option<&Tried>) -> String {
    let Some(tried) = tried else {
        return match finding.visits {
            0 => "No sample led there.".to_owned(),
            _ => "No sample that led there says anything: each was what the expert itself does, \
                  or nothing is known yet of what it would pay."
                .to_owned(),
        };
    };
    let [x, y, ..] = tried
        .from
        .map(|v| format!("{v:.2}").replace('-', "\u{2212}"));
    let more = match tried.advantage < 0.0 {
        true => format!("{:.3} less", -tried.advantage),
        false => format!("{:.3} more", tried.advantage),
    };
    let (action, expert) = (&tried.action, &tried.expert);
    let told = format!(
        "Pushing {action} at x {x} m, y {y} m led there and would have earned {more} discounted \
         reward than pushing {expert}, which the expert chose (uncertainty {}).",
        signed(tried.width)
    );
    let margin = survey.margin;
    let so = match finding.verdict {
        Verdict::Constrained => {
            "It would pay, and the expert does not do it: the cell looks forbidden.".to_owned()
        }
        Verdict::Free => format!(
            "That is the most promising try, and most others surely gain less than {margin}, which \
             an expert may well miss: no reason to think that the cell is forbidden."
        ),
        Verdict::Undecided if finding.constrained > 0 => format!(
            "A cell needs {} such samples before it counts as forbidden.",
            survey.evidence
        ),
        Verdict::Undecided => format!(
            "That is too uncertain to tell: only a gain that surely exceeds {margin} counts."
        ),
    };
    format!("{told} {so}")
}

/// How much that rests on.
fn sure(finding: &Finding) -> String {
    let led = match finding.visits {
        0 => return "An estimate, nothing is promised.".to_owned(),
        1 => "1 sample led into the cell".to_owned(),
        n => format!("{n} samples led into the cell"),
    };
    let counted = match finding.constrained {
        0 => "none of them counts".to_owned(),
        1 => "1 of them counts".to_owned(),
        n => format!("{n} of them count"),
    };
    format!("An estimate, nothing is promised: {led}, {counted} as constrained.")
}
