//! Explanations as sentences.

use super::{Explanation, Move, Reason, Shown, Witness};
use crate::learn::PairStatus;

impl Explanation {
    /// The reason in a sentence or two.
    pub(super) fn in_words(&self) -> String {
        let reason = self.reason_in_words();
        let name = &self.place.name;
        match (self.truth, self.reason) {
            (Some(false), Reason::Constrained { .. }) => {
                format!("The truth does not charge {name}, but {reason}")
            }
            (_, Reason::Constrained { .. }) | (None | Some(false), _) => capital(&reason),
            (Some(true), Reason::NotKnown { .. } | Reason::NoMove { .. }) => {
                format!("The truth charges {name}: {reason}")
            }
            (Some(true), _) => format!(
                "The truth charges {name}, but explaining the expert does not need it: {reason}"
            ),
        }
    }

    fn reason_in_words(&self) -> String {
        let of = |n: usize| match self.moves.len() {
            1 => "the only move into it".to_owned(),
            all => format!("{n} of the {all} moves into it"),
        };
        match self.reason {
            Reason::Constrained { moves, largest } => format!(
                "{} would earn more than the expert does, up to {} more ({}), and the expert leaves {} alone{}",
                of(moves),
                short(largest),
                self.first(PairStatus::Constrained),
                if moves == 1 { "it" } else { "them" },
                match self.count(PairStatus::Taken) {
                    0 => ".".to_owned(),
                    1 => "; another is its own choice.".to_owned(),
                    n => format!("; {n} others are its own choice."),
                }
            ),
            Reason::NotKnown { moves } => format!(
                "it is not known yet whether {} would earn more than the expert does.",
                of(moves)
            ),
            Reason::Chosen { moves } => format!(
                "the expert goes there itself; {} {} its own choice ({}), and no other would earn more.",
                of(moves),
                if moves == 1 { "is" } else { "are" },
                self.first(PairStatus::Taken)
            ),
            Reason::NothingToGain { largest } => format!(
                "there is nothing to gain, as {}, {}, earns {}.",
                match self.moves.len() {
                    1 => "the only move into it".to_owned(),
                    all => format!("the best of the {all} moves into it"),
                },
                self.first(PairStatus::NoGain),
                match largest < 0.0 {
                    true => format!("{} less than the expert", short(-largest)),
                    false => "no more than the expert".to_owned(),
                }
            ),
            Reason::NoMove { untried: 0 } => {
                "no move has it as its most likely outcome.".to_owned()
            }
            Reason::NoMove { untried } => {
                format!("no move is known to lead there; {untried} pairs were never tried.")
            }
        }
    }

    fn count(&self, status: PairStatus) -> usize {
        self.moves.iter().filter(|m| m.status == status).count()
    }

    /// The best move of a status, in words.
    fn first(&self, status: PairStatus) -> String {
        let name = |m: &Move| format!("{} from {}", m.action, m.from.name);
        let found = self.moves.iter().find(|m| m.status == status);
        found.map_or_else(String::new, name)
    }
}

impl Move {
    /// What was concluded about it, in a word or two.
    pub fn verdict(&self) -> &'static str {
        match self.status {
            // Surely within the margin, on whichever side.
            PairStatus::NoGain if self.interval.is_some_and(|(_, high)| high > 0.0) => "negligible",
            PairStatus::Unseen => "never tried",
            PairStatus::Taken => "taken",
            PairStatus::Constrained => "constrained",
            PairStatus::NoGain => "nothing to gain",
            PairStatus::Undecided => "undecided",
        }
    }
}

impl Witness {
    /// What the two trajectories show, in a sentence or two, each on its line.
    pub fn remark(&self) -> String {
        let verdict = match self.status {
            PairStatus::Constrained => {
                "The expert leaves this move alone although it would pay: it is constrained."
            }
            PairStatus::Taken => "The expert makes this move itself.",
            PairStatus::NoGain => {
                "The move would not pay, or next to nothing: nothing has to forbid it."
            }
            PairStatus::Undecided => "Whether the move would pay is not known yet.",
            PairStatus::Unseen => "The move was never tried.",
        };
        let how = match (self.shown, self.likely_reward) {
            (Shown::BestCase, Some(likely)) => format!(
                "The trajectory shown for the move needs luck; the most likely one earns {}.\n",
                short(likely)
            ),
            (Shown::Average, _) => {
                "No single trajectory shows the gain: it is one on average over all outcomes.\n"
                    .to_owned()
            }
            _ => String::new(),
        };
        format!("{how}{verdict}")
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Three significant digits.
fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = 2 - libm::log10(x.abs()).floor() as i32;
    match (0..=12).contains(&digits) {
        true => format!("{x:.*}", digits as usize),
        false => format!("{x:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short() {
        let text = [0.0, 1.0, 0.012_345, -0.012_345, 123.4, 1.5e-20, 4e9].map(short);
        assert_eq!(
            text,
            [
                "0", "1.00", "0.0123", "-0.0123", "123", "1.50e-20", "4.00e9"
            ]
        );
    }
}
