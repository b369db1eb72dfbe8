//! A part of a sweep.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// One of several parts of a sweep, which together are the whole: every `of`-th run, beginning with
/// run `number`, both counted from 1. Parts differ by one run at most, and each has a share of
/// every environment and strategy.
///
/// ```
/// use hedgerow::sweep::Shard;
///
/// let shard: Shard = "2/8".parse()?;
/// assert!(shard.has(1) && shard.has(9) && !shard.has(2));
/// assert!("9/8".parse::<Shard>().is_err());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// The whole sweep.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Part `number` of `of`, counted from 1.
    pub fn new(number: usize, of: usize) -> Result<Self> {
        match (1..=of).contains(&number) {
            true => Ok(Self { number, of }),
            false => Err(Error::invalid(
                "shard",
                format!("there is no part {number} of {of}"),
                "write 1/8 to 8/8 for the eight parts of a sweep",
            )),
        }
    }

    /// Whether the run at this place of the sweep, counted from 0, belongs to it.
    pub fn has(&self, place: usize) -> bool {
        place % self.of == self.number - 1
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
        let (number, of) = numbers.ok_or_else(|| {
            Error::invalid(
                "shard",
                format!("`{text}` is not a part of a sweep"),
                "write 2/8 for the second of eight parts",
            )
        })?;
        Self::new(number, of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
