//! Records from memory and from files.

use crate::arrays::{Indices, index};
use crate::environment::Environment;
use crate::error::exception;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::DataType;
use hedgerow::io::records::{self, Given, Source};
use hedgerow::model::Dynamics;
use hedgerow::{Error, Result};
use pyo3::prelude::*;
use pyo3_arrow::PyTable;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Steps of the expert or of anybody, as columns; looked up when they are used.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Records(Arc<Vec<(String, Given)>>);

/// Records as they are given: in memory, or a file.
#[derive(FromPyObject)]
pub enum AnyRecords<'py> {
    /// In memory.
    #[pyo3(transparent)]
    Columns(PyRef<'py, Records>),
    /// A file.
    #[pyo3(transparent)]
    File(PathBuf),
}

impl AnyRecords<'_> {
    /// What they say about `task`.
    pub fn read(
        &self,
        task: &hedgerow::model::Task,
        source: Source,
        dynamics: Option<&dyn Dynamics>,
    ) -> Result<records::Records> {
        match self {
            Self::File(path) => records::Records::read(path, task, source, dynamics),
            Self::Columns(given) => records::Records::of_columns(&given.0, task, source, dynamics),
        }
    }

    /// What to call them.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Columns(_) => "records in memory".to_owned(),
        }
    }
}

fn whole<T: ArrowPrimitiveType>(
    name: &str,
    column: &dyn Array,
    into: &mut Vec<Option<usize>>,
) -> Result<()>
where
    T::Native: TryInto<usize> + std::fmt::Display,
{
    for value in column.as_primitive::<T>() {
        // Chunks follow each other.
        let row = into.len();
        let value = value.map(|value| {
            value.try_into().map_err(|_| {
                Error::invalid(
                    format!("row {row}: {name}"),
                    format!("{value} is no index"),
                    "count from 0",
                )
            })
        });
        into.push(value.transpose()?);
    }
    Ok(())
}

fn column(name: &str, chunks: &[&dyn Array]) -> Result<Given> {
    let (mut indices, mut names) = (Vec::new(), Vec::new());
    for &chunk in chunks {
        match chunk.data_type() {
            DataType::Int8 => whole::<Int8Type>(name, chunk, &mut indices)?,
            DataType::Int16 => whole::<Int16Type>(name, chunk, &mut indices)?,
            DataType::Int32 => whole::<Int32Type>(name, chunk, &mut indices)?,
            DataType::Int64 => whole::<Int64Type>(name, chunk, &mut indices)?,
            DataType::UInt8 => whole::<UInt8Type>(name, chunk, &mut indices)?,
            DataType::UInt16 => whole::<UInt16Type>(name, chunk, &mut indices)?,
            DataType::UInt32 => whole::<UInt32Type>(name, chunk, &mut indices)?,
            DataType::UInt64 => whole::<UInt64Type>(name, chunk, &mut indices)?,
            DataType::Utf8 => texts(chunk.as_string::<i32>().iter(), &mut names),
            DataType::LargeUtf8 => texts(chunk.as_string::<i64>().iter(), &mut names),
            DataType::Utf8View => texts(chunk.as_string_view().iter(), &mut names),
            other => {
                return Err(Error::invalid(
                    name,
                    format!("a column of {other}"),
                    "give whole numbers, or names as texts",
                ));
            }
        }
    }
    Ok(match names.is_empty() {
        true => Given::Indices(indices),
        false => Given::Names(names),
    })
}

fn texts<'a>(values: impl Iterator<Item = Option<&'a str>>, into: &mut Vec<Option<String>>) {
    into.extend(values.map(|v| v.map(str::to_owned)));
}

#[pymethods]
impl Records {
    /// Columns of a table that has the Arrow interface: all, or those that are to be called so.
    #[new]
    #[pyo3(signature = (table, rename=None))]
    fn new(table: PyTable, rename: Option<BTreeMap<String, String>>) -> PyResult<Self> {
        let (batches, schema) = table.into_inner();
        let mut columns = Vec::new();
        if let Some(name) = rename
            .iter()
            .flat_map(BTreeMap::keys)
            .find(|n| schema.index_of(n).is_err())
        {
            let known: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
            return Err(exception(Error::invalid(
                "columns",
                format!("the frame has no `{name}`"),
                format!("choose from {}", known.join(", ")),
            )));
        }
        for (i, field) in schema.fields().iter().enumerate() {
            let name = match &rename {
                None => field.name(),
                Some(names) => match names.get(field.name()) {
                    Some(name) => name,
                    None => continue,
                },
            };
            let chunks: Vec<&dyn Array> = batches.iter().map(|b| b.column(i).as_ref()).collect();
            columns.push((name.clone(), column(name, &chunks).map_err(exception)?));
        }
        Ok(Self(Arc::new(columns)))
    }

    /// Columns from arrays of indices.
    #[staticmethod]
    fn of_arrays(arrays: Vec<(String, Indices<'_>)>) -> PyResult<Self> {
        let mut columns = Vec::new();
        for (name, array) in arrays {
            let value = |&i: &i64| index(&name, i).map(Some);
            let values: PyResult<Vec<Option<usize>>> =
                array.as_slice()?.iter().map(value).collect();
            columns.push((name.clone(), Given::Indices(values?)));
        }
        Ok(Self(Arc::new(columns)))
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// The dynamics that records are compared with.
pub fn dynamics(environment: &Environment) -> &dyn Dynamics {
    environment.0.truth().model().rows()
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Records>()
}
