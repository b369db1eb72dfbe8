//! One self-contained page to explore the results in.
//!
//! The page is plain HTML with one style sheet and one script inside, and loads nothing. All that
//! comes from results stands in one block of JSON ([`data()`]), in which no character can end the
//! block, and enters the page as text. Should markup slip through all the same, the page's policy
//! lets only the one script run whose hash it names.
//!
//! Style and script are ours and those of the [domains](crate::domain) that have environments in
//! the results.
//!
//! ```
//! use hedgerow::results::Results;
//! use hedgerow::sweep::{Experiment, Silent, Sweep};
//! use hedgerow_report::{Reports, page};
//!
//! let mut experiment = Experiment::default();
//! experiment.set_environments(["gridworld-3"])?;
//! experiment.set_strategies(["random"])?;
//! experiment.set("iterations", "5")?;
//! let folder = tempfile::tempdir()?;
//! Sweep::open(&experiment, folder.path())?.run(&Silent, &Default::default())?;
//!
//! let results = Results::read(folder.path())?;
//! let html = page::html(&results, &Reports::default(), None)?;
//! assert!(html.starts_with("<!doctype html>"));
//! assert!(page::command(&results).starts_with("hedgerow run --env gridworld-3"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod assets;
mod blob;
mod command;
mod costliest;
mod curve;
mod data;
mod json;
mod labels;
mod live;
mod run;
#[cfg(test)]
mod sample;

pub use assets::{SHARED, STYLE};
pub use command::command;
pub use labels::{environment, labels};
pub use live::Live;

use crate::Reports;
use crate::domain::PageParts;
use crate::thin::thinned;
use hedgerow::Result;
use hedgerow::results::Results;

/// The data of the page as JSON that may stand inside a page: `data.json` of a live page.
///
/// While a sweep is running (`live` is given and not done), verdicts are left out: they take
/// longer than the time between two looks. Of maps with more than 128 rows or columns there are
/// none either: a square of their pictures stands for many cells.
pub fn data(results: &Results, reports: &Reports, live: Option<&Live>) -> Result<String> {
    let results = thinned(results);
    let page = data::Page::new(&results, reports, live)?;
    Ok(json::json_in_html(&json::text(&page)?))
}

/// The whole page. The same results give the same bytes.
pub fn html(results: &Results, reports: &Reports, live: Option<&Live>) -> Result<String> {
    let domains = reports.in_results(results);
    let parts: Vec<PageParts> = domains.map(|domain| domain.page()).collect();
    let data = data(results, reports, live)?;
    assets::assemble(&parts, &data, live.is_some())
}
