//! Optimality by the forward problem: does any policy within the budget beat the expert?

use crate::costset::{CostSet, Violation};
use crate::index::Pair;
use crate::model::{Dynamics, Policy};
use crate::solve::{
    FEASIBILITY, Limits, Outcome, dot, hard, lagrangian, modified_policy_iteration, visits,
};
use crate::{Error, Result};

/// A policy within the budget that earns more than the expert.
pub(super) struct Challenger {
    pub(super) reward: f64,
    pub(super) multiplier: f64,
    /// Pairs it takes more often than the expert, and by how many discounted visits; most first.
    pub(super) departs: Vec<(Pair, f64)>,
}

impl<D: Dynamics> CostSet<'_, D> {
    pub(super) fn not_optimal(&self, cost: &[f64]) -> Result<Option<Violation>> {
        if let Some(violation) = self.over_budget(cost) {
            return Ok(Some(violation));
        }
        Ok(self.challenger(cost)?.map(|better| Violation::Beaten {
            pair: better.departs.first().map_or(Pair(0), |d| d.0),
            best: better.reward,
            expert: self.reward,
            multiplier: better.multiplier,
        }))
    }

    /// Hard: the expert takes a charged pair in a state it can reach. Soft: `V_c(mu0) > b`.
    fn over_budget(&self, cost: &[f64]) -> Option<Violation> {
        let spent = dot(&self.visits, cost);
        let pays = |p: &Pair| self.uses(*p) && cost[p.at()] > self.cost_tolerance();
        let over = if self.is_hard() {
            self.task().all_pairs().any(|p| pays(&p))
        } else {
            spent > self.budget + self.value_tolerance()
        };
        let paid = |p: &Pair| self.visits[p.at()] * cost[p.at()];
        let most = self.task().all_pairs().filter(pays);
        let pair = most.max_by(|a, b| paid(a).total_cmp(&paid(b)))?;
        over.then_some(Violation::OverBudget {
            pair,
            spent,
            budget: self.budget,
        })
    }

    /// The best policy within the budget, if it earns more than the expert by more than the
    /// tolerance. The expert itself must be within the budget.
    pub(super) fn challenger(&self, cost: &[f64]) -> Result<Option<Challenger>> {
        let limits = Limits {
            tolerance: 0.01 * self.reward_tolerance().max(f64::MIN_POSITIVE),
            ..Limits::default()
        };
        let (policy, multiplier) = if self.is_hard() {
            let charged: Vec<f64> = cost
                .iter()
                .map(|&c| if c > self.cost_tolerance() { c } else { 0.0 })
                .collect();
            (hard(&self.mdp, &charged, &limits)?.map(|h| h.policy), 0.0)
        } else {
            let budget = self.budget.max(dot(&self.visits, cost));
            let outcome = lagrangian(&self.mdp, cost, budget, &limits)?;
            let multiplier = match &outcome {
                Outcome::Optimal(c) | Outcome::LimitReached(c) => c.multiplier,
                Outcome::Infeasible { .. } => 0.0,
            };
            (outcome.map(|c| c.policy), multiplier)
        };
        let policy = policy.solution().ok_or_else(|| Error::Numeric {
            place: "optimality of the expert".into(),
            problem: "the expert is within its budget, but the solver found no policy that is"
                .into(),
        })?;
        // The solver meets a budget up to FEASIBILITY, which changes the reward by the multiplier times that.
        let spare = multiplier * FEASIBILITY * self.budget.max(1.0);
        self.compare(&policy, multiplier, self.reward_tolerance() + spare)
    }

    /// Whether some policy earns more than the expert when nothing is charged.
    pub(super) fn gives_up_reward(&self) -> Result<bool> {
        let limits = Limits {
            tolerance: 0.01 * self.reward_tolerance().max(f64::MIN_POSITIVE),
            ..Limits::default()
        };
        let best = modified_policy_iteration(&self.mdp, &limits, None);
        let best = best.solution().map(|s| s.policy(self.task()));
        Ok(match best {
            Some(policy) => self
                .compare(&policy, 0.0, self.reward_tolerance())?
                .is_some(),
            None => false,
        })
    }

    fn compare(&self, policy: &Policy, multiplier: f64, slack: f64) -> Result<Option<Challenger>> {
        let x = visits(&self.mdp, policy)?;
        let reward = dot(&x, self.mdp.reward);
        if reward - self.reward <= slack {
            return Ok(None);
        }
        let task = self.task();
        let more = |p: Pair| {
            let state: f64 = x[task.pairs_of(task.state_of(p))].iter().sum();
            (p, x[p.at()] - state * self.expert.prob(p))
        };
        let mut departs: Vec<(Pair, f64)> = task.all_pairs().map(more).collect();
        departs.retain(|&(_, much)| much > 1e-12);
        departs.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(Some(Challenger {
            reward,
            multiplier,
            departs,
        }))
    }
}
