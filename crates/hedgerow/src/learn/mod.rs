//! What the learner has seen, and what follows from it.
//!
//! A [`Learner`] is told the task and fed samples: transitions, and the expert's answer at every
//! visited state. From these it keeps, incrementally,
//!
//! - the estimated dynamics `P^(s'|s,a) = N(s,a,s') / N(s,a)` ([`Estimate`]),
//! - the estimated expert `pi^_E(a|s) = N_E(s,a) / N_E(s)`,
//! - the value `V^` of the estimated expert in the estimated dynamics, and its advantage
//!   `A^(s,a) = Q^(s,a) - V^(s)`,
//! - the inferred cost `c^(s,a) = zeta A^(s,a)` on pairs that were seen, that the expert was never
//!   seen to choose, and whose advantage exceeds its own standard error.
//!
//! ```
//! use hedgerow::index::{Pair, State};
//! use hedgerow::learn::{Inference, Learner};
//! use hedgerow::model::ModelBuilder;
//! use std::sync::Arc;
//!
//! // In state 0, `short` earns 1 and `long` 0.5; both end the episode. The dynamics are not known.
//! let mut b = ModelBuilder::new(2, ["short", "long"], 0.9);
//! b.start(0, 1.0).terminal(1);
//! b.reward(0, 0, 1.0).reward(0, 1, 0.5);
//! let task = Arc::new(b.build_task()?);
//!
//! let mut learner = Learner::new(task, Inference::default());
//! for _ in 0..10 {
//!     learner.see_transition(Pair(0), State(1));
//!     learner.see_transition(Pair(1), State(1));
//!     learner.see_expert(Pair(1));
//! }
//! learner.refresh();
//! // The expert takes `long` although `short` earns more: `short` must be constrained.
//! assert_eq!(learner.constrained(), [true, false]);
//! assert_eq!(learner.cost(), [1.0, 0.0]);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod bound;
mod contradiction;
mod estimate;
mod inference;
mod learner;
mod seen;
mod width;

pub use bound::{Bound, beta, clip, sigma};
pub use contradiction::{Choice, Contradiction, contradictions};
pub use estimate::Estimate;
pub use inference::{Inference, InferenceParams, ZetaRule};
pub use learner::Learner;
pub use seen::Seen;
pub use width::{PairStatus, Width};
