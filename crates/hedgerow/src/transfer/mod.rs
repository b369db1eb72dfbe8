//! Constraints inferred in one task, transferred to another with a different goal, start, reward or
//! slip over the same states.
//!
//! Four agents act in the target: one that is optimal without what the source forbids, one that
//! is optimal for the reward alone, one that clones demonstrations of the source's expert, and the
//! target's own expert. Each is evaluated in the target's truth.
//!
//! ```
//! use hedgerow::costset::canonical;
//! use hedgerow::env::builtin;
//! use hedgerow::transfer::{Carried, TransferSettings, transfer};
//!
//! // The same map, with another slip.
//! let source = builtin::environment("gridworld-3")?;
//! let mut grid = builtin::grid("gridworld-3")?;
//! grid.slip = 0.1;
//! let target = grid.environment()?;
//!
//! let cost = canonical(source.truth().model(), source.truth().expert(), 1.0)?;
//! let constraint = Carried::cells(&source, &cost)?;
//! let found = transfer(&source, &constraint, &target, &TransferSettings::default())?;
//! let [transferred, reward_only, ..] = &found.agents[..] else { panic!("four agents") };
//! assert!(transferred.cost < reward_only.cost);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod agent;
mod carried;

pub use agent::{AgentEvaluation, behaviour_clone, evaluate};
pub use carried::{Carried, allowed, same_states};

use crate::Result;
use crate::constraint::{Constraint, leave_a_choice};
use crate::costset::{Conflict, CostSet, Rule};
use crate::env::Environment;
use crate::model::Dynamics;
use crate::solve::{Mdp, sharing_ties};

/// How to transfer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransferSettings {
    /// `C_max` of both cost sets; 1 by default.
    pub cost_max: f64,
    /// Episodes of the source's expert that are cloned; 20 by default.
    pub demonstrations: usize,
    /// The seed of the demonstrations.
    pub seed: u64,
}

impl Default for TransferSettings {
    fn default() -> Self {
        Self {
            cost_max: 1.0,
            demonstrations: 20,
            seed: 0,
        }
    }
}

/// What became of a constraint in another task.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// Pairs of the target that the agent may not take.
    pub forbidden: usize,
    /// States that the constraint left nothing, where the agent may do anything.
    pub overruled: usize,
    /// The agents: transferred, reward only, imitation (if the source is known), expert.
    pub agents: Vec<AgentEvaluation>,
    /// What the costs that explain both experts have to be like; `None` if the source is not known,
    /// the two tasks offer other pairs, or one constraint is hard and the other soft.
    pub shared: Option<Shared>,
}

/// The intersection of the two cost sets, by optimality.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Pairs on which the two experts cannot be explained together; empty if they can.
    pub conflicts: Vec<Conflict>,
    /// Pairs that must cost something, by ascending number, if both constraints are hard and can be
    /// explained together.
    pub forced: Option<Vec<crate::index::Pair>>,
}

/// Transfers a constraint, inferred from the expert of `source`, to `target`.
pub fn transfer(
    source: &Environment,
    constraint: &Carried,
    target: &Environment,
    settings: &TransferSettings,
) -> Result<Transfer> {
    let mut found = kept(allowed(source, constraint, target)?, target)?;
    let imitation = behaviour_clone(source, target, settings)?;
    let at = found.agents.len() - 1;
    found
        .agents
        .insert(at, evaluate("imitation", target, &imitation)?);
    found.shared = shared(source, target, settings.cost_max)?;
    Ok(found)
}

/// What becomes of a saved constraint in `target`: pairs go by the names of states and actions, and
/// so do states if it is taken `as_cells`.
pub fn transfer_saved(
    constraint: &Constraint,
    as_cells: bool,
    target: &Environment,
) -> Result<Transfer> {
    let task = target.task();
    if !as_cells {
        return kept(constraint.allowed(task)?, target);
    }
    let entering = constraint.entering(task)?;
    let rows = target.truth().model().rows();
    let may = |pair| rows.likeliest(pair).is_none_or(|s| !entering[s.at()]);
    let allowed = task.all_pairs().map(may).collect();
    kept(leave_a_choice(task, allowed), target)
}

/// Agents in `target` that may take `allowed` pairs, that may take all, and the expert.
fn kept((allowed, overruled): (Vec<bool>, usize), target: &Environment) -> Result<Transfer> {
    let mdp = Mdp::of(target.truth().model());
    let policies = [
        ("transferred", sharing_ties(&mdp.with_allowed(&allowed))?),
        ("reward only", sharing_ties(&mdp)?),
        ("expert", target.truth().expert().clone()),
    ];
    let mut agents = Vec::with_capacity(policies.len());
    for (name, policy) in &policies {
        agents.push(evaluate(name, target, policy)?);
    }
    Ok(Transfer {
        forbidden: allowed.iter().filter(|&&a| !a).count(),
        overruled,
        agents,
        shared: None,
    })
}

fn shared(source: &Environment, target: &Environment, cost_max: f64) -> Result<Option<Shared>> {
    let (one, two) = (source.truth(), target.truth());
    let task = source.task();
    if !task.has_pairs_of(target.task()) || (one.budget() == 0.0) != (two.budget() == 0.0) {
        return Ok(None);
    }
    let one = CostSet::of(one.model(), one.expert(), one.budget(), cost_max)?;
    let two = CostSet::of(two.model(), two.expert(), two.budget(), cost_max)?;
    let both = one.intersect(&two, Rule::Optimality)?;
    let forced = match one.is_hard() {
        false => None,
        true => both.ranges()?.map(|ranges| {
            let strict = task.all_pairs().filter(|p| ranges[p.at()].low_open);
            strict.collect()
        }),
    };
    Ok(Some(Shared {
        conflicts: both.conflicts().to_vec(),
        forced,
    }))
}
