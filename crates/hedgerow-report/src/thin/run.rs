//! A run on squares.

use super::squares::Squares;
use hedgerow::finite::FiniteMoment;
use hedgerow::results::SavedRun;
use hedgerow::run::{Payload, RunResult, Snapshot};

/// The run with pictures of squares, and without what its learner has seen of single states.
pub(super) fn thin(run: &SavedRun, squares: &Squares) -> SavedRun {
    let result = &run.result;
    let snapshots = result.snapshots.iter();
    SavedRun {
        id: run.id.clone(),
        domain: run.domain.clone(),
        result: RunResult {
            summary: result.summary,
            rows: result.rows.clone(),
            snapshots: snapshots.map(|s| snapshot(s, squares)).collect(),
            payload: Payload::empty(),
            samples: None,
        },
    }
}

fn snapshot(snapshot: &Snapshot, squares: &Squares) -> Snapshot {
    let payload = snapshot.payload.as_ref();
    Snapshot {
        iteration: snapshot.iteration,
        samples: snapshot.samples,
        pairs: Vec::new(),
        cells: squares.entries(&snapshot.cells, f64::max),
        payload: payload.and_then(|payload| moment(payload, squares)),
    }
}

/// The episode from square to square; none where it cannot be read.
fn moment(payload: &Payload, squares: &Squares) -> Option<Payload> {
    let kept: FiniteMoment = payload.read().ok()?;
    let states = kept.trajectory.into_iter();
    let mut trajectory: Vec<u32> = states.filter_map(|s| squares.square(s)).collect();
    trajectory.dedup();
    Payload::new(&FiniteMoment { trajectory }).ok()
}
