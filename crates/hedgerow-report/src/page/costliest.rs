//! The costliest states of a model that has no drawing, where all would be too many for a page.

use crate::verdicts::is_too_large;
use hedgerow::results::{EnvironmentFile, Results};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Entries that a page lists at most.
const LISTED: usize = 2_000;

/// Whether an environment is shown as lists of states that would be too long.
pub(super) fn is_cut(e: &EnvironmentFile) -> bool {
    e.layout.is_none() && e.graph.is_none() && is_too_large(e)
}

/// The costliest entries in the order of their states, and how many others there are; all of them
/// unless they are `cut`.
pub(super) fn costliest(entries: &[(u32, f64)], cut: bool) -> (Vec<(u32, f64)>, usize) {
    let mut kept = entries.to_vec();
    if !cut || kept.len() <= LISTED {
        return (kept, 0);
    }
    kept.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    kept.truncate(LISTED);
    kept.sort_by_key(|&(state, _)| state);
    (kept, entries.len() - LISTED)
}

/// Whether there are no others; serde asks for a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(super) fn is_none(others: &usize) -> bool {
    *others == 0
}

/// Names of states, by number.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Names<'a> {
    /// Of all states.
    All(&'a [String]),
    /// Of those that the page mentions.
    Some(BTreeMap<u32, &'a str>),
}

impl<'a> Names<'a> {
    /// The names in an environment that is shown as it is.
    pub(super) fn all(e: &'a EnvironmentFile) -> Self {
        Self::All(&e.state_names)
    }

    /// The names that a page of these results needs.
    pub(super) fn of(e: &'a EnvironmentFile, results: &Results) -> Self {
        if !is_cut(e) {
            return Self::all(e);
        }
        let runs = results.runs.iter().filter(|r| r.id.env == e.name);
        let snapshots = runs.flat_map(|r| &r.result.snapshots);
        let lists = snapshots.map(|s| &s.cells).chain([&e.true_cells]);
        let states: BTreeSet<u32> = lists
            .flat_map(|list| costliest(list, true).0)
            .map(|(state, _)| state)
            .collect();
        let name = |state: u32| Some((state, e.state_names.get(state as usize)?.as_str()));
        Self::Some(states.into_iter().filter_map(name).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costliest_stay_in_the_order_of_their_states() {
        let rising: Vec<(u32, f64)> = (0..2_003).map(|s| (s, f64::from(s % 2_001))).collect();
        assert_eq!(costliest(&rising, false), (rising.clone(), 0));
        // The least are 0 of states 0 and 2001, and 1 of state 2002, which comes after state 1.
        let (kept, others) = costliest(&rising, true);
        assert_eq!((kept.len(), others), (2_000, 3));
        assert_eq!((kept[0], kept[1_998]), ((1, 1.0), (1_999, 1_999.0)));
        assert_eq!(kept[1_999], (2_000, 2_000.0));
    }
}
