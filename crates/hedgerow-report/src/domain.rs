//! What a domain adds to reports.
//!
//! Every domain has curves, a table and, if its environments have a map, pictures of the inferred
//! cost on cells: that is drawn without asking anybody. What only the domain understands (the
//! payloads of its runs, its geometry) it explains itself, through a [`DomainReport`].
//!
//! A domain that says something about the curves of its environments:
//!
//! ```
//! use hedgerow_report::Reports;
//! use hedgerow_report::domain::DomainReport;
//!
//! #[derive(Debug)]
//! struct Pendulum;
//!
//! impl DomainReport for Pendulum {
//!     fn domain(&self) -> &str {
//!         "pendulum"
//!     }
//!
//!     fn remark(&self, envs: &[&str]) -> Option<String> {
//!         Some(format!("In {} a sample is a tenth of a second.", envs.join(", ")))
//!     }
//! }
//!
//! let reports = Reports::default().with(Pendulum);
//! assert!(reports.of("pendulum").is_some());
//! ```

use crate::draw::Figure;
use crate::verdicts::RunVerdicts;
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow::run::Payload;
use std::fmt;

/// What a domain adds to reports. Only its name is needed; whatever else it adds is shown.
///
/// A file that the domain cannot read is no reason to fail. Figures leave it out; the page leaves
/// out what an error stands for, and lists the error among its problems.
pub trait DomainReport: fmt::Debug + Send + Sync {
    /// The name of the domain, as in [`EnvironmentFile::domain`].
    fn domain(&self) -> &str;

    /// Figures of its own.
    fn figures(&self, _results: &Results) -> Result<Vec<Figure>> {
        Ok(Vec::new())
    }

    /// Whether its figures show an environment that has neither a map nor a graph.
    fn draws(&self, _environment: &EnvironmentFile) -> bool {
        false
    }

    /// What is different in the curves of these environments of the domain: a sentence that
    /// stands below curves and summary.
    fn remark(&self, _envs: &[&str]) -> Option<String> {
        None
    }

    /// Its part of the page.
    fn page(&self) -> PageParts {
        PageParts::default()
    }

    /// What its part of the page needs to know of an environment.
    fn environment(&self, _environment: &EnvironmentFile) -> Result<Option<Payload>> {
        Ok(None)
    }

    /// What it needs to know of a run. The page packs it, and unpacks it when the run is looked at.
    fn run(&self, _environment: &EnvironmentFile, _run: &SavedRun) -> Result<Option<Payload>> {
        Ok(None)
    }

    /// What can be said of every cell of a run; none if nothing can.
    fn verdicts(
        &self,
        _environment: &EnvironmentFile,
        _run: &SavedRun,
    ) -> Result<Option<RunVerdicts>> {
        Ok(None)
    }
}

/// The part of the page that belongs to a domain. It is there if an environment of the domain is.
///
/// The script runs in a block of its own after the page's functions are defined, which it may use.
/// It registers what it draws:
///
/// ```js
/// domains["pendulum"] = {
///   // Choices for the ground of its pictures, as [key, label]; the first one is the default.
///   grounds: (env, known) => [["plain", "plain"], ["speed", "mean speed"]],
///   // The pictures of a run at snapshot `i`, instead of maps of cells.
///   pictures: (env, run, i, known, ground) => [el("p", {}, "…")],
///   // What was found, in place of the cells that are charged.
///   answer: (env) => "…",
///   // What is added to the explanation of a cell that has an `extra`.
///   explain: (env, verdicts, cell) => el("p", {}, cell.extra.text),
/// };
/// ```
///
/// `env.extra` is what [`DomainReport::environment`] gave; without it nothing here is called.
/// `known` is what [`DomainReport::run`] gave: undefined while it is unpacked, null if it is not in
/// the page. Text enters the page through `el` and `svg` only, so that it stays text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageParts {
    /// The script; `</` and `<!--` must not occur in it.
    pub script: &'static str,
    /// The style sheet.
    pub style: &'static str,
}
