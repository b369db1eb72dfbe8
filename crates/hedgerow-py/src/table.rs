//! Tables that data frames read without a copy.

use crate::arrays::array;
use crate::error::{exception, raise};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use hedgerow::Error;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use pyo3_arrow::PyTable;
use std::sync::Arc;

/// A table of named columns.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Table(RecordBatch);

/// A column being filled.
pub enum Column {
    /// Numbers, some missing.
    Number(Vec<Option<f64>>),
    /// Whole numbers, some missing.
    Whole(Vec<Option<u64>>),
    /// Texts.
    Text(Vec<String>),
    /// Marks.
    Mark(Vec<bool>),
}

impl Table {
    /// A table of columns of the same length.
    pub fn new(columns: Vec<(&str, Column)>) -> PyResult<Self> {
        let mut fields = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        for (name, column) in columns {
            let array: ArrayRef = match column {
                Column::Number(values) => Arc::new(Float64Array::from(values)),
                Column::Whole(values) => Arc::new(UInt64Array::from(values)),
                Column::Text(values) => Arc::new(StringArray::from(values)),
                Column::Mark(values) => Arc::new(BooleanArray::from(values)),
            };
            fields.push(Field::new(
                name,
                array.data_type().clone(),
                array.null_count() > 0,
            ));
            arrays.push(array);
        }
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(schema, arrays);
        batch
            .map(Self)
            .map_err(|e| raise("HedgerowError", e.to_string()))
    }
}

#[pymethods]
impl Table {
    /// The Arrow interface: pandas, polars and pyarrow read it.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = PyTable::try_new(vec![self.0.clone()], self.0.schema())?;
        let table = table.into_pyobject(py)?;
        table.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        let names = self.columns().join(", ");
        format!("<Table of {} rows: {names}>", self.0.num_rows())
    }

    /// The names of the columns, so that `dict(table)` has them all.
    fn keys(&self) -> Vec<String> {
        self.columns()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.columns())?.try_iter()
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.0.schema();
        schema.fields().iter().map(|f| f.name().clone()).collect()
    }

    /// A column as an array; texts as a list.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(column) = self.0.column_by_name(name) else {
            return Err(exception(Error::invalid(
                "column",
                format!("`{name}` is unknown"),
                format!("use one of {}", self.columns().join(", ")),
            )));
        };
        Ok(match column.data_type() {
            DataType::Float64 => {
                let values = column.as_primitive::<Float64Type>();
                array(py, values.iter().map(|x| x.unwrap_or(f64::NAN)).collect()).into_any()
            }
            DataType::UInt64 if column.null_count() > 0 => {
                let values = column.as_primitive::<UInt64Type>();
                let number = |x: Option<u64>| x.map_or(f64::NAN, |x| x as f64);
                array(py, values.iter().map(number).collect::<Vec<f64>>()).into_any()
            }
            DataType::UInt64 => {
                let values = column.as_primitive::<UInt64Type>();
                array(py, values.values().to_vec()).into_any()
            }
            DataType::Boolean => {
                let values = column.as_boolean();
                array(py, values.iter().map(|x| x == Some(true)).collect()).into_any()
            }
            _ => {
                let values = column.as_string::<i32>();
                PyList::new(py, values.iter().flatten())?.into_any()
            }
        })
    }
}
