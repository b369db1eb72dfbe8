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
//!
//! [settings.finite.bear]                    # as in --set finite.bear.lookahead=4
//! lookahead = 4
//!
//! [variant.pcse-first]                      # one more strategy: pcse with other parameters
//! strategy = "pcse"
//! ties = "first"
//! ```
//!
//! What is left out keeps its default.

use crate::domain::Domain;
use crate::io::keys::{self, wrong};
use crate::io::read_text;
use crate::param::{Parameter, Range, unknown_key};
use crate::sweep::{Experiment, seeds};
use crate::{Error, Result};
use std::path::Path;
use std::sync::Arc;
use toml::Value;

const KEYS: [&str; 5] = ["env", "strategy", "seeds", "settings", "variant"];

impl Experiment {
    /// The experiment in a file; the module's text shows one.
    pub fn read(path: &Path) -> Result<Self> {
        Self::default().reading(path)
    }

    /// The same, changed by what a file says.
    pub fn reading(self, path: &Path) -> Result<Self> {
        self.refuse_name(path)?;
        let text = read_text(path)?;
        if let Some(true) = text
            .parse()
            .ok()
            .map(|t: toml::Table| t.contains_key("map"))
        {
            return Err(not_an_experiment(path, "it draws an environment"));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let before = self.assigned.clone();
        let mut experiment = self
            .changed_by(&text, folder)
            .map_err(|e| e.within(path.display()))?;
        let new = experiment
            .assigned
            .keys()
            .filter(|k| !before.contains_key(*k));
        let new: Vec<String> = new.cloned().collect();
        let file = path.display().to_string();
        experiment
            .set_by
            .extend(new.into_iter().map(|key| (key, file.clone())));
        Ok(experiment)
    }

    /// Refuses a built-in environment or a model in the place of an experiment.
    fn refuse_name(&self, path: &Path) -> Result<()> {
        let named = path.to_str().unwrap_or_default();
        let built_in = |d: &Arc<dyn Domain>| d.environments().iter().any(|e| e == named);
        if !path.exists() && self.domains().iter().any(built_in) {
            return Err(not_an_experiment(path, "it is a built-in environment"));
        }
        match path.extension().is_some_and(|e| e == "json") {
            true => Err(not_an_experiment(path, "a .json file is a model")),
            false => Ok(()),
        }
    }

    /// The experiment that `text` describes; files of environments are found from `folder`.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        Self::default().changed_by(text, folder)
    }

    fn changed_by(self, text: &str, folder: &Path) -> Result<Self> {
        let table = keys::table(text)?;
        let mut experiment = self;
        // Other keys may name them.
        if let Some(variants) = table.get("variant") {
            experiment.read_variants(variants)?;
        }
        for (key, value) in &table {
            match key.as_str() {
                "env" => {
                    let list = words(key, value)?;
                    experiment.set_environments(list.iter().map(|e| from(folder, e)))?;
                }
                "strategy" => experiment.set_strategies(words(key, value)?)?,
                "variant" => {}
                "seeds" => experiment.set_seeds(seeds_of(value)?)?,
                "settings" => {
                    let Value::Table(table) = value else {
                        return Err(wrong("settings", value, "write a table [settings]"));
                    };
                    settings(&mut experiment, "", table)?;
                }
                _ => return Err(experiment.unknown(key)),
            }
        }
        Ok(experiment)
    }

    /// The value as the text that the parameter called `key` is set from; a type that fits it in no
    /// domain is refused here. Domains may have parameters of one name and different kinds.
    pub(super) fn text_of(&self, key: &str, place: &str, value: &Value) -> Result<String> {
        let mut refused = None;
        for parameter in self.parameters(key) {
            match text_of(parameter, place, value) {
                Ok(text) => return Ok(text),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        // An unknown name is reported, with the nearest, when it is set.
        refused.map_or(Ok(String::new()), Err)
    }

    /// The error for a key that does not belong at the top of a file.
    fn unknown(&self, key: &str) -> Error {
        let problem = "it is not a key here";
        let is_owner = self.domains().find(key).is_some()
            || self
                .domains()
                .strategies()
                .iter()
                .any(|(s, _)| s.name == key);
        if !self.parameters(key).is_empty() {
            Error::invalid(key, problem, "put it under [settings]")
        } else if is_owner {
            let remedy = format!("put its parameters under [settings.{key}]");
            Error::invalid(key, problem, remedy)
        } else {
            unknown_key(key, KEYS)
        }
    }
}

fn not_an_experiment(path: &Path, what: &str) -> Error {
    let file = path.display();
    Error::invalid(
        file.to_string(),
        format!("{what}, not an experiment"),
        format!("to run in it, use `hedgerow run --env {file}`"),
    )
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

/// Sets all parameters of a table; those of tables within it are called `table.name`.
fn settings(experiment: &mut Experiment, prefix: &str, table: &toml::Table) -> Result<()> {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        if let Value::Table(own) = value {
            settings(experiment, &format!("{key}."), own)?;
            continue;
        }
        let place = format!("settings.{key}");
        let text = experiment.text_of(&key, &place, value)?;
        experiment.set(&key, &text).map_err(|e| e.at_place(place))?;
    }
    Ok(())
}

/// The value as the text a parameter is set from; a type that does not fit is refused here.
fn text_of(parameter: &Parameter, place: &str, value: &Value) -> Result<String> {
    let remedy = match (parameter.range, value) {
        (Range::Whole { .. }, Value::Integer(i)) => return Ok(i.to_string()),
        (Range::Number { .. }, Value::Integer(i)) => return Ok(i.to_string()),
        (Range::Number { .. }, Value::Float(x)) => return Ok(x.to_string()),
        (Range::Word(_), Value::String(word)) => return Ok(word.clone()),
        (Range::Whole { .. }, _) => "write a whole number",
        (Range::Number { .. }, _) => "write a number",
        (Range::Word(_), _) => "write a word in quotes",
    };
    Err(wrong(place, value, remedy))
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
        assert_eq!(
            (e.strategies(), e.seeds()),
            (Some(&["pcse".to_owned()][..]), &[0, 1, 2][..])
        );
        assert_eq!(e.run_parameters().values().whole("iterations"), 7);
        let s = e.domain_parameters("finite").unwrap().values();
        assert_eq!((s.number("delta"), s.word("plan-in")), (0.2, "estimate"));
        let own = e.strategy_parameters("finite", "pcse").unwrap();
        assert_eq!(own.values().number("lookahead"), 2.0);
    }

    // Long: a table of wrong texts and what is said of them.
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
                "settings.psce.x: there is no strategy or domain `psce`; did you mean `pcse`?",
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
