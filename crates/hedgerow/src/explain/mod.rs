//! Why a pair counts as constrained, shown by what can be followed.
//!
//! A pair is constrained because `A_E(s,a) = Q_E(s,a) - V_E(s) > 0`: taking it once and then acting
//! as the expert earns more than acting as the expert at once. A [`Witness`] shows a trajectory of
//! each where these stand for what happens, and else, where chance decides or loops are left by
//! chance only, how often every pair is expected to be taken. An [`Explanation`] does so for a
//! place: every move into it, the witness of the best, or the reason why there is none.
//!
//! An [`ExplanationContext`] is what explanations are made from: dynamics, true or estimated, and
//! what is known of each pair, so that any inference can be explained. An [`Answer`] is an explanation
//! with its text.
//!
//! ```
//! use hedgerow::env::{Cell, builtin};
//! use hedgerow::explain::ExplanationContext;
//!
//! let environment = builtin::environment("gridworld-3")?;
//! let context = ExplanationContext::exact(&environment)?;
//! let wall = environment.layout().and_then(|l| l.state_at(Cell { row: 3, column: 1 }));
//! let explanation = context.explain(wall.expect("an open cell"), None)?;
//! assert!(explanation.words.contains("would earn more than the expert does"));
//!
//! let witness = explanation.witness.expect("a constrained move into the wall");
//! assert!(witness.trajectory.reward > witness.expert.reward);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod answer;
mod answer_text;
mod place;
mod trajectory;
mod visits;
mod witness;
mod words;

pub use answer::{Answer, Question, Shows};
pub use place::{Counts, Explanation, Move, Reason};
pub use trajectory::{Place, Step, Trajectory, TrajectoryEnd};
pub use visits::VisitChange;
pub use witness::{Shown, Witness};

use crate::Result;
use crate::constraint::ConstraintPair;
use crate::costset::values_and_advantage;
use crate::env::{Environment, Layout};
use crate::index::{Pair, State};
use crate::learn::{Estimate, Learner, PairStatus};
use crate::model::{Dynamics, Rows, Task, reached};
use crate::verdict::{PairVerdict, Verdict, Verdicts};
use witness::difference;

/// What is known about an expert in a task.
#[derive(Clone, Debug)]
pub struct ExplanationContext<'a, D: Dynamics> {
    task: &'a Task,
    layout: Option<&'a Layout>,
    dynamics: &'a D,
    /// The longest trajectory, in steps.
    horizon: usize,
    /// `pi_E(a|s)` of every pair; all 0 in a state where the expert was never seen.
    expert: Vec<f64>,
    /// `V_E(s)` of every state.
    values: Vec<f64>,
    /// `A_E(s,a)` of every pair.
    advantage: Vec<f64>,
    /// An interval that holds `A_E(s,a)` of every pair, where they were computed.
    intervals: Option<Vec<(f64, f64)>>,
    /// What was concluded about every pair.
    status: Vec<PairStatus>,
    /// Whether every pair is one about which something was to be concluded.
    in_scope: Vec<bool>,
    /// States in which nobody can be; their pairs lead nowhere.
    unreached: Vec<bool>,
    chain: visits::ExpertChain,
}

impl<'a> ExplanationContext<'a, Rows> {
    /// The truth: the environment's dynamics and expert, as exact inference sees them.
    pub fn exact(environment: &'a Environment) -> Result<Self> {
        let (task, truth) = (environment.task(), environment.truth());
        let expert = truth.expert();
        let (values, advantage) = values_and_advantage(truth.model(), expert)?;
        let status = |pair: Pair| {
            if expert.prob(pair) > 0.0 {
                PairStatus::Taken
            } else if advantage[pair.at()] > 0.0 {
                PairStatus::Constrained
            } else {
                PairStatus::NoGain
            }
        };
        Ok(Self {
            task,
            layout: environment.layout(),
            dynamics: truth.model().rows(),
            horizon: environment.horizon(),
            expert: expert.probs().to_vec(),
            status: task.all_pairs().map(status).collect(),
            in_scope: vec![true; task.pairs()],
            intervals: None,
            values,
            advantage,
            unreached: reached(task, truth.model().rows(), |_| true)
                .into_iter()
                .map(|r| !r)
                .collect(),
            chain: visits::ExpertChain::default(),
        })
    }
}

impl<'a> ExplanationContext<'a, Estimate> {
    /// What a learner has seen, with its plug-in status of every pair; trajectories have at most
    /// `horizon` steps.
    pub fn learned(learner: &'a Learner, layout: Option<&'a Layout>, horizon: usize) -> Self {
        let task = learner.task();
        let share = |pair: Pair| match learner.expert_asked(task.state_of(pair)) {
            0 => 0.0,
            asked => f64::from(learner.expert_choices(pair)) / f64::from(asked),
        };
        let value = |pair: Pair| learner.values()[task.state_of(pair).at()];
        let advantage = |pair: Pair| match learner.advantage(pair) {
            // The advantage of what the expert does is 0 and comes out as -1e-17.
            _ if difference(learner.q(pair), value(pair)) == 0.0 => 0.0,
            advantage => advantage,
        };
        Self {
            task,
            layout,
            dynamics: learner.estimate(),
            horizon,
            expert: task.all_pairs().map(share).collect(),
            values: learner.values().to_vec(),
            advantage: task.all_pairs().map(advantage).collect(),
            intervals: None,
            status: task.all_pairs().map(|p| learner.status(p)).collect(),
            in_scope: vec![true; task.pairs()],
            // A learner may have been told of states in which no episode starts.
            unreached: vec![false; task.states()],
            chain: visits::ExpertChain::default(),
        }
    }

    /// What a learner has seen, with the intervals and verdicts that follow from it.
    pub fn with_verdicts(
        learner: &'a Learner,
        layout: Option<&'a Layout>,
        horizon: usize,
        verdicts: &Verdicts,
    ) -> Self {
        let mut context = Self::learned(learner, layout, horizon);
        let found = verdicts.all();
        context.intervals = Some(found.iter().map(|f| (f.low, f.high)).collect());
        for (advantage, pair) in context.advantage.iter_mut().zip(found) {
            // Moved into the interval where gaps in the data put it outside.
            if pair.estimate.is_some() {
                *advantage = advantage.min(pair.high).max(pair.low);
            }
        }
        context.status = found.iter().map(status).collect();
        context.in_scope = found.iter().map(|f| f.in_scope).collect();
        context
    }
}

fn status(found: &PairVerdict) -> PairStatus {
    match found.verdict {
        Verdict::Constrained => PairStatus::Constrained,
        Verdict::Taken => PairStatus::Taken,
        Verdict::NoGain => PairStatus::NoGain,
        Verdict::Undecided if found.visits == 0 => PairStatus::Unseen,
        // Surely within the margin: nothing that matters is gained or lost.
        Verdict::Undecided if found.negligible => PairStatus::NoGain,
        Verdict::Undecided => PairStatus::Undecided,
    }
}

impl<D: Dynamics> ExplanationContext<'_, D> {
    /// The dynamics, true or estimated; the row of a pair never tried is empty.
    pub fn dynamics(&self) -> &D {
        self.dynamics
    }

    /// `pi_E(a|s)`; 0 in a state where the expert was never seen.
    pub fn expert(&self, pair: Pair) -> f64 {
        self.expert[pair.at()]
    }

    /// What was concluded about `pair`.
    pub fn status(&self, pair: Pair) -> PairStatus {
        self.status[pair.at()]
    }

    /// Replaces the conclusion about `pair` by that of another method.
    pub fn set_status(&mut self, pair: Pair, status: PairStatus) {
        self.status[pair.at()] = status;
    }

    /// Takes the verdicts and intervals of a saved constraint; pairs that it does not know keep
    /// theirs.
    pub fn take_verdicts(&mut self, known: &[Option<&ConstraintPair>]) {
        let intervals = known.iter().zip(&self.advantage);
        let intervals = intervals.map(|(k, &a)| k.map_or((a, a), |k| (k.low, k.high)));
        self.intervals = Some(intervals.collect());
        let mine = self.status.iter_mut().zip(&mut self.in_scope);
        for ((status, in_scope), known) in mine.zip(known) {
            let Some(known) = known else { continue };
            *in_scope = known.in_scope;
            *status = match known.verdict {
                Verdict::Constrained => PairStatus::Constrained,
                Verdict::Taken => PairStatus::Taken,
                Verdict::NoGain => PairStatus::NoGain,
                Verdict::Undecided if known.negligible => PairStatus::NoGain,
                Verdict::Undecided => PairStatus::Undecided,
            };
        }
    }

    /// Withdraws what was concluded about pairs outside of `states` that the expert does not take:
    /// where it never comes, what it would do does not count towards its reward and cost.
    ///
    /// # Panics
    /// If there is not one mark per state.
    pub fn limit_to(&mut self, states: &[bool]) {
        let needed = self.task.states();
        assert_eq!(states.len(), needed, "one mark per state is needed");
        for pair in self.task.all_pairs() {
            let inside = states[self.task.state_of(pair).at()];
            self.in_scope[pair.at()] = inside;
            if !inside && self.status[pair.at()] != PairStatus::Taken {
                self.status[pair.at()] = PairStatus::Undecided;
            }
        }
    }

    /// Adds intervals that hold `A_E(s,a)` of every pair.
    ///
    /// # Panics
    /// If there is not one interval per pair.
    pub fn set_intervals(&mut self, intervals: Vec<(f64, f64)>) {
        let pairs = self.task.pairs();
        assert_eq!(intervals.len(), pairs, "one interval per pair is needed");
        self.intervals = Some(intervals);
    }

    /// A state with its name and cell.
    pub fn place(&self, state: State) -> Place {
        let cell = self.layout.and_then(|layout| layout.cell_of(state));
        Place {
            state,
            name: self.task.state_name(state),
            cell: cell.map(|c| [c.row, c.column]),
        }
    }

    /// `Q_E(s,a) = r + gamma P V_E`.
    fn q(&self, pair: Pair) -> f64 {
        let later = self.dynamics.expect(pair, &self.values);
        self.dynamics.reward(self.task)[pair.at()] + self.task.gamma() * later
    }
}
