//! The history of a run as CSV, one line per [`Row`].
//!
//! Numbers are written in the shortest form that reads back as the same number, so equal runs
//! are equal bytes and nothing is lost.

use crate::run::Row;
use crate::{Error, Result};
use serde::Serialize;

/// The history as text. Its columns are the fields of [`Row`].
pub fn to_csv(rows: &[Row]) -> Result<Vec<u8>> {
    table(rows)
}

/// The history that `text` holds; `None` if it is not one that [`to_csv`] wrote.
pub fn from_csv(text: &[u8]) -> Option<Vec<Row>> {
    let mut reader = csv::Reader::from_reader(text);
    let rows: Vec<Row> = reader.deserialize().collect::<csv::Result<_>>().ok()?;
    // Reading is more tolerant than the format: columns may be missing, moved or added.
    (to_csv(&rows).ok()? == text).then_some(rows)
}

/// Records as CSV with a header.
pub(super) fn table<T: Serialize>(records: &[T]) -> Result<Vec<u8>> {
    let failed = |e: &dyn std::fmt::Display| {
        let remedy = "this is a defect of the program: please report it";
        Error::invalid("table", format!("cannot be written as CSV: {e}"), remedy)
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.serialize(record).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
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
        let text = to_csv(&[row, row]).unwrap();
        assert!(text.starts_with(b"iteration,samples,reward,cost,wgiou,accuracy,"));
        assert_eq!(from_csv(&text).unwrap(), [row, row]);
        assert_eq!(from_csv(&text[..text.len() - 3]), None);
        assert_eq!(from_csv(b"iteration\n1\n"), None);
    }
}
