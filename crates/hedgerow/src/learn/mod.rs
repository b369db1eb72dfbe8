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
