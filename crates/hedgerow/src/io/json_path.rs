//! Reading JSON objects in one pass while remembering the place, so that whatever goes wrong can
//! be reported as `transitions[17]`.
//!
//! Model files can be large, so they are not first turned into a tree of values.

use crate::error::nearest;
use crate::{Error, Result};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

/// Where the reader is: a key and, inside a list, a position. Reading stops at the first error,
/// so the path then ends at its place.
#[derive(Default)]
pub(super) struct JsonPath {
    key: RefCell<String>,
    index: Cell<Option<usize>>,
    /// An error richer than what the JSON reader can carry.
    failure: RefCell<Option<Error>>,
}

impl JsonPath {
    fn enter(&self, key: &str) {
        *self.key.borrow_mut() = key.to_owned();
        self.index.set(None);
    }

    fn place(&self) -> String {
        match self.index.get() {
            Some(i) => format!("{}[{i}]", self.key.borrow()),
            None => self.key.borrow().clone(),
        }
    }

    /// The next value as a list of `T`, the path following its positions.
    pub(super) fn list<'de, T, A>(&self, map: &mut A) -> std::result::Result<Vec<T>, A::Error>
    where
        T: de::Deserialize<'de>,
        A: MapAccess<'de>,
    {
        let mut items = Vec::new();
        self.each(map, |item| items.push(item))?;
        Ok(items)
    }

    /// The same item by item, so that none has to be kept as it is written.
    pub(super) fn each<'de, T, A>(
        &self,
        map: &mut A,
        take: impl FnMut(T),
    ) -> std::result::Result<(), A::Error>
    where
        T: de::Deserialize<'de>,
        A: MapAccess<'de>,
    {
        map.next_value_seed(List {
            path: self,
            take,
            item: PhantomData,
        })
    }
}

/// A JSON object read key by key.
pub(super) trait Object: Default {
    /// The keys and, for each, what belongs there.
    const KEYS: &'static [(&'static str, &'static str)];

    /// Reads the value of `key`, one of [`Self::KEYS`].
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        path: &JsonPath,
    ) -> std::result::Result<(), A::Error>;
}

/// Reads `text` as an object of type `T`; errors name the key and position.
pub(super) fn read_object<T: Object>(text: &str) -> Result<T> {
    let path = JsonPath::default();
    let mut json = serde_json::Deserializer::from_str(text);
    let seed = Whole {
        path: &path,
        object: PhantomData,
    };
    let read = seed
        .deserialize(&mut json)
        .and_then(|object| json.end().map(|()| object));
    read.map_err(|e| {
        path.failure
            .take()
            .unwrap_or_else(|| explain::<T>(&path, &e))
    })
}

/// A reader's error in words, with the line it is on and what belongs there.
fn explain<T: Object>(path: &JsonPath, error: &serde_json::Error) -> Error {
    let line = error.line();
    let said = error.to_string();
    let tail = format!(" at line {line} column {}", error.column());
    let problem = said.strip_suffix(&tail).unwrap_or(&said).to_owned();
    let place = path.place();
    if error.is_eof() {
        let remedy = "the file seems to be cut off: complete it";
        return Error::invalid(format!("line {line}"), problem, remedy);
    }
    if place.is_empty() || error.is_syntax() && !problem.contains("out of range") {
        let remedy = "correct the JSON syntax there";
        return Error::invalid(format!("line {line}"), problem, remedy);
    }
    let key = path.key.borrow();
    let shape = T::KEYS.iter().find(|(k, _)| *k == *key);
    Error::invalid(
        format!("{place} (line {line})"),
        problem,
        match shape {
            Some((_, shape)) => format!("write {shape}"),
            None => "correct it".to_owned(),
        },
    )
}

struct Whole<'t, T> {
    path: &'t JsonPath,
    object: PhantomData<T>,
}

impl<'de, T: Object> DeserializeSeed<'de> for Whole<'_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> std::result::Result<T, D::Error> {
        d.deserialize_map(self)
    }
}

impl<'de, T: Object> Visitor<'de> for Whole<'_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object {...}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<T, A::Error> {
        let mut object = T::default();
        let mut seen: Vec<String> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            self.path.enter(&key);
            let failure = if !T::KEYS.iter().any(|(k, _)| *k == key) {
                let known = T::KEYS.iter().map(|(k, _)| *k);
                Some(Error::invalid(&key, "unknown key", nearest(&key, known)))
            } else if seen.contains(&key) {
                Some(Error::invalid(&key, "given twice", "keep one of them"))
            } else {
                None
            };
            if failure.is_some() {
                *self.path.failure.borrow_mut() = failure;
                map.next_value::<IgnoredAny>()?;
                return Err(de::Error::custom("key refused"));
            }
            object.read(&key, &mut map, self.path)?;
            self.path.enter("");
            seen.push(key);
        }
        Ok(object)
    }
}

struct List<'t, T, F: FnMut(T)> {
    path: &'t JsonPath,
    take: F,
    item: PhantomData<T>,
}

impl<'de, T: de::Deserialize<'de>, F: FnMut(T)> DeserializeSeed<'de> for List<'_, T, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> std::result::Result<(), D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de, T: de::Deserialize<'de>, F: FnMut(T)> Visitor<'de> for List<'_, T, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list [...]")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> std::result::Result<(), A::Error> {
        let mut at = 0;
        self.path.index.set(Some(0));
        while let Some(item) = seq.next_element()? {
            (self.take)(item);
            at += 1;
            self.path.index.set(Some(at));
        }
        self.path.index.set(None);
        Ok(())
    }
}
