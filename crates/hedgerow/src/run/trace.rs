//! The history that a run leaves behind, kept the same way by all domains.

use crate::run::{Payload, Row, RunResult, RunSummary, Snapshot, Stop};

/// The least IoU with the cells that exact inference finds at which a map of cells counts as right: at
/// most one in ten of the cells that either has is wrong. Being at the expert's level asks for no
/// more than that the best policy is right, and misses constraints too many that leave it alone.
pub const MAP_LEVEL: f64 = 0.9;

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

    /// Samples after which every row to the end is as `wanted`.
    fn stays(&self, wanted: impl Fn(&Row) -> bool) -> Option<u64> {
        let away = self.rows.iter().rposition(|row| !wanted(row));
        let stays = self.rows.get(away.map_or(0, |i| i + 1));
        stays.map(|row| row.samples)
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
        let right = |row: &Row| row.map_iou.is_some_and(|iou| iou >= MAP_LEVEL);
        RunResult {
            summary: RunSummary {
                stop,
                samples_to_expert: self.stays(&at_expert),
                samples_to_map: self.stays(|row| at_expert(row) && right(row)),
                expert_reward: expert.0,
                expert_cost: expert.1,
                last: self.rows.last().copied().unwrap_or_default(),
            },
            rows: self.rows,
            snapshots: self.snapshots,
            payload,
            samples: None,
        }
    }
}

/// The running score of sampled episodes: `0.2 old + 0.8 new`.
pub fn running_score(old: Option<f64>, new: f64) -> f64 {
    old.map_or(new, |old| 0.2 * old + 0.8 * new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_right_while_the_expert_is_reached_and_the_cells_fit() {
        let row = |iteration: usize, reward: f64, map_iou| Row {
            iteration,
            samples: 10 * iteration as u64,
            reward,
            map_iou,
            ..Row::default()
        };
        let finish = |rows: &[Row]| {
            let trace = Trace {
                rows: rows.to_vec(),
                snapshots: Vec::new(),
            };
            let at_expert = |row: &Row| row.reward == 1.0;
            let found = trace.finish(Stop::Iterations, (1.0, 0.0), at_expert, Payload::empty());
            (
                found.summary.samples_to_expert,
                found.summary.samples_to_map,
            )
        };
        let start = [row(0, 0.0, Some(0.0)), row(1, 1.0, Some(0.5))];
        let right = row(2, 1.0, Some(MAP_LEVEL));
        let wrong = row(3, 1.0, Some(0.89));
        let away = row(4, 0.0, Some(1.0));
        assert_eq!(finish(&start), (Some(10), None));
        assert_eq!(finish(&[start[0], start[1], right]), (Some(10), Some(20)));
        assert_eq!(finish(&[start[0], right, wrong]), (Some(20), None));
        assert_eq!(
            finish(&[start[0], right, wrong, right]),
            (Some(20), Some(20))
        );
        assert_eq!(finish(&[start[0], right, away]), (None, None));
        assert_eq!(finish(&[start[0], row(5, 1.0, None)]), (Some(50), None));
    }
}
