//! The one legend of a figure.

use super::map::Kind;
use super::marks;
use super::maze::point;
use super::plane::Sign;
use super::svg::{Anchor, LABEL, Svg};
use super::text;
use crate::theme::{self, Style};

/// An entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    /// A strategy: line, marker and name.
    Strategy(String),
    /// The expert's grey line.
    Expert,
    /// What a cell of a map is.
    Cell(Kind),
    /// What is drawn in a maze.
    Sign(Sign),
    /// An inferred point of a strategy.
    Point(String),
}

/// Width of the sample before a name, and of the gap after it.
const SAMPLE: f64 = 20.0;
const GAP: f64 = 4.0;
/// Between two entries.
const BETWEEN: f64 = 13.0;
/// Height of a row.
const ROW: f64 = 11.5;
/// The widest name.
const NAME: f64 = 130.0;

impl Entry {
    fn name(&self) -> String {
        match self {
            Self::Strategy(name) => name.clone(),
            Self::Expert => "expert".to_owned(),
            Self::Cell(kind) => kind.name().to_owned(),
            Self::Sign(sign) => sign.name().to_owned(),
            Self::Point(strategy) => format!("inferred point of {strategy}"),
        }
    }

    fn sample(&self) -> f64 {
        match self {
            Self::Cell(_) | Self::Sign(_) => 9.0,
            Self::Point(_) => 6.0,
            _ => SAMPLE,
        }
    }

    /// A little wider than in our font, as other fonts may be.
    fn width(&self) -> f64 {
        let name = text::width(&self.name(), LABEL).min(NAME);
        self.sample() + GAP + 1.04 * name
    }

    fn draw(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        let (from, to) = ((x, y), (x + self.sample(), y));
        match self {
            Self::Strategy(name) => strategy(svg, from, to, theme::style(name)),
            Self::Expert => svg.line(from, to, theme::EXPERT, 1.6),
            Self::Cell(kind) => kind.draw(svg, [x, y - 4.5, 9.0, 9.0]),
            Self::Sign(sign) => sign.sample(svg, [x, y - 4.5, 9.0, 9.0]),
            Self::Point(name) => point(svg, (x + 3.0, y), 2.0, theme::style(name).colour),
        }
        let at = (x + self.sample() + GAP, y + 2.6);
        svg.text_within(at, &self.name(), LABEL, Anchor::Start, NAME);
    }
}

fn strategy(svg: &mut Svg, from: (f64, f64), to: (f64, f64), style: Style) {
    marks::line(svg, &[from, to], style);
    let middle = (f64::midpoint(from.0, to.0), from.1);
    marks::marker(svg, middle, style, marks::MARKER);
}

/// Draws the entries in centred rows from `top` on, within `left` to `right`; returns the height.
pub(super) fn draw(svg: &mut Svg, entries: &[Entry], [left, right]: [f64; 2], top: f64) -> f64 {
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
fn rows(entries: &[Entry], width: f64) -> Vec<&[Entry]> {
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
        .map(|n| Entry::Strategy(n.to_owned()));
        assert_eq!(rows(&names, 1000.0).len(), 1);
        let narrow = rows(&names, 200.0);
        assert_eq!(narrow.iter().map(|r| r.len()).sum::<usize>(), 5);
        assert!(narrow.iter().all(|r| row_width(r) <= 200.0));
        assert!(rows(&[], 10.0).is_empty());
    }
}
