//! Reading.

use super::{EXTRA, Form, beside, extra, labels, rewards, transitions};
use crate::env::Environment;
use crate::io::read_text;
use crate::io::tables::{Defaults, Tables};
use crate::{Error, Result};
use std::path::Path;

/// The environment in `path`, a file of transitions (`.tra`), and the files beside it.
///
/// Files of other programs need a discount in `defaults`. Their start is equally likely among states
/// with the label `init`, and their expert the best policy.
pub fn read(path: &Path, defaults: &Defaults) -> Result<Environment> {
    let found = transitions::parse(&read_text(path)?).map_err(|e| e.within(path.display()))?;
    let (form, chain, mut tables) = (found.form, found.chain, found.tables);
    let states = tables.states();
    // Files of ours have no rewards of states: those beside them are of another program.
    let foreign = !beside(path, EXTRA).exists();
    let add = &mut tables;
    match form {
        Form::Prism => {
            if foreign {
                with(path, "srew", |text| rewards::of_states(text, add, true))?;
                with(path, "sta", |text| {
                    add.state_names = labels::names(text, states)?;
                    Ok(())
                })?;
            }
            with(path, "trew", |text| {
                rewards::of_transitions(text, add, chain)
            })?;
        }
        Form::Storm => {
            if foreign {
                with(path, "state.rew", |text| {
                    rewards::of_states(text, add, false)
                })?;
            }
            let ending = match beside(path, "rew").exists() {
                true => "rew",
                false => "trans.rew",
            };
            with(path, ending, |text| {
                rewards::of_transitions(text, add, chain)
            })?;
        }
    }
    let labelled = with(path, "lab", |text| {
        let initial = labels::initial(text, states)?;
        let share = 1.0 / initial.len() as f64;
        add.start = initial.into_iter().map(|s| (s, share)).collect();
        Ok(())
    })?;
    with(path, EXTRA, |text| extra::add(text, add))?;
    if !labelled && tables.start.is_empty() {
        return Err(Error::invalid(
            beside(path, "lab").display().to_string(),
            "there is no such file",
            "add it, with the label `init` at the states in which episodes start",
        ));
    }
    environment(path, tables, defaults)
}

fn environment(path: &Path, tables: Tables, defaults: &Defaults) -> Result<Environment> {
    let made = tables.environment(&crate::io::stem(path), defaults);
    made.map_err(|e| e.within(path.display()))
}

/// Reads a neighbour of `path`, if there is one; says whether there is.
fn with(path: &Path, ending: &str, read: impl FnOnce(&str) -> Result<()>) -> Result<bool> {
    let file = beside(path, ending);
    if !file.exists() {
        return Ok(false);
    }
    let text = read_text(&file)?;
    read(&text).map_err(|e| e.within(file.display()))?;
    Ok(true)
}
