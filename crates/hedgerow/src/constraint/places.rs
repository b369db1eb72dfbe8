//! States by the verdict on entering them.

use crate::env::Layout;
use crate::index::State;
use crate::model::Task;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Places by verdict on entering them, each list sorted, and the best guess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Places<T> {
    /// Entering them is constrained.
    pub constrained: Vec<T>,
    /// The expert goes there.
    pub taken: Vec<T>,
    /// Nothing is to be gained there.
    pub no_gain: Vec<T>,
    /// Nothing is known.
    pub undecided: Vec<T>,
    /// Places that pairs lead to which look constrained: an estimate without a promise.
    pub guessed: Vec<T>,
}

impl Places<State> {
    /// All states of `task` by verdict; of terminal ones, and of those that are `left_out`, the ones
    /// of which something is known.
    pub(super) fn new(
        task: &Task,
        on_states: &[Verdict],
        guess: &[bool],
        left_out: &[bool],
    ) -> Self {
        let live = || {
            let states = task.all_states();
            states.filter(|&s| !task.is_terminal(s) && !left_out[s.at()])
        };
        let at = |verdict| live().filter(|s| on_states[s.at()] == verdict).collect();
        let all = |verdict| {
            let states = task.all_states();
            states.filter(|s| on_states[s.at()] == verdict).collect()
        };
        Self {
            constrained: all(Verdict::Constrained),
            taken: all(Verdict::Taken),
            no_gain: at(Verdict::NoGain),
            undecided: at(Verdict::Undecided),
            guessed: task.all_states().filter(|s| guess[s.at()]).collect(),
        }
    }

    fn named<T: Ord>(&self, name: impl Fn(State) -> Option<T>) -> Places<T> {
        let sorted = |states: &[State]| {
            let mut names: Vec<T> = states.iter().filter_map(|&s| name(s)).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        Places {
            constrained: sorted(&self.constrained),
            taken: sorted(&self.taken),
            no_gain: sorted(&self.no_gain),
            undecided: sorted(&self.undecided),
            guessed: sorted(&self.guessed),
        }
    }

    /// By cells of `layout`. Where states share a cell it goes by the strongest verdict on any of
    /// them: constrained, then undecided, then taken.
    pub(super) fn cells(&self, layout: &Layout) -> Places<[usize; 2]> {
        let mut places = self.named(|s| layout.cell_of(s).map(|c| [c.row, c.column]));
        let lists = [
            &mut places.constrained,
            &mut places.undecided,
            &mut places.taken,
            &mut places.no_gain,
        ];
        let mut stronger = BTreeSet::new();
        for list in lists {
            list.retain(|&cell| stronger.insert(cell));
        }
        places
    }

    /// By indices.
    pub(super) fn indices(&self) -> Places<usize> {
        self.named(|s| Some(s.at()))
    }
}
