//! From an experiment to its runs: every run with all that determines it.

use super::experiment::{GRIDWORLDS, SEEDS, Table};
use super::{Experiment, Shard};
use crate::domain::{Domain, World};
use crate::param::{Parameter, Value};
use crate::results::{Chosen, Manifest, ManifestEnvironment};
use crate::run::{RunId, RunSpec};
use crate::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An experiment with its environments opened and everything checked.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) worlds: Vec<Arc<dyn World>>,
    pub(super) manifest: Manifest,
    /// Every run with its world's place: by environment, then strategy, then seed.
    pub(super) runs: Vec<(usize, RunSpec)>,
}

impl Resolved {
    /// The runs of a part of the sweep.
    pub(super) fn part(&self, shard: Shard) -> impl Iterator<Item = &(usize, RunSpec)> {
        let runs = self.runs.iter().enumerate();
        runs.filter(move |(place, _)| shard.has(*place))
            .map(|(_, run)| run)
    }
}

impl Experiment {
    /// Opens all environments. Nothing is written.
    pub(super) fn resolve(&self) -> Result<Resolved> {
        let domains = self.domains_in_use()?;
        let strategies: Vec<Vec<String>> = domains
            .iter()
            .zip(&self.environments)
            .map(|(domain, source)| self.strategies_in(domain.as_ref(), source))
            .collect::<Result<_>>()?;
        self.refuse_unread(&domains, &strategies)?;
        let worlds = self.open_all(&domains)?;
        let manifest = self.manifest(&domains, &strategies, &worlds);
        let places: BTreeMap<&str, usize> = worlds
            .iter()
            .enumerate()
            .map(|(i, w)| (w.file().name.as_str(), i))
            .collect();
        let runs = manifest.runs().map(|id| {
            let place = places[id.env.as_str()];
            (place, self.spec(domains[place].name(), &worlds[place], id))
        });
        let runs = runs.collect();
        Ok(Resolved {
            worlds,
            manifest,
            runs,
        })
    }

    fn spec(&self, domain: &'static str, world: &Arc<dyn World>, id: RunId) -> RunSpec {
        let run = self.tables[&Table::Run].values().clone();
        let own = self.strategy_parameters(domain, &id.strategy);
        RunSpec {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            domain: domain.to_owned(),
            environment: world.file().fingerprint.clone(),
            settings: run.and(self.tables[&Table::Domain(domain)].values()),
            strategy_settings: own.map(|p| p.values().clone()).unwrap_or_default(),
            variant_of: self.variant_of(&id.strategy).map(str::to_owned),
            id,
        }
    }

    /// The strategies to run in an environment. One that was chosen and that the domain does not
    /// have is refused.
    fn strategies_in(&self, domain: &dyn Domain, source: &str) -> Result<Vec<String>> {
        let own: Vec<&str> = domain.strategies().iter().map(|s| s.name).collect();
        let variants = self.variants.iter();
        let variants = variants.filter(|(_, strategy)| own.contains(*strategy));
        let names = own.iter().map(|&name| name.to_owned());
        let known: Vec<String> = names
            .chain(variants.map(|(name, _)| name.clone()))
            .collect();
        let Some(chosen) = &self.strategies else {
            return Ok(known);
        };
        match chosen.iter().find(|s| !known.contains(s)) {
            Some(missing) => Err(Error::invalid(
                "strategy",
                format!(
                    "`{missing}` cannot be run in `{source}`, which is of the domain `{}`",
                    domain.name()
                ),
                format!("use some of {}", known.join(", ")),
            )),
            None => Ok(chosen.clone()),
        }
    }

    /// Refuses a parameter that was set and that no run reads.
    fn refuse_unread(&self, domains: &[Arc<dyn Domain>], strategies: &[Vec<String>]) -> Result<()> {
        let read = tables_read(domains, strategies);
        for ((key, table), text) in &self.refused {
            if read.contains(table) {
                let name = key.rsplit('.').next().unwrap_or(key);
                let mut parameters = self.tables[table].clone();
                parameters.set(name, text).map_err(|e| e.at_place(key))?;
            }
        }
        let unread = |tables: &BTreeSet<Table>| tables.is_disjoint(&read);
        match self.assigned.iter().find(|(_, tables)| unread(tables)) {
            None => Ok(()),
            Some((key, _)) => {
                let mut keys = BTreeSet::new();
                for table in &read {
                    let names = self.tables[table].table().iter();
                    keys.extend(names.map(|p| table.key(p.name)));
                }
                let keys: Vec<String> = keys.into_iter().collect();
                let error = Error::invalid(
                    key,
                    "no run of this experiment reads this parameter",
                    format!("remove it; those that count are {}", keys.join(", ")),
                );
                Err(match self.set_by.get(key) {
                    Some(file) => error.at_place(format!("{file}: settings.{key}")),
                    None => error,
                })
            }
        }
    }

    /// The worlds, each under a name of its own.
    fn open_all(&self, domains: &[Arc<dyn Domain>]) -> Result<Vec<Arc<dyn World>>> {
        let mut names = BTreeSet::new();
        let mut worlds = Vec::new();
        for (source, domain) in self.environments.iter().zip(domains) {
            let world = domain.open(source)?;
            let name = world.file().name.clone();
            if !names.insert(name.clone()) {
                return Err(Error::invalid(
                    source,
                    format!("another environment is called `{name}` too"),
                    "give one of them another name: results are filed by it",
                ));
            }
            worlds.push(world);
        }
        Ok(worlds)
    }

    fn manifest(
        &self,
        domains: &[Arc<dyn Domain>],
        strategies: &[Vec<String>],
        worlds: &[Arc<dyn World>],
    ) -> Manifest {
        let mut environments = Vec::new();
        let mut settings = BTreeMap::new();
        let mut strategy_settings: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
        for (i, world) in worlds.iter().enumerate() {
            let (domain, file) = (domains[i].name(), world.file());
            environments.push(ManifestEnvironment {
                name: file.name.clone(),
                source: self.environments[i].clone(),
                domain: domain.to_owned(),
                fingerprint: file.fingerprint.clone(),
                file: String::new(),
                strategies: strategies[i].clone(),
            });
            let run = self.tables[&Table::Run].values().clone();
            let values = run.and(self.tables[&Table::Domain(domain)].values());
            settings.insert(domain.to_owned(), values);
            let own = strategy_settings.entry(domain.to_owned()).or_default();
            for strategy in &strategies[i] {
                let table = Table::Strategy(domain, strategy.clone());
                own.insert(strategy.clone(), self.tables[&table].values().clone());
            }
        }
        Manifest {
            format: Manifest::FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            environments,
            seeds: self.seeds.clone(),
            settings,
            strategy_settings,
            chosen: self.chosen(&tables_read(domains, strategies)),
            variants: self.variants_among(strategies),
        }
    }

    /// The variants that are run, with their strategies.
    fn variants_among(&self, strategies: &[Vec<String>]) -> BTreeMap<String, String> {
        let names = strategies.iter().flatten();
        names
            .filter_map(|n| Some((n.clone(), self.variant_of(n)?.to_owned())))
            .collect()
    }

    /// What differs from the default experiment. A parameter has its short key if all tables that
    /// some run reads agree on it, else one key per table.
    fn chosen(&self, read: &BTreeSet<Table>) -> Chosen {
        let mut by_key: BTreeMap<String, Vec<(&Table, &Value)>> = BTreeMap::new();
        for table in read {
            for (name, value) in self.tables[table].values().iter() {
                let values = by_key.entry(table.key(name)).or_default();
                values.push((table, value));
            }
        }
        let mut parameters = BTreeMap::new();
        for (key, values) in by_key {
            let name = key.rsplit('.').next().unwrap_or(&key);
            let first = values[0].1;
            let agree = values.iter().all(|(_, value)| *value == first);
            for (table, value) in values {
                let default = self.tables[table].find(name).map(Parameter::default);
                if default.as_ref() != Some(value) {
                    let long = table.long_key(name);
                    let key = if agree { key.clone() } else { long };
                    parameters.insert(key, value.clone());
                }
            }
        }
        Chosen {
            environments: self.environments != GRIDWORLDS,
            strategies: self.strategies.clone(),
            seeds: self.seeds != SEEDS,
            parameters,
        }
    }
}

/// The tables that the runs read.
fn tables_read(domains: &[Arc<dyn Domain>], strategies: &[Vec<String>]) -> BTreeSet<Table> {
    let mut read = BTreeSet::from([Table::Run]);
    for (domain, strategies) in domains.iter().zip(strategies) {
        read.insert(Table::Domain(domain.name()));
        let own = strategies.iter();
        read.extend(own.map(|s| Table::Strategy(domain.name(), s.clone())));
    }
    read
}
