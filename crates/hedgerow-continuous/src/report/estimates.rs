//! What a run in a maze concluded about its cells: estimates, with nothing promised.
//!
//! In a continuous world no state is seen twice, so there are no confidence intervals to decide
//! by. The run keeps what it concluded itself ([`MazeSummary`]); here that is put into words.

use crate::payload::{CellEstimate, MazeSummary};
use hedgerow::Result;
use hedgerow::index::State;
use hedgerow::results::{EnvironmentFile, SavedRun};
use hedgerow::run::Payload;
use hedgerow::verdict::Verdict;
use hedgerow_report::number::{rounded, signed};
use hedgerow_report::verdicts::{CellVerdict, RunVerdicts};
use serde::Serialize;

/// The sample that says most of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Tried {
    /// Where it began, and how fast: x, y in metres, then both in metres per second.
    from: [f64; 4],
    /// What was done.
    action: String,
    /// What the expert does there.
    expert: String,
    /// What it earns more than the expert, as fitted.
    advantage: f64,
    /// The uncertainty of that.
    width: f64,
}

/// What `run` concluded about the cells of a maze.
pub(super) fn estimates(
    environment: &EnvironmentFile,
    run: &SavedRun,
) -> Result<Option<RunVerdicts>> {
    let summary: MazeSummary = run.result.payload.read()?;
    let last = run.result.snapshots.last();
    let inferred: Vec<u32> = last
        .iter()
        .flat_map(|s| &s.cells)
        .map(|&(s, _)| s)
        .collect();
    let charged: Vec<u32> = environment.true_cells.iter().map(|&(s, _)| s).collect();
    let cell = |state: usize| -> Result<Option<CellVerdict>> {
        let mut estimates = summary.cells.iter();
        let Some(estimate) = estimates.find(|e| e.state as usize == state) else {
            return Ok(None);
        };
        let name = environment.state_names.get(state).cloned();
        let tried = tried(environment, estimate);
        Ok(Some(CellVerdict {
            state: State::new(state),
            name: name.unwrap_or_else(|| format!("cell {state}")),
            verdict: estimate.verdict,
            inferred: inferred.contains(&estimate.state),
            truth: (!charged.is_empty()).then(|| charged.contains(&estimate.state)),
            words: words(&summary, estimate, tried.as_ref()),
            sure: sure(estimate),
            missing: Vec::new(),
            moves: Vec::new(),
            more: 0,
            witness: None,
            extra: tried.as_ref().map(Payload::new).transpose()?,
        }))
    };
    Ok(Some(RunVerdicts {
        samples: run.summary().last.samples,
        confidence: None,
        margin: Some(summary.margin),
        promise: None,
        cells: (0..environment.states).map(cell).collect::<Result<_>>()?,
    }))
}

fn tried(environment: &EnvironmentFile, estimate: &CellEstimate) -> Option<Tried> {
    let action = |a: u32| environment.actions.get(a as usize).cloned();
    Some(Tried {
        from: estimate.from?.map(|x| (x * 1e3).round() / 1e3),
        action: action(estimate.action?)?,
        expert: action(estimate.expert?)?,
        advantage: rounded(estimate.advantage?),
        width: rounded(estimate.width?),
    })
}

/// What was tried and what it would have paid.
fn words(summary: &MazeSummary, estimate: &CellEstimate, tried: Option<&Tried>) -> String {
    let Some(tried) = tried else {
        return match estimate.visits {
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
    let margin = summary.margin;
    let so = match estimate.verdict {
        Verdict::Constrained => {
            "It would pay, and the expert does not do it: the cell looks forbidden.".to_owned()
        }
        Verdict::Taken | Verdict::NoGain => format!(
            "That is the most promising try, and most others surely gain less than {margin}, which \
             an expert may well miss: no reason to think that the cell is forbidden."
        ),
        Verdict::Undecided if estimate.constrained > 0 => format!(
            "A cell needs {} such samples before it counts as forbidden.",
            summary.evidence
        ),
        Verdict::Undecided => format!(
            "That is too uncertain to tell: only a gain that surely exceeds {margin} counts."
        ),
    };
    format!("{told} {so}")
}

/// How much that rests on.
fn sure(estimate: &CellEstimate) -> String {
    let led = match estimate.visits {
        0 => return "An estimate, nothing is promised.".to_owned(),
        1 => "1 sample led into the cell".to_owned(),
        n => format!("{n} samples led into the cell"),
    };
    let counted = match estimate.constrained {
        0 => "none of them counts".to_owned(),
        1 => "1 of them counts".to_owned(),
        n => format!("{n} of them count"),
    };
    format!("An estimate, nothing is promised: {led}, {counted} as constrained.")
}
