//! Building a [`Model`] or a [`Task`]: collect the parts, then validate them once.

use crate::index::{Action, Pair, State};
use crate::model::compressed::states_of;
use crate::model::ends::Ends;
use crate::model::task::{RewardRange, TransitionRewards};
use crate::model::transitions::{Transitions, small};
use crate::model::{Dynamics, Model, Rows, SUM_TOLERANCE, Task};
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
    transitions: Transitions,
    available: Vec<(usize, usize)>,
    rewards: Vec<(u32, u32, f64)>,
    transition_rewards: Vec<(usize, usize, usize, f64)>,
    all_listed: bool,
    value_range: Option<(f64, f64)>,
    observed: Option<(f64, f64)>,
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
            transitions: Transitions::default(),
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
        self.transitions
            .push((state, action, next), prob, reward, ends);
        self
    }

    /// All outcomes at once, in place of those that single calls would have added.
    pub(crate) fn all_transitions(&mut self, transitions: Transitions) -> &mut Self {
        self.transitions = transitions;
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
        self.rewards.push((small(state), small(action), value));
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
        let mut transitions = std::mem::take(&mut self.transitions);
        let ends = Ends::new(&transitions, &starts, &terminal);
        let left_out = ends.apply(&mut transitions, &mut terminal);
        self.name_twins(&ends);
        let grouped = transitions.grouped(self.states);
        let mut rows = grouped.rows;
        let mut task = self.pairs(grouped.pair_start, grouped.action_of, &terminal)?;
        check_rows(&task, &rows)?;
        task.start = self.start_distribution(&terminal)?;
        self.fill_rewards(&mut task, &left_out)?;
        self.rewards = Vec::new();
        if !grouped.own.is_empty() {
            fill_transition_rewards(&mut task, &mut rows, &grouped.own);
        }
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
    pub fn build_task(mut self) -> Result<Task> {
        self.check_sizes()?;
        let terminal = self.terminals()?;
        let (pair_start, action_of) = self.available_pairs(&terminal)?;
        let mut task = self.pairs(pair_start, action_of, &terminal)?;
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
        let all = &self.transitions;
        for i in 0..all.len() {
            let place = || format!("transitions[{i}]");
            let (s, a, next) = (all.state[i], all.action[i], all.next[i]);
            if s as usize >= self.states || next as usize >= self.states {
                self.state(&place(), s as usize)?;
                self.state(&place(), next as usize)?;
            }
            if a as usize >= self.action_names.len() {
                self.action(&place(), a as usize)?;
            }
            let (prob, reward) = (all.prob[i], all.reward(i));
            if !(prob.is_finite() && prob > 0.0) {
                return Err(Error::invalid(
                    place(),
                    format!("P({next} | {s}, {a}) = {prob} is not a positive finite number"),
                    "leave out impossible transitions and give the others a positive probability",
                ));
            }
            if !reward.is_finite() {
                return Err(Error::invalid(
                    place(),
                    format!("r({s}, {a}, {next}) = {reward} is not a finite number"),
                    "use a finite number",
                ));
            }
        }
        Ok(())
    }

    /// The pairs made available, sorted, each checked.
    fn available_pairs(&self, terminal: &[bool]) -> Result<(Vec<u32>, Vec<u32>)> {
        if self.available.is_empty() {
            let actions = self.action_names.len() as u32;
            let live = terminal.iter().filter(|ends| !**ends);
            let mut pair_start = vec![0];
            pair_start.extend(terminal.iter().scan(0, |at, ends| {
                *at += if *ends { 0 } else { actions };
                Some(*at)
            }));
            return Ok((pair_start, live.flat_map(|_| 0..actions).collect()));
        }
        let mut order: Vec<usize> = (0..self.available.len()).collect();
        for (i, &(s, a)) in self.available.iter().enumerate() {
            let place = || format!("available[{i}]");
            if s >= self.states {
                self.state(&place(), s)?;
            }
            if a >= self.action_names.len() {
                self.action(&place(), a)?;
            }
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
        let mut pair_start = vec![0; self.states + 1];
        for &(s, _) in &self.available {
            pair_start[s + 1] += 1;
        }
        for s in 0..self.states {
            pair_start[s + 1] += pair_start[s];
        }
        let action_of = order.iter().map(|&i| self.available[i].1 as u32);
        Ok((pair_start, action_of.collect()))
    }

    /// A task of these pairs, in compressed rows by state; its start and rewards still missing.
    fn pairs(
        &mut self,
        pair_start: Vec<u32>,
        action_of: Vec<u32>,
        terminal: &[bool],
    ) -> Result<Task> {
        for (s, of) in pair_start.windows(2).enumerate() {
            self.check_actions(s, terminal[s], of[0] < of[1])?;
        }
        Ok(Task {
            gamma: self.gamma,
            state_of: states_of(&pair_start),
            pair_start,
            reward: vec![0.0; action_of.len()],
            action_of,
            start: Vec::new(),
            state_names: std::mem::take(&mut self.state_names),
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
            let place = || format!("rewards[{i}]");
            let (s, a) = (s as usize, a as usize);
            if left_out.get(s) == Some(&true) {
                continue;
            }
            let pair = self.rewarded(task, place, (s, a), r)?;
            if std::mem::replace(&mut given[pair.at()], true) {
                return Err(duplicate(place(), format!("({s}, {a})")));
            }
            // 0 rather than -0.
            task.reward[pair.at()] = r + 0.0;
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
        place: impl Fn() -> String,
        (s, a): (usize, usize),
        reward: f64,
    ) -> Result<Pair> {
        if s >= self.states {
            self.state(&place(), s)?;
        }
        if a >= self.action_names.len() {
            self.action(&place(), a)?;
        }
        if !reward.is_finite() {
            return Err(Error::invalid(
                place(),
                format!("r({s}, {a}) = {reward} is not a finite number"),
                "use a finite number",
            ));
        }
        task.pair(State::new(s), Action::new(a)).ok_or_else(|| {
            Error::invalid(
                place(),
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
            let place = || format!("rewards[{i}]");
            let pair = self.rewarded(task, place, (s, a), r)?;
            let next = self.state(&place(), next)?;
            if listed.insert((pair, next), r).is_some() {
                return Err(duplicate(place(), format!("({s}, {a}, {})", next.0)));
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

/// Adds what transitions earn, one reward for each of `rows`: to the reward of their pair where all outcomes earn the same.
pub(super) fn fill_transition_rewards(task: &mut Task, rows: &mut Rows, rewards: &[f64]) {
    let mut own = TransitionRewards::new(true);
    let mut at = 0;
    for i in 0..task.reward.len() {
        let next = rows.row(Pair::new(i)).0;
        let row = &rewards[at..at + next.len()];
        at += next.len();
        if row.iter().all(|r| *r == row[0]) {
            task.reward[i] += row[0];
        } else {
            for (next, r) in next.iter().zip(row) {
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
        let listed = &own.reward[own.start[i]..own.start[i + 1]];
        for (r, p) in listed.iter().zip(rows.row(Pair::new(i)).1) {
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
        let sum: f64 = rows.row(pair).1.iter().sum();
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
