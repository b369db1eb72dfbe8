//! The canonical element of the feasible cost set for a hard constraint.

use crate::model::{Cost, Model, Policy};
use crate::solve::{Mdp, evaluate_exact};
use crate::{Error, Result};

/// Advantages below this fraction of the values they are the difference of are rounding.
const ROUNDING: f64 = 1e-10;

/// The expert's advantage `A_E(s,a) = r + gamma P V - V(s)` of every pair, with advantages that
/// cannot be told from zero set to exactly zero.
pub fn advantage(model: &Model, expert: &Policy) -> Result<Vec<f64>> {
    let task = model.task();
    let mdp = Mdp::of(model);
    let evaluated = evaluate_exact(&mdp, expert)?;
    let values = &evaluated.values;
    let of_pair = |pair| {
        let v = values[task.state_of(pair).at()];
        let q = mdp.q(pair, values);
        let noise = ROUNDING * q.abs().max(v.abs()) + 2.0 * evaluated.error;
        if (q - v).abs() > noise { q - v } else { 0.0 }
    };
    Ok(task.all_pairs().map(of_pair).collect())
}

/// The cost `c = zeta max(A_E, 0)` on pairs the expert never takes and zero elsewhere, with
/// `zeta = cost_max / max+ A_E` so that its largest entry is `cost_max`.
///
/// It is zero if no pair the expert leaves alone would have paid: then nothing needs a constraint
/// to be explained.
pub fn canonical(model: &Model, expert: &Policy, cost_max: f64) -> Result<Cost> {
    if !(cost_max.is_finite() && cost_max > 0.0) {
        return Err(Error::invalid(
            "cost_max",
            format!("{cost_max} is not a largest cost"),
            "use a positive finite number",
        ));
    }
    let task = model.task();
    let mut values = advantage(model, expert)?;
    for pair in task.all_pairs() {
        let a = &mut values[pair.at()];
        if expert.prob(pair) > 0.0 || *a < 0.0 {
            *a = 0.0;
        }
    }
    let largest = values.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 {
        for a in &mut values {
            *a = cost_max * (*a / largest);
        }
    }
    Cost::new(task, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    /// From 0 a short way (action 0) pays 1 at once, a long one (1) passes through 1 first, and
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
    fn the_shunned_short_way_is_charged_and_nothing_else() {
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
