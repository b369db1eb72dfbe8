//! Learning in continuous worlds of any kind, with networks, as a domain of sweeps.
//!
//! The learner is given a [`WorldSpec`](crate::world::WorldSpec) and samples, each with the expert's
//! action at its observation. It fits the expert's action values by an ensemble of networks, charges
//! pairs that would pay more than the expert's and that the expert does not choose, and learns these
//! labels with a network over observation and action: the constraint.
//!
//! | module | holds |
//! |---|---|
//! | [`samples`] | samples and their returns |
//! | [`encoder`] | observations and actions as inputs of networks |
//! | [`value`] | the expert's action values, by an ensemble |
//! | [`evidence`] | advantages of samples |
//! | [`constraint`] | the constraint, a classifier |
//! | [`calibration`] | reliability curves |
//! | [`density`] | pseudo-counts from a kernel density without a lattice |
//! | [`learner`] | the learner |
//! | [`strategy`] | strategies: one of some candidate actions |
//! | [`cloned`](mod@cloned) | recorded experts as policies |
//! | [`evaluator`] | the evaluator, which alone knows the truth |
//! | [`settings`] | parameters |
//! | [`payload`] | what files keep |
//! | [`world`] | a world, opened for runs |
//! | [`domain`] | the domain |

pub mod calibration;
pub mod cloned;
pub mod constraint;
pub mod density;
pub mod domain;
pub mod encoder;
pub mod evaluator;
pub mod evidence;
mod exploration;
pub mod learner;
pub mod payload;
pub mod samples;
pub mod settings;
pub mod strategy;
pub mod value;
pub mod world;

pub use domain::GeneralDomain;
pub use learner::GeneralLearner;
pub use samples::{Return, Sample, Samples};
pub use settings::{GeneralSettings, PARAMETERS};
pub use world::OpenWorld;
