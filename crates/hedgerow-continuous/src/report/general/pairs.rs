//! Which pairs a constraint charges: their places on two axes that the world names, and the true
//! boundary.

use super::super::shown::shown;
use super::{moment, seeds, shown_pairs};
use crate::general::payload::ShownPairs;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow_report::draw::bar::Bar;
use hedgerow_report::draw::legend::{self, Entry};
use hedgerow_report::draw::marks::circle;
use hedgerow_report::draw::moments::{Moment, moments};
use hedgerow_report::draw::panel::{Panel, TITLE_HEIGHT, X_NUMBERS};
use hedgerow_report::draw::scale::Scale;
use hedgerow_report::draw::svg::{Anchor, Svg, path};
use hedgerow_report::draw::text::{LABEL, SMALL, grouped, wrapped};
use hedgerow_report::draw::{Figure, WIDE};
use hedgerow_report::theme;

/// The strategies shown, if there are any of them; else the first with a run.
const SHOWN: [&str; 2] = ["pcse", "random"];
/// Moments side by side: the first, the last of the first half, and the end.
const ACROSS: usize = 3;
/// Room at the sides, left of a row of panels and between panels.
const MARGIN: f64 = 6.0;
const AXIS: f64 = 32.0;
const GAP: f64 = 12.0;
const HIGH: f64 = 122.0;
/// Radius of a pair.
const RADIUS: f64 = 2.1;
/// Dashes of the lines where the constraint begins, one after another.
const DASHES: [&str; 3] = ["4 2", "1.2 1.6", "6 1.5 1.2 1.5"];

/// One panel: how probable it is that each pair is charged, mean over the seeds.
struct Charged {
    title: String,
    /// Of every pair: probability, and whether it is truly constrained.
    pairs: Vec<(f64, bool)>,
}

impl Charged {
    fn new(moment_of: Moment, strategy: &str, runs: &[&SavedRun], count: usize) -> Option<Self> {
        let shots: Vec<_> = runs.iter().filter_map(|r| moment_of.of(r)).collect();
        let samples: u64 = shots.iter().map(|s| s.samples).sum();
        let kept = shots.iter().filter_map(|s| moment(s));
        let kept: Vec<_> = kept.filter(|m| m.pairs.len() == count).collect();
        let n = kept.len() as f64;
        let pair = |i: usize| {
            let sum: f64 = kept.iter().map(|m| m.pairs[i].2).sum();
            (sum / n, kept[0].pairs[i].3)
        };
        let samples = grouped(samples as f64 / shots.len().max(1) as f64);
        (!kept.is_empty()).then(|| Self {
            title: format!("{strategy}, {samples} samples"),
            pairs: (0..count).map(pair).collect(),
        })
    }
}

/// `charged-pairs-ENV`; none if there is nothing to draw.
pub(super) fn figure(results: &Results, environment: &EnvironmentFile) -> Option<Figure> {
    let view = shown_pairs(environment)?;
    let env = environment.name.as_str();
    let mut rows = Vec::new();
    let mut most = 0;
    for (strategy, runs) in shown(results, env, &SHOWN) {
        let at = shown_moments(&runs).into_iter();
        let count = view.places.len();
        let panels = at.filter_map(|m| Charged::new(m, strategy, &runs, count));
        let panels: Vec<Charged> = panels.collect();
        if !panels.is_empty() {
            most = most.max(runs.len());
            rows.push(panels);
        }
    }
    if rows.is_empty() {
        return None;
    }
    let title = format!("Charged pairs in {env}");
    let caption = format!(
        "How probable it is by the inferred constraint that a pair is charged ({}), at some moments of \
         learning, for the same {} pairs along the expert\u{2019}s way. Diamonds are truly constrained: they, and the \
         expert after them, pay more than the expert does.",
        seeds(most),
        view.places.len()
    );
    let svg = draw(&view, &rows, &caption, &title);
    Some(Figure {
        name: format!("charged-pairs-{env}"),
        title,
        caption,
        svg,
    })
}

/// The moments to show. In the second half little changes: what was kept last before the end looks like the end.
fn shown_moments(runs: &[&SavedRun]) -> Vec<Moment> {
    let ends = runs.iter().filter_map(|r| r.result.snapshots.last());
    let end = ends.map(|s| s.iteration).max().unwrap_or(0);
    let mut early = moments(runs, usize::MAX);
    early.retain(|m| m.iteration().is_some_and(|i| 2 * i <= end));
    if early.len() > ACROSS - 1 {
        early.drain(1..early.len() - 1);
    }
    early.push(Moment::End);
    early
}

/// A range that holds all pairs.
fn scale(view: &ShownPairs, axis: usize) -> Scale {
    let values = view
        .places
        .iter()
        .map(|p| p[axis])
        .filter(|v| v.is_finite());
    let range = values.map(|v| (v, v));
    let (low, high) = range
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        .unwrap_or((0.0, 1.0));
    Scale::linear(low, high).padded(0.04)
}

fn draw(view: &ShownPairs, rows: &[Vec<Charged>], caption: &str, title: &str) -> String {
    let across = rows.iter().map(Vec::len).max().unwrap_or(1);
    let wide = (WIDE - 2.0 * MARGIN - AXIS - GAP * (ACROSS - 1) as f64) / ACROSS as f64;
    let width = 2.0 * MARGIN + AXIS + across as f64 * (wide + GAP) - GAP;
    let width = width.max(300.0);
    let (x, y) = (scale(view, 0), scale(view, 1));
    let mut svg = Svg::default();
    let mut top = MARGIN;
    for row in rows {
        top += TITLE_HEIGHT;
        for (i, charged) in row.iter().enumerate() {
            let panel = Panel {
                left: MARGIN + AXIS + i as f64 * (wide + GAP),
                top,
                width: wide,
                height: HIGH,
                x,
                y,
            };
            charged.draw(&mut svg, view, panel, i == 0);
        }
        let middle = (MARGIN + 7.0, top + HIGH / 2.0);
        svg.turned_text(middle, &view.y.label, LABEL, Anchor::Middle, true);
        top += HIGH + X_NUMBERS;
        let middle = MARGIN + AXIS + (width - 2.0 * MARGIN - AXIS) / 2.0;
        svg.text((middle, top + 9.0), &view.x.label, LABEL, Anchor::Middle);
        top += 15.0;
    }
    let bar = Bar {
        scale: Scale::linear(0.0, 1.0),
        shade: theme::heat,
        label: "probability that a pair is charged",
    };
    top = bar.draw(&mut svg, [width / 2.0, top + 2.0]);
    let entries = entries(view);
    top += legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], top + 2.0) + 4.0;
    let remark = "Truly constrained: the pair, and the expert after it, pay more than the expert does from there.";
    for line in wrapped(remark, width - 2.0 * MARGIN) {
        top += 8.0;
        svg.text((width / 2.0, top), &line, SMALL, Anchor::Middle);
    }
    svg.finish(width, top + MARGIN, title, caption)
}

impl Charged {
    fn draw(&self, svg: &mut Svg, view: &ShownPairs, panel: Panel, numbers: bool) {
        panel.title(svg, &self.title);
        if numbers {
            panel.y_axis(svg);
        } else {
            let bottom = panel.top + panel.height;
            svg.line(
                (panel.left, panel.top),
                (panel.left, bottom),
                theme::INK,
                0.6,
            );
        }
        panel.x_axis(svg, true);
        panel.inside(svg, |svg| {
            // Those that cost lie on top: they are fewer, and what is missed shall be seen.
            for truly in [false, true] {
                let both = view.places.iter().zip(&self.pairs);
                for (place, (probability, constrained)) in both {
                    if *constrained == truly {
                        let at = panel.point(place[0], place[1]);
                        mark(svg, at, *probability, truly);
                    }
                }
            }
            for (i, (_, points)) in view.boundaries.iter().enumerate() {
                let points = points.iter().map(|p| panel.point(p[0], p[1]));
                let points: Vec<(f64, f64)> = points.collect();
                svg.path(&path(&points), &boundary(i));
            }
        });
    }
}

/// A pair: a diamond if it is truly constrained, else a circle.
fn mark(svg: &mut Svg, (x, y): (f64, f64), probability: f64, truly: bool) {
    let fill = theme::hex(theme::heat(probability));
    let look = format!("fill=\"{fill}\" stroke=\"#555555\" stroke-width=\"0.4\"");
    if truly {
        let r = 1.25 * RADIUS;
        let corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
        svg.path(&format!("{}Z", path(&corners)), &look);
    } else {
        svg.path(&circle((x, y), RADIUS), &look);
    }
}

fn boundary(i: usize) -> String {
    let (colour, dash) = (theme::START, DASHES[i % DASHES.len()]);
    format!("stroke=\"{colour}\" stroke-width=\"1.2\" stroke-dasharray=\"{dash}\"")
}

fn entries(view: &ShownPairs) -> Vec<Entry<'_>> {
    let pair = |name: &'static str, truly: bool| {
        Entry::new(name, 7.0, move |svg, (x, y)| {
            mark(svg, (x + 3.5, y), 0.2, truly);
        })
    };
    let mut entries = vec![
        pair("free pair", false),
        pair("truly constrained pair", true),
    ];
    for (i, (label, _)) in view.boundaries.iter().enumerate() {
        entries.push(Entry::new(label.as_str(), 20.0, move |svg, (x, y)| {
            svg.path(&path(&[(x, y), (x + 20.0, y)]), &boundary(i));
        }));
    }
    entries
}
