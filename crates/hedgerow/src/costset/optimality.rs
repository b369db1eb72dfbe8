//! Optimality by the forward problem: does any policy within the budget beat the expert?

use crate::costset::{CostSet, TOLERANCE, Violation};
use crate::index::Pair;
use crate::model::{Dynamics, Policy};
use crate::solve::{FEASIBILITY, Outcome, dot, hard, lagrangian, optimum, visits};
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
        let (policy, multiplier, spent) = if self.is_hard() {
            let charged: Vec<f64> = cost
                .iter()
                .map(|&c| if c > self.cost_tolerance() { c } else { 0.0 })
                .collect();
            let outcome = hard(&self.mdp, &charged)?;
            (outcome.solution().map(|h| h.policy), 0.0, 0.0)
        } else {
            let budget = self.budget.max(dot(&self.visits, cost));
            match lagrangian(&self.mdp, cost, budget)? {
                Outcome::Optimal(c) => (Some(c.policy), c.multiplier, budget),
                Outcome::LimitReached(c) => return Err(c.uncertain()),
                Outcome::Infeasible { .. } => (None, 0.0, budget),
            }
        };
        let policy = policy.ok_or_else(|| Error::Numeric {
            place: "optimality of the expert".into(),
            problem: "the expert is within its budget, but the solver found no policy that is"
                .into(),
        })?;
        // The solver meets a budget up to FEASIBILITY, which changes the reward by the multiplier times that.
        self.compare(&policy, multiplier, multiplier * FEASIBILITY * spent)
    }

    /// Whether some policy earns more than the expert when nothing is charged.
    pub(super) fn gives_up_reward(&self) -> Result<bool> {
        let best = optimum(&self.mdp)?;
        let best = Policy::deterministic(self.task(), &best.choice);
        Ok(self.compare(&best, 0.0, 0.0)?.is_some())
    }

    fn compare(&self, policy: &Policy, multiplier: f64, slack: f64) -> Result<Option<Challenger>> {
        let x = visits(&self.mdp, policy)?;
        let reward = dot(&x, self.mdp.reward);
        let size = |x: &[f64]| -> f64 {
            x.iter()
                .zip(self.mdp.reward)
                .map(|(x, r)| x * r.abs())
                .sum()
        };
        let rounding = TOLERANCE * size(&x).max(size(&self.visits));
        if reward - self.reward <= rounding + slack {
            return Ok(None);
        }
        let task = self.task();
        let more = |p: Pair| {
            let state: f64 = x[task.pairs_of(task.state_of(p))].iter().sum();
            (p, x[p.at()] - state * self.expert.prob(p))
        };
        let mut departs: Vec<(Pair, f64)> = task.all_pairs().map(more).collect();
        let most = departs.iter().map(|d| d.1).fold(0.0, f64::max);
        departs.retain(|&(_, much)| much > 1e-12 * most);
        departs.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(Some(Challenger {
            reward,
            multiplier,
            departs,
        }))
    }
}
