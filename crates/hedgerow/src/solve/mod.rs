//! Forward problems: what is the best policy, with and without a constraint?
//!
//! Every solver works on an [`Mdp`]: a task, some dynamics (true or estimated), a reward vector
//! and a discount. Returned values carry a certified error: with `T` the Bellman operator of the
//! problem, `||V - V*|| <= ||T V - V|| / (1 - gamma)` in the maximum norm, so the residual of the
//! last sweep bounds how far the values are from the solution, whatever the method did before.
//! [`optimum`], [`evaluate_certified`] and [`value_at_start`] bound every state by itself, so that small
//! values are exact too, and refuse what they cannot certify; whatever is printed comes from them.
//! None of their tolerances depends on the scale of rewards and costs.
//!
//! | problem | solver |
//! |---|---|
//! | a policy's values | [`evaluate_exact`]; [`evaluate_iterative`] where factors would fill up |
//! | what a policy earns from the start | [`value_at_start`] |
//! | a policy's occupancy | [`occupancy`] |
//! | best policy, exact in every state, or refused | [`optimum`] |
//! | best policy for planning | [`modified_policy_iteration`], for models of every size |
//! | the same of a large model, again and again | [`best_in_order`], [`evaluate_in_order`] |
//! | best policy, randomising among ties | [`sharing_ties`] |
//! | best policy, to the last digit | [`policy_iteration`], up to some ten thousand states |
//! | best policy of a huge model | [`value_iteration`], in parallel |
//! | best policy with a budget, sharing ties, best in states it never enters too | [`best_within`] |
//! | best policy with a budget | [`lagrangian`]; [`linear_program`] as a second method |
//! | a budget whose best policy does not randomise | [`deterministic`] |
//! | best policy without any cost | [`hard`]; [`thrifty`] where some cost cannot be avoided |
//! | best mixture under a few constraints, many times | [`constrained_best`] |
//!
//! The best policy of a small model, and its values:
//!
//! ```
//! use hedgerow::model::ModelBuilder;
//! use hedgerow::solve::{Limits, Mdp, modified_policy_iteration};
//!
//! // Take 0.5 now, or walk one step and take 1.
//! let mut b = ModelBuilder::new(3, ["take", "walk"], 0.8);
//! b.start(0, 1.0).terminal(2);
//! b.transition(0, 0, 2, 1.0).reward(0, 0, 0.5);
//! b.transition(0, 1, 1, 1.0);
//! b.transition(1, 0, 2, 1.0).reward(1, 0, 1.0);
//! let model = b.build()?;
//!
//! let outcome = modified_policy_iteration(&Mdp::of(&model), &Limits::default(), None);
//! let best = outcome.solution().expect("a best policy");
//! assert!((best.values[0] - 0.8).abs() <= best.error);
//! assert_eq!(best.policy(model.task()).probs(), [0.0, 1.0, 1.0]);
//! # Ok::<(), hedgerow::Error>(())
//! ```
//!
//! The best policy within a budget may have to randomise:
//!
//! ```
//! use hedgerow::model::ModelBuilder;
//! use hedgerow::solve::{Mdp, Outcome, lagrangian};
//!
//! let mut b = ModelBuilder::new(2, ["fast", "slow"], 0.9);
//! b.start(0, 1.0).terminal(1);
//! b.transition(0, 0, 1, 1.0).reward(0, 0, 1.0);
//! b.transition(0, 1, 1, 1.0).reward(0, 1, 0.5);
//! let model = b.build()?;
//! let (mdp, cost) = (Mdp::of(&model), [1.0, 0.0]);
//!
//! let outcome = lagrangian(&mdp, &cost, 0.25)?;
//! let best = outcome.solution().expect("a policy within the budget");
//! assert!((best.reward - 0.625).abs() < 1e-9);
//! assert!((best.policy.probs()[0] - 0.25).abs() < 1e-9);
//!
//! // A budget that no policy meets is an outcome, not an error.
//! let none = lagrangian(&mdp, &[1.0, 0.5], 0.25)?;
//! assert!(matches!(none, Outcome::Infeasible { least_cost } if (least_cost - 0.5).abs() < 1e-9));
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod again;
mod band;
mod bands;
mod bellman;
mod bound;
mod chain;
mod constrained;
mod endless;
mod evaluate;
mod improve;
mod in_place;
mod modified;
mod occupancy;
mod optimum;
mod ordered;
mod policy_iteration;
mod policy_rows;
mod rounds;
mod settle;
mod shape;
mod sweep;
mod ties;
mod turn;
mod value_iteration;
mod wide;

pub use again::{Start, best_again, better_again};
pub use bellman::Mdp;
pub(crate) use chain::Chain;
pub(crate) use constrained::interior_point;
pub use constrained::{
    Choice, Constrained, FEASIBILITY, Hard, LinearRow, Mixture, Roughly, WarmStart, best_within,
    constrained_best, constrained_roughly, deterministic, hard, lagrangian, linear_program,
    thrifty, without_dust,
};
pub(crate) use evaluate::magnitude;
pub use evaluate::{
    ACCURACY, Certified, Sum, evaluate_certified, evaluate_exact, evaluate_iterative,
    value_and_cost, value_at_start,
};
pub use modified::modified_policy_iteration;
pub(crate) use occupancy::{Visits, dot, visits};
pub use occupancy::{occupancy, policy_of};
pub use optimum::{Optimum, optimum};
pub(crate) use ordered::LARGE;
pub use ordered::{Followed, best_in_order, evaluate_in_order};
pub use policy_iteration::policy_iteration;
pub use ties::{optimum_sharing_ties, share_best, sharing_ties};
pub use value_iteration::value_iteration;

use crate::index::Pair;
use crate::model::{Policy, Task};

/// When an iterative solver may stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Stop when the certified error is at most this.
    pub tolerance: f64,
    /// Give up after this many sweeps over the model.
    pub sweeps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            sweeps: 100_000,
        }
    }
}

impl Limits {
    /// The same where an error of `share` of the largest of `values` is no worse.
    pub(crate) fn or_share(self, share: f64, values: &[f64]) -> Self {
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        Self {
            tolerance: self.tolerance.max(share * largest),
            ..self
        }
    }
}

/// The values that a solver starts from: those given, or zeros.
fn start_values(task: &Task, warm: Option<&[f64]>) -> Vec<f64> {
    let Some(warm) = warm else {
        return vec![0.0; task.states()];
    };
    assert_eq!(warm.len(), task.states(), "one value per state is needed");
    warm.to_vec()
}

/// How a solver ended. None of these is an error.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<T> {
    /// Solved to the promised accuracy.
    Optimal(T),
    /// No policy meets the constraint; `least_cost` is the smallest discounted cost of any policy.
    Infeasible {
        /// The smallest discounted cost that can be reached from the start.
        least_cost: f64,
    },
    /// The sweeps ran out; the best found so far, with the error it is certified to.
    LimitReached(T),
}

impl<T> Outcome<T> {
    /// `Optimal` if that was proved, else `LimitReached`.
    pub(crate) fn of(solution: T, proved: bool) -> Self {
        match proved {
            true => Self::Optimal(solution),
            false => Self::LimitReached(solution),
        }
    }

    /// The solution, proved optimal or not; `None` if there is none.
    pub fn solution(self) -> Option<T> {
        match self {
            Self::Optimal(t) | Self::LimitReached(t) => Some(t),
            Self::Infeasible { .. } => None,
        }
    }

    /// The same outcome of another solution type.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Self::Optimal(t) => Outcome::Optimal(f(t)),
            Self::LimitReached(t) => Outcome::LimitReached(f(t)),
            Self::Infeasible { least_cost } => Outcome::Infeasible { least_cost },
        }
    }
}

/// Values of a fixed policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// `V(s)`; 0 at terminals.
    pub values: Vec<f64>,
    /// Certified bound on the error of any entry.
    pub error: f64,
    /// Sweeps over the model (1 for a direct solve).
    pub sweeps: usize,
}

/// An optimal policy and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// `V(s)`; 0 at terminals and at states without an allowed pair.
    pub values: Vec<f64>,
    /// The best pair of every state; `None` at terminals and where nothing is allowed.
    pub choice: Vec<Option<Pair>>,
    /// Certified bound on the error of any value.
    pub error: f64,
    /// Sweeps over the model.
    pub sweeps: usize,
}

impl Solution {
    /// The choices as a policy.
    pub fn policy(&self, task: &Task) -> Policy {
        Policy::deterministic(task, &self.choice)
    }
}
