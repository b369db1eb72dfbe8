//! Constrained solvers against each other and against counting through all policies.

use crate::common;

use common::{Kind, SMALL, TINY, all_values, best_mixture, config, dense_values, random_model};
use hedgerow::index::{Pair, State};
use hedgerow::model::Dynamics;
use hedgerow::solve::{
    Constrained, FEASIBILITY, Limits, LinearRow, Mdp, Mixture, Outcome, WarmStart,
    constrained_best, hard, lagrangian, linear_program,
};
use proptest::prelude::*;

/// What an interior point can promise.
const ROUGH: f64 = 1e-6;
const FINE: f64 = 1e-8;

/// A budget at `at` of the way from the least to the greatest cost of any policy.
fn budget_at(points: &[Vec<f64>], at: f64) -> (f64, f64) {
    let least = points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let most = points.iter().map(|p| p[1]).fold(0.0, f64::max);
    (least + at * (most - least), least)
}

/// Whether `found` is what it says, and how much it earns.
fn checked<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
    found: Outcome<Constrained>,
) -> std::result::Result<Constrained, TestCaseError> {
    let Outcome::Optimal(found) = found else {
        return Err(TestCaseError::fail(format!("{found:?}")));
    };
    let probs = found.policy.probs();
    for s in mdp
        .task()
        .all_states()
        .filter(|&s| !mdp.task().is_terminal(s))
    {
        let sum: f64 = probs[mdp.task().pairs_of(s)].iter().sum();
        prop_assert!((sum - 1.0).abs() <= 1e-9);
    }
    let reward = mdp.task().at_start(&dense_values(mdp, probs, mdp.reward()));
    let paid = mdp.task().at_start(&dense_values(mdp, probs, cost));
    prop_assert!((reward - found.reward).abs() <= 1e-10);
    prop_assert!((paid - found.cost).abs() <= 1e-10);
    prop_assert!(paid <= budget + FEASIBILITY * budget.abs().max(1.0) + 1e-12);
    prop_assert!(found.multiplier >= 0.0 && found.gap >= 0.0);
    Ok(found)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn all_methods_find_the_best_mixture(case in random_model(TINY), at in 0.0..1.1_f64) {
        let mdp = case.mdp();
        let points = all_values(&mdp, &[mdp.reward(), &case.cost]);
        let (budget, _) = budget_at(&points, at);
        let best = best_mixture(&points, budget + 1e-12).expect("a policy within the budget");
        let lp = checked(&mdp, &case.cost, budget,
            linear_program(&mdp, &case.cost, budget).expect("solved"))?;
        let dual = checked(&mdp, &case.cost, budget,
            lagrangian(&mdp, &case.cost, budget).expect("solved"))?;
        for (name, found, fine) in [("lp", lp, ROUGH), ("lagrangian", dual, FINE)] {
            // Rounding may spend up to FEASIBILITY more than the budget.
            let rounding = 1e-10 + 2.0 * found.multiplier * FEASIBILITY;
            prop_assert!((found.reward - best).abs() <= fine + rounding,
                "{} {} {}", name, found.reward, best);
            // The gap must reach up to the dual value of the multiplier, which bounds everything.
            let dual = points.iter().map(|p| p[0] - found.multiplier * (p[1] - budget));
            let dual = dual.fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(found.reward + found.gap >= dual - 1e-11 * (1.0 + found.multiplier),
                "{} {}", name, found.gap);
        }
    }

    #[test]
    fn methods_agree_on_larger_models(case in random_model(SMALL), at in 0.0..1.0_f64) {
        let mdp = case.mdp();
        let Outcome::Infeasible { least_cost } =
            lagrangian(&mdp, &case.cost, -1.0).expect("solved") else {
            return Err(TestCaseError::fail("a negative budget cannot be met"));
        };
        let free = lagrangian(&mdp, &case.cost, f64::MAX).expect("solved");
        let free = free.solution().expect("anything goes");
        let budget = least_cost + at * (free.cost - least_cost).max(0.0);
        let lp = checked(&mdp, &case.cost, budget,
            linear_program(&mdp, &case.cost, budget).expect("solved"))?;
        let dual = checked(&mdp, &case.cost, budget,
            lagrangian(&mdp, &case.cost, budget).expect("solved"))?;
        let scale = dual.reward.abs().max(1.0);
        prop_assert!((lp.reward - dual.reward).abs()
            <= ROUGH * scale + 2.0 * dual.multiplier * FEASIBILITY, "{:?} {:?}", lp, dual);
        prop_assert!(dual.gap <= FINE * scale, "{}", dual.gap);
        if at < 0.999 && dual.multiplier > 1e-6 && budget > least_cost + 1e-6 {
            prop_assert!((dual.cost - budget).abs() <= 1e-9, "a price but no use of the budget");
        }
    }

    #[test]
    fn more_budget_never_earns_less(case in random_model(SMALL)) {
        let mdp = case.mdp();
        let mut before = f64::NEG_INFINITY;
        let mut price = f64::INFINITY;
        for step in 0..8 {
            let budget = 0.15 * f64::from(step * step);
            let found = lagrangian(&mdp, &case.cost, budget).expect("solved");
            if let Some(found) = found.solution() {
                prop_assert!(found.reward >= before - 1e-8);
                prop_assert!(found.multiplier <= price + 1e-6);
                before = found.reward;
                price = found.multiplier;
            } else {
                prop_assert!(before == f64::NEG_INFINITY, "feasible before, infeasible with more");
            }
        }
    }

    #[test]
    fn an_infeasible_budget_names_the_least_cost(case in random_model(TINY), by in 0.001..1.0_f64) {
        let mdp = case.mdp();
        let points = all_values(&mdp, &[mdp.reward(), &case.cost]);
        let (_, least) = budget_at(&points, 0.0);
        for outcome in [
            linear_program(&mdp, &case.cost, least - by).expect("solved"),
            lagrangian(&mdp, &case.cost, least - by).expect("solved"),
        ] {
            let Outcome::Infeasible { least_cost } = outcome else {
                return Err(TestCaseError::fail(format!("{outcome:?}")));
            };
            prop_assert!((least_cost - least).abs() <= 1e-9);
        }
    }

    #[test]
    fn two_constraints_are_solved_to_their_dual(
        case in random_model(TINY),
        first in 0.0..1.0_f64,
        second in -1.0..1.0_f64,
    ) {
        let mdp = case.mdp();
        let points = all_values(&mdp, &[mdp.reward(), &case.cost, &case.weights]);
        let scale = 1.0 / (1.0 - mdp.gamma());
        let bounds = [first * scale * 0.5, second * scale * 0.5];
        let rows = [
            LinearRow { weights: &case.cost, bound: bounds[0] },
            LinearRow { weights: &case.weights, bound: bounds[1] },
        ];
        let mut warm = WarmStart::default();
        let cold = constrained_best(&mdp, &rows, &Limits::default(), &mut warm).expect("solved");
        check_two(&mdp, &rows, &points, &cold)?;
        let again = constrained_best(&mdp, &rows, &Limits::default(), &mut warm).expect("solved");
        check_two(&mdp, &rows, &points, &again)?;
        // What is left from one problem may start any other.
        let swapped = [rows[1], rows[0]];
        let points: Vec<Vec<f64>> = points.iter().map(|p| vec![p[0], p[2], p[1]]).collect();
        let other = constrained_best(&mdp, &swapped, &Limits::default(), &mut warm).expect("solved");
        check_two(&mdp, &swapped, &points, &other)?;
        if let (Outcome::Optimal(a), Outcome::Optimal(b)) = (&cold, &other) {
            prop_assert!((a.value - b.value).abs() <= FINE);
        }
    }

    #[test]
    fn hard_is_the_greatest_fixed_point(case in random_model(SMALL)) {
        let mdp = case.mdp();
        let task = case.task();
        // Sweeps over everything until nothing changes.
        let mut allowed: Vec<bool> = case.cost.iter().map(|&c| c == 0.0).collect();
        let safe = |allowed: &[bool], s: State| {
            task.is_terminal(s) || task.pairs_of(s).any(|i| allowed[i])
        };
        loop {
            let next: Vec<bool> = task.all_pairs().map(|p| {
                allowed[p.at()] && mdp.dynamics().row(p).0.iter().all(|&s| safe(&allowed, State(s)))
            }).collect();
            if next == allowed {
                break;
            }
            allowed = next;
        }
        let start_safe = task.start().iter().all(|&(s, _)| safe(&allowed, s));
        match hard(&mdp, &case.cost).expect("solved") {
            Outcome::Optimal(found) => {
                prop_assert!(start_safe);
                prop_assert_eq!(&found.allowed, &allowed);
                let unsafe_states: Vec<State> =
                    task.all_states().filter(|&s| !safe(&allowed, s)).collect();
                prop_assert_eq!(&found.infeasible, &unsafe_states);
                let paid = dense_values(&mdp, found.policy.probs(), &case.cost);
                prop_assert!(task.at_start(&paid).abs() <= 1e-12);
                for pair in task.all_pairs().filter(|&p| safe(&allowed, task.state_of(p))) {
                    prop_assert!(allowed[pair.at()] || found.policy.prob(pair) == 0.0);
                }
            }
            Outcome::Infeasible { .. } => prop_assert!(!start_safe),
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        }
    }

    #[test]
    fn hard_is_a_budget_of_zero(case in random_model(Kind { gammas: &[0.5, 0.9], ..SMALL })) {
        let mdp = case.mdp();
        let never = hard(&mdp, &case.cost).expect("solved");
        let lp = linear_program(&mdp, &case.cost, 0.0).expect("solved");
        let dual = lagrangian(&mdp, &case.cost, 0.0).expect("solved");
        match never {
            Outcome::Infeasible { least_cost } => {
                for other in [lp, dual] {
                    let Outcome::Infeasible { least_cost: least } = other else {
                        return Err(TestCaseError::fail(format!("{other:?}")));
                    };
                    prop_assert!((least - least_cost).abs() <= 1e-9);
                }
            }
            never => {
                let never = never.solution().expect("feasible").solution;
                let value = case.task().at_start(&never.values);
                let lp = checked(&mdp, &case.cost, 0.0, lp)?;
                let dual = checked(&mdp, &case.cost, 0.0, dual)?;
                prop_assert!((lp.reward - value).abs() <= ROUGH, "{} {}", lp.reward, value);
                prop_assert!((dual.reward - value).abs() <= 1e-8, "{} {}", dual.reward, value);
            }
        }
    }
}

/// Checks a mixture, or a claim that there is none, against the values of all policies.
fn check_two<D: Dynamics>(
    mdp: &Mdp<D>,
    rows: &[LinearRow],
    points: &[Vec<f64>],
    outcome: &Outcome<Mixture>,
) -> std::result::Result<(), TestCaseError> {
    match outcome {
        Outcome::Optimal(found) => {
            prop_assert!(found.policies.len() <= rows.len() + 1);
            let total: f64 = found.policies.iter().map(|(w, _)| w).sum();
            prop_assert!((total - 1.0).abs() <= 1e-12);
            let mix = |weights: &[f64]| -> f64 {
                found
                    .policies
                    .iter()
                    .map(|(w, choice)| {
                        let mut probs = vec![0.0; mdp.task().pairs()];
                        for pair in choice.iter().flatten() {
                            probs[pair.at()] = 1.0;
                        }
                        w * mdp.task().at_start(&dense_values(mdp, &probs, weights))
                    })
                    .sum()
            };
            prop_assert!((mix(mdp.reward()) - found.value).abs() <= 1e-9);
            for row in rows {
                prop_assert!(mix(row.weights) <= row.bound + 1e-8);
            }
            // The bound is a dual value, so no policy's Lagrangian exceeds it ...
            let lagrangian = points.iter().map(|p| {
                let price = |i: usize| found.multipliers[i] * (p[i + 1] - rows[i].bound);
                p[0] - price(0) - price(1)
            });
            let most = lagrangian.fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(most <= found.bound + 1e-9, "{} {}", most, found.bound);
            // ... and the mixture reaches it, so it is optimal.
            prop_assert!(
                found.bound - found.value <= FINE,
                "{}",
                found.bound - found.value
            );
        }
        Outcome::Infeasible { least_cost } => {
            // The least violation is `max_y min_policy <y, excess>` over `y` in the unit square.
            let excess = |p: &[f64], i: usize| p[i + 1] - rows[i].bound;
            let mut proven = 0.0_f64;
            for y in 0..=100 {
                for z in 0..=100 {
                    let at = |p: &Vec<f64>| {
                        0.01 * (f64::from(y) * excess(p, 0) + f64::from(z) * excess(p, 1))
                    };
                    proven = proven.max(points.iter().map(at).fold(f64::INFINITY, f64::min));
                }
            }
            let widest = points
                .iter()
                .map(|p| excess(p, 0).abs() + excess(p, 1).abs())
                .fold(0.0, f64::max);
            prop_assert!(*least_cost > FEASIBILITY);
            prop_assert!(proven <= least_cost + 1e-9, "{} {}", proven, least_cost);
            prop_assert!(
                proven >= least_cost - 0.01 * widest,
                "{} {}",
                proven,
                least_cost
            );
        }
        other @ Outcome::LimitReached(_) => {
            return Err(TestCaseError::fail(format!("{other:?}")));
        }
    }
    Ok(())
}

#[test]
fn forbidden_pairs_stay_forbidden_under_a_budget() {
    // Two pairs from the start: the better one is not allowed.
    let mut b = hedgerow::model::ModelBuilder::new(2, ["good", "poor"], 0.9);
    b.start(0, 1.0).terminal(1);
    b.transition(0, 0, 1, 1.0).reward(0, 0, 1.0);
    b.transition(0, 1, 1, 1.0).reward(0, 1, 0.25);
    let model = b.build().expect("a valid model");
    let mdp = Mdp::of(&model).with_allowed(&[false, true]);
    let cost = [0.0, 0.5];
    for found in [
        linear_program(&mdp, &cost, 1.0).expect("solved"),
        lagrangian(&mdp, &cost, 1.0).expect("solved"),
    ] {
        let found = found.solution().expect("feasible");
        assert!((found.reward - 0.25).abs() < 1e-12);
        assert!((found.cost - 0.5).abs() < 1e-12);
        assert_eq!(found.policy.prob(Pair(0)), 0.0);
    }
}
