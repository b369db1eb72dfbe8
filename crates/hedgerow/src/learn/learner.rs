//! The learner: from counts to the inferred cost, updated incrementally.

use crate::index::{Pair, State};
use crate::learn::{Estimate, Inference};
use crate::model::{CELL_SHARE, Dynamics, Policy, Task};
use crate::{Error, Result};
use std::sync::Arc;

mod refresh;
mod waiting;

use refresh::Followers;
use waiting::Waiting;

/// Rewards that differ by no more than this share of their size are the same but for rounding.
const SAME_REWARD: f64 = 1e-9;

/// So are those that differ by no more than this share of the largest reward.
const NO_REWARD: f64 = 1e-12;

fn is_same(before: f64, now: f64, scale: f64) -> bool {
    let size = before.abs().max(now.abs());
    (before - now).abs() <= (SAME_REWARD * size).max(NO_REWARD * scale)
}

/// What has been seen, and what follows from it.
#[derive(Clone, Debug)]
pub struct Learner {
    task: Arc<Task>,
    inference: Inference,
    estimate: Estimate,
    samples: u64,
    expert_pair: Vec<u32>,
    expert_state: Vec<u32>,
    values: Vec<f64>,
    advantage: Vec<f64>,
    variance: Vec<f64>,
    constrained: Vec<bool>,
    /// Pairs seen to lead to a state.
    before: Vec<Vec<u32>>,
    /// The starts, and every state that was entered or asked about, in the order of that.
    entered: Vec<State>,
    is_entered: Vec<bool>,
    /// Of all observations in their order.
    revision: u64,
    /// States whose rows or expert counts changed since the last refresh.
    touched: Vec<State>,
    is_touched: Vec<bool>,
    is_stale: Vec<bool>,
    waiting: Waiting,
    followers: Followers,
}

impl Learner {
    /// A learner that knows the task and has seen nothing.
    pub fn new(task: Arc<Task>, inference: Inference) -> Self {
        let (states, pairs) = (task.states(), task.pairs());
        let mut learner = Self {
            inference,
            estimate: Estimate::of(&task),
            samples: 0,
            expert_pair: vec![0; pairs],
            expert_state: vec![0; states],
            values: vec![0.0; states],
            advantage: vec![0.0; pairs],
            variance: vec![0.0; pairs],
            constrained: vec![false; pairs],
            before: vec![Vec::new(); states],
            entered: Vec::new(),
            is_entered: vec![false; states],
            revision: (states as u64) << 32 | pairs as u64,
            touched: Vec::new(),
            is_touched: vec![false; states],
            is_stale: vec![false; states],
            waiting: Waiting::new(states),
            followers: Followers::new(states),
            task: task.clone(),
        };
        task.start().iter().for_each(|&(s, _)| learner.enter(s));
        learner
    }

    /// Records that taking `pair` led to `next`. Counts as one sample.
    pub fn see_transition(&mut self, pair: Pair, next: State) {
        self.see_transitions(pair, next, 1);
    }

    /// Records that taking `pair` led to `next` so many times.
    ///
    /// # Panics
    /// If a pair is taken 2^32 times; see [`Self::is_full`].
    pub fn see_transitions(&mut self, pair: Pair, next: State, times: u32) {
        if times == 0 {
            return;
        }
        if self.estimate.record_many(pair, next, times) {
            self.before[next.at()].push(pair.0);
        }
        self.samples += u64::from(times);
        self.revise([1, pair.0, next.0, times]);
        self.touch(self.task.state_of(pair));
        self.enter(next);
    }

    /// Records one step with what it earned: [`Self::see_transition`], and [`Self::see_reward`] where
    /// rewards are not known beforehand.
    pub fn see_step(&mut self, pair: Pair, next: State, reward: Option<f64>) -> Result<()> {
        self.see_transition(pair, next);
        if self.task.observed_rewards().is_none() {
            return Ok(());
        }
        let reward = reward.ok_or_else(|| {
            Error::invalid(
                self.task.reward_place(pair, next),
                "none was told, and rewards are not known beforehand here",
                "tell the reward of every step",
            )
        })?;
        self.see_reward(pair, next, reward)
    }

    /// Records what a transition that was seen from `pair` to `next` earned. It has to earn the same
    /// whenever it is seen. Where rewards are known beforehand this changes nothing.
    pub fn see_reward(&mut self, pair: Pair, next: State, reward: f64) -> Result<()> {
        if self.task.observed_rewards().is_none() {
            return Ok(());
        }
        let reward = self.task.checked_reward(pair, next, reward)?;
        let refuse = |problem: String, remedy| {
            Error::invalid(self.task.reward_place(pair, next), problem, remedy)
        };
        match self.estimate.reward_seen(pair, next) {
            None if self.estimate.tell_reward(pair, next, reward) => {
                self.revise([3, pair.0, next.0, 1]);
                self.touch(self.task.state_of(pair));
                Ok(())
            }
            None => Err(refuse(
                format!("{reward} was told of a transition that was never seen"),
                "record the transition first",
            )),
            Some(before) if is_same(before, reward, self.task.reward_scale()) => Ok(()),
            Some(before) => Err(refuse(
                format!(
                    "{before} before and {reward} now, and the reward has to follow from state, action and next state"
                ),
                "put what it depends on into the state",
            )),
        }
    }

    /// Records one answer of the expert.
    pub fn see_expert(&mut self, pair: Pair) {
        self.see_expert_times(pair, 1);
    }

    /// Records the same answer of the expert so many times.
    ///
    /// # Panics
    /// If the expert is asked 2^32 times in a state; see [`Self::is_full`].
    pub fn see_expert_times(&mut self, pair: Pair, times: u32) {
        if times == 0 {
            return;
        }
        let state = self.task.state_of(pair);
        let asked = self.expert_state[state.at()].checked_add(times);
        self.expert_state[state.at()] = asked.expect("the expert is asked fewer than 2^32 times");
        self.expert_pair[pair.at()] += times;
        self.revise([2, pair.0, 0, times]);
        self.touch(state);
    }

    /// Whether `pair` or its state has been seen as often as can be counted, 2^32 - 1 times.
    pub fn is_full(&self, pair: Pair) -> bool {
        let asked = self.expert_state[self.task.state_of(pair).at()];
        self.estimate.visits(pair).max(asked) == u32::MAX
    }

    fn enter(&mut self, state: State) {
        if !std::mem::replace(&mut self.is_entered[state.at()], true) {
            self.entered.push(state);
        }
    }

    /// Mixes an observation into the revision.
    fn revise(&mut self, observed: [u32; 4]) {
        for number in observed {
            let mixed = (self.revision ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.revision = mixed ^ (mixed >> 29);
        }
    }

    fn touch(&mut self, state: State) {
        self.enter(state);
        if !std::mem::replace(&mut self.is_touched[state.at()], true) {
            self.touched.push(state);
        }
    }

    /// `Q^(s,a)` of the estimated expert; for a pair never tried, its reward alone.
    pub fn q(&self, pair: Pair) -> f64 {
        let later = self.estimate.expect(pair, &self.values);
        self.reward()[pair.at()] + self.task.gamma() * later
    }

    /// The estimated reward `r^(s,a)` of every pair: known, except where what follows earns too or
    /// rewards are seen only.
    pub fn reward(&self) -> &[f64] {
        self.estimate.reward(&self.task)
    }

    /// The starts, and every state that was entered or asked about, in the order of that. All others
    /// are as they were at first.
    pub fn entered(&self) -> &[State] {
        &self.entered
    }

    /// Whether `state` is one of [`Self::entered`].
    pub fn has_entered(&self, state: State) -> bool {
        self.is_entered[state.at()]
    }

    /// The pairs of the states that were entered.
    pub fn entered_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        let states = self.entered.iter();
        states.flat_map(|&s| self.task.pairs_of(s).map(Pair::new))
    }

    /// A number that changes with every observation, and is the same for the same ones in the same order:
    /// what follows from a learner need not be computed again while it stays.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether any reward was seen to be earned: without one nothing tells actions apart.
    pub fn has_earned(&self) -> bool {
        let mut pairs = self.entered_pairs();
        pairs.any(|p| self.estimate.visits(p) > 0 && self.reward()[p.at()] != 0.0)
    }

    /// The standard error of `Q^(s,a)` after `n` tries, from its own row alone.
    pub fn standard_error(&self, pair: Pair, n: u32) -> f64 {
        self.outlook() * (self.variance(pair) / f64::from(n)).sqrt()
    }

    /// What a deviation of [`Self::variance`] counts: values one step later, or returns as they are.
    pub(super) fn outlook(&self) -> f64 {
        match self.task.has_transition_rewards() {
            true => 1.0,
            false => self.task.gamma(),
        }
    }

    /// The advantage that never counts, in units of reward.
    pub fn threshold(&self) -> f64 {
        self.inference.threshold * self.task.reward_scale()
    }

    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The task, to be kept.
    pub(crate) fn shared_task(&self) -> &Arc<Task> {
        &self.task
    }

    /// The parameters of the inference.
    pub fn inference(&self) -> &Inference {
        &self.inference
    }

    /// Counts and estimated dynamics.
    pub fn estimate(&self) -> &Estimate {
        &self.estimate
    }

    /// Transitions seen so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// `V^(s)` of the estimated expert for all states.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// `A^(s,a)`; 0 for a pair never tried.
    #[inline]
    pub fn advantage(&self, pair: Pair) -> f64 {
        self.advantage[pair.at()]
    }

    /// Variance of `V^` at the next state of `pair`; where transitions earn rewards of their own,
    /// that of `r(s,a,s') + gamma V^(s')`.
    #[inline]
    pub fn variance(&self, pair: Pair) -> f64 {
        self.variance[pair.at()]
    }

    /// How often the expert was asked in `state`.
    pub fn expert_asked(&self, state: State) -> u32 {
        self.expert_state[state.at()]
    }

    /// How often the expert was seen to choose `pair`.
    #[inline]
    pub fn expert_choices(&self, pair: Pair) -> u32 {
        self.expert_pair[pair.at()]
    }

    /// Whether the expert was ever seen to choose `pair`.
    #[inline]
    pub fn expert_chose(&self, pair: Pair) -> bool {
        self.expert_pair[pair.at()] > 0
    }

    /// `pi^_E`; uniform where the expert was never asked.
    pub fn expert_policy(&self) -> Policy {
        let mut prob = Policy::uniform(&self.task).probs().to_vec();
        for state in self.task.all_states() {
            let asked = self.expert_state[state.at()];
            if asked > 0 {
                for i in self.task.pairs_of(state) {
                    prob[i] = f64::from(self.expert_pair[i]) / f64::from(asked);
                }
            }
        }
        Policy::from_raw(prob)
    }

    /// Whether `c^(s,a) > 0`, for all pairs.
    pub fn constrained(&self) -> &[bool] {
        &self.constrained
    }

    /// The pairs with `c^(s,a) > 0`, ascending.
    pub fn constrained_pairs(&self) -> Vec<Pair> {
        let flagged = self.entered_pairs().filter(|p| self.constrained[p.at()]);
        let mut pairs: Vec<Pair> = flagged.collect();
        pairs.sort_unstable();
        pairs
    }

    /// `c^(s,a) = zeta A^(s,a)`, with `zeta = C_max / max+ A^` over the constrained pairs.
    pub fn cost(&self) -> Vec<f64> {
        let mut cost = vec![0.0; self.constrained.len()];
        for (pair, c) in self.positive_cost() {
            cost[pair.at()] = c;
        }
        cost
    }

    /// The positive entries of [`Self::cost`], by ascending pair.
    pub fn positive_cost(&self) -> Vec<(Pair, f64)> {
        let pairs = self.constrained_pairs();
        let advantages = pairs.iter().map(|&p| self.advantage(p));
        let largest = advantages.fold(0.0, f64::max);
        let cost = |p: Pair| self.inference.cost_max * (self.advantage(p) / largest);
        pairs.into_iter().map(|p| (p, cost(p))).collect()
    }

    /// The inferred cost on cells, under the estimated dynamics.
    pub fn cost_on_cells(&self) -> Vec<f64> {
        let mut cells = vec![0.0; self.task.states()];
        for (state, c) in self.positive_cells() {
            cells[state.at()] = c;
        }
        cells
    }

    /// The positive entries of [`Self::cost_on_cells`] that count as cells: what is below 5 % of the largest is
    /// left out.
    pub fn significant_cells(&self) -> Vec<(State, f64)> {
        let mut cells = self.positive_cells();
        let largest = cells.iter().map(|&(_, c)| c).fold(0.0, f64::max);
        cells.retain(|&(_, c)| c >= CELL_SHARE * largest);
        cells
    }

    /// The positive entries of [`Self::cost_on_cells`], by ascending state.
    pub fn positive_cells(&self) -> Vec<(State, f64)> {
        let mut parts: Vec<(State, f64)> = Vec::new();
        for (pair, c) in self.positive_cost() {
            let (next, prob) = self.estimate.row(pair);
            let entered = next.iter().map(|&s| State(s)).zip(prob);
            let lasting = entered.filter(|(s, _)| !self.task.is_terminal(*s));
            parts.extend(lasting.map(|(s, p)| (s, p * c)));
        }
        // Stable, so that every cell is summed by ascending pair.
        parts.sort_by_key(|&(s, _)| s);
        let mut cells: Vec<(State, f64)> = Vec::new();
        for (state, c) in parts {
            match cells.last_mut() {
                Some((last, sum)) if *last == state => *sum += c,
                _ => cells.push((state, c)),
            }
        }
        cells.retain(|&(_, c)| c > 0.0);
        cells
    }
}
