//! The best policy within a budget, best everywhere.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy, reachable};
use crate::solve::constrained::breakpoint::{Breakpoint, breakpoint, sums};
use crate::solve::constrained::{Constrained, priced, without_dust};
use crate::solve::occupancy::{policy_or, visits};
use crate::solve::ties::{every_state_can_act, share_among};
use crate::solve::{Mdp, Outcome, sharing_ties};
use crate::{Error, Result};

/// The best policy within `budget` that is best everywhere and shares what is equal.
///
/// At the optimal price `lambda` of the budget some pairs of every state are best in
/// `r - lambda c`. The policy takes no others, in any state, also in those it never enters, and it
/// takes them equally often as far as the budget allows: the policy that shares all of them is
/// mixed, in occupancy space, with the cheapest or the dearest that takes no others, so that a
/// budget that binds is spent exactly. If the policy that shares what is best in `r` is within
/// the budget, it is the answer.
///
/// The outcome is [`Outcome::LimitReached`] if the gap exceeds [`crate::solve::ACCURACY`] of the reward.
pub fn best_within<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
) -> Result<Outcome<Constrained>> {
    every_state_can_act(mdp)?;
    let found = match breakpoint(mdp, cost, budget)? {
        Outcome::Infeasible { least_cost } => return Ok(Outcome::Infeasible { least_cost }),
        Outcome::Optimal(found) | Outcome::LimitReached(found) => found,
    };
    let mut answers = Vec::new();
    for policy in [
        shared(mdp, cost, budget, &found)?,
        mixed(mdp, cost, budget, &found)?,
    ] {
        for policy in [without_dust(mdp.task, &policy)?, policy] {
            let answer = Constrained::certified(mdp, cost, policy, found.multiplier, found.bound)?;
            if answer.cost <= budget + found.slack {
                if found.proves(mdp, &answer)? {
                    return Ok(Outcome::Optimal(answer));
                }
                answers.push(answer);
            }
        }
    }
    let best = answers.into_iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
    best.map(Outcome::LimitReached)
        .ok_or_else(|| Error::Numeric {
            place: "best policy within a budget".into(),
            problem: "no mixture meets the budget".into(),
        })
}

/// The policy that shares all pairs that are best at the multiplier, as far as the budget allows.
fn shared<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    found: &Breakpoint,
) -> Result<Policy> {
    let reward = priced(mdp.reward, cost, found.multiplier);
    let mut best = found.optimum.ties(&mdp.with_reward(&reward));
    for line in found.over.iter().chain([&found.within]) {
        for state in visited(mdp, &line.choice) {
            if let Some(pair) = line.choice[state.at()] {
                best[pair.at()] = true;
            }
        }
    }
    let equally = share_among(mdp.task, &best);
    let [_, spent] = sums(mdp, &equally, cost)?;
    let over = spent.value > budget + found.slack;
    if !over && found.multiplier == 0.0 {
        return Ok(equally);
    }
    let sign = if over { -1.0 } else { 1.0 };
    let end: Vec<f64> = cost.iter().map(|c| sign * c).collect();
    let end = sharing_ties(&mdp.with_reward(&end).with_allowed(&best))?;
    blend(mdp, cost, budget, [&equally, &end], &equally)
}

/// The policy within the budget and the one beyond it, mixed so that the budget is spent; the best
/// at the multiplier where neither leads.
pub(super) fn mixed<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    found: &Breakpoint,
) -> Result<Policy> {
    let within = completed(mdp, found);
    match &found.over {
        None => Ok(within),
        Some(over) => {
            let over = Policy::deterministic(mdp.task, &over.choice);
            blend(mdp, cost, budget, [&over, &within], &within)
        }
    }
}

/// The policy within the budget; the best at the multiplier where it does not lead.
pub(super) fn completed<D: Dynamics>(mdp: &Mdp<D>, found: &Breakpoint) -> Policy {
    let mut choice = found.optimum.choice.clone();
    for state in visited(mdp, &found.within.choice) {
        choice[state.at()] = found.within.choice[state.at()];
    }
    Policy::deterministic(mdp.task, &choice)
}

/// The states that a deterministic policy can enter.
fn visited<D: Dynamics>(mdp: &Mdp<D>, choice: &[Option<Pair>]) -> Vec<State> {
    let start = mdp.task.start().iter().map(|&(s, _)| s);
    let takes = |p: Pair| choice[mdp.task.state_of(p).at()] == Some(p);
    reachable(mdp.task, mdp.dynamics, start, takes)
}

/// The policy whose occupancy is a mixture of two that spends the budget, as far as one does;
/// `elsewhere` in the states that neither enters.
fn blend<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    [one, other]: [&Policy; 2],
    elsewhere: &Policy,
) -> Result<Policy> {
    let [_, a] = sums(mdp, one, cost)?;
    let [_, b] = sums(mdp, other, cost)?;
    let between = b.value - a.value;
    let share = if between == 0.0 {
        0.0
    } else {
        ((budget - a.value) / between).clamp(0.0, 1.0)
    };
    let mut x = visits(mdp, one)?;
    for (x, y) in x.iter_mut().zip(visits(mdp, other)?) {
        *x = (1.0 - share) * *x + share * y;
    }
    Ok(policy_or(mdp.task, &x, 0.0, elsewhere))
}
