//! Infer the constraints an expert keeps to.
//!
//! An expert acts in a finite world with a known reward and does worse than it could. Something
//! holds it back: which state-action pairs does it avoid on purpose?
//!
//! # The problem
//!
//! A model is `(S, A(s), P, r, mu0, gamma)`. With a cost `c >= 0` and a budget `b >= 0` the expert
//! solves
//!
//! ```text
//! max_pi  V^r(mu0)    subject to  V^c(mu0) <= b,      V^f = E[ sum_t gamma^t f(s_t, a_t) ].
//! ```
//!
//! Only `r`, `gamma`, `mu0` and the available actions are known. Dynamics and expert are seen
//! through samples: act, see the next state, see one action of the expert. With
//! `A_E(s,a) = r + gamma P V_E - V_E(s)` the expert's advantage, the answer is the cost
//!
//! ```text
//! c(s,a) = zeta max(A_E(s,a), 0)   where  pi_E(a|s) = 0,   and 0 elsewhere:
//! ```
//!
//! a pair that would pay more than the expert earns, and that the expert still leaves alone, must
//! be forbidden. The learner puts estimates in place of `P` and `pi_E`; a strategy decides where to
//! look next, so that few samples are enough.
//!
//! # A program
//!
//! ```
//! use hedgerow::env::builtin;
//! use hedgerow::explore;
//! use hedgerow::finite::{RunOptions, run};
//!
//! let environment = builtin::environment("gridworld-3")?;
//! let mut strategy = explore::find("undecided")?.with_defaults();
//! let mut options = RunOptions::default();
//! options.run.iterations = 40;
//! options.seed = 7;
//!
//! let result = run(&environment, strategy.as_mut(), &options)?;
//!
//! let (first, last) = (&result.rows[0], &result.rows[40]);
//! assert!(last.constrained > 0);
//! // Under the inferred cost the best policy gives up reward, as the expert does.
//! assert!(last.reward < first.reward && last.cost < first.cost);
//! println!("{} constrained pairs after {} samples", last.constrained, last.samples);
//! # Ok::<(), hedgerow::Error>(())
//! ```
//!
//! # Modules
//!
//! | module | holds |
//! |---|---|
//! | [`model`] | tasks, sparse dynamics, costs, policies; validated once, when built |
//! | [`solve`] | evaluation, optimal policies, occupancies, constrained problems |
//! | [`env`](mod@env) | environments: the truth, the expert, and the simulator that runs act in |
//! | [`costset`] | the set of costs that explain an expert, with known dynamics |
//! | [`columns`] | named columns of pairs: numbers or words |
//! | [`rules`] | verdicts summed up as short rules over such columns |
//! | [`constraint`] | an inferred constraint as a file that other commands and programs read |
//! | [`transfer`] | constraints inferred in one task, taken into another |
//! | [`learn`] | the learner: counts, estimates, inferred cost, bound, width |
//! | [`explore`] | strategies: from what the learner has seen to the next policy |
//! | [`explain`] | why a pair or a place counts as constrained, drawn as ways to follow |
//! | [`run`] | what a run is, in any world, and the loop that all share |
//! | [`finite`] | runs in finite worlds |
//! | [`domain`] | kinds of worlds: environments, strategies and how runs are done |
//! | [`verdict`] | constrained, free or undecided, with a confidence that holds at any time |
//! | [`metrics`] | the evaluator, which alone compares a learner with the truth |
//! | [`sweep`] | environments x strategies x seeds, in parallel, in parts |
//! | [`results`] | what sweeps save, run by run, and reading it back |
//! | [`theory`] | sample sizes, expected counts, exact intervals |
//! | [`verify`] | how often the promises fail over many runs, against how often they may |
//! | [`io`] | files of grids, models, experts and records |
//! | [`param`] | named parameters with defaults and ranges |
//! | [`text`] | numbers, tables and maps for readers |
//! | [`index`], [`seed`], [`fingerprint`], [`error`] | index types, random streams, fingerprints, errors |
//!
//! Learners and strategies are handed no [`env::Environment`] and no [`model::Model`], so code of
//! theirs that reaches for the truth does not compile.

pub mod columns;
pub mod constraint;
pub mod costset;
pub mod domain;
pub mod env;
pub mod error;
pub mod explain;
pub mod explore;
pub mod fingerprint;
pub mod finite;
pub mod index;
pub mod io;
pub mod learn;
pub mod metrics;
pub mod model;
#[cfg(doctest)]
mod no_leak;
pub mod param;
pub mod results;
pub mod rules;
pub mod run;
pub mod seed;
pub mod solve;
pub mod sweep;
pub mod text;
pub mod theory;
pub mod transfer;
pub mod verdict;
pub mod verify;

pub use error::{Error, Result};
