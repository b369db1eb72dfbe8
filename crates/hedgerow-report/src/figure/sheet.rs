//! A sheet of panels with curves: one column per environment, one row per metric.

use super::plot::Plot;
use crate::curves::Axis;
use crate::draw::legend::{self, Entry};
use crate::draw::panel::{Panel, TITLE_HEIGHT, X_NUMBERS};
use crate::draw::svg::{Anchor, Svg, number};
use crate::draw::text::{LABEL, SMALL};
use crate::draw::{marks, width_of};
use crate::theme;

/// The panels, row by row; where there is nothing to draw there is no panel.
#[derive(Debug)]
pub(super) struct Sheet {
    pub rows: Vec<Vec<Option<Plot>>>,
    pub axis: Axis,
    /// Remarks under the legend.
    pub remarks: Vec<String>,
}

/// Height of a panel.
const HEIGHT: f64 = 88.0;
/// Room at the sides of the sheet, and between panels.
const MARGIN: f64 = 5.0;
const LABEL_ROOM: f64 = 12.0;

impl Sheet {
    /// The drawing.
    pub fn draw(&self, title: &str, caption: &str) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = width_of(columns);
        let mut svg = Svg::default();
        let mut y = MARGIN;
        for (r, row) in self.rows.iter().enumerate() {
            if row
                .iter()
                .enumerate()
                .any(|(c, p)| p.is_some() && self.titled(r, c))
            {
                y += TITLE_HEIGHT;
            }
            self.draw_row(&mut svg, r, y, [width, columns as f64]);
            y += HEIGHT;
            y += match row
                .iter()
                .enumerate()
                .any(|(c, p)| p.is_some() && self.numbered(r, c))
            {
                true => X_NUMBERS + 4.0,
                false => 9.0,
            };
        }
        svg.text(
            (width / 2.0, y + 5.0),
            self.axis.label(),
            LABEL,
            Anchor::Middle,
        );
        y += 13.0;
        y += legend::draw(&mut svg, &self.entries(), [MARGIN, width - MARGIN], y);
        for remark in &self.remarks {
            y += 9.0;
            let room = width - 2.0 * MARGIN;
            svg.text_within((width / 2.0, y), remark, SMALL, Anchor::Middle, room);
        }
        svg.finish(width, y + MARGIN, title, caption)
    }

    fn plot(&self, row: usize, column: usize) -> Option<&Plot> {
        self.rows.get(row)?.get(column)?.as_ref()
    }

    /// Whether a panel needs its title: the one above is of another environment.
    fn titled(&self, row: usize, column: usize) -> bool {
        let above = row.checked_sub(1).and_then(|r| self.plot(r, column));
        let here = self.plot(row, column).map(|p| &p.env);
        above.map(|p| &p.env) != here
    }

    /// Whether a panel needs the numbers of its horizontal axis.
    fn numbered(&self, row: usize, column: usize) -> bool {
        let here = self.plot(row, column).map(|p| &p.env);
        self.plot(row + 1, column).map(|p| &p.env) != here
    }

    fn draw_row(&self, svg: &mut Svg, r: usize, top: f64, [width, columns]: [f64; 2]) {
        let rooms = self.rows.iter().flatten().flatten();
        let room = rooms.map(|p| place(p, [0.0, 0.0, 1.0]).y_room());
        let room = room.fold(0.0, f64::max) + MARGIN;
        let left = MARGIN + LABEL_ROOM;
        let panel_width = (width - left - MARGIN - 2.0) / columns - room;
        for (c, plot) in self.rows[r].iter().enumerate() {
            let Some(plot) = plot else { continue };
            let x = left + (c as f64 + 1.0) * room + c as f64 * panel_width;
            let panel = place(plot, [x, top, panel_width]);
            if self.titled(r, c) {
                panel.title(svg, &plot.env);
            }
            panel.y_axis(svg);
            panel.x_axis(svg, self.numbered(r, c));
            panel.inside(svg, |svg| curves(svg, plot, &panel));
        }
        if let Some(plot) = self.rows[r].iter().flatten().next() {
            let at = (MARGIN + 8.0, top + HEIGHT / 2.0);
            svg.turned_text(at, plot.metric.label, LABEL, Anchor::Middle, true);
        }
    }

    /// Every strategy once, and the expert.
    fn entries(&self) -> Vec<Entry<'_>> {
        let mut lines: Vec<(usize, &str)> = Vec::new();
        let plots = || self.rows.iter().flatten().flatten();
        for line in plots().flat_map(|p| &p.lines) {
            if !lines.iter().any(|(_, name)| *name == line.strategy) {
                lines.push((line.order, &line.strategy));
            }
        }
        lines.sort_unstable();
        let names = lines.into_iter();
        let mut entries: Vec<Entry> = names.map(|(_, name)| Entry::strategy(name)).collect();
        if plots().any(|p| p.expert.is_some()) {
            entries.push(Entry::expert());
        }
        if plots().any(|p| p.exact.is_some()) {
            entries.push(Entry::exact());
        }
        entries
    }
}

fn place(plot: &Plot, [left, top, width]: [f64; 3]) -> Panel {
    Panel {
        left,
        top,
        width,
        height: HEIGHT,
        x: plot.x,
        y: plot.y,
    }
}

fn curves(svg: &mut Svg, plot: &Plot, panel: &Panel) {
    let across = |svg: &mut Svg, value: f64, look: &str| {
        let (_, y) = panel.point(plot.x.value(0.0), value);
        let data = format!("M0 {y}H{w}", y = number(y), w = number(panel.width));
        svg.path(&data, look);
    };
    if let Some(expert) = plot.expert {
        let look = format!("stroke=\"{}\" stroke-width=\"1.6\"", theme::EXPERT);
        across(svg, expert, &look);
    }
    let at = |x: &[f64], y: &[f64]| -> Vec<(f64, f64)> {
        let points: Vec<(f64, f64)> = x.iter().zip(y).map(|(&x, &y)| panel.point(x, y)).collect();
        steps(&points)
    };
    for line in plot.lines.iter().filter(|l| l.curve.seeds > 1) {
        let mut outline = at(&line.curve.x, &line.curve.low);
        let upper = at(&line.curve.x, &line.curve.high);
        outline.extend(upper.into_iter().rev());
        marks::band(svg, &outline, theme::style(&line.strategy));
    }
    for line in &plot.lines {
        let points = at(&line.curve.x, &line.curve.mean);
        marks::line(svg, &points, theme::style(&line.strategy));
    }
    if let Some(exact) = plot.exact {
        // On top: it is thin, and curves end on it.
        across(svg, exact, &marks::exact_look());
    }
    for line in &plot.lines {
        let points = at(&line.curve.x, &line.curve.mean);
        // The same distances in all panels, others for every strategy: markers of lines that
        // run together stand side by side.
        let offset = marker_offset(line.order, plot.strategies);
        let apart = (panel.width + panel.height) / 3.0;
        let places = (0..MARKERS).map(|i| (f64::from(i) + offset) * apart);
        for point in places.map_while(|place| on_line(&points, place)) {
            marks::marker(svg, point, theme::style(&line.strategy), marks::MARKER);
        }
    }
}

/// The corners of a line that stays where it was until its next point.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let ((_, before), (x, y)) = (pair[0], pair[1]);
        if y != before {
            corners.extend([(x, before), (x, y)]);
        }
    }
    if let (Some(&end), true) = (points.last(), corners.last() != points.last()) {
        corners.push(end);
    }
    corners
}

/// The most markers on a line.
const MARKERS: u32 = 5;

/// Where the first marker of a strategy stands, as a share of the distance to the next.
fn marker_offset(order: usize, strategies: usize) -> f64 {
    (order as f64 + 0.5) / strategies.max(1) as f64
}

/// The point of a line `distance` along it: steep parts, where lines differ most, get their
/// markers too, but where they end, at a value that the line has. `None` beyond its end.
fn on_line(points: &[(f64, f64)], distance: f64) -> Option<(f64, f64)> {
    let mut left = distance;
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let here = libm::hypot(b.0 - a.0, b.1 - a.1);
        if left <= here && here > 0.0 {
            if a.0 == b.0 {
                return Some(b);
            }
            let mix = |a: f64, b: f64| a + left / here * (b - a);
            return Some((mix(a.0, b.0), mix(a.1, b.1)));
        }
        left -= here;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_lies_on_its_line() {
        let points = [(0.0, 0.0), (3.0, 4.0), (3.0, 4.0), (13.0, 4.0)];
        assert_eq!(on_line(&points, 2.5), Some((1.5, 2.0)));
        assert_eq!(on_line(&points, 7.5), Some((5.5, 4.0)));
        assert_eq!(on_line(&points, 15.0), Some((13.0, 4.0)));
        assert_eq!(on_line(&points, 15.5), None);
        assert_eq!(on_line(&points[..1], 0.0), None);
    }

    #[test]
    fn a_line_goes_in_steps_and_its_markers_stand_on_them() {
        let points = [(0.0, 5.0), (1.0, 5.0), (2.0, 3.0), (4.0, 3.0)];
        let corners = [(0.0, 5.0), (2.0, 5.0), (2.0, 3.0), (4.0, 3.0)];
        assert_eq!(steps(&points), corners);
        assert_eq!(steps(&points[..1]), [(0.0, 5.0)]);
        assert_eq!(steps(&[]), []);
        assert_eq!(on_line(&corners, 1.5), Some((1.5, 5.0)));
        assert_eq!(on_line(&corners, 2.5), Some((2.0, 3.0)));
        assert_eq!(on_line(&corners, 5.0), Some((3.0, 3.0)));
    }

    #[test]
    fn no_two_strategies_have_markers_in_one_place() {
        let offsets: Vec<f64> = (0..9).map(|i| marker_offset(i, 9)).collect();
        assert!(offsets.windows(2).all(|w| w[1] - w[0] > 0.1));
        assert!(offsets.iter().all(|o| (0.0..1.0).contains(o)));
    }
}
