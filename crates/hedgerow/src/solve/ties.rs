//! Policies that share their choice among equally good pairs.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy, Task};
use crate::solve::{Limits, Mdp, modified_policy_iteration};
use crate::{Error, Result};

/// Relative difference below which two values of an exact solve are equal: far above its rounding,
/// far below any difference that a move makes.
const EXACT_TIE: f64 = 1e-9;

/// The optimal policy of `mdp` that randomises equally among all best allowed pairs.
///
/// Ties are relative to the best value, so that a state far from the goal, where all values are
/// small, does not look indifferent.
pub fn sharing_ties<D: Dynamics>(mdp: &Mdp<D>) -> Result<Policy> {
    let task = mdp.task;
    let stuck = |&s: &State| !task.is_terminal(s) && !mdp.goes_on(s);
    if let Some(state) = task.all_states().find(stuck) {
        return Err(Error::invalid(
            task.state_name(state),
            "no action is allowed here",
            "leave every state an allowed action",
        ));
    }
    let limits = Limits {
        tolerance: 1e-14,
        ..Limits::default()
    };
    let solution = modified_policy_iteration(mdp, &limits, None)
        .solution()
        .ok_or_else(|| Error::Numeric {
            place: "policy sharing ties".into(),
            problem: "no optimal policy".into(),
        })?;
    let q = |pair| mdp.allows(pair).then(|| mdp.q(pair, &solution.values));
    Ok(share_best(task, EXACT_TIE, q))
}

/// The policy that randomises equally among the pairs with the highest score of each state, those
/// within `tolerance` of it, relative to its size, included. Pairs without a score are taken only
/// where no pair has one.
pub fn share_best(task: &Task, tolerance: f64, score: impl Fn(Pair) -> Option<f64>) -> Policy {
    let mut prob = vec![0.0; task.pairs()];
    for state in task.all_states() {
        let own = task.pairs_of(state);
        let mut best = f64::NEG_INFINITY;
        for i in own.clone() {
            prob[i] = score(Pair::new(i)).unwrap_or(f64::NEG_INFINITY);
            best = best.max(prob[i]);
        }
        let cut = if best.is_finite() {
            best - tolerance * best.abs()
        } else {
            best
        };
        let ties = own.clone().filter(|&i| prob[i] >= cut).count() as f64;
        for i in own {
            prob[i] = if prob[i] >= cut { 1.0 / ties } else { 0.0 };
        }
    }
    Policy::from_raw(prob)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    fn three() -> Result<crate::model::Model> {
        let mut b = ModelBuilder::new(2, ["a", "b", "c"], 0.9);
        b.start(0, 1.0).terminal(1);
        for (a, r) in [1.0, 1.0 - 1e-7, 0.5].into_iter().enumerate() {
            b.transition(0, a, 1, 1.0).reward(0, a, r);
        }
        b.build()
    }

    #[test]
    fn the_tolerance_decides_what_is_a_tie() -> Result<()> {
        let model = three()?;
        let (task, reward) = (model.task(), model.task().reward());
        let shared = |tolerance| share_best(task, tolerance, |p| Some(reward[p.at()]));
        assert_eq!(shared(1e-6).probs(), [0.5, 0.5, 0.0]);
        assert_eq!(shared(1e-9).probs(), [1.0, 0.0, 0.0]);
        assert_eq!(sharing_ties(&Mdp::of(&model))?.probs(), [1.0, 0.0, 0.0]);
        // Infinite scores tie with each other only, and without any score all pairs are alike.
        let first = share_best(task, 1e-6, |p| (p.0 > 0).then_some(f64::INFINITY));
        assert_eq!(first.probs(), [0.0, 0.5, 0.5]);
        assert_eq!(share_best(task, 1e-6, |_| None), Policy::uniform(task));
        Ok(())
    }

    #[test]
    fn a_state_without_an_allowed_action_is_named() -> Result<()> {
        let model = three()?;
        let nothing = [false; 3];
        let refused = sharing_ties(&Mdp::of(&model).with_allowed(&nothing));
        assert!(refused.is_err_and(|e| e.to_string().starts_with("s0: no action is allowed")));
        Ok(())
    }
}
