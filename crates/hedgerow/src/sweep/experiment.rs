//! What a sweep runs.

use crate::error::nearest;
use crate::explore::{self, STRATEGIES};
use crate::param::{Parameter, Parameters};
use crate::run::{self, Settings};
use crate::sweep::seeds;
use crate::{Error, Result};
use std::collections::BTreeMap;

/// The environments of the default experiment.
pub const GRIDWORLDS: [&str; 4] = ["gridworld-1", "gridworld-2", "gridworld-3", "gridworld-4"];

/// The seeds of the default experiment.
pub const SEEDS: [u64; 5] = [123_456, 123, 1234, 36, 34];

/// Environments x strategies x seeds, with all parameters.
///
/// Made from the defaults ([`Experiment::default`]) or a file ([`Experiment::read`]), then
/// changed by name; every change is checked when it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    environments: Vec<String>,
    strategies: Vec<&'static str>,
    seeds: Vec<u64>,
    settings: Parameters,
    strategy_settings: BTreeMap<&'static str, Parameters>,
    tables: BTreeMap<&'static str, Parameters>,
}

impl Default for Experiment {
    /// The four Gridworlds, all strategies, five seeds, all parameters at their defaults.
    fn default() -> Self {
        let parameters = |e: &explore::Entry| (e.name, Parameters::defaults(e.parameters));
        Self {
            environments: GRIDWORLDS.map(str::to_owned).to_vec(),
            strategies: STRATEGIES.iter().map(|e| e.name).collect(),
            seeds: SEEDS.to_vec(),
            settings: Parameters::defaults(run::PARAMETERS),
            strategy_settings: STRATEGIES.iter().map(parameters).collect(),
            tables: BTreeMap::new(),
        }
    }
}

impl Experiment {
    /// The same with parameters of one kind of environment, set as `table.name`.
    pub fn with_table(mut self, table: &'static str, parameters: &'static [Parameter]) -> Self {
        self.tables.insert(table, Parameters::defaults(parameters));
        self
    }

    /// The parameters of one kind of environment.
    pub fn table(&self, name: &str) -> Option<&Parameters> {
        self.tables.get(name)
    }

    /// Whether these are some of the strategies rather than all there are.
    pub(super) fn chooses_strategies(&self) -> bool {
        self.strategies.len() < STRATEGIES.len()
    }

    /// Names or files of the environments.
    pub fn environments(&self) -> &[String] {
        &self.environments
    }

    /// Names of the strategies.
    pub fn strategies(&self) -> &[&'static str] {
        &self.strategies
    }

    /// The seeds.
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// The parameters that all strategies share.
    pub fn settings(&self) -> &Parameters {
        &self.settings
    }

    /// The parameters of one strategy.
    pub fn strategy_settings(&self, strategy: &str) -> Result<&Parameters> {
        let entry = explore::find(strategy)?;
        self.strategy_settings.get(entry.name).ok_or_else(|| {
            let remedy = "this is a defect of the program: please report it";
            Error::invalid(entry.name, "the strategy has no parameter table", remedy)
        })
    }

    /// Chooses environments by name or file.
    pub fn set_environments<S: Into<String>>(
        &mut self,
        environments: impl IntoIterator<Item = S>,
    ) -> Result<()> {
        let environments: Vec<String> = environments.into_iter().map(Into::into).collect();
        check_list("env", &environments)?;
        self.environments = environments;
        Ok(())
    }

    /// Chooses strategies by name.
    pub fn set_strategies<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let names: Vec<&str> = names.into_iter().collect();
        check_list("strategy", &names)?;
        let found = names.into_iter().map(|n| Ok(explore::find(n)?.name));
        let strategies = found.collect::<Result<_>>()?;
        self.strategies = strategies;
        Ok(())
    }

    /// Chooses seeds.
    pub fn set_seeds(&mut self, seeds: Vec<u64>) -> Result<()> {
        seeds::check(&seeds)?;
        self.seeds = seeds;
        Ok(())
    }

    /// Sets a parameter: `delta` is one that all strategies share, `pcse.lookahead` one strategy's,
    /// `maze.tile` one of a kind of environment.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let Some((strategy, name)) = key.split_once('.') else {
            return match STRATEGIES.iter().find(|e| e.name == key) {
                Some(entry) => Err(Error::invalid(
                    key,
                    "this is a strategy, not a parameter",
                    own_parameters(entry),
                )),
                None => self.settings.set(key, value),
            };
        };
        let parameters = match self.tables.get_mut(strategy) {
            Some(table) => table,
            None => strategy_of(key, strategy, &mut self.strategy_settings)?,
        };
        parameters
            .set(name, value)
            .map_err(|e| qualified(e, strategy))
    }

    /// Sets a parameter from one text, `key=value`; see [`Self::set`].
    ///
    /// A strategy the experiment leaves out cannot be set: it would have no effect.
    pub fn assign(&mut self, text: &str) -> Result<()> {
        let Some((key, value)) = text.split_once('=') else {
            let remedy = "write key=value, like delta=0.05 or pcse.lookahead=2";
            return Err(Error::invalid(text, "there is no `=` in it", remedy));
        };
        let (key, value) = (key.trim(), value.trim());
        let strategy = key.split_once('.').and_then(|(s, _)| explore::find(s).ok());
        match strategy {
            Some(entry) if !self.strategies.contains(&entry.name) => Err(Error::invalid(
                key,
                format!("`{}` is not part of this experiment", entry.name),
                "remove the setting or add the strategy",
            )),
            _ => self.set(key, value),
        }
    }

    /// The shared parameters, checked against each other.
    pub fn run_settings(&self) -> Result<Settings> {
        Settings::new(&self.settings)
    }
}

fn strategy_of<'a>(
    key: &str,
    strategy: &str,
    all: &'a mut BTreeMap<&'static str, Parameters>,
) -> Result<&'a mut Parameters> {
    let known: Vec<&str> = all.keys().copied().collect();
    all.get_mut(strategy).ok_or_else(|| {
        let problem = format!("there is no strategy `{strategy}`");
        Error::invalid(key, problem, nearest(strategy, known))
    })
}

/// The error with the strategy put before the name of its parameter.
pub(super) fn qualified(error: Error, table: &str) -> Error {
    match error {
        Error::Invalid {
            place,
            problem,
            remedy,
        } => Error::invalid(format!("{table}.{place}"), problem, remedy),
        other => other,
    }
}

fn own_parameters(entry: &explore::Entry) -> String {
    let names: Vec<String> = entry
        .parameters
        .iter()
        .map(|p| format!("{}.{}", entry.name, p.name))
        .collect();
    if names.is_empty() {
        "it has no parameters of its own".to_owned()
    } else {
        format!("set one of {}", names.join(", "))
    }
}

fn check_list<S: AsRef<str>>(key: &str, list: &[S]) -> Result<()> {
    if list.is_empty() || list.iter().any(|s| s.as_ref().is_empty()) {
        return Err(Error::invalid(
            key,
            "a name is missing",
            "give names, like a,b",
        ));
    }
    for (i, name) in list.iter().enumerate() {
        if list[..i].iter().any(|n| n.as_ref() == name.as_ref()) {
            let problem = format!("`{}` is given twice", name.as_ref());
            return Err(Error::invalid(key, problem, "name it once"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_and_strategy_parameters_are_set_by_one_rule() {
        let mut e = Experiment::default();
        e.assign("delta=0.05").unwrap();
        e.assign("pcse.lookahead = 2").unwrap();
        assert_eq!(e.settings().number("delta"), 0.05);
        let pcse = e.strategy_settings("pcse").unwrap();
        assert_eq!(pcse.number("lookahead"), 2.0);
    }

    #[test]
    fn wrong_choices_are_refused_and_change_nothing() {
        let mut e = Experiment::default();
        let before = e.clone();
        for (text, said) in [
            ("delta", "there is no `=`"),
            ("delat=1", "did you mean `delta`?"),
            ("delta=2", "delta: `2` is not allowed"),
            ("pcs.lookahead=2", "no strategy `pcs`; did you mean `pcse`?"),
            (
                "pcse.lookahed=2",
                "pcse.lookahed: unknown key; did you mean `lookahead`?",
            ),
            ("pcse=2", "set one of pcse.lookahead"),
        ] {
            let message = e.assign(text).unwrap_err().to_string();
            assert!(message.contains(said), "{message}");
        }
        let message = |r: Result<()>| r.unwrap_err().to_string();
        assert_eq!(
            message(e.set_strategies(["psce"])),
            "strategy: `psce` is unknown; did you mean `pcse`?"
        );
        assert!(message(e.set_strategies(["pcse", "pcse"])).contains("given twice"));
        assert!(message(e.set_strategies([])).contains("missing"));
        assert!(message(e.set_environments(["a", "a"])).contains("`a` is given twice"));
        assert!(message(e.set_environments([""])).contains("missing"));
        assert!(message(e.set_seeds(vec![])).contains("none given"));
        assert_eq!(e, before);
    }

    #[test]
    fn a_setting_without_effect_is_refused() {
        let mut e = Experiment::default();
        e.set_strategies(["random"]).unwrap();
        let message = e.assign("pcse.lookahead=2").unwrap_err().to_string();
        assert!(message.contains("not part of this experiment"), "{message}");
    }
}
