//! Why a place counts as constrained or does not.

use super::{ExplanationContext, Place, Witness};
use crate::Result;
use crate::index::{Pair, State};
use crate::learn::PairStatus;
use crate::model::Dynamics;
use serde::Serialize;

/// A pair leads to a place if it ends there more often than not.
const LEADS: f64 = 0.5;

/// A pair that ends up in the place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Move {
    /// The pair.
    pub pair: Pair,
    /// Where it begins.
    pub from: Place,
    /// Its action.
    pub action: String,
    /// Probability that it ends in the place.
    pub probability: f64,
    /// `A_E(s,a)`.
    pub advantage: f64,
    /// An interval that holds `A_E(s,a)`, where there is one.
    pub interval: Option<(f64, f64)>,
    /// What was concluded about it.
    pub status: PairStatus,
    /// Whether anything was to be concluded about it.
    pub in_scope: bool,
}

/// What the moves into a place come down to; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Reason {
    /// No move leads there more often than not. Some may end there, and what is known of them says
    /// nothing about the place.
    ByChance {
        /// The largest probability with which one does.
        most: f64,
    },
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
    Taken {
        /// How many of the moves are its own.
        moves: usize,
    },
    /// The best move earns at most as much as the expert does.
    NothingToGain {
        /// Its `A_E`, at most 0.
        largest: f64,
    },
    /// No move is known that ends there.
    NoMove {
        /// Pairs of the task that were never tried, any of which may.
        untried: usize,
    },
}

/// How many moves have which status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Counts {
    /// Would earn more than the expert does, who avoids them.
    pub constrained: usize,
    /// The expert's own.
    pub taken: usize,
    /// Would earn no more.
    pub no_gain: usize,
    /// Not known, or never tried.
    pub undecided: usize,
}

/// Why a place counts as constrained or does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The place.
    pub place: Place,
    /// The moves that lead into it, the largest advantage first; where none does more often than
    /// not, all that may end there.
    pub moves: Vec<Move>,
    /// How many of them have which status.
    pub counts: Counts,
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
    pub fn explain(&self, state: State, truth: Option<bool>) -> Result<Explanation> {
        let moves = self.moves_into(state);
        let best = moves.iter().find(|m| m.status == PairStatus::Constrained);
        let witness = match best {
            Some(best) => self.witness(best.pair)?,
            None => None,
        };
        let counts = Counts::of(&moves);
        let mut explanation = Explanation {
            place: self.place(state),
            reason: self.reason(&moves, counts),
            counts,
            moves,
            witness,
            truth,
            words: String::new(),
        };
        explanation.words = explanation.in_words();
        Ok(explanation)
    }

    /// Pairs that lead to `state`, the largest advantage first; if none does, those that may.
    fn moves_into(&self, state: State) -> Vec<Move> {
        let mut moves: Vec<Move> = self
            .task
            .all_pairs()
            .filter(|&p| !self.unreached[self.task.state_of(p).at()])
            .filter_map(|pair| {
                let (next, prob) = self.dynamics.row(pair);
                let into = next.iter().zip(prob).filter(|(s, _)| **s == state.0);
                let probability: f64 = into.map(|(_, p)| p).sum();
                (probability > 0.0).then(|| Move {
                    pair,
                    from: self.place(self.task.state_of(pair)),
                    action: self.task.action_name(self.task.action_of(pair)).to_owned(),
                    probability,
                    advantage: self.advantage[pair.at()],
                    interval: self.intervals.as_ref().map(|all| all[pair.at()]),
                    status: self.status[pair.at()],
                    in_scope: self.in_scope[pair.at()],
                })
            })
            .collect();
        if moves.iter().any(|m| m.probability > LEADS) {
            moves.retain(|m| m.probability > LEADS);
        }
        moves.sort_by(|a, b| b.advantage.total_cmp(&a.advantage));
        moves
    }

    fn reason(&self, moves: &[Move], counts: Counts) -> Reason {
        let largest = |status| {
            let those = moves.iter().filter(|m| m.status == status);
            those.map(|m| m.advantage).reduce(f64::max)
        };
        let most = moves.iter().map(|m| m.probability).fold(0.0, f64::max);
        if most > 0.0 && most <= LEADS {
            return Reason::ByChance { most };
        }
        if let Some(largest) = largest(PairStatus::Constrained) {
            let moves = counts.constrained;
            return Reason::Constrained { moves, largest };
        }
        if counts.undecided > 0 {
            let moves = counts.undecided;
            return Reason::NotKnown { moves };
        }
        if counts.taken > 0 {
            let moves = counts.taken;
            return Reason::Taken { moves };
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

impl Counts {
    fn of(moves: &[Move]) -> Self {
        let mut counts = Self::default();
        for m in moves {
            *match m.status {
                PairStatus::Constrained => &mut counts.constrained,
                PairStatus::Taken => &mut counts.taken,
                PairStatus::NoGain => &mut counts.no_gain,
                PairStatus::Undecided | PairStatus::Unseen => &mut counts.undecided,
            } += 1;
        }
        counts
    }
}
