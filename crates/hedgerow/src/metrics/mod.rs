//! How good is what was inferred? The only place that compares a learner with the truth.
//!
//! ```
//! use hedgerow::env::builtin;
//! use hedgerow::learn::{Inference, Learner};
//! use hedgerow::metrics::{Evaluator, PlanIn, overlap};
//!
//! let environment = builtin::environment("gridworld-1")?;
//! let mut evaluator = Evaluator::new(&environment, PlanIn::Truth)?;
//!
//! // A learner that has seen nothing forbids nothing: it earns more than the expert, and pays.
//! let learner = Learner::new(environment.task().clone(), Inference::default());
//! let found = evaluator.evaluate(&learner)?;
//! assert!(found.reward > evaluator.expert_reward() && found.cost > evaluator.expert_cost());
//! assert_eq!(found.iou, Some(0.0));
//!
//! // Two of three charged states were found, and one too many.
//! let agreement = overlap(&[1.0, 1.0, 1.0, 0.0], &[0.0, 1.0, 1.0, 1.0], None)?;
//! assert_eq!(agreement.iou, 0.5);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod evaluator;
mod exact;
mod hull;
pub mod iou;
mod judged;
mod rollouts;
mod worlds;

pub use evaluator::{Evaluator, PlanIn};
pub use exact::{ExactInference, exact_inference};
pub use iou::{Overlap, overlap};
pub use rollouts::{ROLLOUTS, RolloutEvaluator};
pub use worlds::FiniteEvaluator;
