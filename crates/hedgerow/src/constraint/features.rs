//! What a constraint says about features of pairs.

use crate::Result;
use crate::constraint::Constraint;
use crate::costset::{Features, FeaturesFound};
use crate::index::Pair;
use crate::model::Task;
use crate::verdict::Verdict;

impl Constraint {
    /// Which features of the pairs of `task` carry weight, by the verdicts *constrained* and *taken*
    /// alone: what follows holds whenever those do, so the promise of the constraint covers it. The
    /// expert is assumed to keep to a hard constraint wherever it was asked.
    pub fn features(&self, task: &Task, features: &Features) -> Result<FeaturesFound> {
        let verdicts = self.verdicts_in(task)?;
        let with = |verdict: Verdict| -> Vec<Pair> {
            let has = |p: &Pair| verdicts[p.at()].is_some_and(|v| v.verdict == verdict);
            task.all_pairs().filter(has).collect()
        };
        Ok(features.found(&with(Verdict::Taken), &with(Verdict::Constrained)))
    }
}
