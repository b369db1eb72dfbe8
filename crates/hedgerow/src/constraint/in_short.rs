//! Rules and classes as text.

use super::{ClassFound, Constraint};
use crate::rules::Rule;
use crate::text::table;
use crate::verdict::ClassVerdict;

/// Rules and classes listed; the file has them all.
const LISTED: usize = 12;

impl Constraint {
    /// Rules and classes, if there are any.
    pub fn summed_up(&self) -> String {
        self.rules_text() + &self.classes_text()
    }

    fn rules_text(&self) -> String {
        if self.rules.is_empty() {
            return String::new();
        }
        let row = |rule: &Rule| {
            [
                rule.rule.clone(),
                rule.constrained.to_string(),
                rule.no_gain.to_string(),
                rule.undecided.to_string(),
            ]
        };
        let header = ["rule", "constrained", "nothing to gain", "undecided"];
        let rows = self.rules.iter().take(LISTED).map(row);
        let mut text = format!(
            "\nin short, with the pairs that a rule covers (the expert takes none of them):\n{}",
            table(header, 1, rows)
        );
        text += &more(self.rules.len());
        if self.unruled > 0 {
            text += &format!("{} constrained pairs are in no rule\n", self.unruled);
        }
        text
    }

    fn classes_text(&self) -> String {
        if self.classes.is_empty() {
            return String::new();
        }
        let row = |found: &&ClassFound| {
            [
                found.class.clone(),
                word(found.verdict).to_owned(),
                found.shown_by.clone().unwrap_or_default(),
                found.constrained.to_string(),
                found.taken.to_string(),
                found.no_gain.to_string(),
                found.undecided.to_string(),
            ]
        };
        let header = [
            "class",
            "verdict",
            "shown by",
            "constrained",
            "taken",
            "nothing to gain",
            "undecided",
        ];
        // What is asked for comes first.
        let mut sorted: Vec<&ClassFound> = self.classes.iter().collect();
        sorted.sort_by_key(|found| rank(found.verdict));
        let rows = sorted.iter().take(LISTED).map(row);
        let mut text = format!(
            "\nclasses, if each is forbidden as a whole or not at all:\n{}",
            table(header, 3, rows)
        );
        text += &more(self.classes.len());
        text
    }
}

fn rank(verdict: ClassVerdict) -> usize {
    match verdict {
        ClassVerdict::Contradicted => 0,
        ClassVerdict::Forbidden => 1,
        ClassVerdict::Undecided => 2,
        ClassVerdict::Allowed => 3,
        ClassVerdict::NoGain => 4,
    }
}

fn word(verdict: ClassVerdict) -> &'static str {
    match verdict {
        ClassVerdict::Contradicted => "contradicted",
        ClassVerdict::Forbidden => "forbidden",
        ClassVerdict::Undecided => "undecided",
        ClassVerdict::Allowed => "allowed",
        ClassVerdict::NoGain => "nothing to gain",
    }
}

fn more(all: usize) -> String {
    match all.saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("and {more} more: --json lists them all\n"),
    }
}
