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
            (Some(true), Reason::Taken { .. } | Reason::NothingToGain { .. }) => format!(
                "The truth charges {name}, but explaining the expert does not need it: {reason}"
            ),
            (Some(true), _) => format!("The truth charges {name}: {reason}"),
        }
    }

    fn reason_in_words(&self) -> String {
        let of = |n: usize| match self.moves.len() {
            1 => "the only move into it".to_owned(),
            all if n == all => format!("all {all} moves into it"),
            all => format!("{n} of the {all} moves into it"),
        };
        match self.reason {
            Reason::ByChance { most } => self.by_chance(most),
            Reason::Constrained { moves, largest } => format!(
                "{} would earn more than the expert does, up to {} more ({}), and the expert leaves {} alone{}",
                of(moves),
                short(largest),
                self.first(PairStatus::Constrained),
                if moves == 1 { "it" } else { "them" },
                self.other_moves(),
            ),
            Reason::NotKnown { moves } if self.out_of_scope() == moves => format!(
                "nothing is concluded about {}: the expert never comes to where {} begin{}.",
                of(moves),
                if moves == 1 { "it" } else { "they" },
                if moves == 1 { "s" } else { "" }
            ),
            Reason::NotKnown { moves } => format!(
                "it is not known yet whether {} would earn more than the expert does.",
                of(moves)
            ),
            Reason::Taken { moves } => format!(
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
            Reason::NoMove { untried: 0 } => "no move can end there.".to_owned(),
            Reason::NoMove { untried } => {
                format!("no move is known to end there; {untried} pairs were never tried.")
            }
        }
    }

    /// How many moves begin where the expert never comes.
    fn out_of_scope(&self) -> usize {
        let outside = |m: &&Move| !m.in_scope && m.status == PairStatus::Undecided;
        self.moves.iter().filter(outside).count()
    }

    /// What the moves that are not constrained are, after those that are.
    fn other_moves(&self) -> String {
        let others = [
            (self.counts.taken, "taken by the expert"),
            (self.counts.no_gain, "without gain"),
            (self.counts.undecided, "undecided"),
        ];
        let others: Vec<(usize, &str)> = others.into_iter().filter(|o| o.0 > 0).collect();
        let end = match (self.counts.taken, self.counts.constrained) {
            (0, _) => ".",
            (_, 1) => {
                ". So that move is constrained, and the place is not: the expert enters it itself."
            }
            _ => {
                ". So those moves are constrained, and the place is not: the expert enters it itself."
            }
        };
        match others.as_slice() {
            [] if self.moves.len() > 1 => ": every way in is constrained.".to_owned(),
            [] => ".".to_owned(),
            [(1, what)] => format!("; the other one is {what}{end}"),
            [(n, what)] => format!("; the other {n} are {what}{end}"),
            _ => format!("; of the others {}{end}", listed(&others)),
        }
    }

    /// The moves into a place that none leads to.
    fn by_chance(&self, most: f64) -> String {
        let counts = [
            (self.counts.constrained, "constrained"),
            (self.counts.taken, "taken by the expert"),
            (self.counts.no_gain, "without gain"),
            (self.counts.undecided, "undecided"),
        ];
        let counts: Vec<(usize, &str)> = counts.into_iter().filter(|c| c.0 > 0).collect();
        let moves = match self.moves.len() {
            1 => "one move ends".to_owned(),
            n => format!("{n} moves end"),
        };
        let about = match self.counts.constrained {
            0 => "",
            1 => " That move is constrained; of the place itself nothing follows.",
            _ => " Those moves are constrained; of the place itself nothing follows.",
        };
        format!(
            "no move leads there more often than not; {moves} there with a probability of at most {}, of which {}.{about}",
            short(most),
            listed(&counts)
        )
    }

    /// The best move of a status, in words.
    fn first(&self, status: PairStatus) -> String {
        let name = |m: &Move| format!("{} from {}", m.action, m.from.name);
        let mut those = self.moves.iter().filter(|m| m.status == status);
        those.next().map(name).unwrap_or_default()
    }
}

/// `1 is this, 2 are that and 3 are others`.
fn listed(counts: &[(usize, &str)]) -> String {
    let each = counts.iter().map(|(n, what)| match n {
        1 => format!("1 is {what}"),
        n => format!("{n} are {what}"),
    });
    let each: Vec<String> = each.collect();
    match each.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
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
            PairStatus::Undecided if !self.in_scope => "no verdict",
            PairStatus::Undecided => "undecided",
        }
    }
}

impl Witness {
    /// What the comparison shows, in a sentence or two, each on its line.
    pub fn remark(&self) -> String {
        let verdict = match self.status {
            PairStatus::Constrained => {
                "The expert leaves this move alone although it would pay: it is constrained."
            }
            PairStatus::Taken => "The expert makes this move itself.",
            PairStatus::NoGain => {
                "The move would not pay, or next to nothing: nothing has to forbid it."
            }
            PairStatus::Undecided if !self.in_scope => {
                "The expert never comes there: nothing is concluded about this move."
            }
            PairStatus::Undecided => "Whether the move would pay is not known yet.",
            PairStatus::Unseen => "The move was never tried.",
        };
        let how = match self.shown {
            Shown::Trajectories => "",
            Shown::Visits => "No single trajectory stands for what happens; expected visits do.\n",
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
