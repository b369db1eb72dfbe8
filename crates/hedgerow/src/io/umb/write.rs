//! Writing.

use super::{BRANCH_TO_PROBABILITY, BRANCH_TO_TARGET, CHOICE_ACTIONS, CHOICE_TO_BRANCHES};
use super::{GROUP, INDEX, REWARD, STATE_IS_INITIAL, STATE_NAMES, STATE_TO_CHOICES};
use super::{VERSION, annotation};
use crate::env::Environment;
use crate::io::tables::Tables;
use crate::io::{PendingFile, layout};
use crate::{Error, Result};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::Path;
use tar::{Builder, Header};

/// Writes an environment as a UMB file; reading it gives the same numbers bit for bit.
pub fn write(path: &Path, environment: &Environment) -> Result<()> {
    let tables = Tables::of(environment);
    let mut file = PendingFile::create(path)?;
    let mut sink = Sink {
        file: &mut file,
        failed: None,
    };
    let mut archive = Archive(Builder::new(&mut sink));
    let done = archive.all(environment, &tables);
    let done = done.and_then(|()| archive.0.finish());
    drop(archive);
    match (sink.failed.take(), done) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(Error::writing(path, error)),
        (None, Ok(())) => file.finish(),
    }
}

/// A pending file as the archive wants it, and why writing to it failed.
struct Sink<'a> {
    file: &'a mut PendingFile,
    failed: Option<Error>,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.file.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                let said = io::Error::other(error.to_string());
                self.failed = Some(error);
                Err(said)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Archive<W: Write>(Builder<W>);

impl<W: Write> Archive<W> {
    fn all(&mut self, environment: &Environment, tables: &Tables) -> io::Result<()> {
        let states = tables.states();
        self.entry(INDEX, index(environment, tables).as_bytes())?;
        self.offsets(STATE_TO_CHOICES, &tables.choice_start)?;
        let mut initial = vec![false; states];
        tables.start.iter().for_each(|&(s, _)| initial[s] = true);
        self.bits(STATE_IS_INITIAL, &initial)?;
        self.offsets(CHOICE_TO_BRANCHES, &tables.branch_start)?;
        let targets = tables.target.iter().map(|&t| u64::from(t));
        self.words(BRANCH_TO_TARGET, targets)?;
        self.doubles(BRANCH_TO_PROBABILITY, &tables.prob)?;
        self.actions(tables)?;
        for (group, id, on, values) in annotations(tables) {
            self.doubles(&annotation(group, id, on), values)?;
        }
        let gamma = tables.gamma.unwrap_or_default();
        let discount = annotation(GROUP, "discount", "states");
        self.words(&discount, std::iter::repeat_n(gamma.to_bits(), states))?;
        let mut start = vec![0.0; states];
        tables.start.iter().for_each(|&(s, p)| start[s] = p);
        self.doubles(&annotation(GROUP, "start", "states"), &start)?;
        if let Some(terminal) = &tables.terminal {
            self.bits(&annotation(GROUP, "terminal", "states"), terminal)?;
        }
        match tables.state_names.is_empty() {
            true => Ok(()),
            false => self.texts(STATE_NAMES, &tables.state_names),
        }
    }

    fn actions(&mut self, tables: &Tables) -> io::Result<()> {
        let actions = tables.action_of.iter().flatten();
        let bytes: Vec<u8> = actions.flat_map(|a| a.to_le_bytes()).collect();
        self.entry(&format!("{CHOICE_ACTIONS}/values.bin"), &bytes)?;
        self.texts(CHOICE_ACTIONS, &tables.action_names)
    }

    fn texts(&mut self, folder: &str, texts: &[String]) -> io::Result<()> {
        let mut offsets = vec![0];
        offsets.extend(texts.iter().scan(0, |end, text| {
            *end += text.len();
            Some(*end)
        }));
        self.offsets(&format!("{folder}/string-mapping.bin"), &offsets)?;
        self.entry(&format!("{folder}/strings.bin"), texts.concat().as_bytes())
    }

    fn offsets(&mut self, name: &str, offsets: &[usize]) -> io::Result<()> {
        self.words(name, offsets.iter().map(|&o| o as u64))
    }

    fn doubles(&mut self, name: &str, values: &[f64]) -> io::Result<()> {
        self.words(name, values.iter().map(|v| v.to_bits()))
    }

    fn bits(&mut self, name: &str, bits: &[bool]) -> io::Result<()> {
        let word = |bits: &[bool]| {
            let set = bits.iter().enumerate().filter(|(_, b)| **b);
            set.fold(0_u64, |word, (i, _)| word | 1 << i)
        };
        self.words(name, bits.chunks(64).map(word))
    }

    fn words(&mut self, name: &str, words: impl Iterator<Item = u64>) -> io::Result<()> {
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        self.entry(name, &bytes)
    }

    /// Without a time, so that the same environment gives the same bytes.
    fn entry(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut header = Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        self.0.append_data(&mut header, name, bytes)
    }
}

/// The annotations on choices and branches: group, identifier, on what, values.
fn annotations(tables: &Tables) -> Vec<(&'static str, &'static str, &'static str, &[f64])> {
    let all = [
        ("rewards", REWARD, "choices", &tables.choice_reward),
        ("rewards", REWARD, "branches", &tables.branch_reward),
        (GROUP, "cost", "choices", &tables.cost),
        (GROUP, "expert", "choices", &tables.expert),
    ];
    let given = all.into_iter();
    given
        .filter_map(|(group, id, on, v)| v.as_deref().map(|v| (group, id, on, v)))
        .collect()
}

fn index(environment: &Environment, tables: &Tables) -> String {
    let double = json!({ "type": "double", "size": 64 });
    let of = |id: &str, on: &[&str], kind: &Value| json!({ "alias": id, "applies-to": on, "type": kind });
    let mut own = Map::new();
    for (_, id, on, _) in annotations(tables).into_iter().filter(|a| a.0 == GROUP) {
        own.insert(id.to_owned(), of(id, &[on], &double));
    }
    for id in ["discount", "start"] {
        own.insert(id.to_owned(), of(id, &["states"], &double));
    }
    if tables.terminal.is_some() {
        let bool = json!({ "type": "bool", "size": 1 });
        own.insert("terminal".to_owned(), of("terminal", &["states"], &bool));
    }
    let rewarded: &[&str] = match &tables.branch_reward {
        None => &["choices"],
        Some(_) => &["choices", "branches"],
    };
    let index = json!({
        "format-version": VERSION,
        "format-revision": 0,
        "model-data": { "name": environment.name() },
        "file-data": {
            "tool": GROUP,
            "tool-version": env!("CARGO_PKG_VERSION"),
            "parameters": parameters(environment, tables),
        },
        "transition-system": {
            "time": "discrete",
            "#players": 1,
            "#states": tables.states(),
            "#initial-states": tables.start.len(),
            "#choices": tables.choices(),
            "#choice-actions": tables.action_names.len(),
            "#branches": tables.target.len(),
            "#branch-actions": 0,
            "#observations": 0,
            "branch-probability-type": double,
        },
        "annotations": {
            "rewards": { REWARD: of(REWARD, rewarded, &double) },
            GROUP: own,
        },
    });
    format!("{index:#}\n")
}

fn parameters(environment: &Environment, tables: &Tables) -> Value {
    let mut parameters = json!({ "horizon": tables.horizon, "budget": tables.budget });
    if let Some((low, high)) = tables.value_range {
        parameters["value_range"] = json!([low, high]);
    }
    let drawn = layout::to_text(environment).and_then(|text| serde_json::from_str(&text).ok());
    if let Some(layout) = drawn {
        parameters["layout"] = layout;
    }
    parameters
}
