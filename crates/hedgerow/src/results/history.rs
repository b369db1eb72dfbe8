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

/// The history that `text` holds; `None` if it is none. Columns are found by name, and those that
/// a later version added are blank; that nothing was changed is what the checksum beside it says.
pub fn from_csv(text: &[u8]) -> Option<Vec<Row>> {
    let mut reader = csv::Reader::from_reader(text);
    let is_history = reader.headers().ok()?.iter().any(|c| c == "iteration");
    let rows = reader.deserialize().collect::<csv::Result<_>>().ok()?;
    is_history.then_some(rows)
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
            map_iou: Some(0.25),
        };
        let text = to_csv(&[row, row]).unwrap();
        assert!(text.starts_with(b"iteration,samples,reward,cost,wgiou,accuracy,"));
        assert_eq!(from_csv(&text).unwrap(), [row, row]);
        let without_later_columns = b"iteration,samples\n1,20\n";
        let row = from_csv(without_later_columns).unwrap()[0];
        assert_eq!((row.iteration, row.samples, row.iou), (1, 20, None));
        assert_eq!(from_csv(b"iteration\nx\n"), None);
        assert_eq!(from_csv(b"iteration,samples\n1\n"), None);
        assert_eq!(from_csv(b"name\n"), None);
    }
}
