//! The history of a run as CSV, one line a [`Row`].
//!
//! Numbers are written in the shortest form that reads back as the same number, so equal runs
//! are equal bytes and nothing is lost.

use crate::run::Row;
use std::fmt::Write;

/// The columns, in order. New ones are added at the end.
pub const COLUMNS: [&str; 12] = [
    "iteration",
    "samples",
    "reward",
    "cost",
    "wgiou",
    "accuracy",
    "giou",
    "iou",
    "rollout_reward",
    "rollout_cost",
    "constrained",
    "unseen",
];

/// The history as text.
pub fn to_csv(rows: &[Row]) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    let optional = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
    for r in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{}",
            r.iteration,
            r.samples,
            r.reward,
            r.cost,
            optional(r.wgiou),
            r.accuracy,
            optional(r.giou),
            optional(r.iou),
            r.rollout_reward,
            r.rollout_cost,
            r.constrained,
            r.unseen
        );
    }
    text
}

/// The history that `text` holds; `None` if it is not one that [`to_csv`] wrote.
pub fn from_csv(text: &str) -> Option<Vec<Row>> {
    let mut lines = text.lines();
    if lines.next()? != COLUMNS.join(",") {
        return None;
    }
    lines.map(row).collect()
}

fn row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    if fields.len() != COLUMNS.len() {
        return None;
    }
    let number = |i: usize| fields[i].parse::<f64>().ok();
    let whole = |i: usize| fields[i].parse::<usize>().ok();
    let optional = |i: usize| match fields[i] {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    };
    Some(Row {
        iteration: whole(0)?,
        samples: fields[1].parse().ok()?,
        reward: number(2)?,
        cost: number(3)?,
        wgiou: optional(4)?,
        accuracy: number(5)?,
        giou: optional(6)?,
        iou: optional(7)?,
        rollout_reward: number(8)?,
        rollout_cost: number(9)?,
        constrained: whole(10)?,
        unseen: whole(11)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_reads_back_as_it_was() {
        let row = Row {
            iteration: 3,
            samples: u64::MAX,
            reward: 0.1 + 0.2,
            cost: 1e-300,
            wgiou: Some(-1.0),
            accuracy: f64::INFINITY,
            giou: None,
            iou: Some(0.0),
            rollout_reward: 5e-324,
            rollout_cost: f64::MAX,
            constrained: 4,
            unseen: 0,
        };
        let text = to_csv(&[row, row]);
        assert!(text.starts_with("iteration,samples,reward,cost,wgiou,accuracy,"));
        assert_eq!(from_csv(&text).unwrap(), [row, row]);
        assert_eq!(from_csv(&text[..text.len() - 3]), None);
        assert_eq!(from_csv(""), None);
        assert_eq!(from_csv("iteration\n1\n"), None);
    }
}
