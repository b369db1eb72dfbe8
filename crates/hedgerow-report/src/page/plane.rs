//! What a run knew of its maze, packed: its points at every moment, and the maps of its end.

use super::blob::pack;
use super::number::Short;
use super::unwritable;
use hedgerow::Result;
use hedgerow::sweep::SavedRun;
use serde::Serialize;

/// Points of a moment at most: more cannot be told apart on a screen.
const POINTS: usize = 250;

#[derive(Serialize)]
struct Known {
    /// By snapshot: x, y in metres, cost.
    points: Vec<Vec<[Short; 3]>>,
    /// By snapshot: how many of all its points these stand for.
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

/// The packed plane of a run; none in a finite world.
pub(super) fn packed(run: &SavedRun) -> Result<Option<String>> {
    let maps = run.survey.as_ref().filter(|s| {
        let count = s.columns.checked_mul(s.rows);
        count == Some(s.value.len()) && count == Some(s.density.len()) && s.tile > 0.0
    });
    if maps.is_none() && run.snapshots.iter().all(|s| s.points.is_empty()) {
        return Ok(None);
    }
    let known = Known {
        points: run.snapshots.iter().map(|s| thinned(&s.points)).collect(),
        of: run.snapshots.iter().map(|s| s.points.len()).collect(),
        maps: maps.map(|s| Maps {
            tile: s.tile,
            columns: s.columns,
            rows: s.rows,
            value: s.value.iter().map(|v| v.map(short)).collect(),
            density: s
                .density
                .iter()
                .map(|d| (*d > 0.0).then(|| short(*d)))
                .collect(),
        }),
    };
    pack(&serde_json::to_string(&known).map_err(unwritable)?).map(Some)
}

/// Three digits are more than a shade shows.
fn short(x: f64) -> Short {
    Short(format!("{x:.2e}").parse().unwrap_or(x))
}

/// Some of the points, evenly chosen, that stand for the weight of all; centimetres will do.
fn thinned(points: &[[f64; 3]]) -> Vec<[Short; 3]> {
    let n = points.len();
    let kept = n.min(POINTS);
    let share = n as f64 / kept.max(1) as f64;
    let centimetres = |x: f64| Short((x * 100.0).round() / 100.0);
    (0..kept)
        .map(|i| points[i * n / kept])
        .map(|[x, y, w]| [centimetres(x), centimetres(y), short(w * share)])
        .collect()
}
