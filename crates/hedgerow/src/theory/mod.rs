//! What the theory promises, as numbers: sample sizes, expected counts, exact intervals.
//!
//! - [`uniform`], [`bear`], [`pcse`]: how many samples are enough for an accuracy ([`PacParams`]),
//!   exactly by the Lambert W function and by a closed bound;
//! - [`chi`], [`propagated`], [`advantage_difference`]: how errors of estimates reach the cost;
//! - [`PseudoCounts`]: how often every pair is expected to be visited under given policies;
//! - [`clopper_pearson`], [`at_least`]: how often something failed, against how often it may.
//!
//! Nothing here is used by a learner or a strategy.

mod binomial;
mod lambert;
mod median;
mod propagation;
mod pseudo_counts;
mod samples;

pub use binomial::{Interval, at_least, clopper_pearson};
pub use median::median;
pub use propagation::{EstimationProblem, advantage_difference, chi, propagated};
pub use pseudo_counts::{PseudoCounts, count_slack, pseudo_beta, pseudo_sigma};
pub use samples::{Gap, PacParams, SampleSize, bear, gap_of, pcse, uniform, zeta_max_of};
