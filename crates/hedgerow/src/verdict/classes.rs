//! Classes of pairs, declared to be forbidden as a whole or not at all.
//!
//! A certified constrained pair then forbids its whole class, and a pair that the expert takes allows
//! it. Both follow from verdicts on pairs and the declaration, so they hold whenever these do. What
//! the declaration cannot explain, a class with both, is a contradiction: its pairs are judged one
//! by one, as if it had not been made.

use super::{Verdict, Verdicts};
use crate::columns::Column;
use crate::index::Pair;
use crate::model::Task;
use serde::{Deserialize, Serialize};

/// What is known of a class as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassVerdict {
    /// A pair of it is constrained, and the expert was seen to take none.
    Forbidden,
    /// The expert was seen to take a pair of it, and none is constrained.
    Allowed,
    /// Both: it is not forbidden as a whole or not at all.
    Contradicted,
    /// No pair of it brings anything: the expert's behaviour would not show whether it is forbidden.
    NoGain,
    /// Not known.
    Undecided,
}

/// Classes of pairs: every pair is in one, or in none.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes {
    column: Column,
}

/// The verdicts on the pairs of a class, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many are constrained.
    pub constrained: usize,
    /// How many the expert was seen to take.
    pub taken: usize,
    /// How many bring nothing.
    pub no_gain: usize,
    /// How many are undecided.
    pub undecided: usize,
    /// How many of these surely gain no more than the margin.
    pub negligible: usize,
}

impl Count {
    /// Adds a pair.
    pub fn add(&mut self, verdict: Verdict, negligible: bool) {
        match verdict {
            Verdict::Constrained => self.constrained += 1,
            Verdict::Taken => self.taken += 1,
            Verdict::NoGain => self.no_gain += 1,
            Verdict::Undecided => {
                self.undecided += 1;
                self.negligible += usize::from(negligible);
            }
        }
    }

    /// What follows for the class.
    pub fn verdict(&self) -> ClassVerdict {
        match (self.constrained, self.taken, self.undecided) {
            (1.., 0, _) => ClassVerdict::Forbidden,
            (0, 1.., _) => ClassVerdict::Allowed,
            (1.., 1.., _) => ClassVerdict::Contradicted,
            (0, 0, 0) => ClassVerdict::NoGain,
            (0, 0, 1..) => ClassVerdict::Undecided,
        }
    }
}

impl Classes {
    /// The classes that the values of a column are.
    pub fn new(column: Column) -> Self {
        Self { column }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.column.values()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn name(&self, class: usize) -> String {
        self.column.value(class as u32).to_string()
    }

    /// The class of a pair, if it has one.
    pub fn of(&self, pair: Pair) -> Option<usize> {
        self.column.code(pair.at()).map(|c| c as usize)
    }

    /// The verdicts on the pairs of every class, counted.
    pub fn count(&self, verdicts: &Verdicts) -> Vec<Count> {
        let mut counts = vec![Count::default(); self.len()];
        for (i, found) in verdicts.all().iter().enumerate() {
            if let Some(class) = self.of(Pair::new(i)) {
                counts[class].add(found.verdict, found.negligible);
            }
        }
        counts
    }

    /// Pairs whose own verdict need not be found: those of a class that is forbidden or allowed, and,
    /// where a pair of an undecided class looks constrained, all but the one that is nearest to being
    /// certified, as one of them is enough. If that one turns out to bring nothing, the next takes its place.
    ///
    /// A class of which nothing looks constrained may be decided where nobody has been yet. As long as there is
    /// one, every pair has to be tried: it may lead there.
    pub fn settled(&self, task: &Task, verdicts: &Verdicts) -> Vec<bool> {
        let likely = verdicts.criteria().likely();
        let counts = self.count(verdicts);
        let is_decided = |c: &Count| {
            let verdict = c.verdict();
            verdict == ClassVerdict::Forbidden || verdict == ClassVerdict::Allowed
        };
        let mut best: Vec<Option<(f64, Pair)>> = vec![None; self.len()];
        for (i, found) in verdicts.all().iter().enumerate() {
            let pair = Pair::new(i);
            let Some(class) = self.of(pair).filter(|&c| !is_decided(&counts[c])) else {
                continue;
            };
            let looks = found.estimate.is_some_and(|a| a > likely) && found.is_open();
            let undecided = counts[class].verdict() == ClassVerdict::Undecided;
            if looks && undecided && best[class].is_none_or(|(low, _)| found.low > low) {
                best[class] = Some((found.low, pair));
            }
        }
        let hidden = |pair: Pair| {
            let class = self.of(pair).filter(|&c| best[c].is_none());
            let undecided = |c: usize| counts[c].verdict() == ClassVerdict::Undecided;
            class.is_some_and(undecided) && !verdicts.is_seen(task.state_of(pair))
        };
        let searching = task.all_pairs().any(hidden);
        let settled = |pair: Pair| {
            let needless = self.of(pair).is_some_and(|class| {
                is_decided(&counts[class]) || best[class].is_some_and(|(_, one)| one != pair)
            });
            needless && !(searching && verdicts.at(pair).visits == 0)
        };
        (0..verdicts.all().len())
            .map(|i| settled(Pair::new(i)))
            .collect()
    }
}
