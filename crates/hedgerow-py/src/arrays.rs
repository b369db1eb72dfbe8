//! Arrays in and out.

use crate::error::exception;
use hedgerow::Error;
use hedgerow::model::{Dynamics, Task};
use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// Numbers from Python.
pub type Numbers<'py> = PyReadonlyArray1<'py, f64>;
/// Indices from Python.
pub type Indices<'py> = PyReadonlyArray1<'py, i64>;
/// Marks from Python.
pub type Marks<'py> = PyReadonlyArray1<'py, bool>;

/// The entries of an array, which must be as many as `wanted`.
pub fn exactly<'a, T: Element>(
    place: &str,
    array: &'a PyReadonlyArray1<'_, T>,
    wanted: usize,
) -> PyResult<&'a [T]> {
    let slice = array.as_slice()?;
    match slice.len() == wanted {
        true => Ok(slice),
        false => Err(exception(Error::invalid(
            place,
            format!("{} entries", slice.len()),
            format!("give {wanted}"),
        ))),
    }
}

/// An index from Python.
pub fn index(place: &str, i: i64) -> PyResult<usize> {
    usize::try_from(i).map_err(|_| {
        exception(Error::invalid(
            place,
            format!("{i} is no index"),
            "count from 0",
        ))
    })
}

/// A vector as an array, without a copy.
pub fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, values)
}

/// Where the row of every pair starts, next states, probabilities.
pub type Rows<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
);

/// Dynamics as compressed rows.
pub fn rows<'py, D: Dynamics>(py: Python<'py>, task: &Task, dynamics: &D) -> Rows<'py> {
    let mut starts = vec![0_i64];
    let (mut next, mut prob) = (Vec::new(), Vec::new());
    for pair in task.all_pairs() {
        let (states, probs) = dynamics.row(pair);
        next.extend(states.iter().map(|&s| i64::from(s)));
        prob.extend_from_slice(probs);
        starts.push(next.len() as i64);
    }
    (array(py, starts), array(py, next), array(py, prob))
}
