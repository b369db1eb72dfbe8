//! A black box as a finite world.

use super::simulator::OnlineSimulator;
use super::{Factory, OnlineExpert, OnlineOptions};
use crate::env::{FiniteWorld, Layout, Simulator, check_name};
use crate::fingerprint::Fingerprint;
use crate::index::{Action, Pair, State};
use crate::model::{END, ModelBuilder, SUM_TOLERANCE, Task};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A black box that is explored online.
pub struct OnlineWorld {
    name: String,
    task: Arc<Task>,
    states: usize,
    horizon: usize,
    /// The expert's probability of every pair; none if the black box is asked.
    pub(super) policy: Option<Vec<f64>>,
    cost: Option<Vec<f64>>,
    layout: Option<Layout>,
    version: String,
    pub(super) factory: Factory,
}

impl OnlineWorld {
    /// Checks all that is said of the black box. Where no start distribution is given, it makes a
    /// first copy and counts the states that resets lead to.
    pub fn new(options: OnlineOptions, factory: Factory) -> Result<Self> {
        check_name(&options.name)?;
        if options.horizon == 0 {
            return Err(Error::invalid(
                "horizon",
                "0 steps per episode",
                "use at least 1",
            ));
        }
        let start = match &options.start {
            Some(given) => start_given(given, options.states)?,
            None => start_counted(&options, &factory)?,
        };
        let task = Arc::new(task(&options, &start)?);
        let layout = options.layout.map(|l| doubled(&l, options.states));
        let policy = match &options.expert {
            OnlineExpert::Ask => None,
            OnlineExpert::Policy(table) => Some(expert(&task, options.states, table)?),
        };
        let cost = options.cost.as_ref();
        let cost = cost.map(|table| on_pairs(&task, options.states, "cost", table));
        let cost = cost.transpose()?;
        if let Some(cost) = &cost {
            crate::model::Cost::new(&task, cost.clone())?;
        }
        Ok(Self {
            version: version(&options.version, policy.as_deref()),
            layout: layout.transpose()?,
            name: options.name,
            states: options.states,
            horizon: options.horizon,
            task,
            policy,
            cost,
            factory,
        })
    }

    /// The state of the task that stands for state `state` of the black box, entered for the last
    /// time in an episode if it `ends` there. An answer out of range is refused.
    pub(super) fn entered(&self, place: &str, state: usize, ends: bool) -> Result<State> {
        if state >= self.states {
            return Err(Error::invalid(
                place,
                format!("it came to state {state}, and there are {}", self.states),
                "return states counted from 0",
            ));
        }
        Ok(State::new(match ends {
            true => self.states + state,
            false => state,
        }))
    }
}

impl std::fmt::Debug for OnlineWorld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OnlineWorld")
            .field("name", &self.name)
            .field("states", &self.states)
            .finish_non_exhaustive()
    }
}

impl FiniteWorld for OnlineWorld {
    fn name(&self) -> &str {
        &self.name
    }

    fn task(&self) -> &Arc<Task> {
        &self.task
    }

    fn horizon(&self) -> usize {
        self.horizon
    }

    fn simulator(&self, seed: u64) -> Result<Box<dyn Simulator + '_>> {
        Ok(Box::new(OnlineSimulator::new(self, seed)?))
    }

    fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    fn true_cost(&self, pair: Pair) -> Option<f64> {
        self.cost.as_ref().map(|cost| cost[pair.at()])
    }

    fn version(&self) -> String {
        self.version.clone()
    }
}

/// The task: all states, their terminal twins, and rewards that are seen only.
fn task(options: &OnlineOptions, start: &[(usize, f64)]) -> Result<Task> {
    let n = options.states;
    if n > u32::MAX as usize / 2 {
        let problem = format!("{n} states");
        return Err(Error::invalid("states", problem, "use fewer than 2^31"));
    }
    let given = &options.state_names;
    if !given.is_empty() && given.len() != n {
        return Err(Error::invalid(
            "state names",
            format!("{} names for {n} states", given.len()),
            "name every state or none",
        ));
    }
    let name = |s: usize| match given.get(s) {
        Some(name) => name.clone(),
        None => State::new(s).to_string(),
    };
    let twin = |s: usize| format!("{}{END}", name(s));
    let mut builder = ModelBuilder::new(2 * n, options.actions.iter().cloned(), options.gamma);
    builder.state_names((0..n).map(name).chain((0..n).map(twin)).collect());
    builder.observed_rewards(options.reward_range.0, options.reward_range.1);
    if let Some((low, high)) = options.value_range {
        builder.value_range(low, high);
    }
    for &(state, p) in start {
        builder.start(state, p);
    }
    for state in n..2 * n {
        builder.terminal(state);
    }
    for &(state, action) in &options.available {
        builder.available(state, action);
    }
    builder.build_task()
}

fn start_given(given: &[f64], states: usize) -> Result<Vec<(usize, f64)>> {
    if given.len() != states {
        return Err(Error::invalid(
            "start",
            format!("{} probabilities for {states} states", given.len()),
            "give one for every state",
        ));
    }
    let possible = given.iter().copied().enumerate();
    Ok(possible.filter(|&(_, p)| p != 0.0).collect())
}

/// How often resets lead to each state.
fn start_counted(options: &OnlineOptions, factory: &Factory) -> Result<Vec<(usize, f64)>> {
    let resets = options.start_samples;
    if resets == 0 {
        return Err(Error::invalid(
            "start_samples",
            "no start distribution, and no resets to count",
            "give the start distribution, or use at least 1",
        ));
    }
    let mut black_box = factory()?;
    let mut seed = Some(options.seed);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for _ in 0..resets {
        let state = black_box.reset(seed.take())?;
        if state >= options.states {
            return Err(Error::invalid(
                "reset",
                format!("it came to state {state}, and there are {}", options.states),
                "return states counted from 0",
            ));
        }
        *counts.entry(state).or_default() += 1;
    }
    let share = |(state, n): (usize, usize)| (state, n as f64 / resets as f64);
    Ok(counts.into_iter().map(share).collect())
}

/// A table of states and actions as one number per pair.
fn on_pairs(task: &Task, states: usize, place: &str, table: &[Vec<f64>]) -> Result<Vec<f64>> {
    if table.len() != states {
        return Err(Error::invalid(
            place,
            format!("{} rows for {states} states", table.len()),
            "give a row for every state",
        ));
    }
    let mut values = vec![0.0; task.pairs()];
    for (s, row) in table.iter().enumerate() {
        let state = State::new(s);
        if row.len() != task.actions() {
            return Err(Error::invalid(
                format!("{place} at {}", task.state_name(state)),
                format!("{} numbers for {} actions", row.len(), task.actions()),
                "give one for every action",
            ));
        }
        for (a, &value) in row.iter().enumerate() {
            match task.pair(state, Action::new(a)) {
                Some(pair) => values[pair.at()] = value,
                None if value == 0.0 => {}
                None => {
                    return Err(Error::invalid(
                        format!("{place} at {}", task.state_name(state)),
                        format!("{value} for {}", task.action_name(Action::new(a))),
                        "the action cannot be taken there: use 0",
                    ));
                }
            }
        }
    }
    Ok(values)
}

/// The expert's table, checked: every row sums to 1, or to 0 where it is never met.
fn expert(task: &Task, states: usize, table: &[Vec<f64>]) -> Result<Vec<f64>> {
    let policy = on_pairs(task, states, "expert", table)?;
    for state in (0..states).map(State::new) {
        let row = &policy[task.pairs_of(state)];
        let sum: f64 = row.iter().sum();
        let proper = row.iter().all(|p| p.is_finite() && *p >= 0.0);
        if !proper || !(sum == 0.0 || (sum - 1.0).abs() <= SUM_TOLERANCE) {
            return Err(Error::invalid(
                format!("expert at {}", task.state_name(state)),
                format!("{row:?} are not probabilities that sum to 1"),
                "give a distribution, or zeros where the expert is never met",
            ));
        }
    }
    Ok(policy)
}

/// The layout of all states and their twins.
fn doubled(layout: &Layout, states: usize) -> Result<Layout> {
    if layout.states() != states {
        return Err(Error::invalid(
            "layout",
            format!("{} states, the black box has {states}", layout.states()),
            "give the layout of this black box",
        ));
    }
    Ok(layout.twice())
}

/// Runs with another expert are other runs.
fn version(given: &str, policy: Option<&[f64]>) -> String {
    match policy {
        None => given.to_owned(),
        Some(policy) => {
            let mut f = Fingerprint::new();
            f.numbers(policy);
            format!("{given}, expert {f}")
        }
    }
}
