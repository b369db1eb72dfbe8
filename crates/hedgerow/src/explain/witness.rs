//! The trajectory that shows why a pair is constrained, beside the expert's own.

use super::best_case::BestCase;
use super::trajectory::Trajectory;
use super::{ExplanationContext, Place};
use crate::index::Pair;
use crate::learn::PairStatus;
use crate::model::Dynamics;
use serde::Serialize;

/// Rewards this close, relative to the larger, count as equal.
const TIE: f64 = 1e-9;

/// How the drawn trajectories show the advantage of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The most likely trajectory earns more than the expert's most likely one.
    Likely,
    /// A better case than the most likely one does.
    BestCase,
    /// No single trajectory does: the gain is one on average.
    Average,
    /// There is no gain to show.
    NoGain,
}

/// A pair taken once, then acting as the expert; beside it acting as the expert at once.
///
/// Trajectories show one case; `q` and `value` average over all outcomes, and are exact for the
/// dynamics of the context.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// Where both trajectories begin.
    pub start: Place,
    /// The pair.
    pub pair: Pair,
    /// Its action.
    pub action: String,
    /// What was concluded about it.
    pub status: PairStatus,
    /// The trajectory that takes the pair.
    pub trajectory: Trajectory,
    /// The expert's trajectory.
    pub expert: Trajectory,
    /// How the two show the advantage.
    pub shown: Shown,
    /// Reward along the most likely trajectory that takes the pair, if another one is drawn.
    pub likely_reward: Option<f64>,
    /// `Q_E(s,a)`.
    pub q: f64,
    /// `V_E(s)`.
    pub value: f64,
    /// `A_E(s,a)`.
    pub advantage: f64,
}

impl<D: Dynamics> ExplanationContext<'_, D> {
    /// The witness of `pair`; `None` if the pair was never tried.
    ///
    /// The most likely trajectory is drawn if it shows the advantage. Else the most likely other
    /// outcome of the pair after which it shows; else the best that can happen at all; and if even
    /// that is no better than the expert's most likely trajectory, the most likely one after all.
    pub fn witness(&self, pair: Pair) -> Option<Witness> {
        let state = self.task.state_of(pair);
        let at = self.dynamics.likeliest_outcome(pair)?;
        let expert = self.follow(state, None, |s| self.likely(s));
        let after = |at| self.follow(state, Some((pair, at)), |s| self.likely(s));
        let likely = after(at);
        let likely_reward = likely.reward;
        let advantage = self.advantage[pair.at()];
        let (trajectory, shown) = if advantage <= 0.0 {
            (likely, Shown::NoGain)
        } else if exceeds(&likely, &expert) {
            (likely, Shown::Likely)
        } else if let Some(better) = self.better_case(pair, &expert, after) {
            (better, Shown::BestCase)
        } else {
            (likely, Shown::Average)
        };
        Some(Witness {
            start: self.place(state),
            pair,
            action: self.task.action_name(self.task.action_of(pair)).to_owned(),
            status: self.status[pair.at()],
            trajectory,
            expert,
            shown,
            likely_reward: (shown == Shown::BestCase).then_some(likely_reward),
            q: self.q(pair),
            value: self.values[state.at()],
            advantage,
        })
    }

    /// The most likely trajectory that takes the pair and beats the expert's, if there is any.
    fn better_case(
        &self,
        pair: Pair,
        expert: &Trajectory,
        after: impl Fn(usize) -> Trajectory,
    ) -> Option<Trajectory> {
        let (next, prob) = self.dynamics.row(pair);
        let mut outcomes: Vec<usize> = (0..next.len()).filter(|&i| prob[i] > 0.0).collect();
        outcomes.sort_by(|&a, &b| prob[b].total_cmp(&prob[a]).then(next[a].cmp(&next[b])));
        let mut found = outcomes.into_iter().map(after);
        if let Some(better) = found.find(|t| exceeds(t, expert)) {
            return Some(better);
        }
        let best = BestCase::after(self, pair);
        let first = (pair, best.outcome(pair)?);
        let best = self.follow(self.task.state_of(pair), Some(first), |s| best.step(s));
        exceeds(&best, expert).then_some(best)
    }
}

fn exceeds(trajectory: &Trajectory, expert: &Trajectory) -> bool {
    trajectory.reward > expert.reward + TIE * expert.reward
}
