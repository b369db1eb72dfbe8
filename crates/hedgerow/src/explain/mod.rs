//! Why a pair counts as constrained, shown by ways that one can follow on a map.
//!
//! A pair is constrained because `A_E(s,a) = Q_E(s,a) - V_E(s) > 0`: taking it once and then doing
//! as the expert does earns more than doing as the expert does at once. A [`Witness`] draws both
//! ways. An [`Explanation`] does so for a place: every move into it, the witness of the best, or
//! the reason why there is none.
//!
//! A [`Scene`] is what explanations are made from. It holds true or estimated dynamics alike, and
//! what is known of each pair as plain values, so that any inference can be explained.

mod luck;
mod place;
mod way;
mod witness;
mod words;

pub use place::{Explanation, Move, Reason};
pub use way::{End, Place, Step, Way};
pub use witness::{Shown, Witness};

use crate::Result;
use crate::costset::advantage;
use crate::env::{Environment, Layout};
use crate::index::{Pair, State};
use crate::learn::{Estimate, Learner, PairStatus};
use crate::model::{Dynamics, Rows, Task};
use crate::solve::{Mdp, evaluate_exact};
use crate::verdict::{Finding, Verdict, Verdicts};

/// What is known about an expert in a task.
#[derive(Clone, Debug)]
pub struct Scene<'a, D: Dynamics> {
    /// States, available actions, rewards, discount.
    pub task: &'a Task,
    /// Where the states lie on a grid, if they do.
    pub layout: Option<&'a Layout>,
    /// True or estimated; the row of a pair never tried is empty.
    pub dynamics: &'a D,
    /// The longest way to draw, in steps.
    pub horizon: usize,
    /// `pi_E(a|s)` of every pair; all 0 in a state where the expert was never seen.
    pub expert: Vec<f64>,
    /// `V_E(s)` of every state.
    pub values: Vec<f64>,
    /// `A_E(s,a)` of every pair.
    pub advantage: Vec<f64>,
    /// An interval that holds `A_E(s,a)`, of every pair, where somebody computed them.
    pub intervals: Option<Vec<(f64, f64)>>,
    /// What was concluded about every pair.
    pub status: Vec<PairStatus>,
}

impl<'a> Scene<'a, Rows> {
    /// The truth: the environment's dynamics and expert, as exact inference sees them.
    pub fn exact(environment: &'a Environment) -> Result<Self> {
        let (task, truth) = (environment.task(), environment.truth());
        let expert = truth.expert();
        let values = evaluate_exact(&Mdp::of(truth.model()), expert)?.values;
        let advantage = advantage(truth.model(), expert)?;
        let status = |pair: Pair| {
            if expert.prob(pair) > 0.0 {
                PairStatus::Chosen
            } else if advantage[pair.at()] > 0.0 {
                PairStatus::Constrained
            } else {
                PairStatus::Free
            }
        };
        Ok(Self {
            task,
            layout: environment.layout(),
            dynamics: truth.model().rows(),
            horizon: environment.horizon(),
            expert: expert.probs().to_vec(),
            status: task.all_pairs().map(status).collect(),
            intervals: None,
            values,
            advantage,
        })
    }
}

impl<'a> Scene<'a, Estimate> {
    /// What a learner has seen, with its plug-in status of every pair.
    ///
    /// Whoever knows better may replace `status` and add `intervals`.
    pub fn learned(learner: &'a Learner, layout: Option<&'a Layout>, horizon: usize) -> Self {
        let task = learner.task();
        let share = |pair: Pair| match learner.expert_asked(task.state_of(pair)) {
            0 => 0.0,
            asked => f64::from(learner.expert_choices(pair)) / f64::from(asked),
        };
        Self {
            task,
            layout,
            dynamics: learner.estimate(),
            horizon,
            expert: task.all_pairs().map(share).collect(),
            values: learner.values().to_vec(),
            advantage: task.all_pairs().map(|p| learner.advantage(p)).collect(),
            intervals: None,
            status: task.all_pairs().map(|p| learner.status(p)).collect(),
        }
    }

    /// What a learner has seen, with the intervals and verdicts that follow from it.
    pub fn judged(
        learner: &'a Learner,
        layout: Option<&'a Layout>,
        horizon: usize,
        verdicts: &Verdicts,
    ) -> Self {
        let mut scene = Self::learned(learner, layout, horizon);
        let findings = verdicts.all();
        scene.intervals = Some(findings.iter().map(|f| (f.low, f.high)).collect());
        for (advantage, finding) in scene.advantage.iter_mut().zip(findings) {
            *advantage = finding.estimate.unwrap_or(*advantage);
        }
        scene.status = findings.iter().map(status).collect();
        scene
    }
}

fn status(finding: &Finding) -> PairStatus {
    match finding.verdict {
        _ if finding.chosen > 0 => PairStatus::Chosen,
        Verdict::Constrained => PairStatus::Constrained,
        Verdict::Free => PairStatus::Free,
        Verdict::Undecided if finding.visits == 0 => PairStatus::Unseen,
        // Surely within the margin: nothing that matters is gained or lost.
        Verdict::Undecided if finding.negligible => PairStatus::Free,
        Verdict::Undecided => PairStatus::Undecided,
    }
}

impl<D: Dynamics> Scene<'_, D> {
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
        self.task.reward()[pair.at()] + self.task.gamma() * later
    }
}
