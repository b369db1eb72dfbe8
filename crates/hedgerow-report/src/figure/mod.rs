//! Figures for papers: SVG, and PNG made from the same drawing.
//!
//! | figure | shows |
//! |---|---|
//! | `environments` | the maps: start, goals, walls, constraint cells, where the expert goes |
//! | `training-curves` | reward, cost and WGIoU against samples, mean and 68 % band over seeds |
//! | `training-curves-iterations` | the same against iterations |
//! | `constraint-learning-ENV` | the inferred cost on the map: strategies by iterations |
//! | `maze-ENV` | a maze: the inferred points at six moments |
//! | `maze-maps-ENV` | a maze: the fitted value and where samples were taken |
//! | `sample-efficiency` | samples to the expert with intervals |
//! | `accuracy` | the error bound against samples |
//!
//! What does not fit on one sheet goes on in `NAME-2` and so on. A figure is 7 inches wide at most
//! (both columns of a page). The same results give the same bytes, on every machine: fonts are
//! the program's own, and coordinates are rounded to 1/100 of a point.

mod bar;
mod efficiency;
mod environments;
mod gallery;
mod legend;
mod map;
mod marks;
mod maze;
mod maze_maps;
mod moments;
mod panel;
mod plane;
mod plot;
mod raster;
mod scale;
mod sheet;
mod svg;
mod text;
mod training;

pub use raster::DPI;

use crate::curves::Axis;
use hedgerow::Result;
use hedgerow::io::write_atomic;
use hedgerow::sweep::Results;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// A figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The file's name without its ending.
    pub name: String,
    /// A title in a few words; text, not markup.
    pub title: String,
    /// What is to be seen; text, not markup.
    pub caption: String,
    /// The drawing.
    pub svg: String,
}

impl Figure {
    /// The same drawing in pixels, [`DPI`] an inch.
    pub fn png(&self) -> Result<Vec<u8>> {
        raster::png(&self.name, &self.svg)
    }
}

/// All figures that the results have something to show in.
pub fn all(results: &Results) -> Result<Vec<Figure>> {
    let mut figures = environments::environments(results);
    figures.extend(training::training(results, Axis::Samples));
    figures.extend(training::training(results, Axis::Iterations));
    figures.extend(gallery::galleries(results));
    figures.extend(maze::mazes(results));
    figures.extend(maze_maps::maze_maps(results));
    figures.extend(efficiency::efficiency(results));
    figures.extend(training::accuracy(results));
    Ok(figures)
}

/// What the figures leave out, and why: one line each.
pub fn notes(results: &Results) -> Vec<String> {
    let mut notes = Vec::new();
    for env in results.env_names() {
        match results.environment(env).map(|e| e.layout.is_some()) {
            Some(true) => {}
            Some(false) => notes.push(format!(
                "{env}: it has no map, so neither it nor what is inferred is drawn"
            )),
            None => notes.push(format!(
                "{env}: its file is not whole, so neither it nor what is inferred is drawn"
            )),
        }
        let mut runs = results.runs.iter().filter(|r| r.run.env == env);
        if runs.all(|r| r.rows.iter().any(|row| row.wgiou.is_none())) {
            notes.push(format!(
                "{env}: there is no WGIoU, as no true cost is known"
            ));
        }
    }
    notes
}

/// Writes `NAME.svg` and `NAME.png` of all figures into `folder`; returns the files.
pub fn write(results: &Results, folder: &Path) -> Result<Vec<PathBuf>> {
    let figures = all(results)?;
    let both = |figure: &Figure| -> Result<[PathBuf; 2]> {
        let file = |ending: &str| folder.join(format!("{}.{ending}", figure.name));
        write_atomic(&file("svg"), figure.svg.as_bytes())?;
        write_atomic(&file("png"), &figure.png()?)?;
        Ok([file("svg"), file("png")])
    };
    let written: Result<Vec<_>> = figures.par_iter().map(both).collect();
    Ok(written?.into_iter().flatten().collect())
}
