//! The costs that explain an expert, when the dynamics are known.
//!
//! With `A_E = Q - V` the expert's advantage, a hard cost explains the expert if it charges
//! exactly the pairs the expert avoids although they would pay: `pi_E(a|s) = 0` and
//! `A_E(s, a) > 0`. [`canonical`] is one such cost, [`CostSet`] holds all of them, hard and soft:
//!
//! | question | method |
//! |---|---|
//! | is this cost in the set, and if not, why? | [`CostSet::contains`], by one of two [`Rule`]s |
//! | one element | [`CostSet::canonical`], [`CostSet::canonical_for`], [`CostSet::innermost`] |
//! | how small and large can entries be? | [`CostSet::ranges`], [`CostSet::ranges_given`] |
//! | the element nearest to this cost | [`CostSet::nearest`] |
//! | what does the expert pay, and for what? | [`CostSet::decompose`] |
//! | how far are two costs apart, shaping aside? | [`CostSet::quotient`] |
//! | what do two tasks agree on? | [`CostSet::intersect`] |
//! | which given features of pairs does the cost consist of? | [`Features::found_in`], [`Features::ranges`] |
//!
//! The two rules differ. [`Rule::Conditions`] is about one deviation from the expert at a time, in
//! every state; [`Rule::Optimality`] asks the forward problem, from the start. `docs/errata.md`
//! has the smallest examples of each without the other.
//!
//! ```
//! use hedgerow::costset::{CostSet, Rule};
//! use hedgerow::model::{ModelBuilder, Policy};
//!
//! let mut b = ModelBuilder::new(2, ["fast", "slow"], 0.9);
//! b.start(0, 1.0).terminal(1);
//! b.transition(0, 0, 1, 1.0).reward(0, 0, 1.0);
//! b.transition(0, 1, 1, 1.0).reward(0, 1, 0.5);
//! let model = b.build()?;
//! let slow = Policy::new(model.task(), vec![0.0, 1.0])?;
//!
//! let hard = CostSet::of(&model, &slow, 0.0, 1.0)?;
//! assert!(hard.contains(&[0.7, 0.0], Rule::Conditions)?.is_member());
//! let ranges = hard.ranges(Rule::Conditions)?.expect("a set with members");
//! assert_eq!(ranges[0].to_string(), "(0, 1]");
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod canonical;
mod features;
mod hard_sets;
mod intersection;
mod membership;
mod nearest;
mod optimality;
mod program;
mod quotient;
mod range;
mod set;

pub use canonical::{advantage, canonical, canonical_within};
pub(crate) use canonical::{check_cost_max, values_and_advantage};
pub use features::{FeatureFound, Features, FeaturesFound};
pub use intersection::{Conflict, Intersection};
pub use membership::{Membership, Rule, Violation};
pub use nearest::Nearest;
pub use quotient::Quotient;
pub use range::Range;
pub use set::{CostSet, Decomposition, Role, TOLERANCE};

use crate::model::{Dynamics, Task, project, significant_cells};

/// A cost on pairs as a cost on cells, `kappa(s') = sum_{s,a} P(s'|s,a) c(s,a)`, without the
/// entries below 5 % of the largest.
pub fn on_cells<D: Dynamics>(dynamics: &D, task: &Task, cost: &[f64]) -> Vec<f64> {
    significant_cells(project(dynamics, task, cost))
}
