//! A figure, and the widths that pages of papers have room for.

use crate::draw::{outline, pdf, raster};
use hedgerow::Result;

/// A figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The file's name without its ending.
    pub name: String,
    /// A title in a few words; text, not markup.
    pub title: String,
    /// What is to be seen; text, not markup.
    pub caption: String,
    /// The drawing, its texts as text.
    pub svg: String,
}

impl Figure {
    /// The same drawing with its texts as shapes, which looks the same on every machine.
    pub fn outlined(&self) -> String {
        outline::outlined(&self.svg)
    }

    /// The same as a page of its size, texts as shapes.
    pub fn pdf(&self) -> Result<Vec<u8>> {
        pdf::pdf(&self.name, &self.svg, [&self.title, &self.caption])
    }

    /// The same drawing in pixels, [`DPI`](raster::DPI) per inch.
    pub fn png(&self) -> Result<Vec<u8>> {
        raster::png(&self.name, &self.svg)
    }
}

/// Width of a figure over both columns of a page, in points.
pub const WIDE: f64 = 504.0;

/// The width of a figure with `columns` panels side by side.
pub fn width_of(columns: usize) -> f64 {
    match columns {
        0 | 1 => 252.0,
        2 => 360.0,
        3 => 440.0,
        _ => WIDE,
    }
}

/// The name of sheet `i` (from 0) of a figure: `name`, `name-2`, `name-3`.
pub fn numbered(name: &str, i: usize) -> String {
    match i {
        0 => name.to_owned(),
        _ => format!("{name}-{}", i + 1),
    }
}
