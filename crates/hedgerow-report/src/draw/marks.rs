//! Lines, bands and markers of strategies.

use crate::draw::svg::{Svg, number, path};
use crate::theme::{self, Marker, Style};
use std::f64::consts::PI;

/// Width of a strategy's line.
pub const LINE: f64 = 1.05;
/// Half the size of a marker.
pub const MARKER: f64 = 2.1;

/// A line in the look of a strategy.
pub fn line(svg: &mut Svg, points: &[(f64, f64)], style: Style) {
    let dash: Vec<String> = style
        .dash
        .iter()
        .map(|&d| number(f64::from(d) * LINE))
        .collect();
    let dash = match dash.is_empty() {
        true => String::new(),
        false => format!(" stroke-dasharray=\"{}\"", dash.join(" ")),
    };
    let (colour, width) = (style.colour, number(LINE));
    let look = format!("stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"");
    svg.path(&path(points), &format!("{look}{dash}"));
}

/// The look of the line of exact inference.
pub fn exact_look() -> String {
    format!(
        "stroke=\"{}\" stroke-width=\"0.9\" stroke-dasharray=\"{}\"",
        theme::EXACT,
        theme::EXACT_DASH
    )
}

/// A band between two lines, given as one outline.
pub fn band(svg: &mut Svg, outline: &[(f64, f64)], style: Style) {
    let data = format!("{}Z", path(outline));
    let look = format!("fill=\"{}\" fill-opacity=\"0.13\"", style.colour);
    svg.path(&data, &look);
}

/// The marker of a strategy, with a thin light edge so that it stands out from lines.
pub fn marker(svg: &mut Svg, at: (f64, f64), style: Style, size: f64) {
    let (data, filled) = outline(style.marker, at, size);
    let colour = style.colour;
    if filled {
        let look = format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.45\"");
        svg.path(&data, &look);
    } else {
        let ground = match style.marker {
            Marker::Ring => "fill=\"#ffffff\"",
            _ => "fill=\"none\" stroke-linecap=\"round\"",
        };
        if style.marker != Marker::Ring {
            svg.path(&data, "stroke=\"#ffffff\" stroke-width=\"1.9\"");
        }
        let look = format!("{ground} stroke=\"{colour}\" stroke-width=\"1\"");
        svg.path(&data, &look);
    }
}

/// The outline of a marker, and whether it is filled.
fn outline(marker: Marker, (x, y): (f64, f64), r: f64) -> (String, bool) {
    let closed = |points: &[(f64, f64)]| {
        let points: Vec<_> = points.iter().map(|(u, v)| (x + u * r, y + v * r)).collect();
        format!("{}Z", path(&points))
    };
    let stroke = |a: (f64, f64), b: (f64, f64)| {
        path(&[(x + a.0 * r, y + a.1 * r), (x + b.0 * r, y + b.1 * r)])
    };
    match marker {
        Marker::Circle => (circle((x, y), r), true),
        Marker::Ring => (circle((x, y), 0.85 * r), false),
        Marker::Square => (
            closed(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            true,
        ),
        Marker::Triangle => (closed(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]), true),
        Marker::Down => (closed(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]), true),
        Marker::Diamond => (
            closed(&[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)]),
            true,
        ),
        Marker::Cross => {
            let (a, b) = (
                stroke((-0.9, -0.9), (0.9, 0.9)),
                stroke((-0.9, 0.9), (0.9, -0.9)),
            );
            (a + &b, false)
        }
        Marker::Plus => {
            let (a, b) = (
                stroke((-1.2, 0.0), (1.2, 0.0)),
                stroke((0.0, -1.2), (0.0, 1.2)),
            );
            (a + &b, false)
        }
        Marker::Star => {
            let corner = |i: u32| {
                let (angle, far) = (
                    f64::from(i) * PI / 5.0,
                    if i.is_multiple_of(2) { 1.4 } else { 0.6 },
                );
                (far * libm::sin(angle), -far * libm::cos(angle))
            };
            (closed(&(0..10).map(corner).collect::<Vec<_>>()), true)
        }
    }
}

/// A circle as path data.
pub fn circle((x, y): (f64, f64), r: f64) -> String {
    let (left, right, y, r) = (number(x - r), number(x + r), number(y), number(r));
    format!("M{left} {y}A{r} {r} 0 1 0 {right} {y}A{r} {r} 0 1 0 {left} {y}Z")
}
