//! What the user names: columns of pairs that rules may speak of, and classes of pairs.

use super::Constraint;
use crate::columns::Column;
use crate::index::Pair;
use crate::io::columns_file;
use crate::model::{Dynamics, Task};
use crate::rules::{Known, Rules};
use crate::verdict::{ClassVerdict, Classes, Count, Verdict};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Contradicted classes named in a warning.
const NAMED: usize = 3;

/// What the user has named.
#[derive(Clone, Copy, Debug, Default)]
pub struct Named<'a> {
    /// Columns of pairs that rules may speak of.
    pub columns: &'a [Column],
    /// Classes of pairs that are declared to be forbidden as a whole or not at all.
    pub classes: Option<&'a Classes>,
}

/// A class of pairs, declared to be forbidden as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassFound {
    /// Its name.
    pub class: String,
    /// What follows from the verdicts on its pairs and the declaration.
    pub verdict: ClassVerdict,
    /// How many pairs it has.
    pub pairs: usize,
    /// How many of them are constrained.
    pub constrained: usize,
    /// How many the expert takes.
    pub taken: usize,
    /// How many bring nothing.
    pub no_gain: usize,
    /// How many are undecided.
    pub undecided: usize,
    /// A pair that shows the verdict: the first that is constrained, or else taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_by: Option<String>,
}

/// The classes in a table with one column besides `state` and perhaps `action`. With a `soft` budget an
/// expert may take what is forbidden, so that classes would say nothing.
pub fn read_classes(path: &Path, task: &Task, soft: bool) -> Result<Classes> {
    let refuse = |problem: String, remedy: &str| {
        Err(Error::invalid(path.display().to_string(), problem, remedy))
    };
    if soft {
        return Err(Error::invalid(
            "classes",
            "under a soft budget an expert may take what is forbidden",
            "leave them out, or use an environment whose budget is 0",
        ));
    }
    let mut columns = columns_file::read(path, task)?;
    match (columns.len(), columns.pop()) {
        (1, Some(column)) if column.values() > 0 => Ok(Classes::new(column)),
        (1, _) => refuse("no pair has a class".into(), "name the class of some pairs"),
        (n, _) => refuse(
            format!("it has {n} columns of your own"),
            "keep one: that of the classes",
        ),
    }
}

impl Constraint {
    /// The same, summed up by rules and classes.
    pub(super) fn named<D: Dynamics>(mut self, task: &Task, dynamics: &D, named: &Named) -> Self {
        let layout = self.layout.as_ref().and_then(|l| l.layout());
        let verdicts: Vec<Verdict> = self.pairs.iter().map(|p| p.verdict).collect();
        let known = Known::new(task, dynamics, layout.as_ref()).with(named.columns);
        let Rules { rules, left } = Rules::of(&known, &verdicts);
        (self.rules, self.unruled) = (rules, left);
        if let Some(classes) = named.classes {
            self.classify(task, classes);
        }
        self
    }

    fn classify(&mut self, task: &Task, classes: &Classes) {
        let mut counts = vec![Count::default(); classes.len()];
        let mut constrained: Vec<Option<Pair>> = vec![None; classes.len()];
        let mut taken = constrained.clone();
        for pair in task.all_pairs() {
            let found = &mut self.pairs[pair.at()];
            found.class = classes.of(pair);
            let Some(class) = found.class else { continue };
            counts[class].add(found.verdict, found.negligible);
            match found.verdict {
                Verdict::Constrained => constrained[class] = constrained[class].or(Some(pair)),
                Verdict::Taken => taken[class] = taken[class].or(Some(pair)),
                _ => {}
            }
        }
        let found = |(class, count): (usize, &Count)| ClassFound {
            class: classes.name(class),
            verdict: count.verdict(),
            pairs: count.constrained + count.taken + count.no_gain + count.undecided,
            constrained: count.constrained,
            taken: count.taken,
            no_gain: count.no_gain,
            undecided: count.undecided,
            shown_by: constrained[class]
                .or(taken[class])
                .map(|p| task.pair_name(p)),
        };
        self.classes = counts.iter().enumerate().map(found).collect();
        let torn = |c: &usize| self.classes[*c].verdict == ClassVerdict::Contradicted;
        let torn: Vec<usize> = (0..classes.len()).filter(torn).collect();
        let name = |pair: Option<Pair>| pair.map_or_else(String::new, |p| task.pair_name(p));
        for &class in torn.iter().take(NAMED) {
            self.warnings.push(format!(
                "class {} is not forbidden as a whole or not at all: {} is constrained and the expert takes {}, so its pairs are judged one by one",
                classes.name(class),
                name(constrained[class]),
                name(taken[class]),
            ));
        }
        if torn.len() > NAMED {
            let more = torn.len() - NAMED;
            self.warnings
                .push(format!("{more} more classes are contradicted in this way"));
        }
    }

    /// Whether a pair is forbidden by its own verdict, or by that of its class.
    pub(super) fn forbids(&self, pair: &super::ConstraintPair) -> bool {
        let class = pair.class.and_then(|c| self.classes.get(c));
        pair.verdict == Verdict::Constrained
            || class.is_some_and(|c| c.verdict == ClassVerdict::Forbidden)
    }
}
