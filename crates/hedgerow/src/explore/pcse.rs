//! `pcse`: go where the error is largest, among policies that could still be best.
//!
//! A linear program over occupancies of the estimated MDP (flow constraints included): maximise
//! the [bonus](crate::explore::choices) over the [candidate set](crate::explore::candidates). It is solved
//! exactly by decomposition, whose multiplier also tells which pairs *any* optimum may use; the
//! played policy shares equally among those, as far as the constraint allows and, where it has a
//! price, uses it up. Without sharing, the deterministic policies of the optimal mixture are played.

use crate::Result;
use crate::explore::candidates::{BUDGET, Candidates, Rule, SCALE, SET, SHARE, Warm};
use crate::explore::choices::{Acting, BONUS, Bonus, IMITATE, TIES, Ties, paper};
use crate::explore::plan::{PLANNING, best_sharing_ties, errors, lookahead, planning_gamma};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::learn::{Bound, Learner};
use crate::param::{Parameter, Preset, Values};
use crate::solve::Mixture;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "pcse",
        summary: "go where the error is largest, among policies that could still be best",
        parameters: PARAMETERS,
    },
    |p| Box::new(Pcse::new(p)),
);

const PARAMETERS: &[Parameter] = &[
    lookahead(1.5),
    SET,
    SHARE,
    SCALE,
    BUDGET,
    BONUS,
    TIES,
    IMITATE,
    paper(&[PAPER]),
];

const PAPER: Preset = Preset {
    name: "paper",
    values: &[
        ("lookahead", "1"),
        ("set", "global"),
        ("scale", "1"),
        ("bonus", "bound"),
        ("ties", "first"),
        ("imitate", "off"),
    ],
};

struct Pcse {
    rule: Rule,
    lookahead: f64,
    bonus: Bonus,
    acting: Acting,
    planning: Warm,
    stopping: Warm,
    played: Vec<f64>,
    earning: Vec<f64>,
}

impl Pcse {
    fn new(p: &Values) -> Self {
        Self {
            rule: Rule::new(p),
            lookahead: p.number("lookahead"),
            bonus: Bonus::new(p),
            acting: Acting::new(p),
            planning: Warm::default(),
            stopping: Warm::default(),
            played: Vec::new(),
            earning: Vec::new(),
        }
    }
}

/// `eps_k`, the accuracy after the iteration before; `eps_0 = C_max / (4 (1 - gamma))`.
pub(super) fn accuracy_before(at: &Context) -> f64 {
    let learner = at.learner;
    let first = || learner.inference().cost_max / (4.0 * (1.0 - learner.task().gamma()));
    at.accuracy.unwrap_or_else(first)
}

/// The worst `mu0^T (I - gamma P^ pi)^-1 C_k` over the candidate set.
pub(super) fn worst_candidate(rule: Rule, at: &Context, warm: &mut Warm) -> Result<f64> {
    let eps = accuracy_before(at);
    let gamma = at.learner.task().gamma();
    let bound = Bound::new(at.learner);
    let error = errors(at.learner, |pair| bound.at(pair));
    let set = Candidates::new(rule, at, gamma, eps, warm);
    // Without a candidate nothing is left to be wrong about, but rounding may empty the set too:
    // then the bound over all policies is safe.
    let unit = at.learner.inference().cost_max;
    let worst = set.best(&error, unit, warm)?.map(|m| m.value);
    let all = bound.max() / (1.0 - gamma);
    Ok(worst.map_or(all, |w| w.clamp(0.0, all)))
}

impl Pcse {
    /// The optimum of the program, sharing as much as the constraints allow.
    fn optimum(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let gamma = planning_gamma(learner.task().gamma(), self.lookahead);
        let eps = accuracy_before(at);
        let set = Candidates::new(self.rule, at, gamma, eps, &mut self.planning);
        let bonus = self.bonus.of(learner, gamma, |_| 1.0);
        let unit = self.bonus.unit(learner);
        let Some(mixture) = set.best(&bonus, unit, &mut self.planning)? else {
            let mdp = set.problem(&bonus).with_unit(unit);
            let policy = self.acting.ties.best(&mdp, &mut self.played);
            return Ok(Plan::follow(policy));
        };
        if self.acting.ties == Ties::First {
            return Ok(played(&mixture, learner));
        }
        let priced = set.priced(bonus, &mixture.multipliers);
        let mdp = set.problem(&priced).with_unit(unit);
        let shared = best_sharing_ties(&mdp, &mut self.played);
        let excess: Vec<f64> = (0..set.rows.len())
            .map(|i| set.excess(i, &shared))
            .collect();
        // What a priced constraint leaves unused is lost: at the optimum it is tight.
        let prices = excess.iter().zip(&mixture.multipliers);
        let lost: f64 = prices.map(|(e, price)| -e.min(0.0) * price).sum();
        let optimal_enough = lost <= PLANNING * mixture.value.abs();
        if optimal_enough && excess.iter().all(|&e| e <= 0.0) {
            return Ok(Plan::follow(shared));
        }
        if let [(weights, _)] = &set.rows[..] {
            // All pairs in use are optimal at the multiplier, so any mixture of them that uses up
            // the constraint is an optimum: share as much as it allows.
            let optimal: Vec<bool> = shared.probs().iter().map(|&p| p > 0.0).collect();
            let sign = -excess[0].signum();
            let balance: Vec<f64> = weights.iter().map(|w| sign * w).collect();
            let other = best_sharing_ties(
                &set.problem(&balance).with_allowed(&optimal),
                &mut self.earning,
            );
            let there = set.excess(0, &other);
            if there * excess[0] >= 0.0 {
                return Ok(Plan::follow(other));
            }
            let weight = there / (there - excess[0]);
            return Ok(Plan::mixture(vec![(weight, shared), (1.0 - weight, other)]));
        }
        Ok(played(&mixture, learner))
    }
}

/// The policies of the optimal mixture as they are.
fn played(mixture: &Mixture, learner: &Learner) -> Plan {
    let policies = mixture.policies.iter();
    let policies = policies.map(|(w, s)| (*w, s.policy(learner.task())));
    Plan::mixture(policies.collect())
}

impl Strategy for Pcse {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let plan = self.optimum(at)?;
        Ok(plan.imitating_if(self.acting.imitate, at.learner))
    }

    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        worst_candidate(self.rule, at, &mut self.stopping)
    }
}
