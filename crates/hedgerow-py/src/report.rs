//! Figures and pages.

use crate::error::OrRaise;
use crate::results::Results;
use crate::work::work;
use hedgerow::io::write_atomic;
use hedgerow::results::Figures;
use hedgerow_report::{figure, page};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Name, title, caption and drawing of every figure of some results.
#[pyfunction]
fn figures(py: Python<'_>, results: &Results) -> PyResult<Vec<(String, String, String, String)>> {
    let made = py.detach(|| figure::all(&results.0, &hedgerow_cli::reports()));
    let row = |f: hedgerow_report::draw::Figure| {
        let svg = f.outlined();
        (f.name, f.title, f.caption, svg)
    };
    Ok(made.or_raise()?.into_iter().map(row).collect())
}

/// Writes the page and the figures of some results; gives the files.
#[pyfunction]
fn write_report(
    py: Python<'_>,
    results: &Results,
    out: PathBuf,
    formats: Vec<String>,
    with_page: bool,
) -> PyResult<Vec<PathBuf>> {
    let (made, _) = work(py, false, None, |watch| {
        let reports = hedgerow_cli::reports();
        let mut made = Vec::new();
        if with_page {
            let path = out.join("report.html");
            write_atomic(&path, page::html(&results.0, &reports, None)?.as_bytes())?;
            made.push(path);
        }
        let formats: Vec<figure::Format> = figure::Format::ALL
            .into_iter()
            .filter(|f| formats.iter().any(|name| name == f.ending()))
            .collect();
        let folder = out.join("figures");
        if !formats.is_empty() {
            let drawn = figure::write_until(&results.0, &reports, &folder, &formats, &watch.stop)?;
            if !watch.stopped() {
                Figures::new(&folder).keep_only(&drawn)?;
            }
            made.extend(drawn);
        }
        Ok(made)
    })?;
    Ok(made)
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(figures, module)?)?;
    module.add_function(wrap_pyfunction!(write_report, module)?)
}
