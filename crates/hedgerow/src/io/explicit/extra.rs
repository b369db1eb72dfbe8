//! `x.hedgerow.json`: what PRISM and Storm do not know.

use crate::env::Environment;
use crate::io::layout::{self, LayoutPart};
use crate::io::model_file::check_format;
use crate::io::tables::Tables;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// What the key `format` must say.
const FORMAT: &str = "hedgerow-beside/1";

/// Lists over choices and branches are in the order of `x.tra`.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Extra<L> {
    format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    gamma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    horizon: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_range: Option<(f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Vec<(usize, f64)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminal: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action_of: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expert: Option<Vec<f64>>,
    /// What choices earn where branches earn too: the files of rewards hold sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice_rewards: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    branch_rewards: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<L>,
}

/// The text of the file.
pub(super) fn text(environment: &Environment, tables: &Tables) -> Result<String> {
    let terminal = tables.terminal.iter().flatten().enumerate();
    let layout = layout::to_text(environment);
    let mixed = tables.branch_reward.is_some();
    let extra = Extra::<serde_json::Value> {
        format: FORMAT.to_owned(),
        name: tables.name.clone(),
        gamma: tables.gamma,
        horizon: tables.horizon,
        budget: tables.budget,
        value_range: tables.value_range,
        start: Some(tables.start.clone()),
        terminal: Some(terminal.filter(|(_, t)| **t).map(|(s, _)| s).collect()),
        states: (!tables.state_names.is_empty()).then(|| tables.state_names.clone()),
        actions: Some(tables.action_names.clone()),
        action_of: tables.action_of.clone(),
        cost: tables.cost.clone(),
        expert: tables.expert.clone(),
        choice_rewards: tables.choice_reward.clone().filter(|_| mixed),
        branch_rewards: tables.branch_reward.clone(),
        layout: layout.and_then(|text| serde_json::from_str(&text).ok()),
    };
    serde_json::to_string(&extra).map_err(|e| Error::Numeric {
        place: "text files".into(),
        problem: e.to_string(),
    })
}

/// Adds what the file says.
pub(super) fn add(text: &str, tables: &mut Tables) -> Result<()> {
    let extra: Extra<LayoutPart> = serde_json::from_str(text).map_err(|e| {
        let said = crate::io::one_line(&e.to_string());
        Error::invalid(
            "content",
            said,
            "write it again with `hedgerow envs export`",
        )
    })?;
    check_format(Some(&extra.format), FORMAT)?;
    extra.check_sizes(tables)?;
    if let Some(listed) = &extra.terminal {
        let mut terminal = vec![false; tables.states()];
        for &s in listed {
            *terminal
                .get_mut(s)
                .ok_or_else(|| out_of_range("terminal", s))? = true;
        }
        tables.terminal = Some(terminal);
    }
    if let Some(actions) = extra.actions {
        if extra.action_of.is_none() {
            find_names(&actions, tables)?;
        }
        tables.action_names = actions;
    }
    if let Some(of) = extra.action_of {
        let wrong = of
            .iter()
            .find(|&&a| a as usize >= tables.action_names.len());
        if let Some(&a) = wrong {
            return Err(out_of_range("action_of", a as usize));
        }
        tables.action_of = Some(of);
    }
    if let Some(start) = extra.start {
        tables.start = start;
    }
    tables.state_names = extra.states.unwrap_or_default();
    if extra.choice_rewards.is_some() || extra.branch_rewards.is_some() {
        tables.choice_reward = extra.choice_rewards;
        tables.branch_reward = extra.branch_rewards;
    }
    (tables.name, tables.gamma) = (extra.name, extra.gamma);
    (tables.horizon, tables.budget) = (extra.horizon, extra.budget);
    (tables.value_range, tables.layout) = (extra.value_range, extra.layout);
    (tables.cost, tables.expert) = (extra.cost, extra.expert);
    Ok(())
}

/// Gives the choices whose actions the transitions name the numbers that these have in the list.
fn find_names(actions: &[String], tables: &mut Tables) -> Result<()> {
    let Some(action_of) = &mut tables.action_of else {
        return Ok(());
    };
    let place = |name: &String| actions.iter().position(|a| a == name);
    let mut numbers = Vec::with_capacity(tables.action_names.len());
    for name in &tables.action_names {
        let number = place(name).ok_or_else(|| {
            Error::invalid(
                "actions",
                format!("there is no `{name}`, which the transitions name"),
                "export all files together, or remove this one if the others are newer",
            )
        })?;
        numbers.push(number as u32);
    }
    for action in action_of {
        *action = numbers[*action as usize];
    }
    Ok(())
}

impl<L> Extra<L> {
    fn check_sizes(&self, tables: &Tables) -> Result<()> {
        let (choices, branches) = (tables.choices(), tables.target.len());
        let length = |v: &Option<Vec<f64>>| v.as_ref().map(Vec::len);
        let lists = [
            ("action_of", self.action_of.as_ref().map(Vec::len), choices),
            ("cost", length(&self.cost), choices),
            ("expert", length(&self.expert), choices),
            ("choice_rewards", length(&self.choice_rewards), choices),
            ("branch_rewards", length(&self.branch_rewards), branches),
        ];
        for (key, found, due) in lists {
            if let Some(found) = found.filter(|&found| found != due) {
                return Err(Error::invalid(
                    key,
                    format!("{found} entries, the transitions have {due}"),
                    "export all files together, or remove this one if the others are newer",
                ));
            }
        }
        Ok(())
    }
}

fn out_of_range(key: &str, i: usize) -> Error {
    let problem = format!("{i} is out of range");
    Error::invalid(key, problem, "count from 0, and no further than there are")
}
