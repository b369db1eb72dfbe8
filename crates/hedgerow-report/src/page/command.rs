//! The command that does a sweep again.

use hedgerow::param::Value;
use hedgerow::results::{Manifest, Results};

/// `hedgerow run` with the options that lead to these results; whatever has its default is left
/// out. Quoted for a POSIX shell.
pub fn command(results: &Results) -> String {
    let mut words = vec!["hedgerow".to_owned(), "run".to_owned()];
    words.extend(options(&results.manifest));
    words.extend(option("--out", &results.folder.display().to_string()));
    let words: Vec<String> = words.iter().map(|w| quoted(w)).collect();
    words.join(" ")
}

fn options(manifest: &Manifest) -> Vec<String> {
    let (chosen, mut words) = (&manifest.chosen, Vec::new());
    if chosen.environments {
        let environments = manifest.environments.iter();
        let sources: Vec<&str> = environments.map(|e| e.source.as_str()).collect();
        words.extend(option("--env", &sources.join(",")));
    }
    for (name, strategy) in &manifest.variants {
        words.extend(option("--variant", &format!("{name}={strategy}")));
    }
    if let Some(strategies) = &chosen.strategies {
        words.extend(option("--strategy", &strategies.join(",")));
    }
    if chosen.seeds {
        words.extend(option("--seeds", &seeds(&manifest.seeds)));
    }
    for (key, value) in &chosen.parameters {
        words.extend(option("--set", &format!("{key}={}", text(value))));
    }
    words
}

/// A value as short as it can be read back.
fn text(value: &Value) -> String {
    match value {
        Value::Number(x) => format!("{x:?}"),
        other => other.to_string(),
    }
}

/// A value that begins with a hyphen would be taken for an option.
fn option(name: &str, value: &str) -> Vec<String> {
    match value.starts_with('-') {
        true => vec![format!("{name}={value}")],
        false => vec![name.to_owned(), value.to_owned()],
    }
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
    use hedgerow::sweep::{Experiment, Silent, Sweep, seeds as read};
    use std::path::Path;

    /// The results of one iteration per run of `e`, or of as many as it says.
    fn results(e: &Experiment, folder: &Path) -> Results {
        let sweep = Sweep::open(e, folder).unwrap();
        sweep.run(&Silent, &Default::default()).unwrap();
        Results::read(folder).unwrap()
    }

    /// Reads options as the command line does.
    fn experiment(words: &[String]) -> Experiment {
        let mut e = Experiment::default();
        for pair in words.chunks(2) {
            let value = &pair[1];
            match pair[0].as_str() {
                "--env" => e.set_environments(value.split(',')).unwrap(),
                "--variant" => e.assign_variant(value).unwrap(),
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
        let folder = tempfile::tempdir().unwrap();
        let mut e = Experiment::default();
        e.set_strategies(["random"]).unwrap();
        e.set("iterations", "1").unwrap();
        let options = options(&results(&e, folder.path()).manifest);
        assert_eq!(options, ["--strategy", "random", "--set", "iterations=1"]);
        let manifest = Manifest {
            chosen: Default::default(),
            ..results(&e, folder.path()).manifest
        };
        assert_eq!(super::options(&manifest), [] as [String; 0]);
    }

    #[test]
    fn the_command_leads_to_the_same_experiment() {
        let folder = tempfile::tempdir().unwrap();
        let garden = folder.path().join("my garden.toml");
        let map = hedgerow::env::builtin::grid("gridworld-1").unwrap();
        std::fs::write(&garden, map.to_toml()).unwrap();
        let garden = garden.to_str().unwrap();
        let mut e = Experiment::default();
        e.set_environments(["gridworld-2", garden]).unwrap();
        e.add_variant("early", "pcse").unwrap();
        e.set_strategies(["random", "pcse", "early"]).unwrap();
        e.set_seeds(vec![7, 0, 1, 2, 3, 9, 10]).unwrap();
        for set in [
            "delta=0.05",
            "iterations=1",
            "zeta=per-pair",
            "cost-max=1e300",
            "pcse.lookahead=2",
            "early.ties=first",
        ] {
            e.assign(set).unwrap();
        }
        let out = folder.path().join("my results");
        let results = results(&e, &out);
        assert_eq!(experiment(&options(&results.manifest)), e);
        let out = out.display();
        assert_eq!(
            command(&results),
            format!(
                "hedgerow run --env 'gridworld-2,{garden}' --variant early=pcse \
                 --strategy random,pcse,early --seeds 7,0..4,9,10 --set cost-max=1e300 \
                 --set delta=0.05 --set early.ties=first --set iterations=1 \
                 --set pcse.lookahead=2.0 --set zeta=per-pair --out '{out}'"
            )
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
