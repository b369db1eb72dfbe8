//! How well inferred costs fit the true ones.

use crate::arrays::Numbers;
use crate::environment::read_layout;
use crate::error::OrRaise;
use hedgerow::metrics::overlap as fit;
use pyo3::prelude::*;

/// Intersection over union, generalised, and weighted, of costs on states.
#[pyfunction]
#[pyo3(signature = (inferred, truth, *, layout=None))]
fn overlap(
    inferred: Numbers<'_>,
    truth: Numbers<'_>,
    layout: Option<&str>,
) -> PyResult<(f64, f64, f64)> {
    let layout = layout.map(read_layout).transpose()?;
    let found = fit(inferred.as_slice()?, truth.as_slice()?, layout.as_ref()).or_raise()?;
    Ok((found.iou, found.giou, found.wgiou))
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(overlap, module)?)
}
