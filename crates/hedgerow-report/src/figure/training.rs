//! Training curves, and the figures of metrics that stand alone.

use super::plot::Plot;
use super::sheet::Sheet;
use crate::Reports;
use crate::curves::{Axis, METRICS, Metric};
use crate::draw::scale::Scale;
use crate::draw::text::wrapped;
use crate::draw::{Figure, numbered, width_of};
use hedgerow::Result;
use hedgerow::results::Results;

/// Environments side by side.
const COLUMNS: usize = 4;

/// `training-curves`: against samples.
pub(super) fn by_samples(results: &Results, reports: &Reports) -> Result<Vec<Figure>> {
    Ok(training(results, reports, "training-curves", Axis::Samples))
}

/// `training-curves-iterations`: against iterations.
pub(super) fn by_iterations(results: &Results, reports: &Reports) -> Result<Vec<Figure>> {
    let name = "training-curves-iterations";
    Ok(training(results, reports, name, Axis::Iterations))
}

/// As many sheets of four environments as it takes.
fn training(results: &Results, reports: &Reports, name: &str, axis: Axis) -> Vec<Figure> {
    let what = format!(
        "Discounted reward and cost of the best policy under the inferred cost, and overlap \
         (IoU, and weighted WGIoU) of inferred and true cells, against {}",
        axis.label()
    );
    let mut figures = Vec::new();
    for (i, envs) in results.env_names().chunks(COLUMNS).enumerate() {
        let plots = |metric| {
            let plot = |env: &&str| Plot::new(results, env, metric, axis);
            envs.iter().map(plot).collect()
        };
        let rows = METRICS.iter().filter(|m| m.alone.is_none()).map(plots);
        figures.extend(sheet(Told {
            rows: rows.collect(),
            axis,
            name: numbered(name, i),
            title: "Training curves".to_owned(),
            what: what.clone(),
            remarks: reports.remarks(results, envs),
        }));
    }
    figures
}

/// The figures of metrics that stand alone, such as `accuracy`: eight environments per sheet.
pub(super) fn alone(results: &Results, _: &Reports) -> Result<Vec<Figure>> {
    let figures = |m: &'static Metric| m.alone.map(|what| of_metric(results, m, what));
    Ok(METRICS.iter().filter_map(figures).flatten().collect())
}

fn of_metric(results: &Results, metric: &'static Metric, what: &str) -> Vec<Figure> {
    let plot = |env: &&str| Plot::new(results, env, metric, Axis::Samples);
    // Only what can be drawn: panels are their own rows here.
    let mut plots: Vec<Plot> = results.env_names().iter().filter_map(plot).collect();
    // One range for all: a bound that hardly moves shall look like it.
    if let Some(y) = plots.iter().map(|p| p.y).reduce(Scale::union) {
        plots.iter_mut().for_each(|p| p.y = y);
    }
    let mut title = metric.name.to_owned();
    title[..1].make_ascii_uppercase();
    let mut figures = Vec::new();
    for (i, part) in plots.chunks(2 * COLUMNS).enumerate() {
        let rows = part.chunks(COLUMNS);
        let rows = rows.map(|r| r.iter().cloned().map(Some).collect());
        figures.extend(sheet(Told {
            rows: rows.collect(),
            axis: Axis::Samples,
            name: numbered(metric.name, i),
            title: title.clone(),
            what: format!("{what}, against samples (both axes logarithmic)"),
            remarks: Vec::new(),
        }));
    }
    figures
}

/// A sheet and what is told about it.
struct Told {
    rows: Vec<Vec<Option<Plot>>>,
    axis: Axis,
    name: String,
    title: String,
    what: String,
    remarks: Vec<String>,
}

fn sheet(told: Told) -> Option<Figure> {
    let mut rows = told.rows;
    rows.retain(|row| row.iter().any(Option::is_some));
    let plots = || rows.iter().flatten().flatten();
    let lines = || plots().flat_map(|p| &p.lines);
    let most = lines().map(|l| l.curve.seeds).max()?;
    let least = lines().map(|l| l.curve.seeds).min()?;
    let seeds = match (least, most) {
        (1, 1) => "One seed.".to_owned(),
        (a, b) if a == b => format!("Lines: mean over {a} seeds; bands: its 68\u{a0}% interval."),
        (a, b) => format!("Lines: mean over {a} to {b} seeds; bands: its 68\u{a0}% interval."),
    };
    let mut remarks = vec![seeds];
    if plots().any(|p| p.exact.is_some()) {
        remarks.push("Exact inference: what known dynamics lead to.".to_owned());
    }
    remarks.extend(told.remarks);
    if plots().any(|p| p.cut) {
        remarks.push("Outliers are outside of the panels.".to_owned());
    }
    for plot in plots().filter(|p| p.metric.alone.is_some() && !p.infinite.is_empty()) {
        let names = plot.infinite.join(", ");
        remarks.push(format!("No finite bound in {}: {names}.", plot.env));
    }
    let text = remarks.join(" ");
    let columns = rows.iter().map(Vec::len).max()?;
    let sheet = Sheet {
        remarks: wrapped(&text, width_of(columns) - 20.0),
        rows,
        axis: told.axis,
    };
    let caption = format!("{}. {text}", told.what);
    let svg = sheet.draw(&told.title, &caption);
    Some(Figure {
        name: told.name,
        title: told.title,
        caption,
        svg,
    })
}
