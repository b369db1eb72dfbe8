//! Figures and pages from a results folder, made from the saved files alone.
//!
//! [`hedgerow::results::Results`] reads the folder; [`figure`] draws the figures of a paper,
//! [`page`] writes one page to explore the results in. Strategies look the same everywhere:
//! [`theme`]. What kind of worlds there are, nothing here knows: [domains](domain) tell it.
//!
//! ```
//! use hedgerow::results::Results;
//! use hedgerow::sweep::{Experiment, Silent, Sweep};
//! use hedgerow_report::{Reports, figure, page};
//!
//! let mut experiment = Experiment::default();
//! experiment.set_environments(["gridworld-3"])?;
//! experiment.set_strategies(["random"])?;
//! experiment.set("iterations", "5")?;
//! let folder = tempfile::tempdir()?;
//! Sweep::open(&experiment, folder.path())?.run(&Silent, &Default::default())?;
//!
//! let results = Results::read(folder.path())?;
//! let reports = Reports::default();
//! figure::write(&results, &reports, &folder.path().join("figures"), &figure::Format::ALL)?;
//! std::fs::write(folder.path().join("report.html"), page::html(&results, &reports, None)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How to add
//!
//! **A figure**: a file in `src/figure` with a function from results to [`draw::Figure`]s, made of
//! the parts in [`draw`], and a line in the list `FIGURES` of `src/figure/mod.rs`.
//!
//! **A metric**: a field of [`hedgerow::run::Row`], the evaluators that fill it, and an entry in
//! [`curves::METRICS`]. Figures, the page and its buttons follow the table.
//!
//! **What a domain has to show**: a [`domain::DomainReport`] in the domain's own crate, given to
//! [`Reports::with`].

pub mod constraint;
pub mod curves;
pub mod domain;
pub mod draw;
pub mod figure;
mod finite;
pub mod number;
pub mod page;
mod reports;
pub mod theme;
mod thin;
pub mod verdicts;

pub use finite::{FiniteReport, of_evidence};
pub use reports::Reports;
