//! The history that a run leaves behind, kept the same way by all domains.

use crate::run::{Payload, Row, RunResult, RunSummary, Snapshot, Stop};

/// Rows and snapshots of a run as they come in.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// One row per iteration so far.
    pub rows: Vec<Row>,
    /// What was inferred at some of them.
    pub snapshots: Vec<Snapshot>,
}

impl Trace {
    /// Whether a snapshot is due: at 1, 2 and 5 times the powers of ten, since early learning
    /// moves fastest, and at the end.
    pub fn wants_snapshot(iteration: usize, stop: Option<Stop>) -> bool {
        let mut unit = 1;
        while unit <= iteration {
            if [1, 2, 5].iter().any(|m| m * unit == iteration) {
                return true;
            }
            unit *= 10;
        }
        stop.is_some() || iteration == 0
    }

    /// The result of a run that ended here. `at_expert` says whether a row is at the level of the
    /// expert, whose discounted reward and cost are `expert`.
    pub fn finish(
        self,
        stop: Stop,
        expert: (f64, f64),
        at_expert: impl Fn(&Row) -> bool,
        payload: Payload,
    ) -> RunResult {
        let away = self.rows.iter().rposition(|row| !at_expert(row));
        let stays = self.rows.get(away.map_or(0, |i| i + 1));
        RunResult {
            summary: RunSummary {
                stop,
                samples_to_expert: stays.map(|row| row.samples),
                expert_reward: expert.0,
                expert_cost: expert.1,
                last: self.rows.last().copied().unwrap_or_default(),
            },
            rows: self.rows,
            snapshots: self.snapshots,
            payload,
        }
    }
}

/// The running score of sampled episodes: `0.2 old + 0.8 new`.
pub fn running_score(old: Option<f64>, new: f64) -> f64 {
    old.map_or(new, |old| 0.2 * old + 0.8 * new)
}
