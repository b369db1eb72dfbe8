//! The theory as numbers: sample sizes, error propagation, expected counts, exact intervals.
//!
//! - [`uniform`], [`bear`], [`pcse`]: sample complexity, how many samples are enough for an accuracy
//!   ([`PacParams`]),
//!   exactly by the Lambert W function and by a closed bound;
//! - [`lower_bound`]: how many samples any algorithm needs in a known world;
//! - [`chi`], [`propagated`], [`advantage_difference`]: how errors of estimates reach the cost;
//! - [`excess_cost`]: how much a policy that is best under an estimated cost can cost;
//! - [`PseudoCounts`]: how often every pair is expected to be visited under given policies;
//! - [`clopper_pearson`], [`at_least`]: how often something failed, against how often it may.
//!
//! Nothing here is used by a learner or a strategy.
//!
//! ```
//! use hedgerow::theory::{PacParams, clopper_pearson, uniform};
//!
//! // How many samples per pair from a generative model make all values accurate to 0.5, with
//! // probability 0.9?
//! let params = PacParams {
//!     pairs: 100,
//!     horizon: 50,
//!     gamma: 0.7,
//!     reward_max: 1.0,
//!     cost_max: 1.0,
//!     zeta_max: 1.0,
//!     delta: 0.1,
//!     accuracy: 0.5,
//! };
//! let per_pair = uniform(&params)?;
//! assert!(per_pair.exact > 1e4 && per_pair.exact <= per_pair.closed);
//!
//! // No failure in 200 runs: the probability of one is at most 1.8 %, with confidence 95 %.
//! let interval = clopper_pearson(0, 200, 0.95)?;
//! assert!(interval.lower == 0.0 && interval.upper < 0.019);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod binomial;
mod lambert;
mod lower_bound;
mod median;
mod propagation;
mod pseudo_counts;
mod samples;

pub use binomial::{Interval, at_least, clopper_pearson};
pub use lower_bound::{
    Alternative, AlternativeRow, Demand, LowerBound, PairDemand, Question, lower_bound,
};
pub use median::median;
pub use propagation::{EstimationProblem, advantage_difference, chi, excess_cost, propagated};
pub(crate) use pseudo_counts::LONGEST;
pub use pseudo_counts::{PseudoCounts, count_slack, pseudo_beta, pseudo_sigma};
pub use samples::{Gap, PacParams, SampleSize, bear, gap_of, pcse, uniform, zeta_max_of};
