//! The command that does a sweep again.

use hedgerow::explore;
use hedgerow::param::Parameter;
use hedgerow::run;
use hedgerow::sweep::{Configuration, GRIDWORLDS, Results, SEEDS};
use serde_json::Value;
use std::collections::BTreeMap;

/// `hedgerow run` with the options that lead to these results; whatever has its default is left
/// out. Quoted for a POSIX shell.
pub fn command(results: &Results) -> String {
    let mut words = vec!["hedgerow".to_owned(), "run".to_owned()];
    words.extend(options(&results.configuration));
    words.extend(option("--out", &results.folder.display().to_string()));
    let words: Vec<String> = words.iter().map(|w| quoted(w)).collect();
    words.join(" ")
}

fn options(c: &Configuration) -> Vec<String> {
    let mut words = Vec::new();
    let sources: Vec<&str> = c.environments.iter().map(|e| e.source.as_str()).collect();
    if sources != GRIDWORLDS {
        words.extend(option("--env", &sources.join(",")));
    }
    let all: Vec<&str> = explore::STRATEGIES.iter().map(|e| e.name).collect();
    if c.strategies != all {
        words.extend(option("--strategy", &c.strategies.join(",")));
    }
    if c.seeds != SEEDS {
        words.extend(option("--seeds", &seeds(&c.seeds)));
    }
    words.extend(settings("", run::PARAMETERS, &c.settings));
    for strategy in &c.strategies {
        let known = explore::find(strategy).map_or(&[][..], |e| e.parameters);
        if let Some(own) = c.strategy_settings.get(strategy) {
            words.extend(settings(&format!("{strategy}."), known, own));
        }
    }
    for (table, values) in &c.tables {
        words.extend(settings(&format!("{table}."), &[], values));
    }
    words
}

/// A value that begins with a hyphen would be taken for an option.
fn option(name: &str, value: &str) -> Vec<String> {
    match value.starts_with('-') {
        true => vec![format!("{name}={value}")],
        false => vec![name.to_owned(), value.to_owned()],
    }
}

fn settings(prefix: &str, known: &[Parameter], values: &BTreeMap<String, Value>) -> Vec<String> {
    let default = |key: &str| {
        let parameter = known.iter().find(|p| p.name == key)?;
        serde_json::to_value(parameter.default()).ok()
    };
    let changed = values
        .iter()
        .filter(|(k, v)| default(k).as_ref() != Some(v));
    changed
        .flat_map(|(key, value)| {
            let value = value.as_str().map_or(value.to_string(), str::to_owned);
            option("--set", &format!("{prefix}{key}={value}"))
        })
        .collect()
}

/// Three or more seeds in a row become a range.
fn seeds(seeds: &[u64]) -> String {
    let rows = seeds.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let texts = rows.map(
        |row| match (row, row.last().and_then(|last| last.checked_add(1))) {
            ([first, _, _, ..], Some(end)) => format!("{first}..{end}"),
            _ => row.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
        },
    );
    texts.collect::<Vec<_>>().join(",")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hedgerow::sweep::{Experiment, ManifestEnvironment, seeds as read};
    use std::path::PathBuf;

    /// The configuration that a sweep of `e` writes.
    fn configuration(e: &Experiment) -> Configuration {
        let environment = |source: &String| ManifestEnvironment {
            name: source.clone(),
            source: source.clone(),
            fingerprint: String::new(),
        };
        let values = |p: &hedgerow::param::Parameters| -> BTreeMap<String, Value> {
            let entries = p.values().iter();
            entries
                .map(|(k, v)| (k.to_string(), serde_json::to_value(v).unwrap()))
                .collect()
        };
        let own = |s: &&'static str| (s.to_string(), values(e.strategy_settings(s).unwrap()));
        Configuration {
            format: String::new(),
            version: "1".into(),
            environments: e.environments().iter().map(environment).collect(),
            strategies: e.strategies().iter().map(|s| s.to_string()).collect(),
            seeds: e.seeds().to_vec(),
            settings: values(e.settings()),
            strategy_settings: e.strategies().iter().map(own).collect(),
            tables: BTreeMap::new(),
        }
    }

    fn results(e: &Experiment, folder: &str) -> Results {
        Results {
            folder: PathBuf::from(folder),
            configuration: configuration(e),
            environments: Vec::new(),
            runs: Vec::new(),
            planned: 0,
            problems: Vec::new(),
        }
    }

    /// Reads options as the command line does.
    fn experiment(words: &[String]) -> Experiment {
        let mut e = Experiment::default();
        for pair in words.chunks(2) {
            let value = &pair[1];
            match pair[0].as_str() {
                "--env" => e.set_environments(value.split(',')).unwrap(),
                "--strategy" => e.set_strategies(value.split(',')).unwrap(),
                "--seeds" => e.set_seeds(read::parse(value).unwrap()).unwrap(),
                "--set" => e.assign(value).unwrap(),
                other => panic!("{other}"),
            }
        }
        e
    }

    #[test]
    fn defaults_are_left_out() {
        let e = Experiment::default();
        assert_eq!(
            command(&results(&e, "results")),
            "hedgerow run --out results"
        );
    }

    #[test]
    fn the_command_leads_to_the_same_experiment() {
        let mut e = Experiment::default();
        e.set_environments(["gridworld-2", "maps/my garden.toml"])
            .unwrap();
        e.set_strategies(["random", "pcse"]).unwrap();
        e.set_seeds(vec![7, 0, 1, 2, 3, 9, 10]).unwrap();
        for set in [
            "delta=0.05",
            "iterations=30",
            "zeta=per-pair",
            "cost-max=1e-300",
            "pcse.lookahead=2",
        ] {
            e.assign(set).unwrap();
        }
        assert_eq!(experiment(&options(&configuration(&e))), e);
        assert_eq!(
            command(&results(&e, "my results")),
            "hedgerow run --env 'gridworld-2,maps/my garden.toml' --strategy random,pcse \
             --seeds 7,0..4,9,10 --set cost-max=1e-300 --set delta=0.05 --set iterations=30 \
             --set zeta=per-pair --set pcse.lookahead=2.0 --out 'my results'"
        );
    }

    #[test]
    fn nothing_in_a_name_reaches_the_shell() {
        assert_eq!(quoted("a'b; $(rm x) `y`"), "'a'\\''b; $(rm x) `y`'");
        assert_eq!(quoted(""), "''");
        assert_eq!(option("--out", "-x"), ["--out=-x"]);
        assert_eq!(
            seeds(&[u64::MAX - 2, u64::MAX - 1, u64::MAX]),
            "18446744073709551613,18446744073709551614,18446744073709551615"
        );
    }
}
