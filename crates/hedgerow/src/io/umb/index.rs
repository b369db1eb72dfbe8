//! The index: sizes, types and annotations.

use super::{GROUP, REWARD, VERSION};
use crate::io::layout::LayoutPart;
use crate::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Index {
    format_version: u64,
    #[serde(default)]
    model_data: ModelData,
    #[serde(default)]
    file_data: FileData,
    pub(super) transition_system: System,
    #[serde(default)]
    annotations: BTreeMap<String, BTreeMap<String, Annotation>>,
}

#[derive(Debug, Default, Deserialize)]
struct ModelData {
    name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct FileData {
    tool: Option<String>,
    parameters: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct System {
    time: String,
    #[serde(rename = "#players")]
    players: u64,
    #[serde(rename = "#states")]
    pub(super) states: usize,
    #[serde(rename = "#choices")]
    pub(super) choices: usize,
    #[serde(rename = "#choice-actions", default)]
    pub(super) choice_actions: usize,
    #[serde(rename = "#branches")]
    pub(super) branches: usize,
    #[serde(rename = "#observations", default)]
    observations: u64,
    #[serde(rename = "branch-probability-type")]
    probability: Option<Type>,
}

#[derive(Debug, Deserialize)]
struct Type {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Debug, Deserialize)]
struct Annotation {
    alias: Option<String>,
    #[serde(rename = "applies-to")]
    applies_to: Vec<String>,
    #[serde(rename = "type")]
    kind: Type,
}

/// What a file of ours says besides arrays.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    pub(super) horizon: Option<usize>,
    pub(super) budget: Option<f64>,
    pub(super) value_range: Option<(f64, f64)>,
    pub(super) layout: Option<LayoutPart>,
}

impl Index {
    /// Reads the index and refuses what is no finite decision problem in doubles.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let index: Self = serde_json::from_slice(bytes).map_err(|e| {
            let said = crate::io::one_line(&e.to_string());
            Error::invalid("index.json", said, "write it as the UMB specification says")
        })?;
        index.check()?;
        Ok(index)
    }

    fn check(&self) -> Result<()> {
        let system = &self.transition_system;
        let refused = |key: &str, found: String, remedy: &str| {
            Err(Error::invalid(format!("index.json: {key}"), found, remedy))
        };
        if self.format_version != VERSION {
            let found = format!("version {} is not known here", self.format_version);
            return refused("format-version", found, "export the model in version 1");
        }
        if system.time != "discrete" {
            let found = format!("`{}` time", system.time);
            return refused("time", found, "give a model in discrete time");
        }
        if system.players > 1 {
            let found = format!("a game of {} players", system.players);
            return refused("#players", found, "give a model with one player");
        }
        if system.observations > 0 {
            let found = "a partially observable model".to_owned();
            return refused("#observations", found, "give a model whose states are seen");
        }
        match &system.probability {
            Some(t) if t.kind == "double" => {}
            kind => {
                let found = match kind {
                    None => "no probabilities".to_owned(),
                    Some(t) => format!("probabilities of the type `{}`", t.kind),
                };
                let remedy = "export the model with probabilities of the type double";
                return refused("branch-probability-type", found, remedy);
            }
        }
        // Each takes memory before any array is looked at.
        match system.states.max(system.choices).max(system.choice_actions) < u32::MAX as usize {
            true => Ok(()),
            false => refused(
                "transition-system",
                format!("{} states and {} choices", system.states, system.choices),
                "a model has fewer than 2^32 - 1 states, choices and actions",
            ),
        }
    }

    /// The name of the model.
    pub(super) fn name(&self) -> Option<String> {
        self.model_data.name.clone()
    }

    /// What a file of ours says besides arrays; nothing for other files.
    pub(super) fn parameters(&self) -> Result<Parameters> {
        match &self.file_data.parameters {
            Some(value) if self.file_data.tool.as_deref() == Some(GROUP) => {
                serde_json::from_value(value.clone()).map_err(|e| {
                    let said = crate::io::one_line(&e.to_string());
                    let remedy = "export the model again";
                    Error::invalid("index.json: parameters", said, remedy)
                })
            }
            _ => Ok(Parameters::default()),
        }
    }

    /// Whether our group has an annotation `id`, of type `kind`, on `on`.
    pub(super) fn own(&self, id: &str, on: &str, kind: &str) -> Result<bool> {
        let found = self.annotations.get(GROUP).and_then(|g| g.get(id));
        let Some(found) = found.filter(|a| a.applies_to.iter().any(|to| to == on)) else {
            return Ok(false);
        };
        check_type(GROUP, id, found, kind).map(|()| true)
    }

    /// The reward that counts, as its identifier and what it is earned on: the only one, or that
    /// called `reward`.
    pub(super) fn reward(&self) -> Result<Option<(&str, &[String])>> {
        let Some(rewards) = self.annotations.get("rewards").filter(|r| !r.is_empty()) else {
            return Ok(None);
        };
        let called = |id: &str, a: &Annotation| a.alias.as_deref().unwrap_or(id).to_owned();
        let mut named = rewards.iter().filter(|(id, a)| called(id, a) == REWARD);
        let chosen = match rewards.len() {
            1 => rewards.iter().next(),
            _ => named.next(),
        };
        let Some((id, found)) = chosen else {
            let names: Vec<String> = rewards.iter().map(|(id, a)| called(id, a)).collect();
            return Err(Error::invalid(
                "index.json: rewards",
                format!("there are {}, none called `{REWARD}`", names.join(", ")),
                "keep one of them, or call the one that is earned `reward`",
            ));
        };
        check_type("rewards", id, found, "double")?;
        Ok(Some((id, &found.applies_to)))
    }
}

fn check_type(group: &str, id: &str, found: &Annotation, expected: &str) -> Result<()> {
    match found.kind.kind == expected {
        true => Ok(()),
        false => Err(Error::invalid(
            format!("index.json: annotation {group}/{id}"),
            format!("it is of the type `{}`", found.kind.kind),
            format!("export it as {expected}"),
        )),
    }
}
