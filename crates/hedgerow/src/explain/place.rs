//! Why a place counts as constrained or does not.

use super::{ExplanationContext, Place, Witness};
use crate::index::{Pair, State};
use crate::learn::PairStatus;
use crate::model::Dynamics;
use serde::Serialize;

/// A pair that most likely leads into the place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Move {
    /// The pair.
    pub pair: Pair,
    /// Where it begins.
    pub from: Place,
    /// Its action.
    pub action: String,
    /// Probability that it leads into the place.
    pub probability: f64,
    /// `A_E(s,a)`.
    pub advantage: f64,
    /// An interval that holds `A_E(s,a)`, where there is one.
    pub interval: Option<(f64, f64)>,
    /// What was concluded about it.
    pub status: PairStatus,
}

/// What the moves into a place come down to; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Reason {
    /// Some moves would earn more than the expert does, who avoids them.
    Constrained {
        /// How many.
        moves: usize,
        /// The largest `A_E`.
        largest: f64,
    },
    /// It is not known yet whether some moves would earn more.
    NotKnown {
        /// How many.
        moves: usize,
    },
    /// The expert goes there itself, and no other move would earn more.
    Chosen {
        /// How many of the moves are its own.
        moves: usize,
    },
    /// The best move earns at most as much as the expert does.
    NothingToGain {
        /// Its `A_E`, at most 0.
        largest: f64,
    },
    /// No move is known to lead there as its most likely outcome.
    NoMove {
        /// Pairs of the task that were never tried, any of which may.
        untried: usize,
    },
}

/// Why a place counts as constrained or does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The place.
    pub place: Place,
    /// The moves into it, the largest advantage first.
    pub moves: Vec<Move>,
    /// What they come down to.
    pub reason: Reason,
    /// Whether the true cost charges the place, for those who may know.
    pub truth: Option<bool>,
    /// The witness of the best constrained move, if there is one.
    pub witness: Option<Witness>,
    /// The reason in a sentence or two.
    pub words: String,
}

impl<D: Dynamics> ExplanationContext<'_, D> {
    /// Explains `state`. `truth` says whether the true cost charges it, if the caller may know.
    pub fn explain(&self, state: State, truth: Option<bool>) -> Explanation {
        let moves = self.moves_into(state);
        let reason = self.reason(&moves);
        let best = moves.iter().find(|m| m.status == PairStatus::Constrained);
        let mut explanation = Explanation {
            place: self.place(state),
            witness: best.and_then(|m| self.witness(m.pair)),
            moves,
            reason,
            truth,
            words: String::new(),
        };
        explanation.words = explanation.in_words();
        explanation
    }

    /// Pairs whose most likely next state is `state`, the largest advantage first.
    fn moves_into(&self, state: State) -> Vec<Move> {
        let mut moves: Vec<Move> = self
            .task
            .all_pairs()
            .filter_map(|pair| {
                let at = self.dynamics.likeliest_outcome(pair)?;
                let (next, prob) = self.dynamics.row(pair);
                (State(next[at]) == state).then(|| Move {
                    pair,
                    from: self.place(self.task.state_of(pair)),
                    action: self.task.action_name(self.task.action_of(pair)).to_owned(),
                    probability: prob[at],
                    advantage: self.advantage[pair.at()],
                    interval: self.intervals.as_ref().map(|all| all[pair.at()]),
                    status: self.status[pair.at()],
                })
            })
            .collect();
        moves.sort_by(|a, b| b.advantage.total_cmp(&a.advantage));
        moves
    }

    fn reason(&self, moves: &[Move]) -> Reason {
        let count = |status| moves.iter().filter(|m| m.status == status).count();
        let largest = |status| {
            let those = moves.iter().filter(|m| m.status == status);
            those.map(|m| m.advantage).reduce(f64::max)
        };
        if let Some(largest) = largest(PairStatus::Constrained) {
            let moves = count(PairStatus::Constrained);
            return Reason::Constrained { moves, largest };
        }
        let open = count(PairStatus::Undecided) + count(PairStatus::Unseen);
        if open > 0 {
            return Reason::NotKnown { moves: open };
        }
        let chosen = count(PairStatus::Taken);
        if chosen > 0 {
            return Reason::Chosen { moves: chosen };
        }
        match largest(PairStatus::NoGain) {
            Some(largest) => Reason::NothingToGain { largest },
            None => Reason::NoMove {
                untried: self.untried(),
            },
        }
    }

    fn untried(&self) -> usize {
        let empty = |pair: &Pair| self.dynamics.row(*pair).0.is_empty();
        self.task.all_pairs().filter(empty).count()
    }
}
