//! Where a policy spends its time.

use crate::index::State;
use crate::model::{Dynamics, Policy, Task, reachable};
use crate::solve::Mdp;
use crate::solve::chain::Chain;
use crate::solve::evaluate::{ACCURACY, uncertain};
use crate::solve::policy_rows::{LARGE, PolicyRows};
use crate::{Error, Result};

/// Visits that may be missing where they are pushed on, relative to all.
const LEFT_OVER: f64 = 1e-13;

/// `rho(s,a) = (1-gamma) sum_t gamma^t Pr(s_t = s, a_t = a)` from the task's start, exactly.
///
/// Then `(1-gamma) V(mu0) = <rho, r>` for every reward `r`. Terminals have no pairs, so in a model
/// where episodes end the entries sum to less than 1: what is missing is the time after the end.
/// The same holds for pairs with an empty row, which end the episode.
pub fn occupancy<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Vec<f64>> {
    let mut rho = visits(mdp, policy)?;
    for x in &mut rho {
        *x *= 1.0 - mdp.gamma;
    }
    Ok(rho)
}

/// Occupancy without the factor `1 - gamma`: `V(mu0) = <x, r>`.
pub(crate) fn visits<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Vec<f64>> {
    let by_state = Visits::new(mdp, policy)?.from(mdp.task.start())?;
    let mut x = vec![0.0; mdp.task.pairs()];
    // Rounding may leave a state that is never entered at 1e-20 or below 0.
    let start = mdp.task.start().iter().map(|&(s, _)| s);
    for state in reachable(mdp.task, mdp.dynamics, start, |p| policy.prob(p) > 0.0) {
        for i in mdp.task.pairs_of(state) {
            x[i] = policy.probs()[i] * by_state[state.at()].max(0.0);
        }
    }
    certified(mdp, &by_state, &x)?;
    Ok(x)
}

/// Discounted visits of every state under a policy, from any start: by pushing on where there are
/// many states, else by factors.
pub(crate) enum Visits {
    Pushed(Box<PolicyRows>),
    Factors(Box<Chain>),
}

impl Visits {
    pub(crate) fn new<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Self> {
        policy.check_length(mdp.task)?;
        Ok(match mdp.task.states() >= LARGE {
            true => Self::Pushed(Box::new(PolicyRows::new(mdp, policy))),
            false => Self::Factors(Box::new(Chain::new(mdp, policy)?)),
        })
    }

    /// Visits from `start`, whose weights may have any sign.
    pub(crate) fn from(&self, start: &[(State, f64)]) -> Result<Vec<f64>> {
        match self {
            Self::Factors(chain) => Ok(chain.visits(start)),
            Self::Pushed(rows) => rows.visits(start, LEFT_OVER).ok_or_else(|| Error::Numeric {
                place: "discounted time".into(),
                problem: "it does not settle by sweeps".into(),
            }),
        }
    }
}

/// Refuses visits whose flow does not add up: with `res` what is missing of it, they are off by at
/// most `|res| / (1 - gamma)` in total.
fn certified<D: Dynamics>(mdp: &Mdp<D>, by_state: &[f64], x: &[f64]) -> Result<()> {
    let mut rest: Vec<f64> = by_state.iter().map(|d| -d.max(0.0)).collect();
    for &(s, p) in mdp.task.start() {
        rest[s.at()] += p;
    }
    for pair in mdp.task.all_pairs().filter(|p| x[p.at()] > 0.0) {
        let (next, prob) = mdp.dynamics.row(pair);
        for (&s, &p) in next.iter().zip(prob) {
            rest[s as usize] += mdp.gamma * x[pair.at()] * p;
        }
    }
    let live = mdp.task.all_states().filter(|&s| mdp.goes_on(s));
    let missing: f64 = live.map(|s| rest[s.at()].abs()).sum();
    let total: f64 = x.iter().sum();
    let error = missing / (1.0 - mdp.gamma);
    if error <= ACCURACY * total {
        return Ok(());
    }
    Err(uncertain("discounted time".into(), total, error))
}

/// The policy with occupancy `rho`, normalised or not; uniform where a state has no mass.
pub fn policy_of(task: &Task, rho: &[f64]) -> Policy {
    policy_or(task, rho, 0.0, &Policy::uniform(task))
}

/// The policy with occupancy `x`; `other` in states whose mass is not above `least`.
pub(crate) fn policy_or(task: &Task, x: &[f64], least: f64, other: &Policy) -> Policy {
    let mut prob = other.probs().to_vec();
    for state in task.all_states() {
        let range = task.pairs_of(state);
        let mass: f64 = x[range.clone()].iter().map(|v| v.max(0.0)).sum();
        if mass > least {
            for i in range {
                prob[i] = x[i].max(0.0) / mass;
            }
        }
    }
    Policy::from_raw(prob)
}

/// `<x, weights>`.
pub(crate) fn dot(x: &[f64], weights: &[f64]) -> f64 {
    x.iter().zip(weights).map(|(a, b)| a * b).sum()
}
