//! What is known to all: states, available actions, rewards, start, terminals, discount.

use crate::index::{Action, Pair, State};
use std::ops::Range;

/// A decision problem without its dynamics.
///
/// Pairs are numbered state by state. A terminal state offers no pair: entering it ends the
/// episode and earns nothing more.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub(super) gamma: f64,
    pub(super) pair_start: Vec<u32>,
    pub(super) state_of: Vec<u32>,
    pub(super) action_of: Vec<u32>,
    pub(super) reward: Vec<f64>,
    pub(super) start: Vec<(State, f64)>,
    pub(super) state_names: Vec<String>,
    pub(super) action_names: Vec<String>,
    pub(super) reward_max: f64,
}

impl Task {
    /// Number of states, terminals included.
    pub fn states(&self) -> usize {
        self.pair_start.len() - 1
    }

    /// Number of available state-action pairs.
    pub fn pairs(&self) -> usize {
        self.state_of.len()
    }

    /// Number of action labels.
    pub fn actions(&self) -> usize {
        self.action_names.len()
    }

    /// The discount.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// `r(s, a)` for every pair.
    pub fn reward(&self) -> &[f64] {
        &self.reward
    }

    /// `R_max`: the largest reward of any pair.
    pub fn reward_max(&self) -> f64 {
        self.reward_max
    }

    /// The start distribution `mu0`, positive entries only, by ascending state.
    pub fn start(&self) -> &[(State, f64)] {
        &self.start
    }

    /// The positions of the pairs of `state`.
    #[inline]
    pub fn pairs_of(&self, state: State) -> Range<usize> {
        self.pair_start[state.at()] as usize..self.pair_start[state.at() + 1] as usize
    }

    /// The state of `pair`.
    #[inline]
    pub fn state_of(&self, pair: Pair) -> State {
        State(self.state_of[pair.at()])
    }

    /// The action of `pair`.
    #[inline]
    pub fn action_of(&self, pair: Pair) -> Action {
        Action(self.action_of[pair.at()])
    }

    /// Whether entering `state` ends the episode.
    #[inline]
    pub fn is_terminal(&self, state: State) -> bool {
        self.pair_start[state.at()] == self.pair_start[state.at() + 1]
    }

    /// The pair of `state` and `action`, if the action is available there.
    pub fn pair(&self, state: State, action: Action) -> Option<Pair> {
        let range = self.pairs_of(state);
        let actions = &self.action_of[range.clone()];
        let i = actions.binary_search(&action.0).ok()?;
        Some(Pair::new(range.start + i))
    }

    /// The name of `state`, or its number where the model gives no names.
    pub fn state_name(&self, state: State) -> String {
        match self.state_names.get(state.at()) {
            Some(name) => name.clone(),
            None => state.to_string(),
        }
    }

    /// The names of all states; empty where the model gives none.
    pub fn state_names(&self) -> &[String] {
        &self.state_names
    }

    /// The names of all actions.
    pub fn action_names(&self) -> &[String] {
        &self.action_names
    }

    /// The name of `action`.
    pub fn action_name(&self, action: Action) -> &str {
        &self.action_names[action.at()]
    }

    /// `state, action` of `pair` in words.
    pub fn pair_name(&self, pair: Pair) -> String {
        let state = self.state_name(self.state_of(pair));
        format!("({state}, {})", self.action_name(self.action_of(pair)))
    }

    /// Whether both tasks have the same states, with the same actions available in each.
    pub fn has_pairs_of(&self, other: &Self) -> bool {
        self.pair_start == other.pair_start && self.action_of == other.action_of
    }

    /// All states in order.
    pub fn all_states(&self) -> impl Iterator<Item = State> + use<> {
        (0..self.states()).map(State::new)
    }

    /// All pairs in order.
    pub fn all_pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        (0..self.pairs()).map(Pair::new)
    }

    /// `<mu0, values>`.
    pub fn at_start(&self, values: &[f64]) -> f64 {
        self.start.iter().map(|&(s, p)| p * values[s.at()]).sum()
    }
}
