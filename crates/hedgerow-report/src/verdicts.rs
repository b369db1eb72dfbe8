//! Verdicts on every cell of a run, with explanations.
//!
//! Where they come from depends on the [domain](crate::domain): in a finite world they follow from
//! what the learner has seen and hold with a given probability; elsewhere they may be estimates
//! that promise nothing. [`crate::Reports::verdicts`] asks the domain of a run.
//!
//! ```
//! use hedgerow::results::Results;
//! use hedgerow::sweep::{Experiment, Silent, Sweep};
//! use hedgerow_report::Reports;
//!
//! let mut experiment = Experiment::default();
//! experiment.set_environments(["gridworld-3"])?;
//! experiment.set_strategies(["pcse"])?;
//! experiment.set("iterations", "5")?;
//! let folder = tempfile::tempdir()?;
//! Sweep::open(&experiment, folder.path())?.run(&Silent, &Default::default())?;
//!
//! let results = Results::read(folder.path())?;
//! let found = Reports::default().verdicts(&results.environments[0], &results.runs[0])?;
//! let found = found.expect("finite worlds have verdicts");
//! assert_eq!((found.cells.len(), found.confidence), (50, Some(0.95)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use hedgerow::index::State;
use hedgerow::results::EnvironmentFile;
use hedgerow::run::Payload;
use hedgerow::verdict::Verdict;
use serde::Serialize;

/// States that verdicts are found on. The time grows with their square, and of states that a run has
/// seen 13 000 fill all the room that a page has for verdicts.
const MOST: usize = 20_000;

/// Whether an environment has too many states for verdicts on all of them, or squares that stand
/// for many cells: of no such square one thing can be said.
pub fn is_too_large(environment: &EnvironmentFile) -> bool {
    let thinned = environment
        .layout
        .as_ref()
        .is_some_and(|l| l.per_square > 1);
    thinned || environment.states > MOST
}

/// Verdicts on all states of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunVerdicts {
    /// Samples they rest on.
    pub samples: u64,
    /// Probability that all of them are right; none if they are estimates that promise nothing.
    pub confidence: Option<f64>,
    /// Advantages within this need not be decided.
    pub margin: Option<f64>,
    /// What is promised, in a sentence; none if nothing is.
    pub promise: Option<String>,
    /// By state; none for a state that ends the episode.
    pub cells: Vec<Option<CellVerdict>>,
}

/// The verdict on entering a state, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellVerdict {
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
    /// What would decide it, one sentence each; nothing where it is decided, and in reports on many
    /// runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The moves into it, the largest advantage first, no more than a few.
    pub moves: Vec<ListedMove>,
    /// How many are left out.
    pub more: usize,
    /// What follows the best move, beside what follows from the expert's choice.
    pub witness: Option<Comparison>,
    /// What the domain's part of the page shows besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<Payload>,
}

/// A move into a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedMove {
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

/// Two trajectories to draw: a move that the expert does not make, and what the expert does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Where both begin.
    pub from: State,
    /// The action with which the alternative begins.
    pub action: String,
    /// The states of the trajectory that begins with the action.
    pub alternative: Vec<State>,
    /// The states of the expert's trajectory.
    pub expert: Vec<State>,
    /// Discounted reward along the alternative; none if its likeliest course goes round for ever.
    pub alternative_reward: Option<f64>,
    /// Discounted reward along the expert's.
    pub expert_reward: Option<f64>,
    /// The advantage: the difference on average over all outcomes.
    pub gain: f64,
    /// What they show.
    pub remark: String,
}
