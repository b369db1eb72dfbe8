//! What shows why a pair is constrained: two trajectories, or expected visits.

use super::trajectory::Trajectory;
use super::visits::VisitChange;
use super::{ExplanationContext, Place};
use crate::Result;
use crate::index::Pair;
use crate::learn::PairStatus;
use crate::model::Dynamics;
use serde::Serialize;

/// Differences this small, relative to what they are the difference of, are rounding.
const ROUNDING: f64 = 1e-10;

/// Trajectories less probable than this do not stand for what happens.
const PROBABLE: f64 = 0.1;

/// How far what trajectories show may be from what is expected, as a share of it.
const CONSISTENT: f64 = 0.5;

/// What shows the advantage of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The two most likely trajectories: they are probable, and differ in reward about as much as
    /// is expected.
    Trajectories,
    /// Expected visits: no single trajectory stands for what happens.
    Visits,
}

/// A pair taken once, then acting as the expert; beside it acting as the expert at once.
///
/// Trajectories show one case; `q`, `value` and `visits` average over all outcomes, and are exact
/// for the dynamics of the context.
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
    /// Whether anything was to be concluded about it.
    pub in_scope: bool,
    /// What shows the advantage.
    pub shown: Shown,
    /// The most likely trajectory that takes the pair.
    pub trajectory: Trajectory,
    /// The expert's most likely trajectory.
    pub expert: Trajectory,
    /// Where trajectories do not show it: how expected visits change, and what each change
    /// contributes; see [`ExplanationContext::visit_changes`].
    pub visits: Option<Vec<VisitChange>>,
    /// `Q_E(s,a)`.
    pub q: f64,
    /// `V_E(s)`.
    pub value: f64,
    /// `A_E(s,a)`.
    pub advantage: f64,
}

impl<D: Dynamics> ExplanationContext<'_, D> {
    /// The witness of `pair`; `None` if the pair was never tried.
    pub fn witness(&self, pair: Pair) -> Result<Option<Witness>> {
        let state = self.task.state_of(pair);
        let Some(at) = self.dynamics.likeliest_outcome(pair) else {
            return Ok(None);
        };
        let expert = self.follow(state, None, |s| self.likely(s));
        let trajectory = self.follow(state, Some((pair, at)), |s| self.likely(s));
        let (q, value) = (self.q(pair), self.values[state.at()]);
        let shown = match tell_the_truth(&trajectory, &expert, q, value) {
            true => Shown::Trajectories,
            false => Shown::Visits,
        };
        let visits = match shown {
            Shown::Trajectories => None,
            Shown::Visits => Some(self.visit_changes(pair)?),
        };
        Ok(Some(Witness {
            start: self.place(state),
            pair,
            action: self.task.action_name(self.task.action_of(pair)).to_owned(),
            status: self.status[pair.at()],
            in_scope: self.in_scope[pair.at()],
            shown,
            trajectory,
            expert,
            visits,
            q,
            value,
            advantage: self.advantage[pair.at()],
        }))
    }
}

impl Witness {
    /// How much more the trajectory with the move earns than the expert's, if trajectories show it.
    pub fn gain_shown(&self) -> Option<f64> {
        match self.shown {
            Shown::Trajectories => Some(difference(self.trajectory.reward?, self.expert.reward?)),
            Shown::Visits => None,
        }
    }
}

/// `a - b`, or 0 if that is rounding.
pub(super) fn difference(a: f64, b: f64) -> f64 {
    let difference = a - b;
    match difference.abs() > ROUNDING * a.abs().max(b.abs()) {
        true => difference,
        false => 0.0,
    }
}

/// Whether two trajectories stand for what happens: both are probable, each earns about what is
/// expected (`q` and `value`), and they differ about as much as is expected.
fn tell_the_truth(trajectory: &Trajectory, expert: &Trajectory, q: f64, value: f64) -> bool {
    let (Some(a), Some(b)) = (trajectory.reward, expert.reward) else {
        return false;
    };
    let advantage = difference(q, value);
    let near = |shown: f64, expected: f64, scale: f64| {
        let room = CONSISTENT * scale + ROUNDING * a.abs().max(b.abs());
        (shown - expected).abs() <= room
    };
    trajectory.probability.min(expert.probability) >= PROBABLE
        && near(a, q, q.abs().max(advantage.abs()))
        && near(b, value, value.abs().max(advantage.abs()))
        && near(difference(a, b), advantage, advantage.abs())
}
