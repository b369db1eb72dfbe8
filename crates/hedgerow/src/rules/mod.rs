//! Verdicts summed up as short rules over named features of pairs.
//!
//! A rule says what some constrained pairs have in common: the cells that they lead into, the action
//! and where it is taken, or columns of a table that the user gives. It covers every pair that has
//! it, counts which of them are constrained and which are without gain or undecided, and never
//! covers one that the expert takes.
//!
//! ```
//! use hedgerow::constraint::Constraint;
//! use hedgerow::env::builtin;
//! use hedgerow::verdict::Scope;
//!
//! let environment = builtin::environment("gridworld-3")?;
//! let found = Constraint::exact(&environment, Scope::All)?;
//! let rule = &found.rules[0];
//! assert_eq!(rule.rule, "no move into row 3, columns 0 to 4");
//! assert_eq!((rule.constrained, rule.taken), (found.constrained, 0));
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod candidates;
mod cover;
mod known;
mod shapes;
mod words;

pub use known::Known;

use crate::columns::Value;
use crate::verdict::Verdict;
use candidates::Candidate;
use serde::{Deserialize, Serialize};

/// What some constrained pairs have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The rule in words.
    pub rule: String,
    /// What a pair has to fulfil to be covered, all of it.
    pub conditions: Vec<Condition>,
    /// How many of the pairs it covers are constrained: its support.
    pub constrained: usize,
    /// How many the expert takes: none, a rule that covered one would be wrong.
    pub taken: usize,
    /// How many bring nothing.
    pub no_gain: usize,
    /// How many are undecided.
    pub undecided: usize,
}

/// A feature and the values that it must have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Name of the feature.
    pub feature: String,
    /// The least value, or the only one.
    pub from: Value,
    /// The largest value.
    pub to: Value,
}

/// Rules, and the number of constrained pairs that none of them covers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// Those that explain most for least come first.
    pub rules: Vec<Rule>,
    /// Constrained pairs in no rule.
    pub left: usize,
}

impl Rules {
    /// Sums up the `verdicts` on all pairs, one per pair.
    pub fn of(known: &Known, verdicts: &[Verdict]) -> Self {
        let mut candidates = Vec::new();
        for shape in shapes::shapes(known) {
            candidates::find(known, &shape, verdicts, &mut candidates);
        }
        let chosen = cover::choose(&candidates, verdicts.len());
        let mut covered = vec![false; verdicts.len()];
        let mut rules = Vec::new();
        for &i in &chosen {
            for &pair in &candidates[i].pairs {
                covered[pair as usize] = true;
            }
            rules.push(rule(known, &candidates[i]));
        }
        let is_left = |i: &usize| verdicts[*i] == Verdict::Constrained && !covered[*i];
        Self {
            rules,
            left: (0..verdicts.len()).filter(is_left).count(),
        }
    }
}

fn rule(known: &Known, candidate: &Candidate) -> Rule {
    let condition = |&(column, low, high): &(usize, u32, u32)| {
        let column = known.column(column);
        Condition {
            feature: column.name().to_owned(),
            from: column.value(low),
            to: column.value(high),
        }
    };
    Rule {
        rule: words::say(known, &candidate.conditions),
        conditions: candidate.conditions.iter().map(condition).collect(),
        constrained: candidate.pairs.len(),
        taken: 0,
        no_gain: candidate.no_gain,
        undecided: candidate.undecided,
    }
}
