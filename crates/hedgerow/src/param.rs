//! Named parameters: one table says name, default, range and purpose, and serves the library,
//! the command line, experiment files and the documentation.

use crate::error::nearest;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// A number from `low` to `high`, both included.
    Number {
        /// Smallest allowed value.
        low: f64,
        /// Largest allowed value.
        high: f64,
        /// Value if none is given.
        default: f64,
    },
    /// A whole number from `low` to `high`, both included.
    Whole {
        /// Smallest allowed value.
        low: u64,
        /// Largest allowed value.
        high: u64,
        /// Value if none is given.
        default: u64,
    },
    /// One of some words; the first is the default.
    Word(&'static [&'static str]),
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key.
    pub name: &'static str,
    /// What it may be.
    pub range: Range,
    /// What it is for, in a few words.
    pub purpose: &'static str,
    /// For a preset, what each of its words sets; otherwise nothing.
    pub sets: &'static [Preset],
}

/// Values of other parameters that one word stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The word.
    pub name: &'static str,
    /// Names and values; what is not named keeps its default.
    pub values: &'static [(&'static str, &'static str)],
}

/// A number with its range and default.
pub const fn number(
    name: &'static str,
    default: f64,
    low: f64,
    high: f64,
    purpose: &'static str,
) -> Parameter {
    Parameter {
        name,
        range: Range::Number { low, high, default },
        purpose,
        sets: &[],
    }
}

/// A whole number with its range and default.
pub const fn whole(
    name: &'static str,
    default: u64,
    low: u64,
    high: u64,
    purpose: &'static str,
) -> Parameter {
    Parameter {
        name,
        range: Range::Whole { low, high, default },
        purpose,
        sets: &[],
    }
}

/// A choice of words, the default first.
pub const fn word(
    name: &'static str,
    words: &'static [&'static str],
    purpose: &'static str,
) -> Parameter {
    Parameter {
        name,
        range: Range::Word(words),
        purpose,
        sets: &[],
    }
}

/// One word for the values of several parameters of the same table. A parameter that is also set
/// by its own name has that value, whichever came first. Files keep the values, not the word.
pub const fn preset(
    words: &'static [&'static str],
    sets: &'static [Preset],
    purpose: &'static str,
) -> Parameter {
    Parameter {
        name: "preset",
        range: Range::Word(words),
        purpose,
        sets,
    }
}

/// A checked value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// Any other number.
    Number(f64),
    /// A word.
    Word(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(n) => write!(f, "{n}"),
            Self::Number(x) => write!(f, "{x}"),
            Self::Word(w) => f.write_str(w),
        }
    }
}

impl Parameter {
    /// The default.
    pub fn default(&self) -> Value {
        match self.range {
            Range::Number { default, .. } => Value::Number(default),
            Range::Whole { default, .. } => Value::Whole(default),
            Range::Word(words) => Value::Word(words[0].to_owned()),
        }
    }

    /// The range in words.
    pub fn range_text(&self) -> String {
        match self.range {
            Range::Number { low, high, .. } if high == f64::MAX => {
                format!("at least {}", short(low))
            }
            Range::Number { low, high, .. } => format!("{} to {}", short(low), short(high)),
            Range::Whole { low, high, .. } if high == u64::MAX => format!("at least {low}"),
            Range::Whole { low, high, .. } => format!("{low} to {high}"),
            Range::Word(words) => words.join(" | "),
        }
    }

    fn parse(&self, text: &str) -> Result<Value> {
        let value = match self.range {
            Range::Number { low, high, .. } => text
                .parse()
                .ok()
                .filter(|v: &f64| v.is_finite() && *v >= low && *v <= high)
                .map(Value::Number),
            Range::Whole { low, high, .. } => text
                .parse()
                .ok()
                .filter(|v| (low..=high).contains(v))
                .map(Value::Whole),
            Range::Word(words) => words.contains(&text).then(|| Value::Word(text.to_owned())),
        };
        value.ok_or_else(|| {
            Error::invalid(
                self.name,
                format!("`{text}` is not allowed"),
                match self.range {
                    Range::Whole { .. } if text.parse::<u64>().is_err() => {
                        format!("use a whole number, {}", self.range_text())
                    }
                    _ => format!("use {}", self.range_text()),
                },
            )
        })
    }
}

/// A number without three hundred zeros.
fn short(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Values of parameters by name: what a run was done with, as its file keeps it.
///
/// ```
/// use hedgerow::param::{Parameters, number};
///
/// const TABLE: &[hedgerow::param::Parameter] = &[number("scale", 0.5, 0.0, 1.0, "a scale")];
/// let mut parameters = Parameters::defaults(TABLE);
/// parameters.set("scale", "0.25")?;
/// assert_eq!(parameters.values().number("scale"), 0.25);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, Value>);

impl Values {
    /// All values in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The value called `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Sets one value. It is not checked: [`Parameters::set`] is for what users write.
    pub fn insert(&mut self, name: impl Into<String>, value: Value) {
        self.0.insert(name.into(), value);
    }

    /// These and those of `other`, which win where both have one.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.0
            .extend(other.0.iter().map(|(k, v)| (k.clone(), v.clone())));
        self
    }

    /// The name of the first value that is another one in `other`, the other one, and this one.
    pub fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        let said = |v: Option<&Value>| v.map_or("absent".to_owned(), Value::to_string);
        let mut keys = other.iter().chain(self.iter()).map(|(k, _)| k);
        let key = keys.find(|k| other.get(k) != self.get(k))?;
        Some((key.to_owned(), said(other.get(key)), said(self.get(key))))
    }

    /// A number.
    ///
    /// # Panics
    /// If there is no number of this name: code asks for a parameter that its table does not list.
    pub fn number(&self, name: &str) -> f64 {
        match self.0.get(name) {
            Some(Value::Number(v)) => *v,
            Some(Value::Whole(v)) => *v as f64,
            _ => self.unlisted(name, "number"),
        }
    }

    /// A whole number.
    ///
    /// # Panics
    /// As [`Self::number`].
    pub fn whole(&self, name: &str) -> u64 {
        match self.0.get(name) {
            Some(Value::Whole(v)) => *v,
            _ => self.unlisted(name, "whole number"),
        }
    }

    /// A word.
    ///
    /// # Panics
    /// As [`Self::number`].
    pub fn word(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Value::Word(w)) => w,
            _ => self.unlisted(name, "word"),
        }
    }

    /// Whether a parameter with the words `on` and `off` is on.
    ///
    /// # Panics
    /// As [`Self::number`].
    pub fn is_on(&self, name: &str) -> bool {
        self.word(name) == "on"
    }

    fn unlisted(&self, name: &str, kind: &str) -> ! {
        let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
        panic!("the code asks for the {kind} `{name}`, but its parameters are {known:?}")
    }
}

/// A table of parameters with a value for each of them.
#[derive(Clone, Debug)]
pub struct Parameters {
    table: &'static [Parameter],
    values: Values,
    /// Those set by their own names.
    named: BTreeSet<&'static str>,
}

impl PartialEq for Parameters {
    /// Whether the values are the same, however they were set.
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table && self.values == other.values
    }
}

impl Parameters {
    /// All at their defaults.
    pub fn defaults(table: &'static [Parameter]) -> Self {
        let kept = table.iter().filter(|p| p.sets.is_empty());
        let values = kept.map(|p| (p.name.to_owned(), p.default()));
        Self {
            table,
            values: Values(values.collect()),
            named: BTreeSet::new(),
        }
    }

    /// Sets one parameter from its text.
    pub fn set(&mut self, key: &str, text: &str) -> Result<()> {
        let Some(parameter) = self.table.iter().find(|p| p.name == key) else {
            return Err(unknown_key(key, self.table.iter().map(|p| p.name)));
        };
        let value = parameter.parse(text)?;
        if parameter.sets.is_empty() {
            self.values.insert(key, value);
            self.named.insert(parameter.name);
            return Ok(());
        }
        self.apply(parameter.sets.iter().find(|s| s.name == text))
    }

    /// Gives every parameter that was not set by its own name the value that `preset` has for it, or
    /// its default.
    fn apply(&mut self, preset: Option<&Preset>) -> Result<()> {
        let values = preset.map_or(&[][..], |p| p.values);
        let kept = self.table.iter().filter(|p| p.sets.is_empty());
        for parameter in kept.filter(|p| !self.named.contains(p.name)) {
            let set = values.iter().find(|(name, _)| *name == parameter.name);
            let value = match set {
                Some((_, text)) => parameter.parse(text)?,
                None => parameter.default(),
            };
            self.values.insert(parameter.name, value);
        }
        Ok(())
    }

    /// What the parameters are.
    pub fn table(&self) -> &'static [Parameter] {
        self.table
    }

    /// The parameter called `name`.
    pub fn find(&self, name: &str) -> Option<&'static Parameter> {
        self.table.iter().find(|p| p.name == name)
    }

    /// The values by name.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The values that differ from their defaults.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.table.iter().filter_map(|p| {
            let value = self.values.get(p.name)?;
            (*value != p.default()).then_some((p.name, value))
        })
    }
}

/// The error for a key nobody knows.
pub fn unknown_key<'a>(key: &str, known: impl IntoIterator<Item = &'a str>) -> Error {
    let known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() {
        return Error::invalid(key, "unknown key", "there is nothing to set here");
    }
    Error::invalid(key, "unknown key", nearest(key, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Parameter] = &[
        number("scale", 0.5, 0.0, 1.0, "a scale"),
        whole("steps", 10, 1, u64::MAX, "steps"),
        word("rule", &["uniform", "per-pair"], "a rule"),
    ];

    #[test]
    fn values_are_checked_and_defaults_hold() {
        let mut p = Parameters::defaults(TABLE);
        let v = p.values();
        assert_eq!(
            (v.number("scale"), v.whole("steps"), v.word("rule")),
            (0.5, 10, "uniform")
        );
        assert_eq!(p.changed().count(), 0);
        p.set("scale", "0.25").unwrap();
        p.set("rule", "per-pair").unwrap();
        let v = p.values();
        assert_eq!((v.number("scale"), v.word("rule")), (0.25, "per-pair"));
        assert_eq!(p.changed().count(), 2);
        let message = |r: Result<()>| r.unwrap_err().to_string();
        assert_eq!(
            message(p.set("scale", "2")),
            "scale: `2` is not allowed; use 0 to 1"
        );
        assert_eq!(
            message(p.set("scale", "NaN")),
            "scale: `NaN` is not allowed; use 0 to 1"
        );
        assert_eq!(
            message(p.set("steps", "0")),
            "steps: `0` is not allowed; use at least 1"
        );
        assert_eq!(
            message(p.set("steps", "1.5")),
            "steps: `1.5` is not allowed; use a whole number, at least 1"
        );
        assert_eq!(
            message(p.set("scal", "1")),
            "scal: unknown key; did you mean `scale`?"
        );
        assert_eq!(
            number("tiny", 1.0, 1e-300, 1e300, "").range_text(),
            "1e-300 to 1e300"
        );
    }

    #[test]
    fn a_preset_sets_what_is_not_set_by_name_in_any_order() {
        const PLAIN: Preset = Preset {
            name: "plain",
            values: &[("scale", "1"), ("rule", "per-pair")],
        };
        const WITH: &[Parameter] = &[
            TABLE[0],
            TABLE[1],
            TABLE[2],
            preset(&["default", "plain"], &[PLAIN], "a preset"),
        ];
        let of = |sets: &[(&str, &str)]| {
            let mut p = Parameters::defaults(WITH);
            sets.iter().for_each(|(k, v)| p.set(k, v).unwrap());
            p
        };
        let plain = of(&[("preset", "plain")]);
        let v = plain.values();
        assert_eq!((v.number("scale"), v.word("rule")), (1.0, "per-pair"));
        assert_eq!((v.whole("steps"), v.get("preset")), (10, None));
        let own = [("scale", "0.25"), ("preset", "plain")];
        let mut back = own;
        back.reverse();
        assert_eq!(of(&own), of(&back));
        let both = of(&own);
        assert_eq!(both.values().number("scale"), 0.25);
        assert_eq!(both.values().word("rule"), "per-pair");
        let undone = of(&[("preset", "plain"), ("preset", "default")]);
        assert_eq!(undone, Parameters::defaults(WITH));
        assert_eq!(plain, of(&[("scale", "1"), ("rule", "per-pair")]));
        let refused = Parameters::defaults(WITH).set("preset", "plane");
        let message = refused.unwrap_err().to_string();
        assert_eq!(
            message,
            "preset: `plane` is not allowed; use default | plain"
        );
    }

    #[test]
    fn values_keep_their_kind_in_a_file() {
        let mut p = Parameters::defaults(TABLE);
        p.set("scale", "1").unwrap();
        let text = serde_json::to_string(p.values()).unwrap();
        assert_eq!(text, r#"{"rule":"uniform","scale":1.0,"steps":10}"#);
        assert_eq!(serde_json::from_str::<Values>(&text).unwrap(), *p.values());
    }

    #[test]
    #[should_panic(expected = "the code asks for the number `scal`, but its parameters are")]
    fn a_misspelt_name_in_code_is_named() {
        Parameters::defaults(TABLE).values().number("scal");
    }
}
