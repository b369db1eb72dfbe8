//! What a strategy hands to the run, and the planning that several of them share.

use crate::index::Pair;
use crate::learn::{Estimate, Learner};
use crate::model::{Policy, Task};
use crate::solve::{Limits, Mdp, modified_policy_iteration};

/// How to gather the samples of one iteration.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Follow this policy from the start in every episode.
    Follow(Policy),
    /// x
    Imitate(Policy, Vec<bool>),
    /// Draw one of these policies by weight for every episode.
    Mixture(Vec<(f64, Policy)>),
    /// Ask a generative model for this many samples of every pair.
    Generate(u32),
}

/// The discount for planning exploration: looks `lookahead` times as far as the model's.
///
/// The model's own discount can be so short-sighted that an unknown corner is not worth the walk.
pub fn planning_gamma(gamma: f64, lookahead: f64) -> f64 {
    1.0 - (1.0 - gamma) / lookahead
}

/// How exactly exploration is planned; finer makes no difference to what is tried.
pub const PLANNING: Limits = Limits {
    tolerance: 1e-6,
    sweeps: 2_000,
};

/// Relative difference below which two pairs are equally worth trying.
const TIE: f64 = 1e-6;

/// The estimated problem with a reward vector for exploration.
pub fn estimated<'a>(learner: &'a Learner, reward: &'a [f64], gamma: f64) -> Mdp<'a, Estimate> {
    Mdp {
        task: learner.task(),
        dynamics: learner.estimate(),
        reward,
        gamma,
        allowed: None,
    }
}

/// Bonus of every pair: `width` where it was tried, and where it was not the largest value any
/// plan could have, `max width / (1 - gamma)`, since its row is empty and nothing can follow.
pub fn optimistic(learner: &Learner, gamma: f64, width: impl Fn(Pair) -> f64) -> Vec<f64> {
    let mut bonus: Vec<f64> = Vec::with_capacity(learner.task().pairs());
    let mut largest = 0.0_f64;
    for pair in learner.task().all_pairs() {
        let w = if learner.estimate().visits(pair) == 0 {
            f64::INFINITY
        } else {
            width(pair)
        };
        if w.is_finite() {
            largest = largest.max(w);
        }
        bonus.push(w);
    }
    let unseen = if largest > 0.0 { largest } else { 1.0 } / (1.0 - gamma);
    for b in &mut bonus {
        if b.is_infinite() {
            *b = unseen;
        }
    }
    bonus
}

/// The optimal policy of `mdp`, sharing its choice among pairs that are equally good, so that an
/// episode that returns to a state does not try the same unknown pair again and again.
pub fn best_sharing_ties(mdp: &Mdp<Estimate>, warm: &mut Vec<f64>) -> Policy {
    let start = (warm.len() == mdp.task.states()).then_some(&warm[..]);
    if let Some(solution) = modified_policy_iteration(mdp, &PLANNING, start).solution() {
        *warm = solution.values;
    }
    greedy_sharing_ties(mdp, warm)
}

/// The policy that shares equally among the pairs that are best under `values`.
pub fn greedy_sharing_ties(mdp: &Mdp<Estimate>, values: &[f64]) -> Policy {
    share_best(mdp.task, |pair| {
        mdp.allows(pair).then(|| mdp.q(pair, values))
    })
}

/// The policy that shares equally among the pairs with the highest score of each state; pairs
/// without a score are never taken.
pub fn share_best(task: &Task, score: impl Fn(Pair) -> Option<f64>) -> Policy {
    let mut prob = vec![0.0; task.pairs()];
    for state in task.all_states() {
        let range = task.pairs_of(state);
        let mut best = f64::NEG_INFINITY;
        for i in range.clone() {
            if let Some(s) = score(Pair::new(i)) {
                prob[i] = s;
                best = best.max(s);
            } else {
                prob[i] = f64::NEG_INFINITY;
            }
        }
        let cut = if best.is_finite() {
            best - TIE * best.abs()
        } else {
            best
        };
        let ties = range.clone().filter(|&i| prob[i] >= cut).count() as f64;
        for i in range {
            prob[i] = if prob[i] >= cut { 1.0 / ties } else { 0.0 };
        }
    }
    Policy::from_raw(prob)
}
