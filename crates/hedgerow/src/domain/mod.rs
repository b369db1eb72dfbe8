//! Domains: kinds of worlds.
//!
//! A [`Domain`] owns its environments, its strategies with their parameters, how one run is done,
//! and what it keeps for reports. Finite worlds are one ([`crate::finite::FiniteDomain`]); other
//! crates add theirs. Sweeps, files and reports work with all of them and know none.
//!
//! [`Domains`] is the list that a program has; the first domain that recognises the name or file
//! of an environment opens it.
//!
//! ```
//! use hedgerow::domain::Domains;
//!
//! let domains = Domains::default();
//! let domain = domains.of("gridworld-3")?;
//! assert_eq!(domain.name(), "finite");
//! assert!(domain.strategies().iter().any(|s| s.name == "pcse"));
//! let world = domain.open("gridworld-3")?;
//! assert!(world.file().expert_reward > 0.0);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod registry;

pub use registry::Domains;

use crate::Result;
use crate::explore::StrategyInfo;
use crate::param::Parameter;
use crate::results::EnvironmentFile;
use crate::run::{Keeper, Row, RunResult, RunSpec};
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A kind of world.
pub trait Domain: Debug + Send + Sync {
    /// The name, as parameters and files use it.
    fn name(&self) -> &'static str;

    /// What it is, in a few words.
    fn summary(&self) -> &'static str;

    /// Names of the environments that are built in.
    fn environments(&self) -> Vec<String>;

    /// Parameters of all runs in this domain, beside those of the run loop
    /// ([`crate::run::PARAMETERS`]).
    fn parameters(&self) -> &'static [Parameter];

    /// The strategies that can be run, in the order of tables.
    fn strategies(&self) -> Vec<StrategyInfo>;

    /// Whether `source`, a name or a file, is an environment of this domain. Looks no further than
    /// it has to: what is wrong with the file is found when it is opened.
    fn recognises(&self, source: &str) -> Result<bool>;

    /// The definition of an environment as text: what its file holds.
    fn definition(&self, source: &str) -> Result<String>;

    /// Opens the environment called `source`.
    fn open(&self, source: &str) -> Result<Arc<dyn World>>;
}

/// Is handed every row of a run and may end it.
pub type RowObserver<'a> = dyn FnMut(&Row) -> ControlFlow<()> + 'a;

/// An opened environment, in which runs take place.
pub trait World: Debug + Send + Sync {
    /// Name, fingerprint and all that drawings need.
    fn file(&self) -> &EnvironmentFile;

    /// Does the run that `spec` determines. Whether the strategy exists and its parameters are in
    /// range was checked when the specification was made.
    fn run(&self, spec: &RunSpec, observe: &mut RowObserver) -> Result<RunResult>;

    /// The same, but `halted` is asked within long iterations too; once it says yes, the run ends as
    /// if the observer had ended it. Worlds whose iterations are short need not care.
    fn run_until(
        &self,
        spec: &RunSpec,
        observe: &mut RowObserver,
        _halted: &dyn Fn() -> bool,
    ) -> Result<RunResult> {
        self.run(spec, observe)
    }

    /// The same, but it may go on from a checkpoint that `keeper` has, and leave others there. Worlds whose
    /// runs are short need not care.
    fn run_kept(
        &self,
        spec: &RunSpec,
        observe: &mut RowObserver,
        halted: &dyn Fn() -> bool,
        _keeper: &mut dyn Keeper,
    ) -> Result<RunResult> {
        self.run_until(spec, observe, halted)
    }
}
