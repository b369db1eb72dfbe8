//! Building a [`Model`] or a [`Task`]: collect the parts, then validate them once.

use crate::index::{Action, State};
use crate::model::{Model, Rows, SUM_TOLERANCE, Task};
use crate::{Error, Result};
use std::collections::BTreeMap;

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
    states: usize,
    gamma: f64,
    state_names: Vec<String>,
    action_names: Vec<String>,
    start: Vec<(usize, f64)>,
    terminal: Vec<usize>,
    transitions: Vec<(usize, usize, usize, f64)>,
    available: Vec<(usize, usize)>,
    rewards: Vec<(usize, usize, f64)>,
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
    pub fn transition(&mut self, state: usize, action: usize, next: usize, prob: f64) -> &mut Self {
        self.transitions.push((state, action, next, prob));
        self
    }

    /// `action` can be taken in `state`, its outcome not known: for [`Self::build_task`].
    pub fn available(&mut self, state: usize, action: usize) -> &mut Self {
        self.available.push((state, action));
        self
    }

    /// `r(state, action) = value`; pairs that are not named earn 0.
    pub fn reward(&mut self, state: usize, action: usize, value: f64) -> &mut Self {
        self.rewards.push((state, action, value));
        self
    }

    /// Validates all parts and builds the model.
    pub fn build(self) -> Result<Model> {
        self.check_sizes()?;
        let terminal = self.terminals()?;
        let order = self.ordered_transitions()?;
        let of = |&i: &usize| (self.transitions[i].0, self.transitions[i].1);
        let mut pairs: Vec<(usize, usize)> = order.iter().map(of).collect();
        pairs.dedup();
        let mut task = self.pairs(&pairs, &terminal)?;
        let rows = self.rows(&order);
        check_rows(&task, &rows)?;
        task.start = self.start_distribution(&terminal)?;
        self.fill_rewards(&mut task)?;
        Ok(Model::from_parts(task, rows))
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
        self.fill_rewards(&mut task)?;
        Ok(task)
    }

    fn check_sizes(&self) -> Result<()> {
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

    fn state(&self, place: &str, s: usize) -> Result<State> {
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

    /// Positions of the transitions sorted by (state, action, next), each checked.
    fn ordered_transitions(&self) -> Result<Vec<usize>> {
        for (i, &(s, a, next, p)) in self.transitions.iter().enumerate() {
            let place = format!("transitions[{i}]");
            self.state(&place, s)?;
            self.action(&place, a)?;
            self.state(&place, next)?;
            if !(p.is_finite() && p > 0.0) {
                return Err(Error::invalid(
                    place,
                    format!("P({next} | {s}, {a}) = {p} is not a positive finite number"),
                    "leave out impossible transitions and give the others a positive probability",
                ));
            }
        }
        let mut order: Vec<usize> = (0..self.transitions.len()).collect();
        let key = |i: usize| {
            let (s, a, next, _) = self.transitions[i];
            (s, a, next)
        };
        order.sort_by_key(|&i| key(i));
        for pair in order.windows(2) {
            if key(pair[0]) == key(pair[1]) {
                let (s, a, next) = key(pair[1]);
                return Err(duplicate(
                    format!("transitions[{}]", pair[1]),
                    format!("({s}, {a}, {next}), first at transitions[{}],", pair[0]),
                ));
            }
        }
        Ok(order)
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
            reward_max: 0.0,
        })
    }

    /// The transitions, in `order`, as one row per pair.
    fn rows(&self, order: &[usize]) -> Rows {
        let mut rows = Rows {
            start: vec![0],
            next: Vec::with_capacity(order.len()),
            prob: Vec::with_capacity(order.len()),
        };
        for (at, &i) in order.iter().enumerate() {
            let (s, a, next, p) = self.transitions[i];
            rows.next.push(next as u32);
            rows.prob.push(p);
            let following = order.get(at + 1).map(|&j| self.transitions[j]);
            if following.is_none_or(|(s2, a2, ..)| (s2, a2) != (s, a)) {
                rows.start.push(rows.next.len());
            }
        }
        rows
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

    fn start_distribution(&self, terminal: &[bool]) -> Result<Vec<(State, f64)>> {
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

    fn fill_rewards(&self, task: &mut Task) -> Result<()> {
        let mut given = vec![false; task.pairs()];
        for (i, &(s, a, r)) in self.rewards.iter().enumerate() {
            let place = format!("rewards[{i}]");
            let state = self.state(&place, s)?;
            let action = self.action(&place, a)?;
            let pair = task.pair(state, action).ok_or_else(|| {
                Error::invalid(
                    place.clone(),
                    format!("action {a} is not available in state {s}"),
                    "make the action available there or remove its reward",
                )
            })?;
            if !(r.is_finite() && r >= 0.0) {
                return Err(Error::invalid(
                    place,
                    format!("r({s}, {a}) = {r} is not a finite number of at least 0"),
                    "shift the rewards so that the smallest is 0",
                ));
            }
            if std::mem::replace(&mut given[pair.at()], true) {
                return Err(duplicate(place, format!("({s}, {a})")));
            }
            task.reward[pair.at()] = r;
            task.reward_max = task.reward_max.max(r);
        }
        Ok(())
    }
}

fn duplicate(place: String, what: String) -> Error {
    Error::invalid(place, format!("{what} is given twice"), "keep one of them")
}

fn check_rows(task: &Task, rows: &Rows) -> Result<()> {
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
