//! How good is what was inferred? The only place that compares a learner with the truth.

mod evaluator;
mod hull;
pub mod iou;
mod rollouts;
mod worlds;

pub use evaluator::{Evaluation, Evaluator, PlanIn};
pub use iou::{Overlap, overlap};
pub use rollouts::RolloutEvaluator;
pub use worlds::FiniteEvaluator;
