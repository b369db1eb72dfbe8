//! Figures for papers: SVG, PDF and PNG made from the same drawing.
//!
//! | figure | shows |
//! |---|---|
//! | `environments` | the maps: start, goals, walls, constraint cells, where the expert goes |
//! | `training-curves` | reward, cost, IoU and WGIoU against samples, mean and 68 % band over seeds |
//! | `training-curves-iterations` | the same against iterations |
//! | `running-scores` | reward and cost of sampled episodes, smoothed, and WGIoU, against iterations |
//! | `constraint-learning-ENV` | the inferred cost on the map: strategies by iterations |
//! | `trajectories-ENV` | where strategies walked in finite worlds |
//! | of [domains](crate::domain) | what only they can draw |
//! | `sample-efficiency` | samples to the expert with intervals |
//! | `accuracy` | the error bound against samples |
//!
//! What does not fit on one sheet goes on in `NAME-2` and so on. A figure is 7 inches wide at most
//! (both columns of a page). The same results give the same bytes, on every machine: texts are
//! shapes of the program's own font, and coordinates are rounded to 1/100 of a point.
//!
//! ```
//! use hedgerow::results::Results;
//! use hedgerow::sweep::{Experiment, Silent, Sweep};
//! use hedgerow_report::{Reports, figure};
//!
//! let mut experiment = Experiment::default();
//! experiment.set_environments(["gridworld-3"])?;
//! experiment.set_strategies(["random"])?;
//! experiment.set("iterations", "5")?;
//! let folder = tempfile::tempdir()?;
//! Sweep::open(&experiment, folder.path())?.run(&Silent, &Default::default())?;
//!
//! let results = Results::read(folder.path())?;
//! let figures = figure::all(&results, &Reports::default())?;
//! assert_eq!(figures[0].name, "environments");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod efficiency;
mod environments;
mod gallery;
mod plot;
mod sheet;
mod training;

pub use crate::draw::{DPI, Figure};

use crate::Reports;
use crate::domain::DomainReport;
use crate::draw::ground::Ground;
use crate::draw::thinned::standing_for;
use crate::thin::thinned;
use hedgerow::Result;
use hedgerow::io::write_atomic;
use hedgerow::results::{EnvironmentFile, Results};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Draws a figure, on as many sheets as it takes; none if there is nothing to show in it.
type Draw = fn(&Results, &Reports) -> Result<Vec<Figure>>;

/// The figures in order. A new one is a file and a line here.
const FIGURES: &[Draw] = &[
    environments::environments,
    training::by_samples,
    training::by_iterations,
    training::running,
    gallery::galleries,
    of_domains,
    efficiency::efficiency,
    training::alone,
];

/// All figures that the results have something to show in.
pub fn all(results: &Results, reports: &Reports) -> Result<Vec<Figure>> {
    let results = thinned(results);
    let draw = |draw: &Draw| draw(&results, reports);
    let figures: Result<Vec<_>> = FIGURES.iter().map(draw).collect();
    Ok(figures?.into_iter().flatten().collect())
}

/// What only domains can draw.
fn of_domains(results: &Results, reports: &Reports) -> Result<Vec<Figure>> {
    let domains = reports.in_results(results);
    let figures: Result<Vec<_>> = domains.map(|domain| domain.figures(results)).collect();
    Ok(figures?.into_iter().flatten().collect())
}

/// What the figures leave out, and why: one line each.
pub fn notes(results: &Results, reports: &Reports) -> Vec<String> {
    let results = &*thinned(results);
    let mut notes = Vec::new();
    for env in results.env_names() {
        let drawn = |e: &EnvironmentFile| {
            let draws = |report: &dyn DomainReport| report.draws(e);
            Ground::within(e, 1.0).is_some() || reports.of(&e.domain).is_some_and(draws)
        };
        match results.environment(env).map(drawn) {
            Some(true) => {}
            Some(false) => notes.push(format!(
                "{env}: it has no map and is too large for a graph, so neither it nor what is \
                 inferred is drawn"
            )),
            None => notes.push(format!(
                "{env}: its file is not whole, so neither it nor what is inferred is drawn"
            )),
        }
        if let Some(words) = results.environment(env).and_then(standing_for) {
            notes.push(format!("{env}: {words}"));
        }
        let mut runs = results.runs.iter().filter(|r| r.id.env == env);
        if runs.all(|r| r.result.rows.iter().any(|row| row.wgiou.is_none())) {
            notes.push(format!(
                "{env}: there is neither IoU nor WGIoU, as no true cost is known"
            ));
        }
        let mut listed = results.manifest.environments.iter();
        if let Some(domain) = listed.find(|e| e.name == env).map(|e| &e.domain)
            && reports.of(domain).is_none()
        {
            notes.push(format!(
                "{env}: this program has no report for the domain {domain}, so only what all \
                 domains share is shown"
            ));
        }
    }
    notes
}

/// A kind of file that figures can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For pages, and to be worked on; texts are shapes.
    Svg,
    /// For slides, at [`DPI`] dots an inch.
    Png,
    /// For papers; texts are shapes.
    Pdf,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Png, Self::Pdf];

    /// How the names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }

    /// A figure in this format.
    pub fn of(self, figure: &Figure) -> Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(figure.outlined().into_bytes()),
            Self::Png => figure.png(),
            Self::Pdf => figure.pdf(),
        }
    }
}

/// Writes all figures into `folder`, each in all `formats`; returns the files.
pub fn write(
    results: &Results,
    reports: &Reports,
    folder: &Path,
    formats: &[Format],
) -> Result<Vec<PathBuf>> {
    write_until(results, reports, folder, formats, &AtomicBool::new(false))
}

/// The same until `stop` is raised; returns the files that were written, all of them whole.
pub fn write_until(
    results: &Results,
    reports: &Reports,
    folder: &Path,
    formats: &[Format],
    stop: &AtomicBool,
) -> Result<Vec<PathBuf>> {
    let results = thinned(results);
    let is_stopped = || stop.load(Ordering::Relaxed);
    let mut figures = Vec::new();
    for draw in FIGURES.iter().take_while(|_| !is_stopped()) {
        figures.extend(draw(&results, reports)?);
    }
    let each = |figure: &Figure| -> Result<Vec<PathBuf>> {
        if is_stopped() {
            return Ok(Vec::new());
        }
        let one = |format: &Format| {
            let path = folder.join(format!("{}.{}", figure.name, format.ending()));
            write_atomic(&path, &format.of(figure)?)?;
            Ok(path)
        };
        formats.iter().map(one).collect()
    };
    let written: Result<Vec<_>> = figures.par_iter().map(each).collect();
    Ok(written?.into_iter().flatten().collect())
}
