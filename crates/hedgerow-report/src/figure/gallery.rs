//! How strategies learn the constraint: the inferred cost on the map.

use crate::Reports;
use crate::curves::mean_cost;
use crate::draw::bar::Bar;
use crate::draw::ground::Ground;
use crate::draw::legend::{self, Entry};
use crate::draw::map::CellKind;
use crate::draw::moments::moments;
use crate::draw::scale::Scale;
use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::{self, LABEL, SMALL, TITLE};
use crate::draw::{Figure, WIDE};
use crate::theme;
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use std::collections::BTreeMap;

/// Iterations side by side at most, the end included.
const COLUMNS: usize = 6;
/// Room at the sides, between maps, for names of strategies.
const MARGIN: f64 = 6.0;
const GAP: f64 = 5.0;
const NAME: f64 = 86.0;
/// The largest side of a map, and the most that all rows may take.
const SIDE: f64 = 64.0;
const HEIGHT: f64 = 620.0;

/// `constraint-learning-ENV` of every environment that can be drawn.
pub(super) fn galleries(results: &Results, _: &Reports) -> Result<Vec<Figure>> {
    let names = results.env_names();
    let found = names.iter().filter_map(|name| results.environment(name));
    Ok(found.filter_map(|e| gallery(results, e)).collect())
}

/// One row: the mean over the seeds at every column.
struct Row {
    strategy: String,
    seeds: usize,
    /// Samples per iteration on average.
    pace: f64,
    costs: Vec<BTreeMap<u32, f64>>,
}

fn gallery(results: &Results, environment: &EnvironmentFile) -> Option<Figure> {
    Ground::within(environment, 1.0)?;
    let env = environment.name.as_str();
    let runs: Vec<&SavedRun> = results.runs.iter().filter(|r| r.id.env == env).collect();
    let columns = moments(&runs, COLUMNS);
    let mut rows = Vec::new();
    for strategy in results.strategy_names() {
        let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
        if !runs.is_empty() {
            let at = columns
                .iter()
                .map(|c| mean_cost(&runs, c.iteration()))
                .collect();
            let strategy = strategy.to_owned();
            rows.push(Row {
                strategy,
                seeds: runs.len(),
                pace: pace(&runs),
                costs: at,
            });
        }
    }
    let title = format!("Learning the constraint of {env}");
    let caption = format!(
        "Inferred cost on the cells of {env}, {}: strategies as rows, with the samples an iteration \
         takes on average, iterations as columns, the truth last.",
        seeds(&rows)
    );
    let heads: Vec<String> = columns.iter().map(|c| c.head(&runs)).collect();
    let svg = draw(environment, &rows, &heads, [&title, &caption])?;
    Some(Figure {
        name: format!("constraint-learning-{env}"),
        title,
        caption,
        svg,
    })
}

/// Samples per iteration on average.
fn pace(runs: &[&SavedRun]) -> f64 {
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

fn seeds(rows: &[Row]) -> String {
    let least = rows.iter().map(|r| r.seeds).min().unwrap_or(0);
    let most = rows.iter().map(|r| r.seeds).max().unwrap_or(0);
    match (least, most) {
        (1, 1) => "one seed".to_owned(),
        (a, b) if a == b => format!("mean over {a} seeds"),
        (a, b) => format!("mean over {a} to {b} seeds"),
    }
}

/// Where everything stands on the sheet.
struct Placing<'a> {
    /// A map of the size that all have.
    map: Ground<'a>,
    /// Width of the sheet.
    width: f64,
    /// The left side of the first column.
    left: f64,
    /// Whether the truth stands last.
    truth: bool,
}

impl<'a> Placing<'a> {
    fn new(environment: &'a EnvironmentFile, rows: &[Row], columns: usize) -> Option<Self> {
        let truth = !environment.true_cells.is_empty();
        let count = columns + usize::from(truth);
        let names = rows.iter().map(|r| 1.04 * text::width(&r.strategy, LABEL));
        let name = names
            .fold(text::width("1000 samples each", SMALL), f64::max)
            .min(NAME);
        let map = Ground::within(environment, SIDE)?;
        let high = (HEIGHT / rows.len() as f64 - GAP) / map.height();
        let across = (WIDE - 2.0 * MARGIN - name - GAP) / count as f64 - GAP;
        let map = map.scaled((across / map.width()).min(high).min(1.0));
        let content = name + GAP + count as f64 * (map.width() + GAP);
        let width = (content + 2.0 * MARGIN).max(300.0);
        Some(Self {
            map,
            width,
            left: (width - content) / 2.0 + name + GAP,
            truth,
        })
    }

    /// The middle of a column.
    fn middle(&self, column: usize) -> f64 {
        let w = self.map.width();
        self.left + column as f64 * (w + GAP) + w / 2.0
    }

    /// The map in a column, its upper side at `top`.
    fn map(&self, column: usize, top: f64) -> Ground<'a> {
        let left = self.left + column as f64 * (self.map.width() + GAP);
        self.map.at(left, top)
    }
}

fn draw(
    environment: &EnvironmentFile,
    rows: &[Row],
    heads: &[String],
    [title, caption]: [&str; 2],
) -> Option<String> {
    let placing = Placing::new(environment, rows, heads.len())?;
    let mut svg = Svg::default();
    let middle = f64::midpoint(placing.middle(0), placing.middle(heads.len() - 1));
    let label = if heads.len() == 1 {
        "iteration"
    } else {
        "iterations"
    };
    svg.text((middle, MARGIN + 7.0), label, LABEL, Anchor::Middle);
    let mut y = MARGIN + 18.0;
    let truth = placing.truth.then_some("truth");
    for (i, head) in heads.iter().map(String::as_str).chain(truth).enumerate() {
        svg.text((placing.middle(i), y), head, TITLE, Anchor::Middle);
    }
    y += 4.0;
    let costs = rows.iter().flat_map(|r| &r.costs).flat_map(|c| c.values());
    let highest = costs.copied().fold(0.0, f64::max);
    let highest = if highest > 0.0 { highest } else { 1.0 };
    for row in rows {
        draw_row(&mut svg, &placing, row, y, highest);
        y += placing.map.height() + GAP;
    }
    let label = format!("inferred cost ({})", seeds(rows));
    let bar = Bar {
        scale: Scale::linear(0.0, highest),
        shade: theme::heat,
        label: &label,
    };
    let width = placing.width;
    y = bar.draw(&mut svg, [width / 2.0, y + 4.0]);
    let entries = entries(&placing);
    y += legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y + 3.0) + 3.0;
    Some(svg.finish(width, y + MARGIN, title, caption))
}

fn draw_row(svg: &mut Svg, placing: &Placing, row: &Row, top: f64, highest: f64) {
    let h = placing.map.height();
    let at = (placing.left - GAP, top + h / 2.0 - 0.5);
    svg.text_within(at, &row.strategy, LABEL, Anchor::End, NAME);
    // Iterations of different strategies are not the same amount of work.
    let pace = format!("{:.0} samples each", row.pace);
    let at = (placing.left - GAP, top + h / 2.0 + 7.5);
    svg.text_within(at, &pace, SMALL, Anchor::End, NAME);
    for (i, cost) in row.costs.iter().enumerate() {
        placing.map(i, top).heat(svg, cost, highest);
    }
    if placing.truth {
        placing.map(row.costs.len(), top).truth(svg);
    }
}

fn entries(placing: &Placing) -> Vec<Entry<'static>> {
    let drawn = placing.map.truth(&mut Svg::default());
    let has = |kind: CellKind| drawn.contains(&kind);
    let arrows = drawn.iter().find(|k| matches!(k, CellKind::OneWay(..)));
    let mut entries = Vec::new();
    if has(CellKind::StartDot) {
        entries.push(Entry::cell(CellKind::StartDot));
    }
    entries.extend(Entry::goals([placing.map.environment()], true));
    for kind in [CellKind::End, CellKind::Wall] {
        if has(kind) {
            entries.push(Entry::cell(kind));
        }
    }
    entries.extend(arrows.map(|kind| Entry::cell(*kind)));
    if placing.truth {
        entries.extend([CellKind::Constraint, CellKind::Edge].map(Entry::cell));
    }
    entries
}
