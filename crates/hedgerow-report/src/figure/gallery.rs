//! How strategies learn the constraint: the inferred cost on the map.

use crate::Reports;
use crate::curves::mean_cost;
use crate::draw::Figure;
use crate::draw::atlas::{Atlas, MARGIN, pace};
use crate::draw::bar::Bar;
use crate::draw::ground::Ground;
use crate::draw::legend::{self, Entry};
use crate::draw::map::CellKind;
use crate::draw::moments::moments;
use crate::draw::scale::Scale;
use crate::draw::svg::Svg;
use crate::draw::thinned::{sentences, standing_for};
use crate::theme;
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use std::collections::BTreeMap;

/// Iterations side by side at most, the end included.
const COLUMNS: usize = 6;
/// The largest side of a map.
const SIDE: f64 = 64.0;

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
    let mut caption = format!(
        "Inferred cost on the cells of {env}, {}: strategies as rows, with the samples an iteration \
         takes on average, iterations as columns, the truth last.",
        seeds(&rows)
    );
    if let Some(words) = standing_for(environment) {
        caption += &format!(" {words}");
    }
    let heads: Vec<String> = columns.iter().map(|c| c.head(&runs)).collect();
    let svg = draw(environment, &rows, &heads, [&title, &caption])?;
    Some(Figure {
        name: format!("constraint-learning-{env}"),
        title,
        caption,
        svg,
    })
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

fn draw(
    environment: &EnvironmentFile,
    rows: &[Row],
    heads: &[String],
    [title, caption]: [&str; 2],
) -> Option<String> {
    let truth = (!environment.true_cells.is_empty()).then_some("truth");
    let names: Vec<&str> = rows.iter().map(|r| r.strategy.as_str()).collect();
    let columns = heads.len() + usize::from(truth.is_some());
    let atlas = Atlas::new(environment, &names, columns, SIDE)?;
    let mut svg = Svg::default();
    let mut y = atlas.heads(&mut svg, heads, truth);
    let costs = rows.iter().flat_map(|r| &r.costs).flat_map(|c| c.values());
    let highest = costs.copied().fold(0.0, f64::max);
    let highest = if highest > 0.0 { highest } else { 1.0 };
    for row in rows {
        atlas.name(&mut svg, y, &row.strategy, row.pace);
        for (i, cost) in row.costs.iter().enumerate() {
            atlas.map(i, y).heat(&mut svg, cost, highest);
        }
        if truth.is_some() {
            atlas.map(row.costs.len(), y).truth(&mut svg);
        }
        y += atlas.row();
    }
    let label = format!("inferred cost ({})", seeds(rows));
    let bar = Bar {
        scale: Scale::linear(0.0, highest),
        shade: theme::heat,
        label: &label,
    };
    let width = atlas.width;
    y = bar.draw(&mut svg, [width / 2.0, y + 4.0]);
    let mut entries = atlas.entries();
    if truth.is_some() {
        entries.extend([CellKind::Constraint, CellKind::Edge].map(Entry::cell));
    }
    y += legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y + 3.0) + 3.0;
    let thinned: Vec<String> = standing_for(environment).into_iter().collect();
    y = sentences(&mut svg, &thinned, [MARGIN, width - MARGIN], y);
    Some(svg.finish(width, y + MARGIN, title, caption))
}
