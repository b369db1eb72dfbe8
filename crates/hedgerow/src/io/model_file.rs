//! Any finite model as a JSON file, format `hedgerow-model/1`; see `docs/formats.md`.
//!
//! ```
//! use hedgerow::io::model_file;
//!
//! let text = r#"{
//!     "format": "hedgerow-model/1",
//!     "states": ["home", "end"], "actions": ["fast", "slow"], "gamma": 0.9,
//!     "start": [["home", 1.0]], "terminal": ["end"],
//!     "transitions": [["home", "fast", "end", 1.0], ["home", "slow", "end", 1.0]],
//!     "rewards": [["home", "fast", 1.0], ["home", "slow", 0.5]],
//!     "cost": [["home", "fast", 1.0]]
//! }"#;
//! // Without an expert it is the best policy that the cost allows.
//! let environment = model_file::parse(text, "choice")?;
//! assert_eq!(environment.truth().expert().probs(), [0.0, 1.0]);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::{Environment, HORIZON, Truth};
use crate::io::OpenedTask;
use crate::io::expert::{DEMONSTRATIONS, EXPERT, LeftOut, best_within, demonstrated, said};
use crate::io::json_path::{JsonPath, Object, read_object};
use crate::io::layout::{Drawn, LAYOUT, LayoutPart};
use crate::io::model_lists::{Earned, Outcomes, Rewards};
use crate::io::names::{Names, Reference};
use crate::model::{Cost, Model, ModelBuilder, Rows, Task};
use crate::solve::{Limits, Mdp, policy_iteration};
use crate::{Error, Result};
use serde::Deserialize;
use serde::de::MapAccess;
use std::sync::Arc;

/// What the key `format` must say.
pub const FORMAT: &str = "hedgerow-model/1";

/// Pairs of a model without transitions, at most: they take a few gigabytes.
const MOST_PAIRS: usize = 100_000_000;

type Weighted = (Reference, Reference, f64);

/// The parts of a file, names not yet looked up.
#[derive(Default)]
struct Parts {
    format: Option<String>,
    name: Option<String>,
    states: Option<States>,
    actions: Option<Vec<String>>,
    gamma: Option<f64>,
    horizon: Option<usize>,
    start: Option<Vec<(Reference, f64)>>,
    terminal: Vec<Reference>,
    transitions: Option<Outcomes>,
    available: Option<Vec<(Reference, Reference)>>,
    rewards: Option<Rewards>,
    value_range: Option<(f64, f64)>,
    cost: Option<Vec<Weighted>>,
    budget: Option<f64>,
    expert: Option<Vec<Weighted>>,
    demonstrations: Option<Vec<(Reference, Reference)>>,
    layout: Option<LayoutPart>,
}

/// States by count or by name.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number of states or a list of names")]
enum States {
    Count(usize),
    Names(Vec<String>),
}

impl Object for Parts {
    const KEYS: &'static [(&'static str, &'static str)] = &[
        ("format", "\"hedgerow-model/1\""),
        ("name", "a name in quotes"),
        ("states", "the number of states or the list of their names"),
        ("actions", "the list of the actions' names"),
        ("gamma", "the discount, at least 0 and below 1"),
        ("horizon", "the longest episode in steps, at least 1"),
        ("start", "entries [state, probability]"),
        ("terminal", "a list of states"),
        (
            "transitions",
            "entries [state, action, next state, probability], [.., reward] or [.., reward, ends] with finite numbers",
        ),
        ("available", "entries [state, action]"),
        (
            "rewards",
            "entries [state, action, reward] with finite numbers",
        ),
        (
            "value_range",
            "the least and the largest return, [low, high]",
        ),
        ("cost", "entries [state, action, cost] with finite numbers"),
        ("budget", "a finite number of at least 0"),
        EXPERT,
        DEMONSTRATIONS,
        LAYOUT,
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        path: &JsonPath,
    ) -> std::result::Result<(), A::Error> {
        match key {
            "format" => self.format = Some(map.next_value()?),
            "name" => self.name = Some(map.next_value()?),
            "states" => self.states = Some(map.next_value()?),
            "actions" => self.actions = Some(path.list(map)?),
            "gamma" => self.gamma = Some(map.next_value()?),
            "horizon" => self.horizon = Some(map.next_value()?),
            "start" => self.start = Some(path.list(map)?),
            "terminal" => self.terminal = path.list(map)?,
            "transitions" => {
                let all = self.transitions.insert(Outcomes::default());
                path.each(map, |outcome| all.push(outcome))?;
            }
            "available" => self.available = Some(path.list(map)?),
            "rewards" => {
                let all = self.rewards.insert(Rewards::default());
                path.each(map, |reward| all.push(reward))?;
            }
            "value_range" => self.value_range = Some(map.next_value()?),
            "cost" => self.cost = Some(path.list(map)?),
            "budget" => self.budget = Some(map.next_value()?),
            "layout" => self.layout = Some(map.next_value()?),
            "expert" => self.expert = Some(path.list(map)?),
            _ => self.demonstrations = Some(path.list(map)?),
        }
        Ok(())
    }
}

/// The environment that `text` describes, named `default_name` unless it names itself.
pub fn parse(text: &str, default_name: &str) -> Result<Environment> {
    parse_known(text, default_name)?.environment.ok_or_else(|| {
        Error::invalid(
            "transitions",
            "the file has no dynamics",
            "add `transitions`, or infer from logs: `hedgerow infer FILE --demos LOGS`",
        )
    })
}

/// What `text` describes: an environment, or without `transitions` the task alone.
pub fn parse_known(text: &str, default_name: &str) -> Result<OpenedTask> {
    let head: String = text.chars().take(200).collect();
    if head.contains("\"hedgerow-constraint/") {
        return Err(Error::invalid(
            "format",
            "it is a constraint, not a model",
            "give the model here, and the constraint with --under",
        ));
    }
    let mut parts: Parts = read_object(text)?;
    check_format(parts.format.as_deref(), FORMAT)?;
    let name = parts.name.take();
    let name = name.as_deref().unwrap_or(default_name);
    super::check_name(name)?;
    if parts.transitions.is_some() {
        return Ok(OpenedTask::from(parts.environment(name)?));
    }
    let (task, names) = parts.task()?;
    let (layout, positions) = match parts.drawn(&task, &names, &[])? {
        None => (None, None),
        Some(Drawn::Grid(layout)) => (Some(layout), None),
        Some(Drawn::Graph(positions)) => (None, Some(positions)),
    };
    Ok(OpenedTask {
        name: name.to_owned(),
        task: Arc::new(task),
        layout,
        positions,
        environment: None,
    })
}

/// Refuses a file that does not say it is of the `expected` format.
pub(super) fn check_format(found: Option<&str>, expected: &str) -> Result<()> {
    match found {
        Some(format) if format == expected => Ok(()),
        found => Err(Error::invalid(
            "format",
            match found {
                Some(format) => format!("`{format}` is not known here"),
                None => "missing".to_owned(),
            },
            format!("write \"format\": \"{expected}\""),
        )),
    }
}

/// Refuses a declared range that some return leaves.
pub(super) fn check_range(model: &Model) -> Result<()> {
    let task = model.task();
    let Some((low, high)) = task.declared_range() else {
        return Ok(());
    };
    let best = best_values(&Mdp::of(model))?;
    let losses: Vec<f64> = model.reward().iter().map(|r| -r).collect();
    let worst = best_values(&Mdp::of(model).with_reward(&losses))?;
    let noise = 1e-9 * low.abs().max(high.abs());
    for state in task.all_states() {
        let (least, most) = (-worst[state.at()], best[state.at()]);
        if most > high + noise || least < low - noise {
            return Err(Error::invalid(
                "value_range",
                format!(
                    "returns from {} reach from {least} to {most}, outside of [{low}, {high}]",
                    task.state_name(state)
                ),
                "declare a range that holds all discounted returns, or leave the key out",
            ));
        }
    }
    Ok(())
}

/// The optimal value of every state.
fn best_values(mdp: &Mdp<Rows>) -> Result<Vec<f64>> {
    let found = policy_iteration(mdp, &Limits::default())?.solution();
    found.map(|s| s.values).ok_or_else(|| Error::Numeric {
        place: "value_range".into(),
        problem: "the largest return could not be computed".into(),
    })
}

fn required<'a, T>(key: &str, value: &'a Option<T>) -> Result<&'a T> {
    value
        .as_ref()
        .ok_or_else(|| Error::invalid(key, "missing", format!("add the key `{key}`")))
}

impl Parts {
    fn environment(&mut self, name: &str) -> Result<Environment> {
        let (model, names) = self.model()?;
        check_range(&model)?;
        let left_out = self.left_out(model.task(), &names);
        let cost = self.cost(model.task(), &names, &left_out)?;
        let budget = self.budget.unwrap_or(0.0);
        let expert = match (&self.expert, &self.demonstrations) {
            (Some(_), Some(_)) => {
                return Err(Error::invalid(
                    "demonstrations",
                    "there is an expert policy too",
                    "keep `expert` or `demonstrations`, not both",
                ));
            }
            (Some(entries), None) => said(&model, &names, entries, &left_out)?,
            (None, Some(entries)) => demonstrated(&model, &names, entries, &left_out)?,
            (None, None) if self.cost.is_some() => best_within(&model, &cost, budget)?,
            (None, None) => {
                return Err(Error::invalid(
                    "expert",
                    "the file has neither an expert nor a cost to find one with",
                    "add `expert`, `demonstrations` or `cost`",
                ));
            }
        };
        let charged: Vec<bool> = cost
            .by_state(model.task())
            .iter()
            .map(|&c| c > 0.0)
            .collect();
        let drawn = self.drawn(model.task(), &names, &charged)?;
        let truth = Truth::new(model, cost, budget, expert)?;
        let horizon = self.horizon.unwrap_or(HORIZON);
        match drawn {
            None => Environment::new(name, horizon, None, truth),
            Some(Drawn::Grid(layout)) => Environment::new(name, horizon, Some(layout), truth),
            Some(Drawn::Graph(positions)) => {
                Environment::new(name, horizon, None, truth)?.with_positions(positions)
            }
        }
    }

    /// Where the states are drawn; `None` if the file does not say.
    fn drawn(&self, task: &Task, names: &Names, charged: &[bool]) -> Result<Option<Drawn>> {
        let layout = self.layout.as_ref();
        layout.map(|l| l.drawn(task, names, charged)).transpose()
    }

    /// The task of a file without dynamics. What only dynamics give a meaning to is refused
    /// rather than ignored.
    fn task(&self) -> Result<(Task, Names)> {
        let meaningless = [
            ("cost", self.cost.is_some()),
            ("budget", self.budget.is_some()),
            ("expert", self.expert.is_some()),
            ("demonstrations", self.demonstrations.is_some()),
        ];
        if let Some((key, _)) = meaningless.iter().find(|(_, given)| *given) {
            return Err(Error::invalid(
                *key,
                "it has no meaning in a file without `transitions`",
                "add the transitions, or remove it and record what the expert did in a log",
            ));
        }
        let (mut builder, names) = self.builder()?;
        if let Some(available) = &self.available {
            if available.is_empty() {
                return Err(Error::invalid(
                    "available",
                    "the list is empty",
                    "list the available pairs, or leave the key out if all actions are",
                ));
            }
            for (i, (s, a)) in available.iter().enumerate() {
                let place = || format!("available[{i}]");
                builder.available(names.state(place, s)?, names.action(place, a)?);
            }
        }
        Ok((builder.build_task()?, names))
    }

    fn model(&mut self) -> Result<(Model, Names)> {
        if self.available.is_some() {
            return Err(Error::invalid(
                "available",
                "the transitions already say what is available",
                "remove the key, or the transitions if the dynamics are not known",
            ));
        }
        let (mut builder, names) = self.builder()?;
        if let Some(transitions) = self.transitions.take() {
            builder.all_transitions(transitions.resolved(&names)?);
        }
        self.rewards = None;
        Ok((builder.build()?, names))
    }

    /// The states that are terminal in `task` although they are not listed: only transitions that
    /// end enter them, so what is said of their actions has no meaning.
    fn left_out(&self, task: &Task, names: &Names) -> LeftOut {
        let mut terminal: Vec<bool> = task.all_states().map(|s| task.is_terminal(s)).collect();
        let listed = self.terminal.iter();
        for at in listed.filter_map(|s| names.state(String::new, s).ok()) {
            terminal[at] = false;
        }
        LeftOut(terminal)
    }

    /// Everything but transitions and available pairs.
    fn builder(&self) -> Result<(ModelBuilder, Names)> {
        let (states, state_names) = match required("states", &self.states)? {
            States::Count(n) => (*n, Vec::new()),
            States::Names(names) => (names.len(), names.clone()),
        };
        let actions = required("actions", &self.actions)?;
        self.check_count(states, actions.len())?;
        let names = Names::new(&state_names, actions)?;
        let gamma = *required("gamma", &self.gamma)?;
        let mut builder = ModelBuilder::new(states, actions.iter().cloned(), gamma);
        builder.state_names(state_names);
        for (i, (s, p)) in required("start", &self.start)?.iter().enumerate() {
            builder.start(names.state(|| format!("start[{i}]"), s)?, *p);
        }
        for (i, s) in self.terminal.iter().enumerate() {
            builder.terminal(names.state(|| format!("terminal[{i}]"), s)?);
        }
        let rewards = self.rewards()?;
        for i in 0..rewards.map_or(0, Rewards::len) {
            let Some(rewards) = rewards else { break };
            if rewards.of_transition(i) && self.transitions.is_some() {
                return Err(Error::invalid(
                    format!("rewards[{i}]"),
                    "the reward of a transition stands apart from the transition",
                    "write [state, action, next state, probability, reward] under `transitions`",
                ));
            }
            let Earned {
                state,
                action,
                next,
                reward,
            } = rewards.earned(i, &names)?;
            match next {
                None => builder.reward(state, action, reward),
                Some(next) => builder.transition_reward(state, action, next, reward),
            };
        }
        if let Some((low, high)) = self.value_range {
            builder.value_range(low, high);
        }
        Ok((builder, names))
    }

    /// The rewards of pairs; they may be left out where transitions earn rewards.
    fn rewards(&self) -> Result<Option<&Rewards>> {
        match &self.rewards {
            None if self.transitions.as_ref().is_some_and(Outcomes::earning) => Ok(None),
            _ => required("rewards", &self.rewards).map(Some),
        }
    }

    /// Refuses a number of states that the rest of the file cannot bear out, before memory is taken
    /// for them: every state has a transition, is terminal, or is entered by one that ends.
    fn check_count(&self, states: usize, actions: usize) -> Result<()> {
        let refused = |problem: String, remedy: &str| {
            let problem = format!("{states} states{problem}");
            Err(Error::invalid("states", problem, remedy))
        };
        if let Some(transitions) = &self.transitions {
            let most = transitions.len().saturating_mul(2);
            let most = most.saturating_add(self.terminal.len());
            return match states <= most {
                true => Ok(()),
                false => refused(
                    format!(
                        ", but {} transitions and a list of {} terminal states name {most} at most",
                        transitions.len(),
                        self.terminal.len()
                    ),
                    "write how many there are; each needs a transition or is terminal",
                ),
            };
        }
        let all = states.checked_mul(actions);
        match all.is_some_and(|pairs| pairs <= MOST_PAIRS) {
            true => Ok(()),
            false => refused(
                format!(" with {actions} actions are more than {MOST_PAIRS} pairs"),
                "write the number of states there are",
            ),
        }
    }

    fn cost(&self, task: &Task, names: &Names, left_out: &LeftOut) -> Result<Cost> {
        let mut values = vec![None; task.pairs()];
        for (i, (s, a, c)) in self.cost.iter().flatten().enumerate() {
            let place = || format!("cost[{i}]");
            if left_out.has(names, s) {
                continue;
            }
            let pair = names.pair(task, place, s, a)?;
            if !(c.is_finite() && *c >= 0.0) {
                return Err(Error::invalid(
                    place(),
                    format!("{c} is not a cost"),
                    "use a finite number of at least 0",
                ));
            }
            if values[pair.at()].replace(*c).is_some() {
                return Err(Error::invalid(
                    place(),
                    format!("{} is given twice", task.pair_name(pair)),
                    "keep one of them",
                ));
            }
        }
        Cost::new(task, values.into_iter().map(|c| c.unwrap_or(0.0)).collect())
    }
}
