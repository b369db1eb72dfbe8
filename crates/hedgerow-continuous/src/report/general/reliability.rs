//! Whether probabilities mean what they say: predicted against observed.

use super::{seeds, summary};
use crate::general::calibration::{Bin, Reliability};
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow_report::draw::legend::{self, Entry};
use hedgerow_report::draw::marks;
use hedgerow_report::draw::panel::{Panel, TITLE_HEIGHT, X_NUMBERS};
use hedgerow_report::draw::scale::Scale;
use hedgerow_report::draw::svg::{Anchor, Svg, path};
use hedgerow_report::draw::text::{LABEL, SMALL, wrapped};
use hedgerow_report::draw::{Figure, width_of};
use hedgerow_report::theme;

const MARGIN: f64 = 6.0;
const AXIS: f64 = 32.0;
const GAP: f64 = 16.0;
/// Bins with fewer pairs are chance, and left out.
const FEWEST: u64 = 5;

/// The curves of a strategy: on held-out pairs, and against the truth.
struct Curves<'a> {
    strategy: &'a str,
    curves: [Vec<(f64, f64)>; 2],
}

impl<'a> Curves<'a> {
    fn new(strategy: &'a str, runs: &[&SavedRun]) -> Self {
        let known: Vec<_> = runs.iter().filter_map(|r| summary(r)).collect();
        let held_out = known.iter().map(|s| &s.held_out);
        let truth = known.iter().filter_map(|s| s.comparison.as_ref());
        Self {
            strategy,
            curves: [pooled(held_out), pooled(truth.map(|c| &c.reliability))],
        }
    }
}

/// The bins of all seeds together: predicted and observed, those with too few pairs left out.
fn pooled<'a>(all: impl Iterator<Item = &'a Reliability>) -> Vec<(f64, f64)> {
    let mut bins: Vec<Bin> = Vec::new();
    for curve in all {
        bins.resize(bins.len().max(curve.bins.len()), Bin::default());
        for (sum, bin) in bins.iter_mut().zip(&curve.bins) {
            sum.count += bin.count;
            sum.predicted += bin.predicted * bin.count as f64;
            sum.observed += bin.observed * bin.count as f64;
        }
    }
    let enough = bins.iter().filter(|b| b.count >= FEWEST);
    let mean = |b: &Bin| {
        let n = b.count as f64;
        (b.predicted / n, b.observed / n)
    };
    enough.map(mean).collect()
}

/// `reliability-ENV`; none if no run has a curve.
pub(super) fn figure(results: &Results, environment: &EnvironmentFile) -> Option<Figure> {
    let env = environment.name.as_str();
    let mut all = Vec::new();
    let mut most = 0;
    for strategy in results.strategy_names() {
        let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
        let curves = Curves::new(strategy, &runs);
        if curves.curves.iter().any(|c| !c.is_empty()) {
            most = most.max(runs.len());
            all.push(curves);
        }
    }
    if all.is_empty() {
        return None;
    }
    let title = format!("Reliability in {env}");
    let caption = format!(
        "How probable charged pairs are by the inferred constraint, in ten bins, and the share of them that is \
         charged ({}; bins with fewer than {FEWEST} pairs are left out). Left: episodes held out from training, with \
         labels from fitted advantages, the only ones a learner has. Right: the true constraint. On the grey line \
         probabilities mean what they say; above it too little is charged, below it too much.",
        seeds(most)
    );
    let svg = draw(&all, &title, &caption);
    Some(Figure {
        name: format!("reliability-{env}"),
        title,
        caption,
        svg,
    })
}

fn draw(all: &[Curves], title: &str, caption: &str) -> String {
    let heads = ["held-out pairs, fitted labels", "compared pairs, the truth"];
    let there = |i: &usize| all.iter().any(|c| !c.curves[*i].is_empty());
    let shown: Vec<usize> = (0..2).filter(there).collect();
    let width = width_of(shown.len().max(2));
    let count = shown.len().max(1) as f64;
    let side = (width_of(2) - 2.0 * MARGIN - AXIS - GAP) / 2.0;
    let all_wide = AXIS + count * (side + GAP) - GAP;
    let left = (width - all_wide) / 2.0 + AXIS;
    let top = MARGIN + TITLE_HEIGHT;
    let mut svg = Svg::default();
    for (place, &i) in shown.iter().enumerate() {
        let panel = Panel {
            left: left + place as f64 * (side + GAP),
            top,
            width: side,
            height: side,
            x: Scale::linear(0.0, 1.0).padded(0.03),
            y: Scale::linear(0.0, 1.0).padded(0.03),
        };
        panel.title(&mut svg, heads[i]);
        if place == 0 {
            panel.y_axis(&mut svg);
        } else {
            let ends = [(panel.left, top), (panel.left, top + side)];
            svg.line(ends[0], ends[1], theme::INK, 0.6);
        }
        panel.x_axis(&mut svg, true);
        panel.inside(&mut svg, |svg| lines(svg, &panel, all, i));
    }
    svg.turned_text(
        (left - AXIS + 7.0, top + side / 2.0),
        "observed share",
        LABEL,
        Anchor::Middle,
        true,
    );
    let mut y = top + side + X_NUMBERS + 9.0;
    let middle = left + (all_wide - AXIS) / 2.0;
    svg.text((middle, y), "predicted probability", LABEL, Anchor::Middle);
    y += 5.0;
    let mut entries: Vec<Entry> = all.iter().map(|c| Entry::strategy(c.strategy)).collect();
    entries.push(Entry::new("as it should be", 20.0, |svg, (x, y)| {
        svg.path(&path(&[(x, y), (x + 20.0, y)]), &ideal());
    }));
    y += legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y) + 2.0;
    let remark = "Above the grey line too little is charged, below it too much.";
    for line in wrapped(remark, width - 2.0 * MARGIN) {
        y += 8.0;
        svg.text((width / 2.0, y), &line, SMALL, Anchor::Middle);
    }
    svg.finish(width, y + MARGIN, title, caption)
}

/// The curves of number `i` and the line that they should be on.
fn lines(svg: &mut Svg, panel: &Panel, all: &[Curves], i: usize) {
    let ends = [panel.point(0.0, 0.0), panel.point(1.0, 1.0)];
    svg.path(&path(&ends), &ideal());
    for curves in all {
        let style = theme::style(curves.strategy);
        let points = curves.curves[i].iter().map(|&(x, y)| panel.point(x, y));
        let points: Vec<(f64, f64)> = points.collect();
        if points.len() > 1 {
            marks::line(svg, &points, style);
        }
        for &at in &points {
            marks::marker(svg, at, style, marks::MARKER);
        }
    }
}

fn ideal() -> String {
    format!("stroke=\"{}\" stroke-width=\"1.2\"", theme::EXPERT)
}
