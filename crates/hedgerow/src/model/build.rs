//! Building a [`Model`] or a [`Task`]: collect the parts, then validate them once.

use crate::index::{Action, Pair, State};
use crate::model::ends::Ends;
use crate::model::task::{RewardRange, TransitionRewards};
use crate::model::{Model, Rows, SUM_TOLERANCE, Task};
use crate::{Error, Result};
use std::collections::BTreeMap;

/// What the name of a twin for endings ends in.
pub(crate) const END: &str = " (end)";

/// Collects the parts of a model in any order and checks them when it is built.
///
/// ```
/// use hedgerow::model::ModelBuilder;
/// let mut b = ModelBuilder::new(2, ["stay", "go"], 0.9);
/// b.start(0, 1.0).terminal(1);
/// b.transition(0, 0, 0, 1.0).reward(0, 0, 0.1);
/// b.transition(0, 1, 1, 1.0).reward(0, 1, 1.0);
/// let model = b.build()?;
/// assert_eq!(model.task().pairs(), 2);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    pub(super) states: usize,
    pub(super) gamma: f64,
    pub(super) state_names: Vec<String>,
    pub(super) action_names: Vec<String>,
    start: Vec<(usize, f64)>,
    terminal: Vec<usize>,
    transitions: Vec<Transition>,
    available: Vec<(usize, usize)>,
    rewards: Vec<(usize, usize, f64)>,
    transition_rewards: Vec<(usize, usize, usize, f64)>,
    all_listed: bool,
    value_range: Option<(f64, f64)>,
    observed: Option<(f64, f64)>,
}

/// One outcome of a pair, as it was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transition {
    pub(super) state: usize,
    pub(super) action: usize,
    pub(super) next: usize,
    pub(super) prob: f64,
    pub(super) reward: f64,
    pub(super) ends: bool,
}

impl Transition {
    fn key(&self) -> (usize, usize, usize) {
        (self.state, self.action, self.next)
    }

    fn pair(&self) -> (usize, usize) {
        (self.state, self.action)
    }
}

impl ModelBuilder {
    /// A model of `states` states with the given action labels and discount.
    pub fn new<N: Into<String>>(
        states: usize,
        actions: impl IntoIterator<Item = N>,
        gamma: f64,
    ) -> Self {
        Self {
            states,
            gamma,
            state_names: Vec::new(),
            action_names: actions.into_iter().map(Into::into).collect(),
            start: Vec::new(),
            terminal: Vec::new(),
            transitions: Vec::new(),
            available: Vec::new(),
            rewards: Vec::new(),
            transition_rewards: Vec::new(),
            all_listed: false,
            value_range: None,
            observed: None,
        }
    }

    /// Names for the states, used in messages and files; empty for numbers.
    pub fn state_names(&mut self, names: Vec<String>) -> &mut Self {
        self.state_names = names;
        self
    }

    /// `mu0(state) = prob`.
    pub fn start(&mut self, state: usize, prob: f64) -> &mut Self {
        self.start.push((state, prob));
        self
    }

    /// Entering `state` ends the episode.
    pub fn terminal(&mut self, state: usize) -> &mut Self {
        self.terminal.push(state);
        self
    }

    /// `P(next | state, action) = prob`. A pair is available when it has a transition.
    /// A transition given several times has the sum of the probabilities.
    pub fn transition(&mut self, state: usize, action: usize, next: usize, prob: f64) -> &mut Self {
        self.outcome((state, action), next, prob, 0.0, false)
    }

    /// The same for a transition that earns `reward` of its own, besides that of its pair, and, if
    /// it `ends`, is the last of its episode.
    ///
    /// A state that is entered both ways has a twin for the endings, after all others. One that is
    /// only ever entered by endings, and is no start, is terminal: what is said of its actions is
    /// left out. Of a transition given several times the reward is the mean.
    pub fn outcome(
        &mut self,
        (state, action): (usize, usize),
        next: usize,
        prob: f64,
        reward: f64,
        ends: bool,
    ) -> &mut Self {
        self.transitions.push(Transition {
            state,
            action,
            next,
            prob,
            reward,
            ends,
        });
        self
    }

    /// What `action` in `state` earns when it leads to `next`, besides its own reward: for
    /// [`Self::build_task`], where outcomes are not known.
    pub fn transition_reward(
        &mut self,
        state: usize,
        action: usize,
        next: usize,
        value: f64,
    ) -> &mut Self {
        self.transition_rewards.push((state, action, next, value));
        self
    }

    /// Says that [`Self::transition_reward`] was told of all outcomes of a pair, if of any.
    pub(crate) fn all_outcomes_listed(&mut self) -> &mut Self {
        self.all_listed = true;
        self
    }

    /// Declares that no discounted return is below `low` or above `high`, from whatever state.
    pub fn value_range(&mut self, low: f64, high: f64) -> &mut Self {
        self.value_range = Some((low, high));
        self
    }

    /// Says that rewards are seen, step by step, and not known beforehand; only that none is below
    /// `least` or above `most`. For [`Self::build_task`], and no reward may be given then.
    pub fn observed_rewards(&mut self, least: f64, most: f64) -> &mut Self {
        self.observed = Some((least, most));
        self
    }

    /// `action` can be taken in `state`, its outcome not known: for [`Self::build_task`].
    pub fn available(&mut self, state: usize, action: usize) -> &mut Self {
        self.available.push((state, action));
        self
    }

    /// `r(state, action) = value`, of any sign; pairs that are not named earn 0.
    pub fn reward(&mut self, state: usize, action: usize, value: f64) -> &mut Self {
        self.rewards.push((state, action, value));
        self
    }

    /// Validates all parts and builds the model.
    pub fn build(mut self) -> Result<Model> {
        if self.observed.is_some() {
            return Err(Error::invalid(
                "observed_rewards",
                "a model with its dynamics knows its rewards",
                "give the rewards, or build a task",
            ));
        }
        self.check_sizes()?;
        let mut terminal = self.terminals()?;
        self.check_transitions()?;
        let starts: Vec<usize> = self.start.iter().map(|&(s, _)| s).collect();
        let ends = Ends::new(&self.transitions, &starts, &terminal);
        let left_out = ends.apply(&mut self.transitions, &mut terminal);
        self.name_twins(&ends);
        let merged = merged(&self.transitions);
        let mut pairs: Vec<(usize, usize)> = merged.iter().map(Transition::pair).collect();
        pairs.dedup();
        let mut task = self.pairs(&pairs, &terminal)?;
        let mut rows = rows(&merged);
        check_rows(&task, &rows)?;
        task.start = self.start_distribution(&terminal)?;
        self.fill_rewards(&mut task, &left_out)?;
        let own: Vec<f64> = merged.iter().map(|t| t.reward).collect();
        fill_transition_rewards(&mut task, &mut rows, &own);
        self.fill_range(&mut task)?;
        Ok(Model::from_parts(task, rows))
    }

    /// Adds the twins to the states, named after the states they end in.
    fn name_twins(&mut self, ends: &Ends) {
        let twins = ends.twins();
        if twins.is_empty() {
            return;
        }
        if self.state_names.is_empty() {
            let number = |s| State::new(s).to_string();
            self.state_names = (0..self.states).map(number).collect();
        }
        for &of in twins {
            let name = format!("{}{END}", self.state_names[of]);
            self.state_names.push(name);
        }
        self.states += twins.len();
    }

    /// Validates all parts but the transitions and builds the task: what is known without
    /// dynamics. Where no pair was made available, all actions are, in all states that are not
    /// terminal.
    pub fn build_task(self) -> Result<Task> {
        self.check_sizes()?;
        let terminal = self.terminals()?;
        let pairs = self.available_pairs(&terminal)?;
        let mut task = self.pairs(&pairs, &terminal)?;
        task.start = self.start_distribution(&terminal)?;
        self.fill_observed(&mut task)?;
        self.fill_rewards(&mut task, &[])?;
        self.fill_known_transitions(&mut task)?;
        self.fill_range(&mut task)?;
        Ok(task)
    }

    pub(super) fn check_sizes(&self) -> Result<()> {
        if !(0.0..1.0).contains(&self.gamma) {
            return Err(Error::invalid(
                "gamma",
                format!("{} is outside [0, 1)", self.gamma),
                "use a discount of at least 0 and below 1",
            ));
        }
        if self.states == 0 || self.states >= u32::MAX as usize {
            return Err(Error::invalid(
                "states",
                format!("{} states", self.states),
                "a model has at least one state and fewer than 2^32 - 1",
            ));
        }
        if !self.state_names.is_empty() && self.state_names.len() != self.states {
            return Err(Error::invalid(
                "state names",
                format!(
                    "{} names for {} states",
                    self.state_names.len(),
                    self.states
                ),
                "name every state or none",
            ));
        }
        Ok(())
    }

    pub(super) fn state(&self, place: &str, s: usize) -> Result<State> {
        if s < self.states {
            return Ok(State::new(s));
        }
        Err(Error::invalid(
            place,
            format!("state {s} is out of range"),
            format!("states run from 0 to {}", self.states - 1),
        ))
    }

    fn action(&self, place: &str, a: usize) -> Result<Action> {
        if a < self.action_names.len() {
            return Ok(Action::new(a));
        }
        Err(Error::invalid(
            place,
            format!("action {a} is out of range"),
            format!(
                "there are {} actions, counted from 0",
                self.action_names.len()
            ),
        ))
    }

    fn terminals(&self) -> Result<Vec<bool>> {
        let mut flags = vec![false; self.states];
        for (i, &s) in self.terminal.iter().enumerate() {
            let place = format!("terminal[{i}]");
            let state = self.state(&place, s)?;
            if std::mem::replace(&mut flags[state.at()], true) {
                return Err(duplicate(place, format!("state {s}")));
            }
        }
        Ok(flags)
    }

    fn check_transitions(&self) -> Result<()> {
        for (i, t) in self.transitions.iter().enumerate() {
            let place = || format!("transitions[{i}]");
            let (s, a, next) = t.key();
            if s >= self.states || next >= self.states {
                self.state(&place(), s)?;
                self.state(&place(), next)?;
            }
            if a >= self.action_names.len() {
                self.action(&place(), a)?;
            }
            if !(t.prob.is_finite() && t.prob > 0.0) {
                return Err(Error::invalid(
                    place(),
                    format!(
                        "P({next} | {s}, {a}) = {} is not a positive finite number",
                        t.prob
                    ),
                    "leave out impossible transitions and give the others a positive probability",
                ));
            }
            if !t.reward.is_finite() {
                return Err(Error::invalid(
                    place(),
                    format!("r({s}, {a}, {next}) = {} is not a finite number", t.reward),
                    "use a finite number",
                ));
            }
        }
        Ok(())
    }

    /// The pairs made available, sorted, each checked.
    fn available_pairs(&self, terminal: &[bool]) -> Result<Vec<(usize, usize)>> {
        if self.available.is_empty() {
            let live = (0..self.states).filter(|&s| !terminal[s]);
            let actions = self.action_names.len();
            return Ok(live
                .flat_map(|s| (0..actions).map(move |a| (s, a)))
                .collect());
        }
        let mut order: Vec<usize> = (0..self.available.len()).collect();
        for (i, &(s, a)) in self.available.iter().enumerate() {
            let place = format!("available[{i}]");
            self.state(&place, s)?;
            self.action(&place, a)?;
        }
        order.sort_by_key(|&i| self.available[i]);
        for pair in order.windows(2) {
            if self.available[pair[0]] == self.available[pair[1]] {
                let (s, a) = self.available[pair[1]];
                return Err(duplicate(
                    format!("available[{}]", pair[1]),
                    format!("({s}, {a}), first at available[{}],", pair[0]),
                ));
            }
        }
        Ok(order.iter().map(|&i| self.available[i]).collect())
    }

    /// A task of these pairs, which are sorted and distinct; its start and rewards still missing.
    fn pairs(&self, pairs: &[(usize, usize)], terminal: &[bool]) -> Result<Task> {
        let mut pair_start = Vec::with_capacity(self.states + 1);
        let mut at = 0;
        for (s, &ends) in terminal.iter().enumerate() {
            pair_start.push(at as u32);
            let first = at;
            while at < pairs.len() && pairs[at].0 == s {
                at += 1;
            }
            self.check_actions(s, ends, at > first)?;
        }
        pair_start.push(at as u32);
        Ok(Task {
            gamma: self.gamma,
            pair_start,
            state_of: pairs.iter().map(|&(s, _)| s as u32).collect(),
            action_of: pairs.iter().map(|&(_, a)| a as u32).collect(),
            reward: vec![0.0; pairs.len()],
            start: Vec::new(),
            state_names: self.state_names.clone(),
            action_names: self.action_names.clone(),
            transition_rewards: None,
            observed: None,
            range: RewardRange::default(),
        })
    }

    fn check_actions(&self, s: usize, terminal: bool, has_actions: bool) -> Result<()> {
        match (terminal, has_actions) {
            (false, false) => Err(Error::invalid(
                format!("state {s}"),
                "no action is available and it is not terminal",
                "make an action available in it or list it under terminal",
            )),
            (true, true) => Err(Error::invalid(
                format!("state {s}"),
                "it is terminal but has actions",
                "entering a terminal ends the episode: remove its actions or the terminal mark",
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn start_distribution(&self, terminal: &[bool]) -> Result<Vec<(State, f64)>> {
        let mut start = BTreeMap::new();
        for (i, &(s, p)) in self.start.iter().enumerate() {
            let place = format!("start[{i}]");
            let state = self.state(&place, s)?;
            if !(p.is_finite() && p > 0.0) {
                return Err(Error::invalid(
                    place,
                    format!("mu0({s}) = {p} is not a positive finite number"),
                    "leave out impossible starts and give the others a positive probability",
                ));
            }
            if terminal[s] {
                return Err(Error::invalid(
                    place,
                    format!("state {s} is terminal"),
                    "an episode cannot start where it ends",
                ));
            }
            if start.insert(state, p).is_some() {
                return Err(duplicate(place, format!("state {s}")));
            }
        }
        // Not `sum()`: that of an empty list is -0, which reads oddly in a message.
        let sum = start.values().fold(0.0, |sum, p| sum + p);
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(Error::invalid(
                "start",
                format!("probabilities sum to {sum}, not 1 (tolerance {SUM_TOLERANCE:e})"),
                "make the start distribution sum to 1",
            ));
        }
        Ok(start.into_iter().collect())
    }

    /// Rewards of pairs; those of states that are `left_out` have no pairs.
    fn fill_rewards(&self, task: &mut Task, left_out: &[bool]) -> Result<()> {
        let mut given = vec![false; task.pairs()];
        for (i, &(s, a, r)) in self.rewards.iter().enumerate() {
            let place = format!("rewards[{i}]");
            if left_out.get(s) == Some(&true) {
                continue;
            }
            let pair = self.rewarded(task, &place, (s, a), r)?;
            if std::mem::replace(&mut given[pair.at()], true) {
                return Err(duplicate(place, format!("({s}, {a})")));
            }
            task.reward[pair.at()] = r;
        }
        Ok(())
    }

    /// The range of rewards that are seen, step by step.
    fn fill_observed(&self, task: &mut Task) -> Result<()> {
        let Some((least, most)) = self.observed else {
            return Ok(());
        };
        if !(least.is_finite() && most.is_finite() && least <= most) {
            return Err(Error::invalid(
                "reward range",
                format!("[{least}, {most}] is not a range"),
                "give two finite numbers, the smaller one first",
            ));
        }
        if !self.rewards.is_empty() || !self.transition_rewards.is_empty() {
            return Err(Error::invalid(
                "rewards",
                "they are given, and said to be seen only",
                "leave out the rewards, or `observed_rewards`",
            ));
        }
        task.observed = self.observed;
        task.reward.fill(0.0_f64.clamp(least, most));
        Ok(())
    }

    /// The pair that earns `reward`, which is checked.
    fn rewarded(
        &self,
        task: &Task,
        place: &str,
        (s, a): (usize, usize),
        reward: f64,
    ) -> Result<Pair> {
        let (state, action) = (self.state(place, s)?, self.action(place, a)?);
        if !reward.is_finite() {
            return Err(Error::invalid(
                place,
                format!("r({s}, {a}) = {reward} is not a finite number"),
                "use a finite number",
            ));
        }
        task.pair(state, action).ok_or_else(|| {
            Error::invalid(
                place,
                format!("action {a} is not available in state {s}"),
                "make the action available there or remove its reward",
            )
        })
    }

    /// Rewards of transitions where outcomes are not known.
    fn fill_known_transitions(&self, task: &mut Task) -> Result<()> {
        if self.transition_rewards.is_empty() {
            return Ok(());
        }
        let mut listed = BTreeMap::new();
        for (i, &(s, a, next, r)) in self.transition_rewards.iter().enumerate() {
            let place = format!("rewards[{i}]");
            let pair = self.rewarded(task, &place, (s, a), r)?;
            let next = self.state(&place, next)?;
            if listed.insert((pair, next), r).is_some() {
                return Err(duplicate(place, format!("({s}, {a}, {})", next.0)));
            }
        }
        let mut rewards = TransitionRewards::new(self.all_listed);
        let mut entries = listed.into_iter().peekable();
        for pair in task.all_pairs() {
            while let Some(((_, next), r)) = entries.next_if(|((p, _), _)| *p == pair) {
                rewards.push(next.0, r);
            }
            rewards.end_row();
        }
        task.transition_rewards = Some(rewards);
        Ok(())
    }

    /// The range of rewards, and of returns as declared or as the rewards allow.
    pub(super) fn fill_range(&self, task: &mut Task) -> Result<()> {
        let mut reward = (f64::INFINITY, f64::NEG_INFINITY);
        for pair in task.all_pairs() {
            let (least, most) = task.reward_range(pair);
            reward = (reward.0.min(least), reward.1.max(most));
        }
        if task.pairs() == 0 {
            reward = (0.0, 0.0);
        }
        let horizon = 1.0 - task.gamma;
        let value = (reward.0.min(0.0) / horizon, reward.1.max(0.0) / horizon);
        if !(value.1 - value.0).is_finite() {
            return Err(Error::invalid(
                "rewards",
                format!(
                    "rewards from {:e} to {:e} with discount {} make returns too large to compute with",
                    reward.0, reward.1, task.gamma
                ),
                "use rewards of a smaller size",
            ));
        }
        task.range = RewardRange {
            reward,
            value,
            declared: false,
        };
        let Some((low, high)) = self.value_range else {
            return Ok(());
        };
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(Error::invalid(
                "value_range",
                format!("[{low}, {high}] is not a range"),
                "give two finite numbers, the smaller one first",
            ));
        }
        // Nothing more is earned after the end.
        let ends = task.all_states().any(|s| task.is_terminal(s));
        task.range.value = match ends {
            true => (low.min(0.0), high.max(0.0)),
            false => (low, high),
        };
        task.range.declared = true;
        Ok(())
    }
}

/// The transitions by (state, action, next), those given several times put together.
fn merged(transitions: &[Transition]) -> Vec<Transition> {
    let mut sorted = transitions.to_vec();
    sorted.sort_by_key(Transition::key);
    let mut merged: Vec<Transition> = Vec::with_capacity(sorted.len());
    for t in sorted {
        match merged.last_mut().filter(|last| last.key() == t.key()) {
            None => merged.push(t),
            Some(last) => {
                let prob = last.prob + t.prob;
                if last.reward != t.reward {
                    last.reward = (last.prob * last.reward + t.prob * t.reward) / prob;
                }
                last.prob = prob;
            }
        }
    }
    merged
}

/// Sorted transitions as one row per pair.
fn rows(transitions: &[Transition]) -> Rows {
    let mut rows = Rows {
        start: vec![0],
        next: Vec::with_capacity(transitions.len()),
        prob: Vec::with_capacity(transitions.len()),
        reward: None,
    };
    for (at, t) in transitions.iter().enumerate() {
        rows.next.push(t.next as u32);
        rows.prob.push(t.prob);
        let following = transitions.get(at + 1).map(Transition::pair);
        if following != Some(t.pair()) {
            rows.start.push(rows.next.len());
        }
    }
    rows
}

/// Adds what transitions earn, one reward for each of `rows`: to the reward of their pair where all outcomes earn the same.
pub(super) fn fill_transition_rewards(task: &mut Task, rows: &mut Rows, rewards: &[f64]) {
    let mut own = TransitionRewards::new(true);
    for i in 0..task.reward.len() {
        let range = rows.start[i]..rows.start[i + 1];
        let row = &rewards[range.clone()];
        if row.iter().all(|r| *r == row[0]) {
            task.reward[i] += row[0];
        } else {
            for (next, r) in rows.next[range].iter().zip(row) {
                own.push(*next, *r);
            }
        }
        own.end_row();
    }
    if own.next.is_empty() {
        return;
    }
    let mut expected = task.reward.clone();
    for (i, expected) in expected.iter_mut().enumerate() {
        let row = rows.start[i]..rows.start[i + 1];
        let listed = &own.reward[own.start[i]..own.start[i + 1]];
        for (r, p) in listed.iter().zip(&rows.prob[row]) {
            *expected += p * r;
        }
    }
    task.transition_rewards = Some(own);
    rows.reward = Some(expected);
}

fn duplicate(place: String, what: String) -> Error {
    Error::invalid(place, format!("{what} is given twice"), "keep one of them")
}

pub(super) fn check_rows(task: &Task, rows: &Rows) -> Result<()> {
    for pair in task.all_pairs() {
        let sum: f64 = rows.prob[rows.start[pair.at()]..rows.start[pair.at() + 1]]
            .iter()
            .sum();
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(Error::invalid(
                format!(
                    "transitions of state {}, action {}",
                    task.state_of(pair).0,
                    task.action_of(pair).0
                ),
                format!("the row sums to {sum}, not 1 (tolerance {SUM_TOLERANCE:e})"),
                "make the probabilities of the row sum to 1",
            ));
        }
    }
    Ok(())
}
