//! Experiments as TOML.
//!
//! ```toml
//! env = ["gridworld-1", "maps/mine.toml"]   # files are found from this file's folder
//! strategy = ["pcse", "random"]
//! seeds = "0..20"                           # or [1, 2, 7]
//!
//! [settings]                                # as in --set iterations=300
//! iterations = 300
//!
//! [settings.pcse]                           # as in --set pcse.lookahead=2
//! lookahead = 2
//! ```
//!
//! What is left out keeps its default.

use crate::explore;
use crate::io::keys;
use crate::param::{Parameter, Range, unknown_key};
use crate::run;
use crate::sweep::experiment::qualified;
use crate::sweep::{Experiment, seeds};
use crate::{Error, Result};
use std::path::Path;
use toml::Value;

const KEYS: [&str; 4] = ["env", "strategy", "seeds", "settings"];

impl Experiment {
    /// The experiment in a file; the module's text shows one.
    pub fn read(path: &Path) -> Result<Self> {
        Self::default().reading(path)
    }

    /// The same, changed by what a file says.
    pub fn reading(self, path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::reading(path, e))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        self.changed_by(&text, folder)
            .map_err(|e| e.within(path.display()))
    }

    /// The experiment that `text` describes; files of environments are found from `folder`.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        Self::default().changed_by(text, folder)
    }

    fn changed_by(self, text: &str, folder: &Path) -> Result<Self> {
        let table = keys::table(text)?;
        let mut experiment = self;
        for (key, value) in &table {
            match key.as_str() {
                "env" => {
                    let list = words(key, value)?;
                    experiment.set_environments(list.iter().map(|e| from(folder, e)))?;
                }
                "strategy" => experiment.set_strategies(words(key, value)?)?,
                "seeds" => experiment.set_seeds(seeds_of(value)?)?,
                "settings" => settings(&mut experiment, value)?,
                _ => return Err(unknown(key)),
            }
        }
        Ok(experiment)
    }
}

fn unknown(key: &str) -> Error {
    let shared = run::PARAMETERS.iter().any(|p| p.name == key);
    let strategy = explore::STRATEGIES.iter().any(|e| e.name == key);
    match (shared, strategy) {
        (true, _) => Error::invalid(key, "it is not a key here", "put it under [settings]"),
        (_, true) => Error::invalid(
            key,
            "it is not a key here",
            format!("put its parameters under [settings.{key}]"),
        ),
        _ => unknown_key(key, KEYS),
    }
}

fn words<'a>(key: &str, value: &'a Value) -> Result<Vec<&'a str>> {
    let remedy = "write a list of names, like [\"a\", \"b\"]";
    let Value::Array(items) = value else {
        return Err(wrong(key, value, remedy));
    };
    items
        .iter()
        .map(|item| item.as_str().ok_or_else(|| wrong(key, item, remedy)))
        .collect()
}

/// A file named in an experiment lies beside it, wherever the program is started.
fn from(folder: &Path, environment: &str) -> String {
    let path = Path::new(environment);
    let is_file = path.extension().is_some_and(|e| e == "toml" || e == "json");
    if is_file {
        folder.join(path).display().to_string()
    } else {
        environment.to_owned()
    }
}

fn seeds_of(value: &Value) -> Result<Vec<u64>> {
    let remedy = "write seeds = [1, 2, 7] or seeds = \"0..20\"";
    match value {
        Value::String(text) => seeds::parse(text),
        Value::Array(items) => items
            .iter()
            .map(|item| match item {
                Value::Integer(i) => u64::try_from(*i).map_err(|_| {
                    Error::invalid("seeds", format!("{i} is negative"), "use at least 0")
                }),
                other => Err(wrong("seeds", other, remedy)),
            })
            .collect(),
        other => Err(wrong("seeds", other, remedy)),
    }
}

fn settings(experiment: &mut Experiment, value: &Value) -> Result<()> {
    let Value::Table(table) = value else {
        return Err(wrong("settings", value, "write a table [settings]"));
    };
    for (key, value) in table {
        match value {
            Value::Table(own) => {
                let known = match experiment.table(key) {
                    Some(table) => table.table(),
                    None => {
                        let entry = explore::find(key).map_err(|e| e.within("settings"))?;
                        entry.parameters
                    }
                };
                for (name, value) in own {
                    let place = format!("settings.{key}.{name}");
                    let text = text_of(known, name, &place, value)?;
                    set(experiment, &format!("{key}.{name}"), &text)?;
                }
            }
            _ => {
                let text = text_of(run::PARAMETERS, key, &format!("settings.{key}"), value)?;
                set(experiment, key, &text)?;
            }
        }
    }
    Ok(())
}

fn set(experiment: &mut Experiment, key: &str, text: &str) -> Result<()> {
    experiment
        .set(key, text)
        .map_err(|e| qualified(e, "settings"))
}

/// The value as the text a parameter is set from; a type that does not fit is refused here.
fn text_of(table: &[Parameter], name: &str, place: &str, value: &Value) -> Result<String> {
    let parameter = table.iter().find(|p| p.name == name);
    let remedy = match (parameter.map(|p| p.range), value) {
        // An unknown name is reported, with the nearest, when it is set.
        (None, _) => return Ok(String::new()),
        (Some(Range::Whole { .. }), Value::Integer(i)) => return Ok(i.to_string()),
        (Some(Range::Number { .. }), Value::Integer(i)) => return Ok(i.to_string()),
        (Some(Range::Number { .. }), Value::Float(x)) => return Ok(x.to_string()),
        (Some(Range::Word(_)), Value::String(word)) => return Ok(word.clone()),
        (Some(Range::Whole { .. }), _) => "write a whole number",
        (Some(Range::Number { .. }), _) => "write a number",
        (Some(Range::Word(_)), _) => "write a word in quotes",
    };
    Err(wrong(place, value, remedy))
}

fn wrong(place: &str, found: &Value, remedy: &str) -> Error {
    let found = match found {
        Value::Table(_) => "a table".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => format!("the {} {other}", other.type_str()),
    };
    Error::invalid(place, format!("found {found}"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Experiment> {
        Experiment::parse(text, Path::new("folder"))
    }

    #[test]
    fn an_empty_file_is_the_default_experiment() {
        assert_eq!(parse("").unwrap(), Experiment::default());
    }

    #[test]
    fn everything_can_be_chosen() {
        let e = parse(
            "env = ['rooms', 'own.toml']\nstrategy = ['pcse']\nseeds = '0..3'\n\
             [settings]\niterations = 7\ndelta = 0.2\nplan-in = 'estimate'\n\
             [settings.pcse]\nlookahead = 2\n",
        )
        .unwrap();
        assert_eq!(e.environments(), ["rooms", "folder/own.toml"]);
        assert_eq!((e.strategies(), e.seeds()), (&["pcse"][..], &[0, 1, 2][..]));
        let s = e.settings();
        assert_eq!(
            (s.whole("iterations"), s.number("delta"), s.word("plan-in")),
            (7, 0.2, "estimate")
        );
        assert_eq!(
            e.strategy_settings("pcse").unwrap().number("lookahead"),
            2.0
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, said) in [
            ("evn = ['a']", "evn: unknown key; did you mean `env`?"),
            (
                "iterations = 3",
                "iterations: it is not a key here; put it under [settings]",
            ),
            (
                "[pcse]\nlookahead = 2",
                "put its parameters under [settings.pcse]",
            ),
            (
                "env = 'rooms'",
                "env: found the string \"rooms\"; write a list",
            ),
            ("env = ['a', 'a']", "env: `a` is given twice"),
            ("env = []", "env: a name is missing"),
            (
                "strategy = ['psce']",
                "strategy: `psce` is unknown; did you mean `pcse`?",
            ),
            (
                "strategy = [1]",
                "strategy: found the integer 1; write a list",
            ),
            ("seeds = [1, 1]", "seeds: 1 is given twice"),
            ("seeds = []", "seeds: none given"),
            ("seeds = [-1]", "seeds: -1 is negative"),
            ("seeds = '3..1'", "seeds: `3..1` holds no seed"),
            (
                "seeds = 3",
                "seeds: found the integer 3; write seeds = [1, 2, 7]",
            ),
            (
                "settings = 3",
                "settings: found the integer 3; write a table",
            ),
            (
                "[settings]\ndelat = 1",
                "settings.delat: unknown key; did you mean `delta`?",
            ),
            (
                "[settings]\ndelta = 7",
                "settings.delta: `7` is not allowed",
            ),
            (
                "[settings]\ndelta = '1'",
                "settings.delta: found the string \"1\"; write a number",
            ),
            (
                "[settings]\niterations = 1.5",
                "settings.iterations: found the float 1.5",
            ),
            (
                "[settings]\niterations = -1",
                "settings.iterations: `-1` is not allowed",
            ),
            (
                "[settings]\nzeta = 1",
                "settings.zeta: found the integer 1; write a word",
            ),
            (
                "[settings.psce]\nx = 1",
                "settings: strategy: `psce` is unknown; did you mean `pcse`?",
            ),
            (
                "[settings.pcse]\nlook = 1",
                "settings.pcse.look: unknown key",
            ),
            (
                "[settings.pcse]\nlookahead = []",
                "settings.pcse.lookahead: found a list",
            ),
            ("env = ['a']\nenv = ['b']", "line 2: "),
            ("seeds = [1,\n\n=", "line 3: "),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.contains(said), "{message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }
}
