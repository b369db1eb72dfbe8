//! The way that shows why a pair is constrained, beside the expert's own.

use super::luck::Luck;
use super::way::Way;
use super::{Place, Scene};
use crate::index::Pair;
use crate::learn::PairStatus;
use crate::model::Dynamics;
use serde::Serialize;

/// Rewards this close, relative to the larger, count as equal.
const TIE: f64 = 1e-9;

/// How the drawn ways show the advantage of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The most likely way earns more than the expert's most likely way.
    Likely,
    /// A way that takes luck does; the most likely one does not.
    Lucky,
    /// No single way does: the gain is one on average.
    Average,
    /// There is no gain to show.
    NoGain,
}

/// A pair taken once, then doing as the expert does; beside it what the expert does at once.
///
/// Ways are drawn, values are exact for the scene: `q` and `value` average over all outcomes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// Where both ways begin.
    pub start: Place,
    /// The pair.
    pub pair: Pair,
    /// Its action.
    pub action: String,
    /// What was concluded about it.
    pub status: PairStatus,
    /// The way that takes the pair.
    pub way: Way,
    /// The expert's way.
    pub expert: Way,
    /// How the two show the advantage.
    pub shown: Shown,
    /// Reward along the most likely way that takes the pair, if another one is drawn.
    pub likely_reward: Option<f64>,
    /// `Q_E(s,a)`.
    pub q: f64,
    /// `V_E(s)`.
    pub value: f64,
    /// `A_E(s,a)`.
    pub advantage: f64,
}

impl<D: Dynamics> Scene<'_, D> {
    /// The witness of `pair`; `None` if the pair was never tried.
    ///
    /// The most likely way is drawn if it shows the advantage. Else the most likely other outcome
    /// of the pair after which it shows; else the best that can happen at all; and if even that
    /// is no better than the expert's most likely way, the most likely way after all.
    pub fn witness(&self, pair: Pair) -> Option<Witness> {
        let state = self.task.state_of(pair);
        let at = self.dynamics.likeliest_outcome(pair)?;
        let expert = self.follow(state, None, |s| self.likely(s));
        let after = |at| self.follow(state, Some((pair, at)), |s| self.likely(s));
        let likely = after(at);
        let likely_reward = likely.reward;
        let advantage = self.advantage[pair.at()];
        let (way, shown) = if advantage <= 0.0 {
            (likely, Shown::NoGain)
        } else if exceeds(&likely, &expert) {
            (likely, Shown::Likely)
        } else if let Some(lucky) = self.lucky(pair, &expert, after) {
            (lucky, Shown::Lucky)
        } else {
            (likely, Shown::Average)
        };
        Some(Witness {
            start: self.place(state),
            pair,
            action: self.task.action_name(self.task.action_of(pair)).to_owned(),
            status: self.status[pair.at()],
            way,
            expert,
            shown,
            likely_reward: (shown == Shown::Lucky).then_some(likely_reward),
            q: self.q(pair),
            value: self.values[state.at()],
            advantage,
        })
    }

    fn lucky(&self, pair: Pair, expert: &Way, after: impl Fn(usize) -> Way) -> Option<Way> {
        let (next, prob) = self.dynamics.row(pair);
        let mut outcomes: Vec<usize> = (0..next.len()).filter(|&i| prob[i] > 0.0).collect();
        outcomes.sort_by(|&a, &b| prob[b].total_cmp(&prob[a]).then(next[a].cmp(&next[b])));
        let mut ways = outcomes.into_iter().map(after);
        if let Some(way) = ways.find(|way| exceeds(way, expert)) {
            return Some(way);
        }
        let luck = Luck::after(self, pair);
        let first = (pair, luck.outcome(pair)?);
        let best = self.follow(self.task.state_of(pair), Some(first), |s| luck.go(s));
        exceeds(&best, expert).then_some(best)
    }
}

fn exceeds(way: &Way, expert: &Way) -> bool {
    way.reward > expert.reward + TIE * expert.reward
}
