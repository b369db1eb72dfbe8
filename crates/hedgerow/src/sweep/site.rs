//! An environment as a sweep sees it.

use crate::env::Environment;
use crate::explore::Entry;
use crate::io::open;
use crate::param::Parameters;
use crate::run::{self, Record, Row, Settings};
use crate::sweep::EnvironmentFile;
use crate::{Error, Result};
use std::fmt::Debug;
use std::sync::Arc;

/// Where runs take place. Finite environments are sites; other crates add continuous ones.
pub trait Site: Debug + Send + Sync {
    /// Name, fingerprint and all that drawings need.
    fn file(&self) -> &EnvironmentFile;

    /// The table of parameters that belongs to this kind of environment.
    fn table(&self) -> Option<&'static str> {
        None
    }

    /// Whether the strategy can be run here; if not, why.
    fn accepts(&self, _strategy: &Entry) -> Result<()> {
        Ok(())
    }

    /// Does a run. `watch` sees every row and may end it with `false`.
    fn run(&self, order: &Order, watch: &mut dyn FnMut(&Row) -> bool) -> Result<Record>;
}

/// What a site is asked to run.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The strategy.
    pub strategy: &'static Entry,
    /// Its parameters.
    pub parameters: &'a Parameters,
    /// The parameters of this kind of environment, if it has any.
    pub table: Option<&'a Parameters>,
    /// What all runs share.
    pub settings: &'a Settings,
    /// The seed.
    pub seed: u64,
}

/// Finds sites that this crate does not know: `None` leaves the name to it.
pub type Opener<'a> = &'a dyn Fn(&str) -> Result<Option<Arc<dyn Site>>>;

/// A finite environment.
#[derive(Debug)]
struct Finite {
    environment: Environment,
    file: EnvironmentFile,
}

impl Site for Finite {
    fn file(&self) -> &EnvironmentFile {
        &self.file
    }

    fn run(&self, order: &Order, watch: &mut dyn FnMut(&Row) -> bool) -> Result<Record> {
        let mut strategy = order.strategy.build(order.parameters);
        run::run(
            &self.environment,
            strategy.as_mut(),
            order.settings,
            order.seed,
            watch,
        )
    }
}

/// The sites called `sources`, each under a name of its own.
pub(super) fn open_all(sources: &[String], opener: Opener) -> Result<Vec<Arc<dyn Site>>> {
    let mut sites: Vec<Arc<dyn Site>> = Vec::new();
    for source in sources {
        let site = match opener(source)? {
            Some(site) => site,
            None => {
                let environment = open(source)?;
                let file = EnvironmentFile::new(&environment)?;
                Arc::new(Finite { environment, file })
            }
        };
        let name = &site.file().name;
        if sites.iter().any(|s| s.file().name == *name) {
            return Err(Error::invalid(
                source,
                format!("another environment is called `{name}` too"),
                "give one of them another name: results are filed by it",
            ));
        }
        sites.push(site);
    }
    Ok(sites)
}
