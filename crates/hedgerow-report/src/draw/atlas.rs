//! Maps of one environment side by side: strategies as rows, moments of learning as columns.

use crate::draw::WIDE;
use crate::draw::ground::Ground;
use crate::draw::legend::Entry;
use crate::draw::map::CellKind;
use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::{self, LABEL, SMALL, TITLE};
use hedgerow::results::{EnvironmentFile, SavedRun};

/// Room at the sides of the sheet.
pub const MARGIN: f64 = 6.0;
/// Room between maps, and for names of strategies.
const GAP: f64 = 5.0;
const NAME: f64 = 86.0;
/// The most that all rows may take.
const HEIGHT: f64 = 620.0;

/// Where everything stands on the sheet.
#[derive(Clone, Copy, Debug)]
pub struct Atlas<'a> {
    /// A map of the size that all have.
    map: Ground<'a>,
    /// Width of the sheet.
    pub width: f64,
    /// The left side of the first column.
    left: f64,
}

impl<'a> Atlas<'a> {
    /// A row for each of `names`, with maps of at most `side`; `None` for an environment that cannot
    /// be drawn.
    pub fn new(
        environment: &'a EnvironmentFile,
        names: &[&str],
        columns: usize,
        side: f64,
    ) -> Option<Self> {
        let widths = names.iter().map(|n| 1.04 * text::width(n, LABEL));
        let name = widths
            .fold(text::width("1000 samples each", SMALL), f64::max)
            .min(NAME);
        let map = Ground::within(environment, side)?;
        let high = (HEIGHT / names.len() as f64 - GAP) / map.height();
        let across = (WIDE - 2.0 * MARGIN - name - GAP) / columns as f64 - GAP;
        let map = map.scaled((across / map.width()).min(high).min(1.0));
        let content = name + GAP + columns as f64 * (map.width() + GAP);
        let width = (content + 2.0 * MARGIN).max(300.0);
        Some(Self {
            map,
            width,
            left: (width - content) / 2.0 + name + GAP,
        })
    }

    /// The middle of a column.
    fn middle(&self, column: usize) -> f64 {
        let w = self.map.width();
        self.left + column as f64 * (w + GAP) + w / 2.0
    }

    /// The map in a column, its upper side at `top`.
    pub fn map(&self, column: usize, top: f64) -> Ground<'a> {
        let left = self.left + column as f64 * (self.map.width() + GAP);
        self.map.at(left, top)
    }

    /// From the top of a row to the next one.
    pub fn row(&self) -> f64 {
        self.map.height() + GAP
    }

    /// The iterations above their columns, and what stands above the last one, if it is none of
    /// them; returns the top of the first row.
    pub fn heads(&self, svg: &mut Svg, iterations: &[String], last: Option<&str>) -> f64 {
        let many = iterations.len();
        let middle = f64::midpoint(self.middle(0), self.middle(many.saturating_sub(1)));
        let label = if many == 1 { "iteration" } else { "iterations" };
        svg.text((middle, MARGIN + 7.0), label, LABEL, Anchor::Middle);
        let y = MARGIN + 18.0;
        let all = iterations.iter().map(String::as_str).chain(last);
        for (i, head) in all.enumerate() {
            svg.text((self.middle(i), y), head, TITLE, Anchor::Middle);
        }
        y + 4.0
    }

    /// The name of the strategy whose row begins at `top`, and the samples an iteration takes it:
    /// iterations of different strategies are not the same amount of work.
    pub fn name(&self, svg: &mut Svg, top: f64, strategy: &str, pace: f64) {
        let (x, y) = (self.left - GAP, top + self.map.height() / 2.0);
        svg.text_within((x, y - 0.5), strategy, LABEL, Anchor::End, NAME);
        let pace = format!("{pace:.0} samples each");
        svg.text_within((x, y + 7.5), &pace, SMALL, Anchor::End, NAME);
    }

    /// What the maps have in common, for the legend: start, goals, walls, one-way cells.
    pub fn entries(&self) -> Vec<Entry<'static>> {
        let drawn = self.map.truth(&mut Svg::default());
        let has = |kind: CellKind| drawn.contains(&kind);
        let arrows = drawn.iter().find(|k| matches!(k, CellKind::OneWay(..)));
        let mut entries = Vec::new();
        if has(CellKind::StartDot) {
            entries.push(Entry::cell(CellKind::StartDot));
        }
        entries.extend(Entry::goals([self.map.environment()], true));
        for kind in [CellKind::End, CellKind::Wall] {
            if has(kind) {
                entries.push(Entry::cell(kind));
            }
        }
        entries.extend(arrows.map(|kind| Entry::cell(*kind)));
        entries
    }
}

/// Samples per iteration on average.
pub fn pace(runs: &[&SavedRun]) -> f64 {
    let (mut samples, mut iterations) = (0.0, 0.0);
    for last in runs.iter().map(|r| &r.summary().last) {
        samples += last.samples as f64;
        iterations += last.iteration as f64;
    }
    if iterations > 0.0 {
        samples / iterations
    } else {
        0.0
    }
}
