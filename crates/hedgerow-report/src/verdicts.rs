//! Verdicts and explanations of every cell of a run, from what its learner had seen in the end.
//!
//! A verdict is a promise; what the run itself inferred, the last picture of its player, is an
//! estimate. A run is often too short for promises, so both are told, and an estimate is explained
//! as one.

use crate::estimates::{self, Tried};
use crate::page::four_digits;
use hedgerow::Result;
use hedgerow::explain::{
    Explanation, ExplanationContext, Move, Trajectory, TrajectoryEnd, Witness,
};
use hedgerow::index::State;
use hedgerow::learn::{Estimate, Learner, PairStatus};
use hedgerow::model::Dynamics;
use hedgerow::sweep::{EnvironmentFile, SavedRun};
use hedgerow::verdict::{Criteria, Verdict, Verdicts};
use serde::Serialize;
use std::sync::Arc;

/// Moves into a cell that are listed.
const LISTED: usize = 4;

/// Verdicts on all states of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunVerdicts {
    /// Samples they rest on.
    pub samples: u64,
    /// Probability that all of them are right; none if they are estimates that promise nothing.
    pub confidence: Option<f64>,
    /// Advantages within this need not be decided.
    pub margin: Option<f64>,
    /// By state; none for a state that ends the episode.
    pub cells: Vec<Option<Judged>>,
}

/// The verdict on entering a state, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// The state.
    pub state: State,
    /// Its name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the run inferred a cost there, as its last snapshot shows it.
    pub inferred: bool,
    /// Whether the true cost charges it; none without a true cost.
    pub truth: Option<bool>,
    /// Why, in a sentence or two.
    pub words: String,
    /// How sure that is.
    pub sure: String,
    /// The moves into it, the largest advantage first, no more than a few.
    pub moves: Vec<Listed>,
    /// How many are left out.
    pub more: usize,
    /// The best move's way beside the expert's.
    pub witness: Option<Ways>,
    /// In a maze, the sample that says most of the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<Tried>,
}

/// A move into a state.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// Where it begins.
    pub from: String,
    /// Its action.
    pub action: String,
    /// What was concluded about it.
    pub verdict: String,
    /// What it earns more than the expert, as estimated.
    pub advantage: f64,
    /// At least this.
    pub low: f64,
    /// At most this.
    pub high: f64,
    /// How often it was tried.
    pub tries: u32,
    /// How probably it leads there.
    pub probability: f64,
}

/// Two ways to draw.
#[derive(Clone, Debug, Serialize)]
pub struct Ways {
    /// Where both begin.
    pub from: State,
    /// The action with which the first one begins.
    pub action: String,
    /// The states of the way that begins with the action.
    pub way: Vec<State>,
    /// The states of the expert's way.
    pub expert: Vec<State>,
    /// Discounted reward along the first way; none if its likeliest course goes round for ever.
    pub way_reward: Option<f64>,
    /// Discounted reward along the expert's.
    pub expert_reward: Option<f64>,
    /// The advantage: the difference on average over all outcomes.
    pub gain: f64,
    /// What they show.
    pub remark: String,
}

/// The verdicts on all states that follow from what `run` has seen in `environment`; in a maze, the
/// estimates that the run itself came to.
pub fn verdicts(environment: &EnvironmentFile, run: &SavedRun) -> Result<RunVerdicts> {
    if environment.plane.is_some() {
        return estimates::estimates(environment, run);
    }
    let task = Arc::new(environment.task()?);
    let layout = environment.grid()?;
    let learner = Learner::recall(task.clone(), run.inference, &run.seen)?;
    let criteria = Criteria::default();
    let verdicts = Verdicts::of(&learner, &criteria);
    let horizon = environment.horizon;
    let mut context =
        ExplanationContext::with_verdicts(&learner, layout.as_ref(), horizon, &verdicts);
    let last = run.snapshots.last();
    let mut inferred = vec![false; task.states()];
    for &(state, _) in last.iter().flat_map(|s| &s.cells) {
        if let Some(cell) = inferred.get_mut(state as usize) {
            *cell = true;
        }
    }
    // The pairs that an inferred cell is inferred from.
    let mut estimates = vec![false; task.pairs()];
    for pair in task.all_pairs().filter(|p| learner.constrained()[p.at()]) {
        let next = learner.estimate().likeliest(pair);
        if context.status(pair) == PairStatus::Undecided && next.is_some_and(|s| inferred[s.at()]) {
            context.set_status(pair, PairStatus::Constrained);
            estimates[pair.at()] = true;
        }
    }
    let charged: Vec<u32> = environment.true_cells.iter().map(|&(s, _)| s).collect();
    let on_states = verdicts.on_states(&learner);
    let judge = Judge {
        learner: &learner,
        verdicts: &verdicts,
        context: &context,
        inferred,
        estimates,
    };
    let cell = |state: State| {
        let lies_nowhere = layout.as_ref().is_some_and(|l| l.cell_of(state).is_none());
        if lies_nowhere || (layout.is_none() && task.is_terminal(state)) {
            return None;
        }
        let truth = (!charged.is_empty()).then(|| charged.contains(&state.0));
        Some(judge.judged(state, on_states[state.at()], truth))
    };
    Ok(RunVerdicts {
        samples: learner.samples(),
        confidence: Some(criteria.confidence),
        margin: Some(criteria.margin),
        cells: task.all_states().map(cell).collect(),
    })
}

struct Judge<'a> {
    learner: &'a Learner,
    verdicts: &'a Verdicts,
    context: &'a ExplanationContext<'a, Estimate>,
    /// States where the run inferred a cost.
    inferred: Vec<bool>,
    /// Pairs that are constrained by the run's estimate and open by their verdict.
    estimates: Vec<bool>,
}

impl Judge<'_> {
    fn judged(&self, state: State, verdict: Verdict, truth: Option<bool>) -> Judged {
        let explanation = self.context.explain(state, truth);
        let witness = match &explanation.witness {
            Some(witness) => Some(witness.clone()),
            None => explanation.moves.iter().find_map(|m| self.other_way(m)),
        };
        Judged {
            state,
            verdict,
            inferred: self.inferred[state.at()],
            truth,
            sure: self.sure(&explanation, verdict),
            moves: explanation
                .moves
                .iter()
                .take(LISTED)
                .map(|m| self.listed(m))
                .collect(),
            more: explanation.moves.len().saturating_sub(LISTED),
            witness: witness.map(|w| self.ways(&w)),
            name: explanation.place.name,
            words: explanation.words,
            tried: None,
        }
    }

    /// What would happen if the expert made a move that it does not make.
    fn other_way(&self, m: &Move) -> Option<Witness> {
        let other = !matches!(m.status, PairStatus::Chosen | PairStatus::Unseen);
        other.then(|| self.context.witness(m.pair)).flatten()
    }

    fn sure(&self, explanation: &Explanation, verdict: Verdict) -> String {
        let criteria = self.verdicts.criteria();
        let (confidence, margin) = (criteria.confidence, criteria.margin);
        let best = explanation
            .moves
            .iter()
            .find(|m| m.status == PairStatus::Constrained);
        let range = |m: &Move| {
            let finding = self.verdicts.at(m.pair);
            let tries = match finding.visits {
                1 => "1 try".to_owned(),
                n => format!("{n} tries"),
            };
            format!(
                "{} from {} is worth between {} and {} more than what the expert does ({tries})",
                m.action,
                m.from.name,
                signed(finding.low),
                signed(finding.high),
            )
        };
        match (verdict, best) {
            (Verdict::Constrained, Some(m)) => format!(
                "Decided: all verdicts together are right with probability {confidence}. {}.",
                range(m)
            ),
            (Verdict::Undecided, Some(m)) if self.estimates[m.pair.at()] => format!(
                "An estimate, not yet a verdict at confidence {confidence}: {}.",
                range(m)
            ),
            (Verdict::Free, _) => format!(
                "Decided: all verdicts together are right with probability {confidence}, and gains below {margin} count as none."
            ),
            _ => format!(
                "Not decided at confidence {confidence} after {} samples.",
                self.learner.samples()
            ),
        }
    }

    fn listed(&self, m: &Move) -> Listed {
        let finding = self.verdicts.at(m.pair);
        let verdict = match self.estimates[m.pair.at()] {
            true => "inferred",
            false => m.verdict(),
        };
        Listed {
            from: m.from.name.clone(),
            action: m.action.clone(),
            verdict: verdict.to_owned(),
            advantage: rounded(m.advantage),
            low: rounded(finding.low),
            high: rounded(finding.high),
            tries: finding.visits,
            probability: rounded(m.probability),
        }
    }

    fn ways(&self, witness: &Witness) -> Ways {
        let remark = match self.estimates[witness.pair.at()] {
            true => "The expert leaves this move alone although it would pay, as far as the estimate can be trusted.".to_owned(),
            false => witness.remark(),
        };
        Ways {
            from: witness.start.state,
            action: witness.action.clone(),
            way: states(&witness.trajectory),
            expert: states(&witness.expert),
            way_reward: along(&witness.trajectory),
            expert_reward: along(&witness.expert),
            gain: rounded(witness.advantage),
            remark,
        }
    }
}

fn states(way: &Trajectory) -> Vec<State> {
    let steps = way.steps.iter().map(|s| s.place.state);
    steps.chain(way.last.iter().map(|p| p.state)).collect()
}

/// The reward along a way. One that goes round collects it for ever, which the real one, led on by
/// chance, does not.
fn along(way: &Trajectory) -> Option<f64> {
    (!matches!(way.end, TrajectoryEnd::Repeats(_))).then(|| rounded(way.reward))
}

pub(crate) fn signed(x: f64) -> String {
    match x < 0.0 {
        true => format!("\u{2212}{:.3}", -x),
        false => format!("{x:.3}"),
    }
}

/// Four significant digits, which is more than an estimate is worth and keeps pages small.
pub fn rounded(x: f64) -> f64 {
    if x.abs() < 1e-12 {
        // What is left of a difference of equals.
        return 0.0;
    }
    four_digits(x)
}
