//! How good an answer is.

mod hull;
pub mod iou;

pub use iou::{Overlap, overlap};
