//! Records as JSON Lines: one object per line.

use super::Records;
use super::columns::{COUNT, Column, Row};
use super::episodes::Reading;
use crate::io::names::Word;
use crate::{Error, Result};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::io::BufRead;
use std::path::Path;

/// Reads all rows of `file`, one at a time.
pub(super) fn read(mut file: impl BufRead, mut reading: Reading, path: &Path) -> Result<Records> {
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let length = file.read_until(b'\n', &mut bytes);
        if length.map_err(|e| Error::reading(path, e))? == 0 {
            break;
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| {
            Error::invalid(
                format!("line {line}"),
                "the text is not UTF-8",
                "save the file as UTF-8",
            )
        })?;
        let text = text.trim_end();
        if text.is_empty() {
            continue;
        }
        let object = object(line, text)?;
        reading.row(&Row {
            unit: "line",
            line,
            values: object.each_ref().map(|v| v.as_ref().and_then(Value::word)),
        })?;
    }
    reading.finish()
}

/// A value of a line.
enum Value<'a> {
    Nothing,
    Index(usize),
    Text(Cow<'a, str>),
}

impl Value<'_> {
    fn word(&self) -> Option<Word<'_>> {
        match self {
            Self::Nothing => None,
            Self::Index(i) => Some(Word::Index(*i)),
            Self::Text(text) => Some(Word::Name(text)),
        }
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Value<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a whole number from 0")
            }

            fn visit_u64<E: de::Error>(self, i: u64) -> std::result::Result<Value<'de>, E> {
                let index = usize::try_from(i).map_err(|_| E::custom("number out of range"))?;
                Ok(Value::Index(index))
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> std::result::Result<Value<'de>, E> {
                Ok(Value::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<Value<'de>, E> {
                Ok(Value::Text(Cow::Owned(text.to_owned())))
            }

            fn visit_unit<E>(self) -> std::result::Result<Value<'de>, E> {
                Ok(Value::Nothing)
            }
        }
        d.deserialize_any(Read)
    }
}

/// Where in an object the reader is, and an error richer than what it can carry.
struct Place {
    line: u64,
    key: Option<Column>,
    failure: Option<Error>,
}

type Values<'a> = [Option<Value<'a>>; COUNT];

fn object(line: u64, text: &str) -> Result<Values<'_>> {
    let place = RefCell::new(Place {
        line,
        key: None,
        failure: None,
    });
    let mut json = serde_json::Deserializer::from_str(text);
    let read = (&mut json)
        .deserialize_map(Object { place: &place })
        .and_then(|values| json.end().map(|()| values));
    read.map_err(|e| explain(place.into_inner(), &e))
}

struct Object<'p> {
    place: &'p RefCell<Place>,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Values<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object {...}")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let mut values = [const { None }; COUNT];
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let mut place = self.place.borrow_mut();
            let line = place.line;
            let place_of = || format!("line {line}");
            let refused = match Column::find(place_of, &key) {
                Ok(column) if values[column as usize].is_none() => {
                    place.key = Some(column);
                    drop(place);
                    values[column as usize] = Some(map.next_value()?);
                    self.place.borrow_mut().key = None;
                    continue;
                }
                Ok(_) => Error::invalid(
                    place_of(),
                    format!("`{key}` is given twice"),
                    "keep one of them",
                ),
                Err(unknown) => unknown,
            };
            place.failure = Some(refused);
            return Err(de::Error::custom("key refused"));
        }
        Ok(values)
    }
}

fn explain(place: Place, error: &serde_json::Error) -> Error {
    if let Some(failure) = place.failure {
        return failure;
    }
    let said = error.to_string();
    // The reader knows one line only: its number is ours to tell.
    let tail = format!(" at line {} column {}", error.line(), error.column());
    let problem = said.strip_suffix(&tail).unwrap_or(&said);
    let line = place.line;
    match place.key {
        Some(key) if error.is_data() => Error::invalid(
            format!("line {line}: {}", key.name()),
            problem,
            "write a name in quotes, a whole number, or null for nothing",
        ),
        _ => Error::invalid(
            format!("line {line}, column {}", error.column()),
            problem,
            "write one JSON object {...} per line",
        ),
    }
}
