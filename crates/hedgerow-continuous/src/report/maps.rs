//! What strategies know of a maze in the end: the fitted value, and where their samples lie.

use super::ground::{BELOW, BESIDE, Ground, Sign, X_LABEL, Y_LABEL};
use super::shown::{shown, summary};
use crate::payload::MazeSummary;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow_report::draw::Figure;
use hedgerow_report::draw::bar::Bar;
use hedgerow_report::draw::legend::{self, Entry};
use hedgerow_report::draw::map::CellKind;
use hedgerow_report::draw::scale::Scale;
use hedgerow_report::draw::svg::{Anchor, Svg, number};
use hedgerow_report::draw::text::{self, LABEL, SMALL, TITLE, grouped};
use hedgerow_report::theme;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The strategies shown, if there are any of them; else the first with a run.
const SHOWN: [&str; 3] = ["pcse", "random", "undecided"];
/// Shades of a map: more cannot be told apart.
const SHADES: usize = 48;
/// Room at the sides, between maps, and for names.
const MARGIN: f64 = 6.0;
const GAP: f64 = 16.0;
const NAME: f64 = 80.0;
/// The longer side of a map at most, and the height of all at most.
const SIDE: f64 = 164.0;
const HEIGHT: f64 = 600.0;

/// The mean over the seeds, tile by tile.
struct Known<'a> {
    strategy: &'a str,
    seeds: usize,
    samples: f64,
    tiles: Tiles,
    /// None where no seed saw anything.
    value: Vec<Option<f64>>,
    density: Vec<Option<f64>>,
}

/// How a maze is cut into tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tiles {
    side: f64,
    columns: usize,
    rows: usize,
}

impl Tiles {
    fn of(summary: &MazeSummary) -> Self {
        Self {
            side: summary.tile,
            columns: summary.columns,
            rows: summary.rows,
        }
    }
}

impl<'a> Known<'a> {
    fn new(strategy: &'a str, runs: &[&SavedRun]) -> Option<Self> {
        let mut alike: Vec<MazeSummary> = runs.iter().filter_map(|r| summary(r)).collect();
        let tiles = Tiles::of(alike.first()?);
        alike.retain(|s| Tiles::of(s) == tiles);
        let n = alike.len() as f64;
        let samples: u64 = runs.iter().map(|r| r.summary().last.samples).sum();
        let count = tiles.columns * tiles.rows;
        let value = |i: usize| {
            let seen: Vec<f64> = alike.iter().filter_map(|s| s.value[i]).collect();
            (!seen.is_empty()).then(|| seen.iter().sum::<f64>() / seen.len() as f64)
        };
        let density = |i: usize| {
            let share = alike.iter().map(|s| s.density[i]).sum::<f64>() / n;
            (share > 0.0).then_some(share)
        };
        Some(Self {
            strategy,
            seeds: alike.len(),
            samples: samples as f64 / runs.len() as f64,
            tiles,
            value: (0..count).map(value).collect(),
            density: (0..count).map(density).collect(),
        })
    }
}

impl Known<'_> {
    /// The strategy and its samples, left of the point `at`.
    fn label(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        svg.text_within((x, y - 0.5), self.strategy, LABEL, Anchor::End, NAME);
        let samples = format!("{} samples", grouped(self.samples));
        svg.text_within((x, y + 8.0), &samples, SMALL, Anchor::End, NAME);
    }
}

/// `maze-maps-ENV`; none if nothing is known of it.
pub(super) fn figure(results: &Results, environment: &EnvironmentFile) -> Option<Figure> {
    let ground = Ground::within(environment, SIDE)?;
    let env = environment.name.as_str();
    let runs = shown(results, env, &SHOWN);
    let rows: Vec<Known> = runs
        .iter()
        .filter_map(|(strategy, runs)| Known::new(strategy, runs))
        .collect();
    let most = rows.iter().map(|r| r.seeds).max()?;
    let mean = match most {
        1 => "one seed".to_owned(),
        n => format!("mean over {n} seeds"),
    };
    let title = format!("What is known of {env}");
    let caption = format!(
        "The maze {env} at the end of the runs, {mean}, in tiles of {} m. Left: the expert\u{2019}s \
         discounted reward from there on, as fitted to the samples. Right: the share of the samples \
         that fell into a tile, logarithmic. White tiles were never seen.",
        number(rows[0].tiles.side)
    );
    let svg = draw(&ground, &rows, &mean, [&title, &caption])?;
    Some(Figure {
        name: format!("maze-maps-{env}"),
        title,
        caption,
        svg,
    })
}

/// The smallest and the largest of all.
fn range<'a>(values: impl Iterator<Item = &'a Option<f64>>) -> Option<(f64, f64)> {
    let values = values.flatten().map(|v| (*v, *v));
    values.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The scales of value and density that hold all rows.
fn scales(rows: &[Known]) -> [Scale; 2] {
    let value = range(rows.iter().flat_map(|r| &r.value)).unwrap_or((0.0, 1.0));
    let density = range(rows.iter().flat_map(|r| &r.density)).unwrap_or((0.001, 1.0));
    [
        Scale::linear(value.0, value.1),
        Scale::log(density.0, density.1),
    ]
}

fn draw(
    ground: &Ground,
    rows: &[Known],
    mean: &str,
    [title, caption]: [&str; 2],
) -> Option<String> {
    let [value, density] = scales(rows);
    let fits = (HEIGHT / rows.len() as f64 - GAP - BELOW) / ground.height();
    let mut ground = ground.clone();
    ground.resize(fits.min(1.0));
    let (w, h) = (ground.width(), ground.height());
    // A colour bar and its label need as much.
    let share = (w + BESIDE).max(196.0) + GAP;
    let names = rows.iter().map(|r| 1.04 * text::width(r.strategy, LABEL));
    let name = names.fold(62.0, f64::max).min(NAME);
    let width = 2.0 * MARGIN + name + 2.0 * share;
    // The axis to the left of a map belongs to it.
    let middle = |i: usize| MARGIN + name + (i as f64 + 0.5) * share + BESIDE / 2.0;
    let mut svg = Svg::default();
    let mut y = MARGIN + 10.0;
    for (i, head) in ["fitted value", "samples"].iter().enumerate() {
        svg.text((middle(i), y), head, TITLE, Anchor::Middle);
    }
    y += 5.0;
    for row in rows {
        row.label(&mut svg, (MARGIN + name, y + h / 2.0));
        let columns = [(&row.value, value), (&row.density, density)];
        for (i, (values, scale)) in columns.into_iter().enumerate() {
            let corner = [middle(i) - w / 2.0, y];
            ground.clipped(&mut svg, corner, |svg, ground| {
                tiles(svg, ground, row.tiles, values, scale);
                ground.walls(svg);
                ground.outlines(svg);
            });
            ground.axes(&mut svg, corner, true);
            let below = (middle(i), y + h + BELOW - 2.0);
            svg.text(below, X_LABEL, SMALL, Anchor::Middle);
            let beside = (corner[0] - BESIDE + 8.0, y + h / 2.0);
            svg.turned_text(beside, Y_LABEL, SMALL, Anchor::Middle, true);
        }
        y += h + BELOW + GAP / 2.0;
    }
    y += 4.0;
    let end = bars(&mut svg, [value, density], [middle(0), middle(1)], y);
    y = end + 4.0;
    let entries = entries(&ground);
    y += legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y) + 9.0;
    let remark = format!(
        "Tiles of {} m, {mean}; values are estimates.",
        number(rows.first()?.tiles.side)
    );
    svg.text((width / 2.0, y), &remark, SMALL, Anchor::Middle);
    Some(svg.finish(width, y + MARGIN, title, caption))
}

/// The colour bars of value and density; gives where they end.
fn bars(svg: &mut Svg, [value, density]: [Scale; 2], middles: [f64; 2], top: f64) -> f64 {
    let bars = [
        (value, "the expert\u{2019}s discounted reward from there on"),
        (density, "share of the samples in a tile"),
    ];
    let mut end = top;
    for ((scale, label), middle) in bars.into_iter().zip(middles) {
        let bar = Bar {
            scale,
            shade: theme::seen,
            label,
        };
        end = bar.draw(svg, [middle, top]);
    }
    end
}

fn entries(ground: &Ground) -> Vec<Entry<'static>> {
    let wall = ground.walled().then(|| Entry::cell(CellKind::Wall));
    let signs = ground.signs().into_iter();
    let outlined = signs.filter(|s| *s != Sign::Trajectory).map(Sign::entry);
    let unseen = std::iter::once(Sign::Unseen.entry());
    unseen.chain(wall).chain(outlined).collect()
}

/// The tiles in as many shapes as there are shades. Edges stay sharp: no seams between tiles.
fn tiles(svg: &mut Svg, ground: &Ground, tiles: Tiles, values: &[Option<f64>], scale: Scale) {
    let mut shapes: BTreeMap<usize, String> = BTreeMap::new();
    let shade = |i: usize| {
        let place = scale.place((*values.get(i)?)?).clamp(0.0, 1.0);
        Some((place * (SHADES - 1) as f64).round() as usize)
    };
    for row in 0..tiles.rows {
        let mut column = 0;
        while column < tiles.columns {
            let at = row * tiles.columns + column;
            let Some(colour) = shade(at) else {
                column += 1;
                continue;
            };
            let left = tiles.columns - column;
            let same = (1..left).take_while(|n| shade(at + n) == Some(colour));
            let run = 1 + same.count();
            let top = tiles.rows - row - 1;
            let data = shapes.entry(colour).or_default();
            let _ = write!(data, "M{column} {top}h{run}v1h-{run}z");
            column += run;
        }
    }
    let side = tiles.side * ground.scale();
    // The tiles begin at the lower left corner of the map.
    let (x, bottom) = ground.corner();
    let (x, y) = (number(x), number(bottom - side * tiles.rows as f64));
    for (i, data) in shapes {
        let colour = theme::hex(theme::seen(i as f64 / (SHADES - 1) as f64));
        svg.path(
            &data,
            &format!(
                "fill=\"{colour}\" shape-rendering=\"crispEdges\" \
                 transform=\"translate({x} {y}) scale({side:.4})\""
            ),
        );
    }
}
