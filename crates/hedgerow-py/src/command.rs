//! The command, with the words of a command line.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

/// Does what the words ask for and gives the code to exit with.
#[pyfunction]
fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    let code = py.detach(|| hedgerow_cli::command(words));
    let same = |n: &u8| ExitCode::from(*n) == code;
    (0..=u8::MAX).find(same).unwrap_or(1)
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(command, module)?)
}
