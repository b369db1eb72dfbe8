//! Keys of TOML files, read with messages that name the place, what was found and the remedy.
//!
//! ```
//! use hedgerow::io::keys::{number, table};
//!
//! let table = table("gamma = 0.9\nslip = 'x'")?;
//! assert_eq!(number(&table, "gamma", 0.7)?, 0.9);
//! assert_eq!(number(&table, "budget", 0.0)?, 0.0);
//! let refused = number(&table, "slip", 0.05).unwrap_err();
//! assert_eq!(refused.to_string(), "slip: found the string \"x\"; write a number");
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::{Error, Result};
use toml::{Table, Value};

/// The table that `text` is.
pub fn table(text: &str) -> Result<Table> {
    text.parse().map_err(|e| syntax(text, &e))
}

/// The number under `key`.
pub fn number(table: &Table, key: &str, default: f64) -> Result<f64> {
    match table.get(key) {
        None => Ok(default),
        Some(value) => float(value).ok_or_else(|| wrong(key, value, "write a number")),
    }
}

/// The value as a number, if it is one.
pub fn float(value: &Value) -> Option<f64> {
    match *value {
        Value::Float(x) => Some(x),
        Value::Integer(i) => Some(i as f64),
        _ => None,
    }
}

/// A value of another type than the one that is needed.
pub fn wrong(place: &str, found: &Value, remedy: &str) -> Error {
    let found = match found {
        Value::Table(_) => "a table".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => format!("the {} {other}", other.type_str()),
    };
    Error::invalid(place, format!("found {found}"), remedy)
}

/// A mistake in the syntax, with its line.
pub fn syntax(text: &str, error: &toml::de::Error) -> Error {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = 1 + before.map_or(0, |t| t.matches('\n').count());
    Error::invalid(
        format!("line {line}"),
        super::one_line(error.message()),
        "correct the TOML syntax there",
    )
}
