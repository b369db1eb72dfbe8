//! What is known to all: states, available actions, rewards, start, terminals, discount.

use crate::index::{Action, Pair, State};
use crate::{Error, Result};
use std::ops::Range;

/// A reward may miss its declared range by this share of the largest one, which is rounding.
const ROUNDING: f64 = 1e-9;

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
    pub(super) transition_rewards: Option<TransitionRewards>,
    /// The range of a step's reward, where rewards are seen and not known.
    pub(super) observed: Option<(f64, f64)>,
    pub(super) range: RewardRange,
}

/// What transitions earn beyond their pair's own reward, in compressed rows, next states ascending.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TransitionRewards {
    pub(super) start: Vec<usize>,
    pub(super) next: Vec<u32>,
    pub(super) reward: Vec<f64>,
    /// Whether every next state of a pair with entries is listed, zeros included.
    pub(super) complete: bool,
}

impl TransitionRewards {
    pub(super) fn new(complete: bool) -> Self {
        Self {
            start: vec![0],
            next: Vec::new(),
            reward: Vec::new(),
            complete,
        }
    }

    pub(super) fn push(&mut self, next: u32, reward: f64) {
        self.next.push(next);
        self.reward.push(reward);
    }

    pub(super) fn end_row(&mut self) {
        self.start.push(self.next.len());
    }
}

/// How large rewards and returns can be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RewardRange {
    /// The least and the largest reward of any step.
    pub(super) reward: (f64, f64),
    /// Bounds of all discounted returns.
    pub(super) value: (f64, f64),
    /// Whether `value` was declared rather than derived.
    pub(super) declared: bool,
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

    /// What every pair earns whatever follows. Where transitions earn rewards of their own, the
    /// expected reward of a pair depends on the dynamics: [`crate::model::Dynamics::reward`]. Where
    /// rewards are [observed](Self::observed_rewards) a stand-in for what was not seen yet: the
    /// number of their range nearest to 0.
    pub fn reward(&self) -> &[f64] {
        &self.reward
    }

    /// Whether what a pair earns may depend on where it leads.
    pub fn has_transition_rewards(&self) -> bool {
        self.transition_rewards.is_some() || self.observed.is_some()
    }

    /// The least and the largest reward of a step, where rewards are seen and not known beforehand.
    pub fn observed_rewards(&self) -> Option<(f64, f64)> {
        self.observed
    }

    /// A reward that was seen when `pair` led to `next`, refused if it is none or out of range.
    pub fn checked_reward(&self, pair: Pair, next: State, reward: f64) -> Result<f64> {
        let (least, most) = self.range.reward;
        let slack = ROUNDING * self.reward_scale();
        if least - slack <= reward && reward <= most + slack {
            return Ok(reward.clamp(least, most));
        }
        let place = self.reward_place(pair, next);
        Err(match reward.is_finite() {
            false => Error::invalid(
                place,
                format!("{reward} is not a finite number"),
                "return a finite reward",
            ),
            true => Error::invalid(
                place,
                format!("{reward} is outside the declared range [{least}, {most}]"),
                "declare a range that holds the reward of every step",
            ),
        })
    }

    /// Where in messages the reward of a transition is.
    pub(crate) fn reward_place(&self, pair: Pair, next: State) -> String {
        let (from, to) = (self.pair_name(pair), self.state_name(next));
        format!("reward of {from} leading to {to}")
    }

    /// The next states after which `pair` earns a reward of its own, and that reward, without
    /// [`Self::reward`].
    pub fn transition_rewards(&self, pair: Pair) -> (&[u32], &[f64]) {
        match &self.transition_rewards {
            None => (&[], &[]),
            Some(t) => {
                let range = t.start[pair.at()]..t.start[pair.at() + 1];
                (&t.next[range.clone()], &t.reward[range])
            }
        }
    }

    /// `r(s, a, s')`: what `pair` earns when it leads to `next`.
    pub fn reward_of(&self, pair: Pair, next: State) -> f64 {
        let (states, rewards) = self.transition_rewards(pair);
        let own = states.binary_search(&next.0).map_or(0.0, |i| rewards[i]);
        self.reward[pair.at()] + own
    }

    /// The least and the largest that `pair` can earn in one step.
    pub fn reward_range(&self, pair: Pair) -> (f64, f64) {
        if let Some(range) = self.observed {
            return range;
        }
        let base = self.reward[pair.at()];
        let own = self.transition_rewards(pair).1;
        let complete = self.transition_rewards.as_ref().is_some_and(|t| t.complete);
        let other = (!complete || own.is_empty()).then_some(0.0);
        let all = || own.iter().copied().chain(other);
        let least = all().fold(f64::INFINITY, f64::min);
        let most = all().fold(f64::NEG_INFINITY, f64::max);
        (base + least, base + most)
    }

    /// The largest reward of any step.
    pub fn reward_max(&self) -> f64 {
        self.range.reward.1
    }

    /// The least reward of any step.
    pub fn reward_min(&self) -> f64 {
        self.range.reward.0
    }

    /// The size of rewards: the largest reward of any step without its sign. What is small is small
    /// in this unit.
    pub fn reward_scale(&self) -> f64 {
        self.range.reward.1.max(-self.range.reward.0)
    }

    /// `R_max` as bounds need it: all returns differ by at most this over `1 - gamma`.
    pub fn reward_span(&self) -> f64 {
        if self.range.declared {
            (self.range.value.1 - self.range.value.0) * (1.0 - self.gamma)
        } else {
            self.range.reward.1.max(0.0) - self.range.reward.0.min(0.0)
        }
    }

    /// The least and the largest discounted return from any state: as declared, or what the rewards
    /// of single steps allow, if every step could earn the least or the largest and any step could
    /// be the last.
    pub fn value_range(&self) -> (f64, f64) {
        self.range.value
    }

    /// The range of returns, if it was declared.
    pub fn declared_range(&self) -> Option<(f64, f64)> {
        self.range.declared.then_some(self.range.value)
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

    /// Where the pairs of every state of a range begin, and the end of the last.
    #[inline]
    pub(crate) fn pair_starts(&self, states: Range<usize>) -> &[u32] {
        &self.pair_start[states.start..=states.end]
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
