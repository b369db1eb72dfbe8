//! A task cut down to some of its states.

use crate::index::{Pair, State};
use crate::model::Task;

/// Some states of a task, numbered anew in their order, as a task of their own.
///
/// What leads elsewhere cannot be said in it: it is for dynamics that stay within the part, such as those
/// estimated from what was seen.
#[derive(Clone, Debug)]
pub struct Part {
    task: Task,
    states: Vec<State>,
    /// The first pair of every state in the whole task.
    first: Vec<u32>,
}

impl Part {
    /// The part of `whole` with these states, in ascending order; each pair earns what `reward` says.
    pub fn new(whole: &Task, states: Vec<State>, reward: &[f64]) -> Self {
        let pairs = states.iter().map(|&s| whole.pairs_of(s).len()).sum();
        let mut part = Task {
            gamma: whole.gamma,
            pair_start: Vec::with_capacity(states.len() + 1),
            state_of: Vec::with_capacity(pairs),
            action_of: Vec::with_capacity(pairs),
            reward: Vec::with_capacity(pairs),
            start: Vec::new(),
            state_names: Vec::new(),
            action_names: whole.action_names.clone(),
            transition_rewards: None,
            observed: None,
            range: whole.range,
        };
        part.pair_start.push(0);
        let mut first = Vec::with_capacity(states.len());
        for (here, &state) in states.iter().enumerate() {
            let own = whole.pairs_of(state);
            first.push(own.start as u32);
            part.state_of
                .resize(part.state_of.len() + own.len(), here as u32);
            part.action_of
                .extend_from_slice(&whole.action_of[own.clone()]);
            part.reward.extend_from_slice(&reward[own]);
            part.pair_start.push(part.state_of.len() as u32);
        }
        for &(state, p) in &whole.start {
            if let Ok(here) = states.binary_search(&state) {
                part.start.push((State::new(here), p));
            }
        }
        Self {
            task: part,
            states,
            first,
        }
    }

    /// The part as a task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The states of the whole, in the order of the part.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Where `state` of the whole is in the part.
    pub fn position(&self, state: State) -> Option<State> {
        let found = self.states.binary_search(&state).ok();
        found.map(State::new)
    }

    /// The pair of the whole that a pair of the part is.
    #[inline]
    pub fn whole(&self, pair: Pair) -> Pair {
        let here = self.task.state_of(pair);
        let within = pair.0 - self.task.pair_start[here.at()];
        Pair(self.first[here.at()] + within)
    }

    /// The pairs of the whole, in the order of the part.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        self.task.all_pairs().map(|pair| self.whole(pair))
    }
}
