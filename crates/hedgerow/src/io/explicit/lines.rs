//! Lines of numbers.

use crate::{Error, Result};
use std::str::FromStr;

/// The lines of a text that say something, numbered from 1: no blank ones, no comments.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let numbered = (1..).zip(text.lines());
    let lines = numbered.map(|(number, text)| Line { number, text });
    lines.filter(|l| !l.text.trim().is_empty() && !l.text.starts_with("# "))
}

/// A line and its number.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    /// The words of the line.
    pub(super) fn words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.text.split_whitespace()
    }

    /// The next word as a number.
    pub(super) fn number<T: FromStr>(&self, word: Option<&str>, what: &str) -> Result<T> {
        let problem = match word {
            None => format!("the {what} is missing"),
            Some(word) => match word.parse() {
                Ok(number) => return Ok(number),
                Err(_) => format!("`{word}` is no {what}"),
            },
        };
        Err(self.invalid(
            problem,
            "write the numbers in order, with blanks between them",
        ))
    }

    /// An error at this line.
    pub(super) fn invalid(&self, problem: impl Into<String>, remedy: &str) -> Error {
        Error::invalid(format!("line {}", self.number), problem, remedy)
    }
}
