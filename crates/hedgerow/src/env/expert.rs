//! Experts that are computed: optimal where they may act, sharing ties equally.

use crate::index::Pair;
use crate::model::{Dynamics, Policy, Task};
use crate::solve::{Limits, Mdp, modified_policy_iteration};
use crate::{Error, Result};

/// Values this close count as equal. Far above rounding, far below any difference a move makes.
const TIE: f64 = 1e-9;

/// Probabilities below this are rounding of an interior-point solution, not choices.
const DUST: f64 = 1e-9;

/// The same policy without what only rounding put there.
pub fn without_dust(task: &Task, policy: &Policy) -> Result<Policy> {
    let mut prob = policy.probs().to_vec();
    for state in task.all_states() {
        let own = &mut prob[task.pairs_of(state)];
        own.iter_mut().filter(|p| **p < DUST).for_each(|p| *p = 0.0);
        let sum: f64 = own.iter().sum();
        own.iter_mut().for_each(|p| *p /= sum);
    }
    Policy::new(task, prob)
}

/// The optimal policy of `mdp` that shares equally among all best allowed pairs.
///
/// Ties are judged relative to the best value, so that a state far from the goal, where all
/// values are small, does not look indifferent.
pub fn sharing_ties<D: Dynamics>(mdp: &Mdp<D>) -> Result<Policy> {
    let limits = Limits {
        tolerance: 1e-14,
        ..Limits::default()
    };
    let solution = modified_policy_iteration(mdp, &limits, None)
        .solution()
        .ok_or_else(|| Error::Numeric {
            place: "expert".into(),
            problem: "no optimal policy".into(),
        })?;
    let mut prob = vec![0.0; mdp.task.pairs()];
    for state in mdp.task.all_states().filter(|&s| !mdp.task.is_terminal(s)) {
        let Some((_, best)) = mdp.best(state, &solution.values) else {
            return Err(Error::invalid(
                mdp.task.state_name(state),
                "the expert may take no action here",
                "leave every state an allowed action",
            ));
        };
        let ties: Vec<usize> = mdp
            .task
            .pairs_of(state)
            .filter(|&i| {
                let pair = Pair::new(i);
                mdp.allows(pair) && mdp.q(pair, &solution.values) >= best - TIE * best.abs()
            })
            .collect();
        for &i in &ties {
            prob[i] = 1.0 / ties.len() as f64;
        }
    }
    Policy::new(mdp.task, prob)
}
