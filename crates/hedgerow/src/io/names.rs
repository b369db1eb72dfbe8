//! States and actions as files write them: by index, or by name where names exist.

use crate::error::nearest;
use crate::index::{Action, Pair, State};
use crate::model::Task;
use crate::{Error, Result};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::collections::HashMap;
use std::fmt;

/// A state or an action, not yet looked up.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reference {
    /// Its position, from 0.
    Index(usize),
    /// Its name.
    Name(String),
    /// A cell of a table, where both look alike: a name if there is such a name.
    Either(String),
}

/// The same without a text of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Word<'a> {
    /// Its position, from 0.
    Index(usize),
    /// Its name.
    Name(&'a str),
    /// A name if there is such a name, else a position.
    Either(&'a str),
}

impl Reference {
    pub(super) fn word(&self) -> Word<'_> {
        match self {
            Self::Index(i) => Word::Index(*i),
            Self::Name(name) => Word::Name(name),
            Self::Either(text) => Word::Either(text),
        }
    }
}

impl<'de> Deserialize<'de> for Reference {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Reference;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an index from 0 or a name")
            }

            fn visit_u64<E: de::Error>(self, i: u64) -> std::result::Result<Reference, E> {
                usize::try_from(i)
                    .map(Reference::Index)
                    .map_err(|_| E::custom(format!("index {i} is out of range")))
            }

            fn visit_i64<E: de::Error>(self, i: i64) -> std::result::Result<Reference, E> {
                Err(E::custom(format!("index {i} is out of range")))
            }

            fn visit_str<E: de::Error>(self, name: &str) -> std::result::Result<Reference, E> {
                Ok(Reference::Name(name.to_owned()))
            }
        }
        d.deserialize_any(Read)
    }
}

/// The names of a model, ready to be looked up.
pub(super) struct Names {
    states: HashMap<String, usize>,
    actions: HashMap<String, usize>,
}

impl Names {
    /// Names from lists; a name given twice is an error.
    pub(super) fn new(states: &[String], actions: &[String]) -> Result<Self> {
        Ok(Self {
            states: positions("states", states)?,
            actions: positions("actions", actions)?,
        })
    }

    /// The names of a task that exists.
    pub(super) fn of(task: &Task) -> Result<Self> {
        Self::new(task.state_names(), task.action_names())
    }

    /// The index of a state, its range unchecked.
    pub(super) fn state(&self, place: impl Fn() -> String, state: &Reference) -> Result<usize> {
        look_up("state", &self.states, place, state.word())
    }

    /// The index of an action, its range unchecked.
    pub(super) fn action(&self, place: impl Fn() -> String, action: &Reference) -> Result<usize> {
        look_up("action", &self.actions, place, action.word())
    }

    /// The pair of a state and an action of `task`.
    pub(super) fn pair(
        &self,
        task: &Task,
        place: impl Fn() -> String,
        state: &Reference,
        action: &Reference,
    ) -> Result<Pair> {
        let state = self.state_in(task, &place, state.word())?;
        let action = self.action_in(task, &place, action.word())?;
        pair_in(task, place, state, action)
    }

    /// A state of `task`.
    pub(super) fn state_in(
        &self,
        task: &Task,
        place: impl Fn() -> String,
        state: Word,
    ) -> Result<State> {
        let s = look_up("state", &self.states, &place, state)?;
        within("state", s, task.states(), place).map(State::new)
    }

    /// An action of `task`.
    pub(super) fn action_in(
        &self,
        task: &Task,
        place: impl Fn() -> String,
        action: Word,
    ) -> Result<Action> {
        let a = look_up("action", &self.actions, &place, action)?;
        within("action", a, task.actions(), place).map(Action::new)
    }
}

fn within(what: &str, i: usize, count: usize, place: impl Fn() -> String) -> Result<usize> {
    if i < count {
        return Ok(i);
    }
    Err(Error::invalid(
        place(),
        format!("{what} {i} is out of range"),
        format!("{what}s run from 0 to {}", count - 1),
    ))
}

/// The pair of a state and an action, which must be available there.
pub(super) fn pair_in(
    task: &Task,
    place: impl Fn() -> String,
    state: State,
    action: Action,
) -> Result<Pair> {
    task.pair(state, action).ok_or_else(|| {
        Error::invalid(
            place(),
            format!(
                "action {} ({}) is not available in state {} ({})",
                action.at(),
                task.action_name(action),
                state.at(),
                task.state_name(state)
            ),
            format!("choose an available action: {}", offered(task, state)),
        )
    })
}

/// The actions of a state as words.
fn offered(task: &Task, state: State) -> String {
    let names: Vec<&str> = task
        .pairs_of(state)
        .map(|i| task.action_name(task.action_of(Pair::new(i))))
        .collect();
    if names.is_empty() {
        "none, it is terminal".to_owned()
    } else {
        names.join(", ")
    }
}

fn positions(list: &str, names: &[String]) -> Result<HashMap<String, usize>> {
    let mut found = HashMap::with_capacity(names.len());
    for (i, name) in names.iter().enumerate() {
        if name.is_empty() {
            let remedy = "give it a name";
            return Err(Error::invalid(format!("{list}[{i}]"), "empty name", remedy));
        }
        if name.chars().any(char::is_control) {
            return Err(Error::invalid(
                format!("{list}[{i}]"),
                format!("the name {name:?} has a control character in it"),
                "use characters that can be seen",
            ));
        }
        if let Some(first) = found.insert(name.clone(), i) {
            return Err(Error::invalid(
                format!("{list}[{i}]"),
                format!("the name `{name}` is already that of {list}[{first}]"),
                "give every one a name of its own",
            ));
        }
    }
    Ok(found)
}

/// The index in `s12`, which is what states without names are called in answers.
fn unnamed(what: &str, names: &HashMap<String, usize>, text: &str) -> Option<usize> {
    match names.is_empty() && what == "state" {
        true => text.strip_prefix('s')?.parse().ok(),
        false => None,
    }
}

fn look_up(
    what: &str,
    names: &HashMap<String, usize>,
    place: impl Fn() -> String,
    word: Word,
) -> Result<usize> {
    let name = match word {
        Word::Index(i) => return Ok(i),
        Word::Name(name) => name,
        Word::Either(text) => match names.get(text) {
            Some(&i) => return Ok(i),
            None => match text.parse() {
                Ok(i) => return Ok(i),
                Err(_) => match unnamed(what, names, text) {
                    Some(i) => return Ok(i),
                    None => text,
                },
            },
        },
    };
    names.get(name).copied().ok_or_else(|| {
        let remedy = if names.is_empty() {
            format!("the {what}s have no names: use an index")
        } else {
            // In the order of the file: that of the map changes from run to run.
            let mut known: Vec<(&String, &usize)> = names.iter().collect();
            known.sort_by_key(|(_, at)| **at);
            let phrase = nearest(name, known.iter().map(|(name, _)| name.as_str()));
            // A model may have a million names: do not list them all.
            if phrase.len() > 200 {
                format!(
                    "use the index or the name of one of the {} {what}s",
                    names.len()
                )
            } else {
                phrase
            }
        };
        Error::invalid(place(), format!("unknown {what} `{name}`"), remedy)
    })
}
