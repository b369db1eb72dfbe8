//! The manifest: what was asked for. It is written once, before the first run.

use crate::Result;
use crate::io::check_name;
use crate::io::sealed;
use crate::param::{Value, Values};
use crate::run::RunId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One environment of the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestEnvironment {
    /// Its name, under which results are filed.
    pub name: String,
    /// The name or file it was asked for by.
    pub source: String,
    /// The domain it belongs to.
    pub domain: String,
    /// Fingerprint of its definition.
    pub fingerprint: String,
    /// Fingerprint of the bytes of `environments/NAME.json`; empty where they are not known.
    pub file: String,
    /// The strategies that are run in it, in order.
    pub strategies: Vec<String>,
}

/// `manifest.json`: all runs that were asked for. The runs of a shard are some of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// `hedgerow-results/2`.
    pub format: String,
    /// Version of the program.
    pub version: String,
    /// The environments in order, each with its strategies.
    pub environments: Vec<ManifestEnvironment>,
    /// The seeds in order.
    pub seeds: Vec<u64>,
    /// The parameters of the run loop and of the domain, by domain.
    pub settings: BTreeMap<String, Values>,
    /// Every strategy's own, by domain and strategy.
    pub strategy_settings: BTreeMap<String, BTreeMap<String, Values>>,
    /// Options that repeat the sweep: those that were chosen, and only where they matter.
    pub chosen: Chosen,
    /// The strategies of variants, by the name of the variant.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variants: BTreeMap<String, String>,
}

/// What of an experiment differs from the default one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// Whether the environments do.
    pub environments: bool,
    /// The strategies, if they were chosen.
    pub strategies: Option<Vec<String>>,
    /// Whether the seeds do.
    pub seeds: bool,
    /// Parameters that do, by the key they are set with.
    pub parameters: BTreeMap<String, Value>,
}

impl Manifest {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-results/2";

    /// How the tags of all versions of this format begin.
    pub(super) const FAMILY: &'static str = "hedgerow-results/";

    /// All runs: by environment, then strategy, then seed.
    pub fn runs(&self) -> impl Iterator<Item = RunId> + '_ {
        self.environments.iter().flat_map(move |environment| {
            environment.strategies.iter().flat_map(move |strategy| {
                self.seeds.iter().map(move |&seed| RunId {
                    env: environment.name.clone(),
                    strategy: strategy.clone(),
                    seed,
                })
            })
        })
    }

    /// The first difference from `other`, in words: what it is there and what it is here.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let names =
            |m: &Self| -> Vec<String> { m.environments.iter().map(|e| e.name.clone()).collect() };
        let seeds = |m: &Self| m.seeds.iter().map(u64::to_string).collect::<Vec<_>>();
        let lists = [
            (
                "version",
                vec![other.version.clone()],
                vec![self.version.clone()],
            ),
            ("environments", names(other), names(self)),
            ("seeds", seeds(other), seeds(self)),
        ];
        for (what, there, here) in lists {
            if let Some(said) = unlike(what, &there, &here) {
                return Some(said);
            }
        }
        for (there, here) in other.environments.iter().zip(&self.environments) {
            let name = &here.name;
            if (&there.domain, &there.fingerprint) != (&here.domain, &here.fingerprint) {
                return Some(format!("{name} is defined differently"));
            }
            let what = format!("strategies in {name}");
            if let Some(said) = unlike(&what, &there.strategies, &here.strategies) {
                return Some(said);
            }
        }
        let strategies = |m: &Self| -> Vec<String> {
            let of = |(name, strategy)| format!("{name} of {strategy}");
            m.variants.iter().map(of).collect()
        };
        if let Some(said) = unlike("variants", &strategies(other), &strategies(self)) {
            return Some(said);
        }
        let key = self.different_setting(other);
        let other_file = || "the files of the environments differ".to_owned();
        key.or_else(|| (self != other).then(other_file))
    }

    /// The first parameter with another value.
    fn different_setting(&self, other: &Self) -> Option<String> {
        for (domain, here) in &self.settings {
            let there = other.settings.get(domain)?;
            if let Some((key, there, here)) = here.difference(there) {
                return Some(format!("{key} {there} there, {here} here"));
            }
            let own = self.strategy_settings.get(domain).into_iter().flatten();
            for (strategy, here) in own {
                let there = other.strategy_settings.get(domain)?.get(strategy)?;
                if let Some((key, there, here)) = here.difference(there) {
                    return Some(format!("{strategy}.{key} {there} there, {here} here"));
                }
            }
        }
        None
    }

    /// Names of all strategies, in the order in which environments first name them.
    pub fn strategies(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.environments.iter().flat_map(|e| &e.strategies) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        sealed::seal(self)
    }

    pub(super) fn read(bytes: &[u8]) -> std::result::Result<Self, String> {
        let manifest: Self = sealed::open(bytes, Self::FORMAT)?;
        // Files are looked up by these names, so none may lead out of the folder.
        let strategies = manifest.environments.iter().flat_map(|e| &e.strategies);
        let environments = manifest.environments.iter().map(|e| &e.name);
        for name in environments.chain(strategies) {
            if check_name(name).is_err() {
                return Err(format!("{name:?} cannot be the name of a folder"));
            }
        }
        Ok(manifest)
    }
}

/// What is there and what is here, where two lists differ.
fn unlike(what: &str, there: &[String], here: &[String]) -> Option<String> {
    let said = |list: &[String]| match list {
        few if few.len() <= 5 => few.join(", "),
        [first, .., last] => format!("{first} to {last}, {} in all", list.len()),
        _ => String::new(),
    };
    (there != here).then(|| format!("{what} {} there, {} here", said(there), said(here)))
}
