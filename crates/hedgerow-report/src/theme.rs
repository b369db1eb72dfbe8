//! How things look: a strategy has the same colour, dash and marker in every figure and on the page.
//!
//! The nine colours are Paul Tol's "muted" scheme, made to be told apart by colour-blind readers.
//! In grey print some of them meet, so no two strategies share dash and marker either.
//!
//! ```
//! use hedgerow_report::theme::{Marker, heat, hex, style};
//!
//! assert_eq!((style("pcse").colour, style("pcse").marker), ("#882255", Marker::Circle));
//! assert_eq!(hex(heat(0.0)), "#ffffff");
//! ```

use serde::Serialize;

/// The shape drawn on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle, point up.
    Triangle,
    /// A filled diamond.
    Diamond,
    /// A filled triangle, point down.
    Down,
    /// A diagonal cross.
    Cross,
    /// An upright cross.
    Plus,
    /// A star.
    Star,
    /// A hollow circle.
    Ring,
}

/// How a strategy looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Style {
    /// Colour on light ground, `#rrggbb`.
    pub colour: &'static str,
    /// Colour on dark ground.
    pub dark: &'static str,
    /// Lengths of dashes and gaps in line widths; empty for a solid line.
    pub dash: &'static [u32],
    /// The marker.
    pub marker: Marker,
}

const fn style_of(
    colour: &'static str,
    dark: &'static str,
    dash: &'static [u32],
    marker: Marker,
) -> Style {
    Style {
        colour,
        dark,
        dash,
        marker,
    }
}

const STYLES: [(&str, Style); 9] = [
    ("bear", style_of("#332288", "#9a8cff", &[], Marker::Square)),
    ("pcse", style_of("#882255", "#f06ba8", &[], Marker::Circle)),
    (
        "pcse-two-timescale",
        style_of("#aa4499", "#d988cc", &[6, 2], Marker::Ring),
    ),
    (
        "random",
        style_of("#999933", "#c2c25c", &[1, 2], Marker::Cross),
    ),
    (
        "eps-greedy",
        style_of("#ddaa33", "#e8c66a", &[4, 2], Marker::Diamond),
    ),
    (
        "max-entropy",
        style_of("#44aa99", "#5cc9b6", &[4, 2, 1, 2], Marker::Down),
    ),
    ("ucb", style_of("#cc6677", "#e88a98", &[2, 2], Marker::Plus)),
    (
        "uniform-generative",
        style_of("#66aadd", "#88ccee", &[8, 2, 2, 2], Marker::Star),
    ),
    (
        "undecided",
        style_of("#117733", "#3fbf6a", &[], Marker::Triangle),
    ),
];

/// How `strategy` looks. One that is not ours takes the look of one that is, always the same.
pub fn style(strategy: &str) -> Style {
    let ours = STYLES.iter().find(|(name, _)| *name == strategy);
    let other = || {
        let number = hedgerow::fingerprint::Fingerprint::of(strategy.as_bytes()).value();
        &STYLES[(number % STYLES.len() as u64) as usize]
    };
    ours.unwrap_or_else(other).1
}

/// Text and axes.
pub const INK: &str = "#222222";
/// Lines that only help the eye.
pub const FAINT: &str = "#e4e4e4";
/// The expert's line.
pub const EXPERT: &str = "#808080";
/// The line of exact inference, and its dashes.
pub const EXACT: &str = "#404040";
/// Lengths of its dashes and gaps, in points.
pub const EXACT_DASH: &str = "3 1.6 0.6 1.6";
/// Cells that the true constraint charges.
pub const TRUTH: &str = "#b2182b";
/// The start.
pub const START: &str = "#0072b2";
/// A goal.
pub const GOAL: &str = "#009e73";
/// Where the expert spends its time.
pub const TIME: &str = "#7f8fa6";
/// Where a strategy walked.
pub const WALK: &str = "#4477aa";
/// What was inferred, under lines that have to be seen on it.
pub const INFERRED: &str = "#f4a742";
/// A wall.
pub const WALL: &str = "#404040";

/// Stops of the heat map, equally spaced: white, yellow, orange, red, dark. Lightness falls all
/// the way, so the order survives grey printing.
const HEAT: [[u8; 3]; 6] = [
    [255, 255, 255],
    [254, 227, 145],
    [254, 178, 76],
    [227, 90, 38],
    [170, 20, 38],
    [80, 5, 30],
];

/// The colour of an inferred cost that is `x` of the largest, `x` in `[0, 1]`.
pub fn heat(x: f64) -> [u8; 3] {
    let x = if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
    let at = x * (HEAT.len() - 1) as f64;
    let i = (at as usize).min(HEAT.len() - 2);
    let share = at - i as f64;
    let mix = |k: usize| {
        let (a, b) = (f64::from(HEAT[i][k]), f64::from(HEAT[i + 1][k]));
        (a + (b - a) * share).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// The colour of something seen, `x` in `[0, 1]`: the same scale without its white, which is left
/// to what was never seen.
pub fn seen(x: f64) -> [u8; 3] {
    let x = if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
    heat(0.12 + 0.88 * x)
}

/// A colour as `#rrggbb`.
pub fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn rgb(hex: &str) -> [f64; 3] {
        let part = |i: usize| f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap());
        [part(1), part(3), part(5)]
    }

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(rgb: [f64; 3]) -> f64 {
        let part = |x: f64| match x / 255.0 {
            x if x <= 0.04045 => x / 12.92,
            x => ((x + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * part(rgb[0]) + 0.7152 * part(rgb[1]) + 0.0722 * part(rgb[2])
    }

    #[test]
    fn every_strategy_has_its_own_look() {
        for entry in hedgerow::explore::STRATEGIES {
            assert!(STYLES.iter().any(|(name, _)| *name == entry.info.name));
        }
        let colours: HashSet<_> = STYLES.iter().map(|(_, s)| s.colour).collect();
        let darks: HashSet<_> = STYLES.iter().map(|(_, s)| s.dark).collect();
        let markers: HashSet<_> = STYLES.iter().map(|(_, s)| s.marker).collect();
        assert_eq!((colours.len(), darks.len(), markers.len()), (9, 9, 9));
        assert_eq!(style("some-other"), style("some-other"));
    }

    #[test]
    fn lines_stand_out_from_their_ground() {
        let contrast = |a: f64, b: f64| (a.max(b) + 0.05) / (a.min(b) + 0.05);
        let dark_ground = luminance(rgb("#14171c"));
        for (name, s) in STYLES {
            let light = contrast(luminance(rgb(s.colour)), 1.0);
            let dark = contrast(luminance(rgb(s.dark)), dark_ground);
            assert!(light >= 2.0, "{name}: {light}");
            assert!(dark >= 4.5, "{name}: {dark}");
        }
    }

    #[test]
    fn heat_darkens_all_the_way() {
        assert_eq!(heat(0.0), [255, 255, 255]);
        assert_eq!(heat(1.0), [80, 5, 30]);
        assert_eq!((heat(-1.0), heat(2.0)), (heat(0.0), heat(1.0)));
        assert_eq!(heat(f64::NAN), heat(0.0));
        assert_eq!(hex(heat(0.2)), "#fee391");
        let lights: Vec<f64> = (0..=50)
            .map(|i| luminance(heat(f64::from(i) / 50.0).map(f64::from)))
            .collect();
        assert!(lights.windows(2).all(|w| w[1] < w[0]));
        assert_eq!((seen(0.0), seen(1.0)), (heat(0.12), heat(1.0)));
        assert!(luminance(seen(0.0).map(f64::from)) < 0.93);
    }
}
