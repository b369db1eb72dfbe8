//! Spaces: what observations and actions are.

use crate::{Error, Result};
use hedgerow::seed::Stream;
use rand::RngExt;

/// A coordinate of a box, with what figures write at their axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Its name.
    pub name: String,
    /// Its unit; empty for none.
    pub unit: String,
    /// Its smallest value; may be infinite in observations.
    pub low: f64,
    /// Its largest value; may be infinite in observations.
    pub high: f64,
}

impl Coordinate {
    /// A coordinate with these bounds.
    pub fn new(name: &str, unit: &str, low: f64, high: f64) -> Self {
        Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            low,
            high,
        }
    }

    /// The name with the unit: `speed (m/s)`.
    pub fn label(&self) -> String {
        match self.unit.is_empty() {
            true => self.name.clone(),
            false => format!("{} ({})", self.name, self.unit),
        }
    }

    /// Whether both bounds are finite.
    pub fn is_bounded(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// -1 at the lower bound and 1 at the upper one; the value itself without bounds.
    pub fn scaled(&self, value: f64) -> f64 {
        match self.is_bounded() {
            true => (2.0 * value - self.low - self.high) / (self.high - self.low),
            false => value,
        }
    }
}

/// A space of observations or actions.
#[derive(Clone, Debug, PartialEq)]
pub enum Space {
    /// One of these names. Its value is one number, the index of the name.
    Discrete(Vec<String>),
    /// One number for each coordinate.
    Box(Vec<Coordinate>),
}

impl Space {
    /// How many numbers a value has.
    pub fn len(&self) -> usize {
        match self {
            Self::Discrete(_) => 1,
            Self::Box(coordinates) => coordinates.len(),
        }
    }

    /// Whether there is nothing to choose from.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Discrete(names) => names.is_empty(),
            Self::Box(coordinates) => coordinates.is_empty(),
        }
    }

    /// How many inputs of a network a value takes: one per name, or one per coordinate.
    pub fn inputs(&self) -> usize {
        match self {
            Self::Discrete(names) => names.len(),
            Self::Box(coordinates) => coordinates.len(),
        }
    }

    /// Whether it can be used; `what` says what it is a space of.
    pub fn check(&self, what: &str) -> Result<()> {
        let wrong = |problem: String, remedy: &str| {
            Err(Error::invalid(format!("{what} space"), problem, remedy))
        };
        if self.is_empty() {
            return wrong("it is empty".into(), "give names or coordinates");
        }
        let Self::Box(coordinates) = self else {
            return Ok(());
        };
        for c in coordinates {
            // Also refuses numbers that are not numbers.
            let ordered = c.low < c.high;
            if !ordered {
                let bounds = format!("`{}` goes from {} to {}", c.name, c.low, c.high);
                return wrong(bounds, "give a lower bound below the upper one");
            }
            if what == "action" && !c.is_bounded() {
                let bounds = format!("`{}` goes from {} to {}", c.name, c.low, c.high);
                return wrong(bounds, "give actions finite bounds");
            }
        }
        Ok(())
    }

    /// Refuses a value that does not belong here: of the wrong length, not finite, or no name's index.
    pub fn check_value(&self, what: &str, value: &[f64]) -> Result<()> {
        let wrong =
            |problem: String, remedy: String| Err(Error::invalid(what.to_owned(), problem, remedy));
        if value.len() != self.len() {
            return wrong(
                format!("{} numbers", value.len()),
                format!("give {}", self.len()),
            );
        }
        if let Some(i) = value.iter().position(|x| !x.is_finite()) {
            return wrong(
                format!("number {i} is {}", value[i]),
                "give finite numbers".into(),
            );
        }
        match self {
            Self::Discrete(names)
                if value[0] < 0.0 || value[0] >= names.len() as f64 || value[0].fract() != 0.0 =>
            {
                wrong(
                    format!("{} is no index of {} names", value[0], names.len()),
                    format!("give a whole number below {}", names.len()),
                )
            }
            _ => Ok(()),
        }
    }

    /// A value, uniformly; a coordinate without bounds is drawn from -1 to 1.
    pub fn sample(&self, stream: &mut Stream, out: &mut [f64]) {
        match self {
            Self::Discrete(names) => {
                let i = (stream.random::<f64>() * names.len() as f64) as usize;
                out[0] = i.min(names.len().saturating_sub(1)) as f64;
            }
            Self::Box(coordinates) => {
                for (x, c) in out.iter_mut().zip(coordinates) {
                    let (low, high) = match c.is_bounded() {
                        true => (c.low, c.high),
                        false => (-1.0, 1.0),
                    };
                    *x = low + (high - low) * stream.random::<f64>();
                }
            }
        }
    }

    /// Moves every coordinate into its bounds.
    pub fn clamp(&self, value: &mut [f64]) {
        if let Self::Box(coordinates) = self {
            for (x, c) in value.iter_mut().zip(coordinates) {
                *x = x.clamp(c.low, c.high);
            }
        }
    }

    /// How far two values are apart, from 0 to 1: the root of the mean square of the differences,
    /// each as a share of its range; 0 or 1 between names.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        match self {
            Self::Discrete(_) => f64::from(u8::from(a[0] != b[0])),
            Self::Box(coordinates) => {
                let each = coordinates.iter().zip(a.iter().zip(b));
                let squares = each.map(|(c, (x, y))| {
                    let apart = 0.5 * (c.scaled(*x) - c.scaled(*y));
                    apart * apart
                });
                (squares.sum::<f64>() / coordinates.len().max(1) as f64).sqrt()
            }
        }
    }

    /// A value as inputs of a network: coordinates from -1 to 1, or 1 for the name and 0 for all
    /// others.
    pub fn encode(&self, value: &[f64], out: &mut [f32]) {
        match self {
            Self::Discrete(_) => {
                for (i, x) in out.iter_mut().enumerate() {
                    *x = f32::from(u8::from(value[0] == i as f64));
                }
            }
            Self::Box(coordinates) => {
                for ((x, c), v) in out.iter_mut().zip(coordinates).zip(value) {
                    *x = c.scaled(*v) as f32;
                }
            }
        }
    }
}
