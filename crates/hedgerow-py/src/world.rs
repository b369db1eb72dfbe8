//! Worlds that runs take place in: tables, or black boxes in Python.

use crate::environment::Environment;
use crate::error::{OrRaise, foreign};
use crate::online::OnlineWorld;
use crate::strategy::PythonStrategy;
use hedgerow::env::FiniteWorld;
use hedgerow::explore::{Strategy, StrategyEntry, StrategyInfo, find};
use hedgerow::finite::FiniteDomain;
use hedgerow::param::{Parameter, Parameters, word};
use pyo3::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// A world from Python.
#[derive(FromPyObject)]
pub enum AnyWorld<'py> {
    /// Known as tables.
    #[pyo3(transparent)]
    Table(PyRef<'py, Environment>),
    /// Acted in through Python.
    #[pyo3(transparent)]
    Online(PyRef<'py, OnlineWorld>),
}

impl AnyWorld<'_> {
    /// The world.
    pub fn world(&self) -> Arc<dyn FiniteWorld> {
        match self {
            Self::Table(environment) => environment.0.clone(),
            Self::Online(online) => online.0.clone(),
        }
    }

    /// Whether acting in it calls Python.
    pub fn calls_python(&self) -> bool {
        matches!(self, Self::Online(_))
    }
}

/// A strategy from Python: the name of a built-in one, or a name, a text that tells one version from
/// another, and a function that makes one.
#[derive(FromPyObject)]
pub enum AnyStrategy {
    /// Built in.
    Name(String),
    /// Written in Python.
    Made(String, String, Py<PyAny>),
}

/// Settings by name, as texts.
pub type Settings = Vec<(String, String)>;

impl AnyStrategy {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Made(name, ..) => name,
        }
    }

    /// Whether planning calls Python.
    pub fn calls_python(&self) -> bool {
        matches!(self, Self::Made(..))
    }

    /// The strategy with these settings.
    pub fn build(&self, py: Python<'_>, settings: &Settings) -> PyResult<Box<dyn Strategy>> {
        match self {
            Self::Name(name) => {
                let entry = find(name).or_raise()?;
                let own = parameters(entry.info.parameters, settings)?;
                Ok(entry.build(own.values()))
            }
            Self::Made(_, _, make) => Ok(Box::new(PythonStrategy::new(make.call0(py)?))),
        }
    }

    /// The strategy as sweeps choose it; none if it is built in.
    fn entry(&self) -> Option<StrategyEntry> {
        let Self::Made(name, version, make) = self else {
            return None;
        };
        let info = StrategyInfo {
            name: kept(name),
            summary: "written in Python",
            parameters: version_of(kept(version)),
        };
        let make = Python::attach(|py| make.clone_ref(py));
        Some(StrategyEntry::new(info, move |_| {
            let made = Python::attach(|py| make.call0(py));
            match made.map_err(foreign("strategy")) {
                Ok(object) => Box::new(PythonStrategy::new(object)),
                Err(error) => Box::new(PythonStrategy::failed(error)),
            }
        }))
    }
}

/// Parameters of a table with some set.
pub fn parameters(table: &'static [Parameter], settings: &Settings) -> PyResult<Parameters> {
    let mut parameters = Parameters::defaults(table);
    for (key, value) in settings {
        parameters.set(key, value).or_raise()?;
    }
    Ok(parameters)
}

/// A name for the rest of the program, kept once however often it is asked for.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match names.get(name) {
        Some(known) => known,
        None => {
            let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
            names.insert(name);
            name
        }
    }
}

/// The one parameter of a strategy written in Python: its version. A saved run of another version is
/// another run.
fn version_of(version: &'static str) -> &'static [Parameter] {
    static TABLES: Mutex<BTreeMap<&'static str, &'static [Parameter]>> =
        Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    tables.entry(version).or_insert_with(|| {
        let words: &'static [&'static str] = Box::leak(Box::new([version]));
        let parameter = word("version", words, "tells one definition from another");
        Box::leak(Box::new([parameter]))
    })
}

/// Finite worlds with some more worlds and strategies.
pub fn domain(worlds: &[AnyWorld], strategies: &[AnyStrategy]) -> PyResult<FiniteDomain> {
    let mut domain = FiniteDomain::default();
    for world in worlds {
        domain = domain.with_world(world.world()).or_raise()?;
    }
    for entry in strategies.iter().filter_map(AnyStrategy::entry) {
        domain = domain.with_strategy(entry).or_raise()?;
    }
    Ok(domain)
}

/// Name, summary and parameters of every strategy.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "rows of a table")]
fn strategies() -> Vec<(
    &'static str,
    &'static str,
    Vec<(&'static str, String, &'static str)>,
)> {
    let row = |p: &Parameter| (p.name, p.range_text(), p.purpose);
    let entries = hedgerow::explore::STRATEGIES.iter();
    entries
        .map(|e| {
            let parameters = e.info.parameters.iter().map(row).collect();
            (e.info.name, e.info.summary, parameters)
        })
        .collect()
}

/// The names of the environments that are built in.
#[pyfunction]
fn environments() -> Vec<String> {
    let domains = hedgerow_cli::domains();
    domains.iter().flat_map(|d| d.environments()).collect()
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(strategies, module)?)?;
    module.add_function(wrap_pyfunction!(environments, module)?)
}
