//! Errors of the library as exceptions of the package.

use hedgerow::Error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The exception for `error`: the same line that the command prints. An exception that came out of
/// Python code goes back as it was.
pub fn exception(error: Error) -> PyErr {
    let name = match error {
        Error::Foreign { source, place } => match source.downcast::<PyErr>() {
            Ok(own) => return *own,
            Err(source) => return raise("HedgerowError", format!("{place}: {source}")),
        },
        Error::Invalid { .. } => "InputError",
        Error::Io { .. } => "FileError",
        Error::Uncertain { .. } | Error::Numeric { .. } => "AccuracyError",
        _ => "HedgerowError",
    };
    raise(name, error.to_string())
}

/// An exception of the package by its name.
pub fn raise(name: &str, message: String) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("hedgerow._errors")
            .and_then(|module| module.getattr(name))
            .and_then(|class| class.call1((message.clone(),)));
        match made {
            Ok(exception) => PyErr::from_value(exception),
            Err(_) => PyRuntimeError::new_err(message),
        }
    })
}

/// An exception of Python code, for the library to hand through.
pub fn foreign(place: &str) -> impl Fn(PyErr) -> Error {
    let place = place.to_owned();
    move |source| Error::Foreign {
        place: place.clone(),
        source: Box::new(source),
    }
}

/// Results of the library as results of Python.
pub trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for hedgerow::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(exception)
    }
}
