//! Training curves, and the error bound against samples.

use super::Figure;
use super::plot::Plot;
use super::scale::Scale;
use super::sheet::{Sheet, width_of, wrapped};
use crate::curves::{Axis, Metric};
use hedgerow::sweep::Results;

/// Environments side by side.
const COLUMNS: usize = 4;

/// `training-curves` for samples, `training-curves-iterations` for iterations: as many sheets of
/// four environments as it takes.
pub(super) fn training(results: &Results, axis: Axis) -> Vec<Figure> {
    let name = match axis {
        Axis::Samples => "training-curves",
        Axis::Iterations => "training-curves-iterations",
    };
    let envs = results.env_names();
    let mut figures = Vec::new();
    for (i, envs) in envs.chunks(COLUMNS).enumerate() {
        let plots = |metric| {
            envs.iter()
                .map(move |e| Plot::new(results, e, metric, axis))
        };
        let metrics = [Metric::Reward, Metric::Cost, Metric::Wgiou];
        let rows = metrics.map(|m| plots(m).collect());
        let what = format!(
            "Discounted reward and cost of the best policy under the inferred cost, and overlap \
             of inferred and true cells, against {}",
            axis.label()
        );
        let rows: Vec<Vec<Option<Plot>>> = rows.into();
        figures.extend(sheet(
            rows,
            axis,
            numbered(name, i),
            "Training curves",
            &what,
            played(results, envs),
        ));
    }
    figures
}

/// `accuracy`: the error bound of every strategy, eight environments a sheet.
pub(super) fn accuracy(results: &Results) -> Vec<Figure> {
    let plot = |env: &&str| Plot::new(results, env, Metric::Accuracy, Axis::Samples);
    let plots: Vec<Option<Plot>> = results.env_names().iter().map(plot).collect();
    // Only what can be drawn: panels are their own rows here.
    let mut plots: Vec<Plot> = plots.into_iter().flatten().collect();
    // One range for all: a bound that hardly moves shall look like it.
    if let Some(y) = plots.iter().map(|p| p.y).reduce(Scale::union) {
        plots.iter_mut().for_each(|p| p.y = y);
    }
    let mut figures = Vec::new();
    for (i, part) in plots.chunks(2 * COLUMNS).enumerate() {
        let rows = part.chunks(COLUMNS);
        let rows = rows
            .map(|r| r.iter().cloned().map(Some).collect())
            .collect();
        let what = "The error bound that strategies stop on, against samples (both axes \
                    logarithmic)";
        let name = numbered("accuracy", i);
        figures.extend(sheet(rows, Axis::Samples, name, "Accuracy", what, None));
    }
    figures
}

/// What is different in mazes, if there are any among `envs`.
fn played(results: &Results, envs: &[&str]) -> Option<String> {
    let plane = |env: &&&str| results.environment(env).is_some_and(|e| e.plane.is_some());
    let mazes: Vec<&str> = envs.iter().filter(plane).copied().collect();
    (!mazes.is_empty()).then(|| {
        format!(
            "In {} a sample is a decision, and reward and cost are means over played episodes.",
            mazes.join(", ")
        )
    })
}

/// `name`, `name-2`, `name-3`.
pub(super) fn numbered(name: &str, i: usize) -> String {
    match i {
        0 => name.to_owned(),
        _ => format!("{name}-{}", i + 1),
    }
}

fn sheet(
    mut rows: Vec<Vec<Option<Plot>>>,
    axis: Axis,
    name: String,
    title: &str,
    what: &str,
    remark: Option<String>,
) -> Option<Figure> {
    rows.retain(|row| row.iter().any(Option::is_some));
    let plots = || rows.iter().flatten().flatten();
    let first = plots().next()?;
    let lines = || plots().flat_map(|p| &p.lines);
    let most = lines().map(|l| l.curve.seeds).max()?;
    let least = lines().map(|l| l.curve.seeds).min()?;
    let seeds = match (least, most) {
        (1, 1) => "One seed.".to_owned(),
        (a, b) if a == b => format!("Lines: mean over {a} seeds; bands: its 68\u{a0}% interval."),
        (a, b) => format!("Lines: mean over {a} to {b} seeds; bands: its 68\u{a0}% interval."),
    };
    let mut remarks = vec![seeds];
    remarks.extend(remark);
    if plots().any(|p| p.cut) {
        remarks.push("Outliers are outside of the panels.".to_owned());
    }
    if first.metric == Metric::Accuracy {
        for plot in plots().filter(|p| !p.infinite.is_empty()) {
            let names = plot.infinite.join(", ");
            remarks.push(format!("No finite bound in {}: {names}.", plot.env));
        }
    }
    let text = remarks.join(" ");
    let columns = rows.iter().map(Vec::len).max()?;
    let sheet = Sheet {
        remarks: wrapped(&text, width_of(columns) - 20.0),
        rows,
        axis,
    };
    let caption = format!("{what}. {text}");
    let svg = sheet.draw(title, &caption);
    Some(Figure {
        name,
        title: title.to_owned(),
        caption,
        svg,
    })
}
