//! Policies that share their choice among equally good pairs.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy, Task};
use crate::solve::evaluate::value_at_start_from;
use crate::solve::{Mdp, Optimum, optimum};
use crate::{Error, Result};

/// The optimal policy of `mdp` that randomises equally among all best allowed pairs.
///
/// Ties are told by the values of their own state, so that one far from the goal, where all values
/// are small, does not look indifferent, and by the rounding of the solve, so that values near 0
/// whose terms cancel out can tie. Where sharing would lose more than rounding, which takes very
/// many near ties, the first of the best pairs is taken instead.
pub fn sharing_ties<D: Dynamics>(mdp: &Mdp<D>) -> Result<Policy> {
    optimum_sharing_ties(mdp).map(|(policy, _)| policy)
}

/// The same policy with the optimum that it was found from, which need not be solved again.
pub fn optimum_sharing_ties<D: Dynamics>(mdp: &Mdp<D>) -> Result<(Policy, Optimum)> {
    every_state_can_act(mdp)?;
    let best = optimum(mdp)?;
    let shared = share_among(mdp.task, &best.ties(mdp));
    if best.is_plain() {
        return Ok((shared, best));
    }
    let most = best.at_start(mdp.task);
    let earned = value_at_start_from(mdp, &shared, Some(&best.values))?;
    let lost = most.value - earned.value;
    if lost <= LOSS * most.value.abs() + most.error + earned.error {
        return Ok((shared, best));
    }
    Ok((Policy::deterministic(mdp.task, &best.choice), best))
}

/// Refuses a problem in which some state allows nothing.
pub(super) fn every_state_can_act<D: Dynamics>(mdp: &Mdp<D>) -> Result<()> {
    let task = mdp.task;
    let stuck = |&s: &State| !task.is_terminal(s) && !mdp.goes_on(s);
    match task.all_states().find(stuck) {
        None => Ok(()),
        Some(state) => Err(Error::invalid(
            task.state_name(state),
            "no action is allowed here",
            "leave every state an allowed action",
        )),
    }
}

/// The policy that randomises equally among the marked pairs of each state; uniform where none is.
pub(super) fn share_among(task: &Task, marked: &[bool]) -> Policy {
    share_best(task, 0.0, |pair| marked[pair.at()].then_some(0.0))
}

/// What sharing ties may lose, relative to the value at the start.
const LOSS: f64 = 1e-8;

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
