//! The one legend of a figure.

use crate::draw::map::CellKind;
use crate::draw::marks;
use crate::draw::svg::{Anchor, Svg, path};
use crate::draw::text::{self, LABEL};
use crate::number::four_digits;
use crate::theme;
use hedgerow::results::EnvironmentFile;
use std::collections::BTreeMap;
use std::fmt;

/// An entry of a legend: a sample of what is drawn, and its name.
pub struct Entry<'a> {
    name: String,
    /// Width of the sample.
    sample: f64,
    draw: Box<Draw<'a>>,
}

/// Draws a sample from the middle of its left side on.
type Draw<'a> = dyn Fn(&mut Svg, (f64, f64)) + 'a;

/// Width of a line before a name, and of the gap after it.
const LINE: f64 = 20.0;
const GAP: f64 = 4.0;
/// Side of a cell.
const CELL: f64 = 9.0;
/// Between two entries.
const BETWEEN: f64 = 13.0;
/// Height of a row.
const ROW: f64 = 11.5;
/// The widest name.
const NAME: f64 = 130.0;

impl<'a> Entry<'a> {
    /// Anything: `draw` draws the sample, `width` wide, from the middle of its left side on.
    pub fn new(
        name: impl Into<String>,
        width: f64,
        draw: impl Fn(&mut Svg, (f64, f64)) + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            sample: width,
            draw: Box::new(draw),
        }
    }

    /// Something that fills a square: `draw` gets its left, top, width and height.
    pub fn square(name: impl Into<String>, draw: impl Fn(&mut Svg, [f64; 4]) + 'a) -> Self {
        Self::new(name, CELL, move |svg, (x, y)| {
            draw(svg, [x, y - CELL / 2.0, CELL, CELL]);
        })
    }

    /// What a cell of a map is.
    pub fn cell(kind: CellKind) -> Self {
        Self::square(kind.name(), move |svg, square| kind.draw(svg, square))
    }

    /// The goals of some maps: one entry if there is only one kind, else one for every symbol with
    /// its reward. `dots` as on ground that has another meaning.
    pub fn goals<'e>(
        environments: impl IntoIterator<Item = &'e EnvironmentFile>,
        dots: bool,
    ) -> Vec<Self> {
        let mut rewards: BTreeMap<char, Vec<Option<f64>>> = BTreeMap::new();
        for (symbol, reward) in environments.into_iter().flat_map(EnvironmentFile::goals) {
            let paid = rewards.entry(symbol).or_default();
            if !paid.contains(&reward) {
                paid.push(reward);
            }
        }
        let several = rewards.len() > 1;
        let entry = |(symbol, paid): (char, Vec<Option<f64>>)| {
            let kind = match dots {
                true => CellKind::GoalDot(several.then_some(symbol)),
                false => CellKind::Goal(symbol),
            };
            let paid = paid.into_iter().flatten();
            let paid: Vec<String> = paid.map(|r| four_digits(r).to_string()).collect();
            let what = if paid.is_empty() { "end" } else { kind.name() };
            let name = match (several, paid.is_empty()) {
                (true, false) => format!("{what} {symbol}: reward {}", paid.join(" or ")),
                (true, true) => format!("{what} {symbol}"),
                (false, _) => what.to_owned(),
            };
            Self::square(name, move |svg, square| kind.draw(svg, square))
        };
        rewards.into_iter().map(entry).collect()
    }

    /// A strategy: line, marker and name.
    pub fn strategy(name: &str) -> Self {
        let style = theme::style(name);
        Self::new(name, LINE, move |svg, (x, y)| {
            marks::line(svg, &[(x, y), (x + LINE, y)], style);
            let middle = (f64::midpoint(x, x + LINE), y);
            marks::marker(svg, middle, style, marks::MARKER);
        })
    }

    /// The expert's grey line.
    pub fn expert() -> Self {
        Self::new("expert", LINE, |svg, (x, y)| {
            svg.line((x, y), (x + LINE, y), theme::EXPERT, 1.6);
        })
    }

    /// The line of exact inference with known dynamics.
    pub fn exact() -> Self {
        Self::new("exact inference", LINE, |svg, (x, y)| {
            svg.path(&path(&[(x, y), (x + LINE, y)]), &marks::exact_look());
        })
    }

    /// A little wider than in our font, as other fonts may be.
    fn width(&self) -> f64 {
        let name = text::width(&self.name, LABEL).min(NAME);
        self.sample + GAP + 1.04 * name
    }

    fn draw(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        (self.draw)(svg, (x, y));
        let at = (x + self.sample + GAP, y + 2.6);
        svg.text_within(at, &self.name, LABEL, Anchor::Start, NAME);
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish()
    }
}

/// Draws the entries in centred rows from `top` on, within `left` to `right`; returns the height.
pub fn draw(svg: &mut Svg, entries: &[Entry], [left, right]: [f64; 2], top: f64) -> f64 {
    let rows = rows(entries, right - left);
    for (i, row) in rows.iter().enumerate() {
        let width = row_width(row);
        let mut x = left + ((right - left - width) / 2.0).max(0.0);
        let y = top + (i as f64 + 0.5) * ROW;
        for entry in *row {
            entry.draw(svg, (x, y));
            x += entry.width() + BETWEEN;
        }
    }
    rows.len() as f64 * ROW
}

fn row_width(row: &[Entry]) -> f64 {
    let widths: f64 = row.iter().map(Entry::width).sum();
    widths + BETWEEN * row.len().saturating_sub(1) as f64
}

/// As few rows as the width allows, of about the same number of entries.
fn rows<'e, 'a>(entries: &'e [Entry<'a>], width: f64) -> Vec<&'e [Entry<'a>]> {
    for count in 1..=entries.len() {
        let rows: Vec<&[Entry]> = entries.chunks(entries.len().div_ceil(count)).collect();
        if count == entries.len() || rows.iter().all(|r| row_width(r) <= width) {
            return rows;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_breaks_into_rows_that_fit() {
        let names = [
            "bear",
            "pcse",
            "random",
            "undecided",
            "a very long name ".repeat(9).as_str(),
        ]
        .map(Entry::strategy);
        assert_eq!(rows(&names, 1000.0).len(), 1);
        let narrow = rows(&names, 200.0);
        assert_eq!(narrow.iter().map(|r| r.len()).sum::<usize>(), 5);
        assert!(narrow.iter().all(|r| row_width(r) <= 200.0));
        assert!(rows(&[], 10.0).is_empty());
    }
}
