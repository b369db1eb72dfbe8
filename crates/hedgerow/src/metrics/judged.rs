//! Judging in large worlds: warm, and as exact as a curve can show.
//!
//! Between two iterations few pairs change sides, so values of the last time are nearly right, and start a
//! solve that looks for what changed. Small worlds are solved from the start, to the last digit.

use crate::env::Truth;
use crate::index::Pair;
use crate::model::Policy;
use crate::solve::{Limits, Mdp, Start, best_again, evaluate_in_order, share_best};

/// Error of a value, in units of the largest reward or cost: far below what moves a curve.
const ERROR: f64 = 1e-10;

/// Relative difference below which pairs are equally good: what [`ERROR`] may hide in a value of a
/// hundredth of the largest reward.
const TIE: f64 = 2e-8;

/// Sweeps before a solve is broken off.
const SWEEPS: usize = 100_000;

/// What one evaluation leaves for the next.
#[derive(Debug, Default)]
pub(super) struct Judged {
    allowed: Vec<bool>,
    forbidden: Vec<Pair>,
    best: Start,
    reward: Vec<f64>,
    cost: Vec<f64>,
}

impl Judged {
    /// The best policy without the forbidden pairs, which leave every state an action, and its
    /// discounted reward and cost.
    pub(super) fn best(&mut self, truth: &Truth, forbidden: &[Pair]) -> (Policy, (f64, f64)) {
        let mdp = Mdp::of(truth.model());
        let task = truth.model().task();
        self.allowed.resize(task.pairs(), true);
        self.forbidden
            .iter()
            .for_each(|p| self.allowed[p.at()] = true);
        forbidden.iter().for_each(|p| self.allowed[p.at()] = false);
        self.forbidden = forbidden.to_vec();
        let open = mdp.with_allowed(&self.allowed);
        let limits = |unit: f64| Limits {
            tolerance: ERROR * if unit > 0.0 { unit } else { 1.0 },
            sweeps: SWEEPS,
        };
        let warm = |values: &Vec<f64>| (!values.is_empty()).then(|| values.clone());
        let unit = task.reward_scale();
        best_again(&open, &limits(unit), &mut self.best);
        let q = |pair| open.allows(pair).then(|| open.q(pair, &self.best.values));
        let policy = share_best(task, TIE, q);
        let costs = truth.cost().values();
        let dearest = costs.iter().copied().fold(0.0, f64::max);
        let problems = [
            (mdp, unit, &mut self.reward),
            (mdp.with_reward(costs), dearest, &mut self.cost),
        ];
        let [reward, cost] = problems.map(|(mdp, unit, values)| {
            let found = evaluate_in_order(&mdp, &policy, &limits(unit), warm(values).as_deref());
            if let Some(found) = found.solution() {
                *values = found.values;
            }
            task.at_start(values)
        });
        (policy, (reward, cost))
    }
}
