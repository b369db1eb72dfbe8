//! Named columns of pairs: what is known of every pair, as a number or as a word.
//!
//! ```
//! use hedgerow::columns::{Column, Value};
//!
//! let depth = Column::of_text("depth", ["2", "", "0.5"].map(|t| (!t.is_empty()).then_some(t)));
//! assert!(depth.is_ordered());
//! assert_eq!((depth.code(2), depth.code(1)), (Some(0), None));
//! assert_eq!(depth.value(1), Value::Number(2.0));
//! let room = Column::of_text("room", [Some("hall"), Some("7"), Some("hall")]);
//! assert!(!room.is_ordered());
//! assert_eq!(room.value(room.code(0).unwrap()).to_string(), "hall");
//! ```

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The code of a pair of which the column says nothing.
const NONE: u32 = u32::MAX;

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Of an ordered column.
    Number(f64),
    /// Of any other.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// The values of a column, ascending, each once.
#[derive(Clone, Debug, PartialEq)]
enum Values {
    Numbers(Vec<f64>),
    Words(Vec<String>),
}

/// A number or a word for every pair, or nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    name: String,
    values: Values,
    /// The place of its value for every pair.
    code: Vec<u32>,
}

impl Column {
    /// A column of words, as places in a list of them.
    pub fn of_words(
        name: &str,
        words: Vec<String>,
        of_pairs: impl IntoIterator<Item = Option<usize>>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            values: Values::Words(words),
            code: coded(of_pairs),
        }
    }

    /// A column of whole numbers below `end`.
    pub fn of_whole(
        name: &str,
        end: usize,
        of_pairs: impl IntoIterator<Item = Option<usize>>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            values: Values::Numbers((0..end).map(|i| i as f64).collect()),
            code: coded(of_pairs),
        }
    }

    /// A column as a table has it: ordered if all that is there are finite numbers.
    pub fn of_text<'a>(name: &str, of_pairs: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let texts: Vec<Option<&str>> = of_pairs.into_iter().collect();
        let number = |t: &str| t.parse::<f64>().ok().filter(|x| x.is_finite());
        let mut known: BTreeMap<&str, u32> = texts.iter().flatten().map(|&t| (t, 0)).collect();
        let numbers: Option<Vec<f64>> = known.keys().map(|t| number(t)).collect();
        let values = match numbers.filter(|n| !n.is_empty()) {
            Some(mut numbers) => {
                numbers.sort_unstable_by(f64::total_cmp);
                // `1` and `1.0` are the same number, and so are 0 and -0.
                numbers.dedup_by(|a, b| a == b);
                for (text, code) in &mut known {
                    let x = number(text).unwrap_or(0.0);
                    *code = numbers.partition_point(|&y| y < x) as u32;
                }
                Values::Numbers(numbers)
            }
            None => {
                for (i, code) in known.values_mut().enumerate() {
                    *code = i as u32;
                }
                Values::Words(known.keys().map(|&t| t.to_owned()).collect())
            }
        };
        let code = texts.iter().map(|t| t.map_or(NONE, |t| known[t]));
        Self {
            name: name.to_owned(),
            values,
            code: code.collect(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it holds numbers, so that its values can be taken from one to another.
    pub fn is_ordered(&self) -> bool {
        matches!(self.values, Values::Numbers(_))
    }

    /// How many pairs it is of.
    pub fn pairs(&self) -> usize {
        self.code.len()
    }

    /// How many different values it has.
    pub fn values(&self) -> usize {
        match &self.values {
            Values::Numbers(list) => list.len(),
            Values::Words(list) => list.len(),
        }
    }

    /// The place of the value of a pair, if it has one.
    #[inline]
    pub fn code(&self, pair: usize) -> Option<u32> {
        Some(self.code[pair]).filter(|&c| c != NONE)
    }

    /// The value in a place.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn value(&self, code: u32) -> Value {
        match &self.values {
            Values::Numbers(list) => Value::Number(list[code as usize]),
            Values::Words(list) => Value::Word(list[code as usize].clone()),
        }
    }
}

fn coded(of_pairs: impl IntoIterator<Item = Option<usize>>) -> Vec<u32> {
    let code = |place: Option<usize>| place.map_or(NONE, |i| i as u32);
    of_pairs.into_iter().map(code).collect()
}
