//! Verdicts: which pairs are constrained, which are free, and which are not decided yet.
//!
//! A pair is constrained if it earns more than the expert does, `A_E(s,a) > 0`, and the expert
//! avoids it; free if it earns no more or the expert takes it. [`Intervals`] hold `A_E` of all pairs
//! at all times with the promised probability; a verdict is given when the interval leaves no
//! doubt, and never before. It rests on nothing but the data, the known rewards and the stated
//! [`Assume`]d behaviour of the expert.

mod confidence;
mod criteria;
mod guess;
mod infer;
mod intervals;
mod need;
mod table;

pub use confidence::{greatest_mean, least_mean, radius};
pub use criteria::{Assume, Criteria, CriteriaParams};
pub use guess::looks_constrained;
pub use infer::{Inferred, SearchOptions, infer};
pub use intervals::Intervals;
pub use table::{PairVerdict, Verdict, Verdicts};
