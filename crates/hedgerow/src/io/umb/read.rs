//! Reading.

use super::archive::{Entries, unpack};
use super::index::Index;
use super::{BRANCH_TO_PROBABILITY, BRANCH_TO_TARGET, CHOICE_ACTIONS, CHOICE_TO_BRANCHES};
use super::{GROUP, INDEX, STATE_IS_INITIAL, STATE_NAMES, STATE_TO_CHOICES};
use super::{annotation, arrays};
use crate::env::Environment;
use crate::io::tables::{Defaults, Tables};
use crate::{Error, Result};
use std::path::Path;

/// The environment in a UMB file.
///
/// Other programs know no discount, so a file of theirs needs one in `defaults`. Its start is equally
/// likely among its initial states, and its expert the best policy.
pub fn read(path: &Path, defaults: &Defaults) -> Result<Environment> {
    crate::io::refuse_device(path)?;
    let bytes = std::fs::read(path).map_err(|e| Error::reading(path, e))?;
    parse(&bytes, &crate::io::stem(path), defaults).map_err(|e| e.within(path.display()))
}

/// The environment in the content of a UMB file, called `default_name` unless it names itself.
pub fn parse(bytes: &[u8], default_name: &str, defaults: &Defaults) -> Result<Environment> {
    let mut entries = unpack(bytes)?;
    let index = Index::parse(&entries.remove(INDEX).unwrap_or_default())?;
    let tables = tables(&entries, &index)?;
    drop(entries);
    tables.environment(default_name, defaults)
}

fn tables(entries: &Entries, index: &Index) -> Result<Tables> {
    let system = &index.transition_system;
    let parameters = index.parameters()?;
    // The branches first: nothing else can be larger than what is there.
    let target = arrays::indices(entries, BRANCH_TO_TARGET, system.branches, system.states)?;
    let target = target.ok_or_else(|| missing(BRANCH_TO_TARGET))?;
    let prob = arrays::doubles(entries, BRANCH_TO_PROBABILITY, system.branches)?;
    let mut tables = Tables {
        target,
        prob: prob.ok_or_else(|| missing(BRANCH_TO_PROBABILITY))?,
        branch_start: arrays::offsets(
            entries,
            CHOICE_TO_BRANCHES,
            system.choices,
            system.branches,
        )?,
        choice_start: arrays::offsets(entries, STATE_TO_CHOICES, system.states, system.choices)?,
        state_names: arrays::texts(entries, STATE_NAMES, system.states)?,
        cost: on_choices(entries, index, "cost")?,
        expert: on_choices(entries, index, "expert")?,
        start: start(entries, index)?,
        gamma: discount(entries, index)?,
        name: index.name(),
        horizon: parameters.horizon,
        budget: parameters.budget,
        value_range: parameters.value_range,
        layout: parameters.layout,
        ..Tables::default()
    };
    if index.own("terminal", "states", "bool")? {
        let name = annotation(GROUP, "terminal", "states");
        let marked = arrays::bits(entries, &name, system.states)?;
        tables.terminal = Some(marked.unwrap_or_else(|| vec![false; system.states]));
    }
    if system.choice_actions > 0 {
        let name = format!("{CHOICE_ACTIONS}/values.bin");
        let actions = arrays::small(entries, &name, system.choices, system.choice_actions)?;
        tables.action_of = Some(actions.unwrap_or_else(|| vec![0; system.choices]));
        tables.action_names = arrays::texts(entries, CHOICE_ACTIONS, system.choice_actions)?;
    }
    rewards(entries, index, &mut tables)?;
    Ok(tables)
}

fn missing(name: &str) -> Error {
    Error::invalid(name, "missing from the archive", "export the model again")
}

/// The values of one of our annotations on choices.
fn on_choices(entries: &Entries, index: &Index, id: &str) -> Result<Option<Vec<f64>>> {
    if !index.own(id, "choices", "double")? {
        return Ok(None);
    }
    let name = annotation(GROUP, id, "choices");
    let values = arrays::doubles(entries, &name, index.transition_system.choices)?;
    values.map(Some).ok_or_else(|| missing(&name))
}

/// The start distribution, or all initial states alike.
fn start(entries: &Entries, index: &Index) -> Result<Vec<(usize, f64)>> {
    let states = index.transition_system.states;
    if index.own("start", "states", "double")? {
        let name = annotation(GROUP, "start", "states");
        let start = arrays::doubles(entries, &name, states)?.ok_or_else(|| missing(&name))?;
        return Ok((0..).zip(start).filter(|&(_, p)| p != 0.0).collect());
    }
    let initial = arrays::bits(entries, STATE_IS_INITIAL, states)?.unwrap_or_default();
    let at: Vec<usize> = (0..initial.len()).filter(|&s| initial[s]).collect();
    let share = 1.0 / at.len() as f64;
    match at.is_empty() {
        false => Ok(at.into_iter().map(|s| (s, share)).collect()),
        true => Err(Error::invalid(
            STATE_IS_INITIAL,
            "no state is initial",
            "mark the states in which episodes start",
        )),
    }
}

/// The discount, which is the same in all states.
fn discount(entries: &Entries, index: &Index) -> Result<Option<f64>> {
    if !index.own("discount", "states", "double")? {
        return Ok(None);
    }
    let name = annotation(GROUP, "discount", "states");
    let values = arrays::doubles(entries, &name, index.transition_system.states)?;
    let values = values.ok_or_else(|| missing(&name))?;
    let first = values.first().copied().unwrap_or_default();
    match values.iter().position(|v| v.to_bits() != first.to_bits()) {
        None => Ok(Some(first)),
        Some(s) => Err(Error::invalid(
            format!("{name}[{s}]"),
            format!("{} where state 0 has the discount {first}", values[s]),
            "use one discount for all states",
        )),
    }
}

/// The reward that counts, on whatever it is earned.
fn rewards(entries: &Entries, index: &Index, tables: &mut Tables) -> Result<()> {
    let Some((id, on)) = index.reward()? else {
        return Ok(());
    };
    let system = &index.transition_system;
    for on in on {
        let (count, into) = match on.as_str() {
            "states" => (system.states, &mut tables.state_reward),
            "choices" => (system.choices, &mut tables.choice_reward),
            "branches" => (system.branches, &mut tables.branch_reward),
            other => {
                return Err(Error::invalid(
                    format!("index.json: annotation rewards/{id}"),
                    format!("it applies to `{other}`"),
                    "let rewards apply to states, choices or branches",
                ));
            }
        };
        *into = arrays::doubles(entries, &annotation("rewards", id, on), count)?;
    }
    Ok(())
}
