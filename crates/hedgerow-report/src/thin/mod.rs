//! Large maps, thinned for pictures.
//!
//! No page has room for a million squares, and no eye tells them apart. Where a map has more than
//! 128 rows or columns, figures and page are made from a coarser copy, in which a square stands
//! for many cells: costs are the largest of its cells, the expert's time is the sum over them.

mod environment;
mod run;
mod squares;

pub(crate) use squares::{Squares, more_telling, per_square};

use hedgerow::finite::NAME;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Results whose maps are small enough to be drawn; these themselves where all of them are.
pub(crate) fn thinned(results: &Results) -> Cow<'_, Results> {
    let squares = of_large(results);
    if squares.is_empty() {
        return Cow::Borrowed(results);
    }
    let environment = |file: &EnvironmentFile| match squares.get(file.name.as_str()) {
        Some(squares) => environment::thin(file, squares),
        None => file.clone(),
    };
    let run = |run: &SavedRun| match squares.get(run.id.env.as_str()) {
        Some(squares) => run::thin(run, squares),
        None => run.clone(),
    };
    Cow::Owned(Results {
        folder: results.folder.clone(),
        manifest: results.manifest.clone(),
        environments: results.environments.iter().map(environment).collect(),
        runs: results.runs.iter().map(run).collect(),
        planned: results.planned,
        pending: results.pending,
        reconstructed: results.reconstructed,
        problems: results.problems.clone(),
    })
}

/// The squares of the maps that are too large, by environment. What other domains keep of their
/// cells only they can read, so theirs are left as they are.
fn of_large(results: &Results) -> BTreeMap<&str, Squares> {
    let finite = results.environments.iter().filter(|e| e.domain == NAME);
    let squares = |file| Some((name(file), Squares::of(file.layout.as_ref()?)?));
    finite.filter_map(squares).collect()
}

fn name(file: &EnvironmentFile) -> &str {
    &file.name
}
