//! What the maze's part of the page needs: its geometry; of a run the points at every moment, and
//! the maps of its end.

use super::shown::{points, summary};
use crate::payload::{MazeGeometry, thinned};
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, SavedRun};
use hedgerow::run::Payload;
use hedgerow_report::number::Short;
use serde::Serialize;

/// Points per moment at most: more cannot be told apart on a screen.
const POINTS: usize = 250;

#[derive(Serialize)]
struct Known {
    /// By snapshot: x, y in metres, cost.
    points: Vec<Vec<[Short; 3]>>,
    /// By snapshot: how many points these stand for.
    of: Vec<usize>,
    maps: Option<Maps>,
}

#[derive(Serialize)]
struct Maps {
    tile: f64,
    columns: usize,
    rows: usize,
    value: Vec<Option<Short>>,
    /// None where there is none, to keep it small.
    density: Vec<Option<Short>>,
}

/// The geometry, if there is one that can be drawn.
pub(super) fn environment(environment: &EnvironmentFile) -> Result<Option<Payload>> {
    let Some(payload) = environment.geometry.as_ref() else {
        return Ok(None);
    };
    let geometry: MazeGeometry = payload.read()?;
    let drawn = geometry.cell > 0.0 && environment.layout.is_some();
    drawn.then(|| Payload::new(&geometry)).transpose()
}

/// Points and maps of a run; none if there are neither.
pub(super) fn run(run: &SavedRun) -> Result<Option<Payload>> {
    let all: Vec<Vec<[f64; 3]>> = run.result.snapshots.iter().map(points).collect();
    let maps = summary(run).map(|s| Maps {
        tile: s.tile,
        columns: s.columns,
        rows: s.rows,
        value: s.value.iter().map(|v| v.map(short)).collect(),
        density: s
            .density
            .iter()
            .map(|d| (*d > 0.0).then(|| short(*d)))
            .collect(),
    });
    if maps.is_none() && all.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let known = Known {
        points: all.iter().map(|points| few(points)).collect(),
        of: all.iter().map(Vec::len).collect(),
        maps,
    };
    Payload::new(&known).map(Some)
}

/// Three digits are more than a shade shows.
fn short(x: f64) -> Short {
    Short(format!("{x:.2e}").parse().unwrap_or(x))
}

/// Centimetres will do.
fn few(points: &[[f64; 3]]) -> Vec<[Short; 3]> {
    let centimetres = |x: f64| Short((x * 100.0).round() / 100.0);
    let kept = thinned(points, POINTS).into_iter();
    kept.map(|[x, y, w]| [centimetres(x), centimetres(y), short(w)])
        .collect()
}
