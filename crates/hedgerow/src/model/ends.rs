//! Episodes that end with a transition rather than in a state.
//!
//! Tables of other programs mark transitions that end the episode, and the same state may be entered
//! both ways. Here states end episodes, so endings in a state that goes on otherwise lead to a twin
//! of it, which is terminal.

use crate::model::transitions::Transitions;

/// What becomes of the states that transitions end in.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// States that have a twin, ascending.
    twins: Vec<usize>,
    /// States that are terminal although they were not listed, ascending.
    closed: Vec<usize>,
    states: usize,
}

impl Ends {
    /// Decides for every state that a transition ends in.
    pub(super) fn new(transitions: &Transitions, starts: &[usize], terminal: &[bool]) -> Self {
        let mut ends = Self {
            states: terminal.len(),
            ..Self::default()
        };
        let next = |i: usize| transitions.next[i] as usize;
        let all = 0..transitions.len();
        let marked = 0..transitions.ends.len();
        let mut ended: Vec<usize> = marked
            .filter(|&i| transitions.ends(i) && !terminal[next(i)])
            .map(next)
            .collect();
        if ended.is_empty() {
            return ends;
        }
        ended.sort_unstable();
        ended.dedup();
        // Leaving out the actions of a closed state may close another one.
        let mut closed = vec![false; terminal.len()];
        loop {
            let mut entered = vec![false; terminal.len()];
            for &s in starts.iter().filter(|&&s| s < terminal.len()) {
                entered[s] = true;
            }
            let open = |i: usize| !closed[transitions.state[i] as usize];
            for i in all.clone().filter(|&i| !transitions.ends(i) && open(i)) {
                entered[next(i)] = true;
            }
            let mut more = false;
            for &s in &ended {
                more |= !entered[s] && !std::mem::replace(&mut closed[s], true);
            }
            if !more {
                break;
            }
        }
        (ends.closed, ends.twins) = ended.into_iter().partition(|&s| closed[s]);
        ends
    }

    /// States that have a twin; the first twin comes after the last state, and so on.
    pub(super) fn twins(&self) -> &[usize] {
        &self.twins
    }

    /// Leads endings to where they belong and leaves out the actions of closed states, which are
    /// marked in the result.
    pub(super) fn apply(
        &self,
        transitions: &mut Transitions,
        terminal: &mut Vec<bool>,
    ) -> Vec<bool> {
        let mut left_out = vec![false; terminal.len()];
        for &s in &self.closed {
            left_out[s] = true;
            terminal[s] = true;
        }
        terminal.resize(self.states + self.twins.len(), true);
        if !self.closed.is_empty() {
            transitions.retain(|t, i| !left_out[t.state[i] as usize]);
        }
        for i in 0..transitions.ends.len() {
            let next = transitions.next[i] as usize;
            if transitions.ends[i]
                && let Ok(twin) = self.twins.binary_search(&next)
            {
                transitions.next[i] = (self.states + twin) as u32;
            }
        }
        left_out
    }
}
