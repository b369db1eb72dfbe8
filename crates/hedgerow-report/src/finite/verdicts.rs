//! Verdicts and explanations of every cell of a run, from what its learner had seen in the end.
//!
//! A verdict is a promise; what the run itself inferred, the last picture of its player, is an
//! estimate. A run is often too short for promises, so both are told, and an estimate is explained
//! as one.

use super::missing::missing;
use crate::number::{rounded, signed};
use crate::verdicts::{CellVerdict, Comparison, ListedMove, RunVerdicts};
use hedgerow::Result;
use hedgerow::constraint::Evidence;
use hedgerow::env::Layout;
use hedgerow::explain::{Explanation, ExplanationContext, Move, Shown, Trajectory, Witness};
use hedgerow::finite::FinitePayload;
use hedgerow::index::State;
use hedgerow::learn::{Estimate, Learner, PairStatus};
use hedgerow::model::{Dynamics, entered};
use hedgerow::results::{EnvironmentFile, SavedRun};
use hedgerow::verdict::{Criteria, Verdict, Verdicts, looks_constrained};
use std::sync::Arc;

/// Moves into a cell that are listed.
const LISTED: usize = 4;

/// The verdicts on all states that follow from what `run` has seen in `environment`.
pub(super) fn verdicts(environment: &EnvironmentFile, run: &SavedRun) -> Result<RunVerdicts> {
    let task = Arc::new(environment.task()?);
    let layout = environment.grid()?;
    let kept: FinitePayload = run.result.payload.read()?;
    let learner = Learner::recall(task.clone(), kept.inference, &kept.seen)?;
    let verdicts = Verdicts::of(&learner, &Criteria::default());
    let mut truth = vec![false; task.states()];
    for &(state, _) in &environment.true_cells {
        if let Some(charged) = truth.get_mut(state as usize) {
            *charged = true;
        }
    }
    on_cells(&Samples {
        learner: &learner,
        verdicts: &verdicts,
        layout: layout.as_ref(),
        horizon: environment.horizon,
        inferred: inferred(run, task.states()),
        looks: learner.constrained(),
        truth: (!environment.true_cells.is_empty()).then_some(&truth[..]),
        // A page has room for the verdicts of many runs, or for this.
        tells_missing: false,
    })
}

/// The verdicts on all states that follow from samples or records of a finite world.
///
/// ```
/// use hedgerow::constraint::Evidence;
/// use hedgerow::env::builtin;
/// use hedgerow::verdict::{SearchOptions, infer};
/// use hedgerow_report::of_evidence;
/// use std::ops::ControlFlow;
///
/// let world = builtin::environment("gridworld-3")?;
/// let options = SearchOptions { samples: Some(2_000), ..SearchOptions::default() };
/// let found = infer(&world, options, &mut |_| ControlFlow::Continue(()))?;
/// let on_cells = of_evidence(&Evidence::explored(&world, found, 0))?;
/// let far = on_cells.cells[8].as_ref().expect("an open cell");
/// println!("{}: {} {:?}", far.name, far.words, far.missing);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn of_evidence(evidence: &Evidence) -> Result<RunVerdicts> {
    let learner = &evidence.learner;
    let looks = looks_constrained(learner);
    on_cells(&Samples {
        learner,
        verdicts: &evidence.verdicts,
        layout: evidence.layout.as_ref(),
        horizon: evidence.horizon,
        inferred: entered(learner.task(), learner.estimate(), &looks),
        looks: &looks,
        truth: evidence.charged.as_deref(),
        tells_missing: true,
    })
}

/// What verdicts on cells are made from.
struct Samples<'a> {
    learner: &'a Learner,
    verdicts: &'a Verdicts,
    layout: Option<&'a Layout>,
    horizon: usize,
    /// States where a cost is estimated.
    inferred: Vec<bool>,
    /// Pairs that the estimate charges.
    looks: &'a [bool],
    /// Whether the true cost charges each state, where there is one.
    truth: Option<&'a [bool]>,
    /// Whether to tell what would decide the undecided.
    tells_missing: bool,
}

fn on_cells(samples: &Samples) -> Result<RunVerdicts> {
    let (learner, verdicts, layout) = (samples.learner, samples.verdicts, samples.layout);
    let task = learner.task();
    let mut context = ExplanationContext::with_verdicts(learner, layout, samples.horizon, verdicts);
    // The pairs that an inferred cell is inferred from.
    let mut estimates = vec![false; task.pairs()];
    for pair in task.all_pairs().filter(|p| samples.looks[p.at()]) {
        let next = learner.estimate().likeliest(pair);
        let inferred = next.is_some_and(|s| samples.inferred[s.at()]);
        if context.status(pair) == PairStatus::Undecided && inferred {
            context.set_status(pair, PairStatus::Constrained);
            estimates[pair.at()] = true;
        }
    }
    let on_states = verdicts.on_states(learner);
    let known = Known {
        samples,
        context: &context,
        estimates,
    };
    let cell = |state: State| {
        let lies_nowhere = layout.is_some_and(|l| l.cell_of(state).is_none());
        if lies_nowhere || (layout.is_none() && task.is_terminal(state)) {
            return Ok(None);
        }
        let truth = samples.truth.map(|charged| charged[state.at()]);
        known.cell(state, on_states[state.at()], truth).map(Some)
    };
    let criteria = verdicts.criteria();
    Ok(RunVerdicts {
        samples: learner.samples(),
        confidence: Some(criteria.confidence),
        margin: Some(criteria.margin),
        promise: Some(criteria.promise()),
        cells: task.all_states().map(cell).collect::<Result<_>>()?,
    })
}

/// The states where a run inferred a cost in the end.
fn inferred(run: &SavedRun, states: usize) -> Vec<bool> {
    let mut inferred = vec![false; states];
    let last = run.result.snapshots.last();
    for &(state, _) in last.iter().flat_map(|s| &s.cells) {
        if let Some(cell) = inferred.get_mut(state as usize) {
            *cell = true;
        }
    }
    inferred
}

/// All that explanations of a run are made from.
struct Known<'a> {
    samples: &'a Samples<'a>,
    context: &'a ExplanationContext<'a, Estimate>,
    /// Pairs that are constrained by the estimate and open by their verdict.
    estimates: Vec<bool>,
}

impl Known<'_> {
    fn cell(&self, state: State, verdict: Verdict, truth: Option<bool>) -> Result<CellVerdict> {
        let explanation = self.context.explain(state, truth)?;
        let witness = match &explanation.witness {
            Some(witness) => Some(witness.clone()),
            None => self.alternative(&explanation.moves)?,
        };
        // What is constrained comes first, then what would gain most.
        let mut moves: Vec<&Move> = explanation.moves.iter().collect();
        moves.sort_by_key(|m| m.status != PairStatus::Constrained);
        Ok(CellVerdict {
            state,
            verdict,
            inferred: self.samples.inferred[state.at()],
            truth,
            sure: self.sure(&explanation, verdict),
            missing: match verdict {
                Verdict::Undecided if self.samples.tells_missing => {
                    missing(self.samples.learner, self.samples.verdicts, &explanation)
                }
                _ => Vec::new(),
            },
            moves: moves.iter().take(LISTED).map(|m| self.listed(m)).collect(),
            more: explanation.moves.len().saturating_sub(LISTED),
            witness: witness.map(|w| self.comparison(&w)),
            name: explanation.place.name,
            words: explanation.words,
            extra: None,
        })
    }

    /// What would happen if the expert made the best of the moves that it does not make.
    fn alternative(&self, moves: &[Move]) -> Result<Option<Witness>> {
        let other = |m: &&Move| !matches!(m.status, PairStatus::Taken | PairStatus::Unseen);
        match moves.iter().find(other) {
            Some(m) => self.context.witness(m.pair),
            None => Ok(None),
        }
    }

    fn sure(&self, explanation: &Explanation, verdict: Verdict) -> String {
        let criteria = self.samples.verdicts.criteria();
        let (confidence, margin) = (criteria.confidence, criteria.margin);
        let best = explanation
            .moves
            .iter()
            .find(|m| m.status == PairStatus::Constrained);
        match (verdict, best) {
            (Verdict::Constrained, Some(m)) => {
                format!("Decided at confidence {confidence}: {}.", self.range(m))
            }
            (Verdict::Undecided, Some(m)) if self.estimates[m.pair.at()] => format!(
                "An estimate, not yet a verdict at confidence {confidence}: {}.",
                self.range(m)
            ),
            (Verdict::Taken, _) => "The expert was seen to go there.".to_owned(),
            (Verdict::NoGain, _) => {
                format!("Decided at confidence {confidence}; gains below {margin} count as none.")
            }
            _ => format!(
                "Not decided at confidence {confidence} after {} samples.",
                self.samples.learner.samples()
            ),
        }
    }

    /// What a move earns, in words.
    fn range(&self, m: &Move) -> String {
        let found = self.samples.verdicts.at(m.pair);
        let tries = match found.visits {
            1 => "1 try".to_owned(),
            n => format!("{n} tries"),
        };
        format!(
            "{} from {} earns between {} and {} more than what the expert does ({tries})",
            m.action,
            m.from.name,
            signed(found.low),
            signed(found.high),
        )
    }

    fn listed(&self, m: &Move) -> ListedMove {
        let found = self.samples.verdicts.at(m.pair);
        let verdict = match self.estimates[m.pair.at()] {
            true => "inferred",
            false => m.verdict(),
        };
        ListedMove {
            from: m.from.name.clone(),
            action: m.action.clone(),
            verdict: verdict.to_owned(),
            advantage: rounded(m.advantage),
            low: rounded(found.low),
            high: rounded(found.high),
            tries: found.visits,
            probability: rounded(m.probability),
        }
    }

    fn comparison(&self, witness: &Witness) -> Comparison {
        let remark = match self.estimates[witness.pair.at()] {
            true => "The expert leaves this move alone although it would pay, as far as the estimate can be trusted.".to_owned(),
            false => witness.remark(),
        };
        Comparison {
            from: witness.start.state,
            action: witness.action.clone(),
            alternative: states(&witness.trajectory),
            expert: states(&witness.expert),
            alternative_reward: along(witness, &witness.trajectory),
            expert_reward: along(witness, &witness.expert),
            gain: rounded(witness.advantage),
            remark,
        }
    }
}

fn states(trajectory: &Trajectory) -> Vec<State> {
    let steps = trajectory.steps.iter().map(|s| s.place.state);
    steps
        .chain(trajectory.last.iter().map(|p| p.state))
        .collect()
}

/// The reward along a trajectory, where it stands for what happens.
fn along(witness: &Witness, trajectory: &Trajectory) -> Option<f64> {
    let reward = trajectory.reward.map(rounded);
    reward.filter(|_| witness.shown == Shown::Trajectories)
}
