//! What a sweep runs.

use crate::domain::{Domain, Domains};
use crate::error::nearest;
use crate::param::{Parameter, Parameters, unknown_key};
use crate::run;
use crate::sweep::seeds;
use crate::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The environments of the default experiment.
pub const GRIDWORLDS: [&str; 4] = ["gridworld-1", "gridworld-2", "gridworld-3", "gridworld-4"];

/// The seeds of the default experiment.
pub const SEEDS: [u64; 5] = [123_456, 123, 1234, 36, 34];

/// Environments x strategies x seeds, with all parameters.
///
/// Made from the defaults ([`Experiment::default`]) or a file ([`Experiment::read`]), then
/// changed by name; every change is checked when it is made. Whether every parameter that was set
/// is read by some run is checked when the sweep is opened, and then those are listed that are.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub(super) domains: Domains,
    pub(super) environments: Vec<String>,
    /// All that the domains have and all variants, if `None`.
    pub(super) strategies: Option<Vec<String>>,
    /// The strategy of every variant.
    pub(super) variants: BTreeMap<String, &'static str>,
    pub(super) seeds: Vec<u64>,
    pub(super) tables: BTreeMap<Table, Parameters>,
    /// Where each parameter that was set went, by its key.
    pub(super) assigned: BTreeMap<String, BTreeSet<Table>>,
    /// The file that set a parameter, by its key, where a file did.
    pub(super) set_by: BTreeMap<String, String>,
    /// Texts that a table with such a parameter does not take, by key and table: an error only if
    /// some run reads that table.
    pub(super) refused: BTreeMap<(String, Table), String>,
}

/// Whose parameters they are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Table {
    /// The run loop's.
    Run,
    /// A domain's.
    Domain(&'static str),
    /// A strategy's or a variant's, in a domain.
    Strategy(&'static str, String),
}

impl Table {
    /// The short key of a parameter of this table.
    pub(super) fn key(&self, name: &str) -> String {
        match self {
            Self::Run | Self::Domain(_) => name.to_owned(),
            Self::Strategy(_, strategy) => format!("{strategy}.{name}"),
        }
    }

    /// The key that sets it in this table only.
    pub(super) fn long_key(&self, name: &str) -> String {
        match self {
            Self::Run => name.to_owned(),
            Self::Domain(domain) => format!("{domain}.{name}"),
            Self::Strategy(domain, strategy) => format!("{domain}.{strategy}.{name}"),
        }
    }
}

impl Default for Experiment {
    /// The four Gridworlds, all strategies, five seeds, all parameters at their defaults; finite
    /// worlds only.
    fn default() -> Self {
        Self::new(Domains::default())
    }
}

impl Experiment {
    /// The four Gridworlds, all strategies, five seeds, all parameters at their defaults, and
    /// whatever these domains have to choose from.
    pub fn new(domains: Domains) -> Self {
        let mut tables = BTreeMap::from([(Table::Run, Parameters::defaults(run::PARAMETERS))]);
        for domain in domains.iter() {
            let name = domain.name();
            let parameters = Parameters::defaults(domain.parameters());
            tables.insert(Table::Domain(name), parameters);
            for strategy in domain.strategies() {
                let parameters = Parameters::defaults(strategy.parameters);
                let table = Table::Strategy(name, strategy.name.to_owned());
                tables.insert(table, parameters);
            }
        }
        Self {
            domains,
            environments: GRIDWORLDS.map(str::to_owned).to_vec(),
            strategies: None,
            variants: BTreeMap::new(),
            seeds: SEEDS.to_vec(),
            tables,
            assigned: BTreeMap::new(),
            set_by: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// The domains it may choose from.
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// Names or files of the environments.
    pub fn environments(&self) -> &[String] {
        &self.environments
    }

    /// Names of the strategies and variants that were chosen; none means all that each domain has.
    pub fn strategies(&self) -> Option<&[String]> {
        self.strategies.as_deref()
    }

    /// The seeds.
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// The parameters of the run loop.
    pub fn run_parameters(&self) -> &Parameters {
        &self.tables[&Table::Run]
    }

    /// The parameters of a domain.
    pub fn domain_parameters(&self, domain: &str) -> Option<&Parameters> {
        let domain = self.domains.find(domain)?.name();
        self.tables.get(&Table::Domain(domain))
    }

    /// The parameters of a strategy or variant in a domain.
    pub fn strategy_parameters(&self, domain: &str, strategy: &str) -> Option<&Parameters> {
        let domain = self.domains.find(domain)?.name();
        let strategy = self.strategy(strategy)?;
        self.tables.get(&Table::Strategy(domain, strategy))
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

    /// Chooses strategies and variants by name.
    pub fn set_strategies<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let names: Vec<&str> = names.into_iter().collect();
        check_list("strategy", &names)?;
        if let Some(&unknown) = names.iter().find(|n| self.strategy(n).is_none()) {
            let all = self.domains.strategies();
            let own = self.variants.keys().map(String::as_str);
            let known = all.iter().map(|(s, _)| s.name).chain(own);
            let problem = format!("`{unknown}` is unknown");
            return Err(Error::invalid("strategy", problem, nearest(unknown, known)));
        }
        self.strategies = Some(names.into_iter().map(str::to_owned).collect());
        Ok(())
    }

    /// Chooses seeds.
    pub fn set_seeds(&mut self, seeds: Vec<u64>) -> Result<()> {
        seeds::check(&seeds)?;
        self.seeds = seeds;
        Ok(())
    }

    /// Sets a parameter by its key:
    ///
    /// | key | sets |
    /// |---|---|
    /// | `iterations` | a parameter of the run loop |
    /// | `delta`, `finite.delta` | a domain's, in every domain that has it or in this one |
    /// | `pcse.lookahead`, `finite.pcse.lookahead` | a strategy's or variant's, likewise |
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let (tables, name) = self.find(key)?;
        let (mut set, mut refused) = (Vec::new(), Vec::new());
        for table in tables {
            let mut parameters = self.tables[&table].clone();
            match parameters.set(&name, value) {
                Ok(()) => set.push((table, parameters)),
                Err(e) => refused.push((table, e.at_place(key))),
            }
        }
        if set.is_empty() {
            return refused.pop().map_or(Ok(()), |(_, error)| Err(error));
        }
        self.set_by.remove(key);
        let assigned = self.assigned.entry(key.to_owned()).or_default();
        for (table, parameters) in set {
            self.refused.remove(&(key.to_owned(), table.clone()));
            assigned.insert(table.clone());
            self.tables.insert(table, parameters);
        }
        let refused = refused.into_iter();
        let refused = refused.map(|(table, _)| ((key.to_owned(), table), value.to_owned()));
        self.refused.extend(refused);
        Ok(())
    }

    /// Sets a parameter from one text, `key=value`; see [`Self::set`].
    pub fn assign(&mut self, text: &str) -> Result<()> {
        let Some((key, value)) = text.split_once('=') else {
            let remedy = "write key=value, like delta=0.05 or pcse.lookahead=2";
            return Err(Error::invalid(text, "there is no `=` in it", remedy));
        };
        if key.trim().is_empty() {
            let remedy = "write key=value, like delta=0.05 or pcse.lookahead=2";
            return Err(Error::invalid(
                text,
                "there is no key before the `=`",
                remedy,
            ));
        }
        self.set(key.trim(), value.trim())
    }

    /// The parameters with this key: one for each domain that has it.
    pub(super) fn parameters(&self, key: &str) -> Vec<&'static Parameter> {
        let (tables, name) = self.find(key).unwrap_or_default();
        let found = tables.iter().filter_map(|t| self.tables[t].find(&name));
        found.collect()
    }

    /// The tables that have the parameter called `key`, and its name in them; never none.
    fn find(&self, key: &str) -> Result<(Vec<Table>, String)> {
        let parts: Vec<&str> = key.split('.').collect();
        let domain = |name: &str| self.domains.find(name).map(|d| d.name());
        let (tables, name): (Vec<Table>, &str) = match parts[..] {
            [name] => {
                if let Some(strategy) = self.strategy(name) {
                    return Err(self.not_a_parameter(&strategy));
                }
                let shared = |t: &Table| !matches!(t, Table::Strategy(..));
                (
                    self.tables.keys().filter(|t| shared(t)).cloned().collect(),
                    name,
                )
            }
            [owner, name] => match (domain(owner), self.strategy(owner)) {
                (Some(domain), _) => (vec![Table::Domain(domain)], name),
                (None, Some(strategy)) => (self.tables_of(&strategy, None), name),
                (None, None) => return Err(self.unknown_owner(key, owner)),
            },
            [owner, strategy, name] => match (domain(owner), self.strategy(strategy)) {
                (Some(domain), Some(strategy)) => (self.tables_of(&strategy, Some(domain)), name),
                (None, _) => return Err(self.unknown_owner(key, owner)),
                (Some(domain), None) => return Err(self.unknown_strategy(key, domain, strategy)),
            },
            _ => {
                let remedy = "write NAME, STRATEGY.NAME or DOMAIN.STRATEGY.NAME";
                return Err(Error::invalid(key, "it has too many parts", remedy));
            }
        };
        let has = |t: &&Table| self.tables[*t].find(name).is_some();
        let found: Vec<Table> = tables.iter().filter(has).cloned().collect();
        if found.is_empty() && parts.len() > 1 && self.tables[&Table::Run].find(name).is_some() {
            let problem = format!("`{name}` is the same in all domains");
            return Err(Error::invalid(key, problem, format!("set `{name}`")));
        }
        if found.is_empty() {
            let names = tables.iter().flat_map(|t| self.tables[t].table());
            let unknown = unknown_key(name, names.map(|p| p.name));
            return Err(unknown.at_place(key));
        }
        Ok((found, name.to_owned()))
    }

    /// `name`, if there is a strategy or variant of this name.
    pub(super) fn strategy(&self, name: &str) -> Option<String> {
        let known = self.variants.contains_key(name) || self.domains.strategy_name(name).is_ok();
        known.then(|| name.to_owned())
    }

    fn tables_of(&self, strategy: &str, domain: Option<&str>) -> Vec<Table> {
        let fits = |t: &&Table| match t {
            Table::Strategy(d, s) => *s == strategy && domain.is_none_or(|domain| *d == domain),
            _ => false,
        };
        self.tables.keys().filter(fits).cloned().collect()
    }

    fn unknown_owner(&self, key: &str, owner: &str) -> Error {
        let strategies = self.domains.strategies();
        let names = strategies.iter().map(|(s, _)| s.name);
        let names = names.chain(self.variants.keys().map(String::as_str));
        let names = names.chain(self.domains.iter().map(|d| d.name()));
        let problem = format!("there is no strategy or domain `{owner}`");
        Error::invalid(key, problem, nearest(owner, names))
    }

    fn unknown_strategy(&self, key: &str, domain: &'static str, strategy: &str) -> Error {
        let own = self.tables.keys().filter_map(|t| match t {
            Table::Strategy(d, s) if *d == domain => Some(s.as_str()),
            _ => None,
        });
        let problem = format!("the domain `{domain}` has no strategy `{strategy}`");
        Error::invalid(key, problem, nearest(strategy, own))
    }

    fn not_a_parameter(&self, strategy: &str) -> Error {
        let tables = self.tables_of(strategy, None);
        let names = tables.iter().flat_map(|t| self.tables[t].table());
        let names: BTreeSet<String> = names.map(|p| format!("{strategy}.{}", p.name)).collect();
        let remedy = match names.is_empty() {
            true => "it has no parameters of its own".to_owned(),
            false => format!(
                "set one of {}",
                names.into_iter().collect::<Vec<_>>().join(", ")
            ),
        };
        Error::invalid(strategy, "this is a strategy, not a parameter", remedy)
    }

    /// The domain of each environment.
    pub(super) fn domains_in_use(&self) -> Result<Vec<Arc<dyn Domain>>> {
        let of = |source: &String| self.domains.of(source).cloned();
        self.environments.iter().map(of).collect()
    }
}

impl PartialEq for Experiment {
    /// Whether both ask for the same runs of the same domains.
    fn eq(&self, other: &Self) -> bool {
        let names = |e: &Self| e.domains.iter().map(|d| d.name()).collect::<Vec<_>>();
        names(self) == names(other)
            && self.environments == other.environments
            && self.strategies == other.strategies
            && self.variants == other.variants
            && self.seeds == other.seeds
            && self.tables == other.tables
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
    let mut seen = BTreeSet::new();
    for name in list.iter().map(AsRef::as_ref) {
        if !seen.insert(name) {
            let problem = format!("`{name}` is given twice");
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
        e.assign("iterations=7").unwrap();
        e.assign("pcse.lookahead = 2").unwrap();
        e.assign("finite.bear.lookahead = 4").unwrap();
        let finite = e.domain_parameters("finite").unwrap().values();
        assert_eq!(finite.number("delta"), 0.05);
        assert_eq!(e.run_parameters().values().whole("iterations"), 7);
        let lookahead = |strategy: &str| {
            let own = e.strategy_parameters("finite", strategy).unwrap();
            own.values().number("lookahead")
        };
        assert_eq!((lookahead("pcse"), lookahead("bear")), (2.0, 4.0));
    }

    #[test]
    fn wrong_choices_are_refused_and_change_nothing() {
        let mut e = Experiment::default();
        let before = e.clone();
        for (text, said) in [
            ("delta", "there is no `=`"),
            ("delat=1", "delat: unknown key; did you mean `delta`?"),
            ("delta=2", "delta: `2` is not allowed"),
            (
                "pcs.lookahead=2",
                "no strategy or domain `pcs`; did you mean `pcse`?",
            ),
            (
                "pcse.lookahed=2",
                "pcse.lookahed: unknown key; did you mean `lookahead`?",
            ),
            ("finite.lookahead=2", "finite.lookahead: unknown key"),
            ("=3", "=3: there is no key before the `=`"),
            (
                "finite.finite.delta=0.1",
                "the domain `finite` has no strategy `finite`; choose one of",
            ),
            (
                "finite.iterations=3",
                "the same in all domains; set `iterations`",
            ),
            ("iterations=1.5", "use a whole number, 0 to"),
            ("a.b.c.d=1", "too many parts"),
            ("zebra=1", "zebra: unknown key; choose one of"),
            (
                "pcse=2",
                "set one of pcse.bonus, pcse.budget, pcse.imitate, pcse.lookahead",
            ),
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
}
