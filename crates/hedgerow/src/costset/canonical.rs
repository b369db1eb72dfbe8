//! The canonical element of a cost set.

use crate::costset::{CostSet, Role};
use crate::index::Pair;
use crate::model::{Cost, Dynamics, Model, Policy};
use crate::solve::{Certified, Mdp, evaluate_certified};
use crate::{Error, Result};

/// Advantages below this fraction of the values they are the difference of are rounding.
const ROUNDING: f64 = 1e-10;

/// The expert's advantage `A_E(s,a) = r + gamma P V - V(s)` of every pair, with advantages that
/// cannot be told from zero set to exactly zero.
pub fn advantage(model: &Model, expert: &Policy) -> Result<Vec<f64>> {
    advantage_of(&Mdp::of(model), expert)
}

/// The same with the expert's values, which it is the advantage over.
pub(crate) fn values_and_advantage(model: &Model, expert: &Policy) -> Result<(Vec<f64>, Vec<f64>)> {
    let mdp = Mdp::of(model);
    let found = evaluate_certified(&mdp, expert)?;
    let advantage = advantage_over(&mdp, &found);
    Ok((found.values, advantage))
}

/// The same under any dynamics.
pub(super) fn advantage_of<D: Dynamics>(mdp: &Mdp<D>, expert: &Policy) -> Result<Vec<f64>> {
    Ok(advantage_over(mdp, &evaluate_certified(mdp, expert)?))
}

fn advantage_over<D: Dynamics>(mdp: &Mdp<D>, expert: &Certified) -> Vec<f64> {
    let Certified { values, errors } = expert;
    let of_pair = |pair| {
        let state = mdp.task.state_of(pair).at();
        let (v, q) = (values[state], mdp.q(pair, values));
        let later = mdp.gamma * mdp.dynamics.expect(pair, errors);
        let noise = ROUNDING * q.abs().max(v.abs())
            + errors[state]
            + later
            + 16.0 * f64::EPSILON * mdp.terms(pair, values);
        if (q - v).abs() > noise { q - v } else { 0.0 }
    };
    mdp.task.all_pairs().map(of_pair).collect()
}

/// The cost `c = zeta max(A_E, 0)` on pairs the expert never takes and zero elsewhere, with
/// `zeta = cost_max / max+ A_E` so that its largest entry is `cost_max`.
///
/// It is zero if no pair the expert leaves alone would have paid: then nothing needs a constraint
/// to be explained.
pub fn canonical(model: &Model, expert: &Policy, cost_max: f64) -> Result<Cost> {
    CostSet::of(model, expert, 0.0, cost_max)?.canonical()
}

/// The same in some states only: nothing outside of `states` is charged.
pub fn canonical_within(
    model: &Model,
    expert: &Policy,
    cost_max: f64,
    states: &[bool],
) -> Result<Cost> {
    let cost = canonical(model, expert, cost_max)?;
    let task = model.task();
    let outside = |p: &Pair| !states[task.state_of(*p).at()] && cost.at(*p) > 0.0;
    if !task.all_pairs().any(|p| outside(&p)) {
        return Ok(cost);
    }
    let kept = |p: Pair| if outside(&p) { 0.0 } else { cost.at(p) };
    let mut values: Vec<f64> = task.all_pairs().map(kept).collect();
    let largest = values.iter().copied().fold(0.0, f64::max);
    for value in values.iter_mut().filter(|v| **v > 0.0) {
        *value *= cost_max / largest;
    }
    Cost::new(task, values)
}

pub(crate) fn check_cost_max(cost_max: f64) -> Result<()> {
    if cost_max.is_finite() && cost_max > 0.0 {
        return Ok(());
    }
    Err(Error::invalid(
        "cost_max",
        format!("{cost_max} is not a largest cost"),
        "use a positive finite number",
    ))
}

impl<D: Dynamics> CostSet<'_, D> {
    /// The canonical element without a cost-to-go: `c = zeta max(A_E, 0)` off the expert's
    /// choices, zero elsewhere, with the one `zeta` that makes its largest entry `C_max`.
    ///
    /// It is in the set by the conditions, hard and soft. An expert with a positive budget does
    /// not spend it under this cost: [`CostSet::canonical_for`] takes what it spends.
    pub fn canonical(&self) -> Result<Cost> {
        Ok(self.canonical_for(&vec![0.0; self.task().states()])?.0)
    }

    /// The canonical element in which the expert's cost-to-go is `values`, or a multiple, and the
    /// multiple.
    ///
    /// With `f = (E - gamma P) V_c` and `zeta = C_max / max+ A_E`: the expert's pairs and idle
    /// ones cost `f`, paying ones `max(f + zeta A_E, 0)`. If an entry exceeds `C_max`, cost and
    /// `V_c` are scaled down together until none does, which keeps all three conditions.
    ///
    /// Not every `V_c` is one: a pair that is not paying and has `f < 0` would need a negative
    /// cost. The error names it.
    pub fn canonical_for(&self, values: &[f64]) -> Result<(Cost, f64)> {
        let task = self.task();
        let mut cost = self.shaping(values)?;
        let slack = self.value_tolerance();
        self.check_cost_to_go(values)?;
        let pays = |p: &Pair| self.role(*p) == Role::Paying;
        let paying = task
            .all_pairs()
            .filter(pays)
            .map(|p| self.advantage[p.at()]);
        let largest = paying.fold(0.0, f64::max);
        for pair in task.all_pairs() {
            let c = &mut cost[pair.at()];
            if pays(&pair) {
                *c += self.cost_max * (self.advantage[pair.at()] / largest);
            } else if *c < -slack {
                return Err(Error::invalid(
                    format!("V_c at {}", task.pair_name(pair)),
                    format!("this pair would need a cost of {c}"),
                    "give the cost-to-go of a cost in the set",
                ));
            }
            *c = c.max(0.0);
        }
        let most = cost.iter().copied().fold(0.0, f64::max);
        let scale = (self.cost_max / most).min(1.0);
        if scale < 1.0 {
            cost.iter_mut()
                .for_each(|c| *c = (scale * *c).min(self.cost_max));
        }
        Ok((Cost::new(task, cost)?, scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    /// From 0 the short path (action 0) pays 1 at once, the long one (1) passes through 1 first, and
    /// staying (2) pays nothing.
    fn detour() -> Model {
        let mut b = ModelBuilder::new(3, ["short", "long", "stay"], 0.5);
        b.start(0, 1.0).terminal(2);
        b.transition(0, 0, 2, 1.0).reward(0, 0, 1.0);
        b.transition(0, 1, 1, 1.0);
        b.transition(0, 2, 0, 1.0);
        b.transition(1, 0, 2, 1.0).reward(1, 0, 1.0);
        b.build().unwrap()
    }

    #[test]
    fn the_avoided_short_path_is_charged_and_nothing_else() {
        let model = detour();
        let expert = Policy::new(model.task(), vec![0.0, 1.0, 0.0, 1.0]).unwrap();
        // V(0) = 0.5, V(1) = 1; A(0, short) = 0.5, A(0, stay) = -0.25.
        let a = advantage(&model, &expert).unwrap();
        for (found, known) in a.iter().zip([0.5, 0.0, -0.25, 0.0]) {
            assert!((found - known).abs() < 1e-12, "{a:?}");
        }
        let cost = canonical(&model, &expert, 2.0).unwrap();
        assert_eq!(cost.values(), [2.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn an_unconstrained_expert_needs_no_cost() {
        let model = detour();
        let expert = Policy::new(model.task(), vec![1.0, 0.0, 0.0, 1.0]).unwrap();
        assert_eq!(canonical(&model, &expert, 1.0).unwrap().support(), 0);
        assert!(canonical(&model, &expert, 0.0).is_err());
    }
}
