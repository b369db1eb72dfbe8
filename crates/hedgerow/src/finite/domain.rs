//! Finite worlds as a domain.

use super::describe::describe;
use super::exploration::{Begin, FiniteExploration, RunOptions, run_from};
use super::settings::{FiniteSettings, PARAMETERS};
use crate::domain::{Domain, Domains, RowObserver, World};
use crate::env::{FiniteWorld, builtin};
use crate::explore::{STRATEGIES, StrategyEntry, StrategyInfo};
use crate::fingerprint::Fingerprint;
use crate::io;
use crate::learn::Seen;
use crate::model::Task;
use crate::param::Parameter;
use crate::results::EnvironmentFile;
use crate::run::{KeepNothing, Keeper, Row, RunResult, RunSettings, RunSpec};
use crate::{Error, Result};
use std::sync::Arc;

/// The name of the domain.
pub const NAME: &str = "finite";

/// Finite worlds: built-in maps, drawn maps, model files, and worlds given as code.
///
/// ```
/// use hedgerow::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
/// use hedgerow::finite::FiniteDomain;
/// use hedgerow::model::Policy;
///
/// struct Anything;
///
/// impl Strategy for Anything {
///     fn plan(&mut self, at: &Context) -> hedgerow::Result<Plan> {
///         Ok(Plan::follow(Policy::uniform(at.learner.task())))
///     }
/// }
///
/// let info = StrategyInfo { name: "anything", summary: "any action", parameters: &[] };
/// let domain = FiniteDomain::default()
///     .with_strategy(StrategyEntry::new(info, |_| Box::new(Anything)))?;
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FiniteDomain {
    strategies: Arc<Vec<StrategyEntry>>,
    worlds: Vec<Arc<dyn FiniteWorld>>,
    warm: Option<Arc<dyn WarmStart>>,
}

/// What runs may begin with.
pub trait WarmStart: std::fmt::Debug + Send + Sync {
    /// What was seen in the world called `env`, whose task is `task`; refused if it was another.
    fn seen_in(&self, env: &str, task: &Task) -> Result<&Seen>;
}

impl Default for FiniteDomain {
    /// The strategies and worlds that are built in.
    fn default() -> Self {
        Self {
            strategies: Arc::new(STRATEGIES.to_vec()),
            worlds: Vec::new(),
            warm: None,
        }
    }
}

impl Default for Domains {
    /// Finite worlds only.
    fn default() -> Self {
        Self::new(FiniteDomain::default())
    }
}

impl FiniteDomain {
    /// The same with one more strategy.
    pub fn with_strategy(mut self, strategy: StrategyEntry) -> Result<Self> {
        let name = strategy.info.name;
        io::check_name(name).map_err(|e| e.within("strategy"))?;
        if self.strategies.iter().any(|s| s.info.name == name) {
            return Err(Error::invalid(
                "strategy",
                format!("there is one called `{name}` already"),
                "give it another name: results are filed by it",
            ));
        }
        Arc::make_mut(&mut self.strategies).push(strategy);
        Ok(self)
    }

    /// The same with one more world, which is opened by its name.
    pub fn with_world(mut self, world: impl FiniteWorld + 'static) -> Result<Self> {
        let name = world.name();
        io::check_name(name).map_err(|e| e.within("world"))?;
        if self.environments().iter().any(|n| n == name) {
            return Err(Error::invalid(
                "world",
                format!("there is one called `{name}` already"),
                "give it another name: results are filed by it",
            ));
        }
        self.worlds.push(Arc::new(world));
        Ok(self)
    }

    /// The same with runs that begin with what was seen before, a saved constraint for example. Its
    /// samples count.
    #[must_use]
    pub fn with_warm(mut self, warm: impl WarmStart + 'static) -> Self {
        self.warm = Some(Arc::new(warm));
        self
    }

    /// `world` as sweeps need it: with these strategies.
    pub fn opened(&self, world: Arc<dyn FiniteWorld>) -> Result<Arc<dyn World>> {
        let mut file = describe(world.as_ref())?;
        let warm = match &self.warm {
            None => None,
            Some(warm) => {
                let seen = warm.seen_in(world.name(), world.task())?;
                let mut f = Fingerprint::of(file.fingerprint.as_bytes());
                seen.feed(&mut f);
                // Runs that begin otherwise are other runs.
                file.fingerprint = f.to_string();
                file.warm_samples = seen.samples();
                Some(Arc::new(seen.clone()))
            }
        };
        Ok(Arc::new(Opened {
            file,
            warm,
            strategies: self.strategies.clone(),
            world,
        }))
    }
}

impl Domain for FiniteDomain {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "finite worlds: built-in and drawn maps, model files"
    }

    fn environments(&self) -> Vec<String> {
        let own = self.worlds.iter().map(|w| w.name().to_owned());
        builtin::names().into_iter().chain(own).collect()
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn strategies(&self) -> Vec<StrategyInfo> {
        self.strategies.iter().map(|s| s.info).collect()
    }

    fn recognises(&self, source: &str) -> Result<bool> {
        let own = self.worlds.iter().any(|w| w.name() == source);
        Ok(own || io::open(source).is_ok())
    }

    fn definition(&self, source: &str) -> Result<String> {
        if self.worlds.iter().any(|w| w.name() == source) {
            let remedy = "read the code that registers it";
            return Err(Error::invalid(
                source,
                "this world is given as code",
                remedy,
            ));
        }
        match io::is_grid(source) {
            true => Ok(io::open_grid(source)?.to_toml()),
            false => Ok(io::to_json(&io::open(source)?)),
        }
    }

    fn open(&self, source: &str) -> Result<Arc<dyn World>> {
        match self.worlds.iter().find(|w| w.name() == source) {
            Some(world) => self.opened(world.clone()),
            None => self.opened(Arc::new(io::open(source)?)),
        }
    }
}

/// A finite world, described for files.
#[derive(Debug)]
struct Opened {
    warm: Option<Arc<Seen>>,
    world: Arc<dyn FiniteWorld>,
    file: EnvironmentFile,
    strategies: Arc<Vec<StrategyEntry>>,
}

impl World for Opened {
    fn file(&self) -> &EnvironmentFile {
        &self.file
    }

    fn run(&self, spec: &RunSpec, observe: &mut RowObserver) -> Result<RunResult> {
        self.run_until(spec, observe, &|| false)
    }

    fn run_until(
        &self,
        spec: &RunSpec,
        observe: &mut RowObserver,
        halted: &dyn Fn() -> bool,
    ) -> Result<RunResult> {
        self.run_kept(spec, observe, halted, &mut KeepNothing)
    }

    fn run_kept(
        &self,
        spec: &RunSpec,
        observe: &mut RowObserver,
        halted: &dyn Fn() -> bool,
        keeper: &mut dyn Keeper,
    ) -> Result<RunResult> {
        let name = spec.strategy();
        let entry = self.strategies.iter().find(|s| s.info.name == name);
        let entry = entry.ok_or_else(|| {
            let remedy = "add it with `FiniteDomain::with_strategy`";
            Error::invalid("strategy", format!("`{name}` is unknown"), remedy)
        })?;
        let mut strategy = entry.build(&spec.strategy_settings);
        let options = RunOptions {
            run: RunSettings::new(&spec.settings),
            finite: FiniteSettings::new(&spec.settings)?,
            seed: spec.id.seed,
        };
        let mut observe = |row: &Row, _: &FiniteExploration| Ok(observe(row));
        let begin = Begin {
            seen: self.warm.as_deref(),
            spec: Some(spec),
            keeper,
        };
        let world = self.world.as_ref();
        run_from(
            world,
            strategy.as_mut(),
            &options,
            begin,
            &mut observe,
            halted,
        )
    }
}
