//! Training curves, and the figures of metrics that stand alone.

use super::plot::Plot;
use super::sheet::Sheet;
use crate::Reports;
use crate::curves::{Axis, METRICS, Metric, RUNNING};
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

/// `running-scores`: the three rows of the paper's curves, which it draws against iterations.
pub(super) fn running(results: &Results, reports: &Reports) -> Result<Vec<Figure>> {
    let overlap = METRICS.iter().filter(|m| m.name == "wgiou");
    let drawn = Drawn {
        metrics: RUNNING.iter().chain(overlap).collect(),
        axis: Axis::Iterations,
        name: "running-scores",
        title: "Running scores",
        what:
            "Running scores (0.2 old + 0.8 new) of the discounted reward and cost of one sampled \
               episode per iteration, played by the best policy under the inferred cost, and \
               overlap (WGIoU) of inferred and true cells, against iterations"
                .to_owned(),
        remark: Some(
            "Score: 0.2 of the old and 0.8 of one sampled episode, so what moves at the end is \
             chance.",
        ),
    };
    Ok(drawn.sheets(results, reports))
}

fn training(results: &Results, reports: &Reports, name: &'static str, axis: Axis) -> Vec<Figure> {
    let drawn = Drawn {
        metrics: METRICS.iter().filter(|m| m.alone.is_none()).collect(),
        axis,
        name,
        title: "Training curves",
        what: format!(
            "Discounted reward and cost of the best policy under the inferred cost, and overlap \
             (IoU, and weighted WGIoU) of inferred and true cells, against {}",
            axis.label()
        ),
        remark: None,
    };
    drawn.sheets(results, reports)
}

/// A figure with a row for each of some metrics.
struct Drawn {
    metrics: Vec<&'static Metric>,
    axis: Axis,
    name: &'static str,
    title: &'static str,
    what: String,
    /// A sentence of its own below it.
    remark: Option<&'static str>,
}

impl Drawn {
    /// As many sheets of four environments as it takes.
    fn sheets(&self, results: &Results, reports: &Reports) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (i, envs) in results.env_names().chunks(COLUMNS).enumerate() {
            let plots = |metric: &&'static Metric| {
                let plot = |env: &&str| Plot::new(results, env, metric, self.axis);
                envs.iter().map(plot).collect()
            };
            let remarks = self.remark.map(str::to_owned).into_iter();
            figures.extend(sheet(Told {
                rows: self.metrics.iter().map(plots).collect(),
                axis: self.axis,
                name: numbered(self.name, i),
                title: self.title.to_owned(),
                what: self.what.clone(),
                remarks: remarks.chain(reports.remarks(results, envs)).collect(),
            }));
        }
        figures
    }
}

/// The figures of metrics that stand alone, such as `accuracy`: eight environments per sheet. An
/// environment in which they never move has nothing to show.
pub(super) fn alone(results: &Results, _: &Reports) -> Result<Vec<Figure>> {
    let figures = |m: &'static Metric| m.alone.map(|what| of_metric(results, m, what));
    Ok(METRICS.iter().filter_map(figures).flatten().collect())
}

fn of_metric(results: &Results, metric: &'static Metric, what: &str) -> Vec<Figure> {
    let plot = |env: &&str| Plot::new(results, env, metric, Axis::Samples);
    // Only what can be drawn: panels are their own rows here.
    let mut plots: Vec<Plot> = results.env_names().iter().filter_map(plot).collect();
    plots.retain(|p| !p.is_flat());
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
