//! Problems that are solved again with slightly other numbers, and roughly.

use crate::common::{
    SMALL, TINY, all_policies, all_values, best_mixture, config, dense_values, random_model,
};
use hedgerow::solve::{
    Limits, LinearRow, Outcome, Roughly, Start, WarmStart, best_again, better_again,
    constrained_roughly, policy_iteration,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn where_a_solve_starts_does_not_matter(case in random_model(SMALL), forbid in 0..8_usize) {
        let mdp = case.mdp();
        let limits = Limits::default();
        let mut start = Start::default();
        best_again(&mdp, &limits, &mut start);
        // Other rewards, and one pair less where another is left.
        let mut allowed = vec![true; mdp.task().pairs()];
        for state in mdp.task().all_states() {
            let own = mdp.task().pairs_of(state);
            if own.len() > 1 {
                allowed[own.start + forbid % own.len()] = false;
            }
        }
        let other = mdp.with_reward(&case.weights).with_allowed(&allowed);
        let right = policy_iteration(&other, &limits).expect("solved");
        let right = right.solution().expect("solved");
        // A policy that was good before is a policy, and improves on itself.
        let mut follows = start.clone();
        let earned = better_again(&other, &limits, &mut follows, |_| true).expect("known");
        let improved = better_again(&other, &limits, &mut follows, |_| false).expect("known");
        let best = mdp.task().at_start(&right.values);
        prop_assert!(improved >= earned - 1e-8 && improved <= best + 1e-8, "{} {} {}", earned, improved, best);
        let mut probs = vec![0.0; mdp.task().pairs()];
        for pair in follows.choice.iter().flatten() {
            prop_assert!(allowed[pair.at()]);
            probs[pair.at()] = 1.0;
        }
        let dense = dense_values(&mdp, &probs, &case.weights);
        prop_assert!((mdp.task().at_start(&dense) - improved).abs() <= 1e-8);
        // The best one does not depend on where it was looked for from.
        for mut from in [start, follows, Start::default()] {
            let error = best_again(&other, &limits, &mut from);
            for (found, right) in from.values.iter().zip(&right.values) {
                prop_assert!((found - right).abs() <= error + 1e-9, "{} {}", found, right);
            }
        }
    }

    #[test]
    fn a_rough_mixture_has_a_proved_bound(case in random_model(TINY), at in 0.05..1.1_f64, far in any::<bool>()) {
        let mdp = case.mdp();
        let points = all_values(&mdp, &[mdp.reward(), &case.cost]);
        let least = points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let most_paid = points.iter().map(|p| p[1]).fold(0.0, f64::max);
        let budget = least + at * (most_paid - least);
        let exact = best_mixture(&points, budget).expect("within the budget");
        let rows = [LinearRow { weights: &case.cost, bound: budget }];
        let most = points.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
        let share = 1e-4;
        let roughly = Roughly { share, most: if far { f64::INFINITY } else { most + 1e-12 } };
        let mut warm = WarmStart::default();
        let scale = (mdp.reward().iter().fold(0.0, |m: f64, r| m.max(r.abs())) + most_paid) / (1.0 - mdp.gamma());
        // The second time begins with what the first has left.
        for _ in 0..2 {
            let found = constrained_roughly(&mdp, &rows, &Limits::default(), roughly, &mut warm);
            let (Outcome::Optimal(found) | Outcome::LimitReached(found)) = found.expect("solved") else {
                return Err(TestCaseError::fail("a policy within the budget exists"));
            };
            prop_assert!(found.bound >= exact - 1e-9, "{} {}", found.bound, exact);
            let played: [f64; 2] = [mdp.reward(), &case.cost].map(|weights| {
                let of = |(w, choice): &(f64, Vec<_>)| {
                    let mut probs = vec![0.0; mdp.task().pairs()];
                    for pair in choice.iter().flatten() {
                        let pair: &hedgerow::index::Pair = pair;
                        probs[pair.at()] = 1.0;
                    }
                    w * mdp.task().at_start(&dense_values(&mdp, &probs, weights))
                };
                found.policies.iter().map(of).sum()
            });
            prop_assert!((played[0] - found.value).abs() <= 10.0 * share * scale);
            prop_assert!(played[1] <= budget + 10.0 * share * scale, "{} {}", played[1], budget);
        }
    }
    #[test]
    fn a_rough_mixture_does_not_depend_on_where_it_was_looked_for_from(
        case in random_model(TINY), at in 0.05..1.0_f64, before in 0.05..1.0_f64, forbid in 0..8_usize,
    ) {
        let share = 1e-4;
        let roughly = Roughly { share, most: f64::INFINITY };
        let mdp = case.mdp();
        let task = mdp.task();
        let mut allowed = vec![true; task.pairs()];
        for state in task.all_states() {
            let own = task.pairs_of(state);
            if own.len() > 1 {
                allowed[own.start + forbid % own.len()] = false;
            }
        }
        let largest = |of: &[f64]| of.iter().fold(0.0, |m: f64, r| m.max(r.abs()));
        let scale = (largest(mdp.reward()) + largest(&case.cost)) / (1.0 - mdp.gamma());
        // Where all that is left costs the same, a rough search cannot tell that from too much.
        let paid = |points: &[Vec<f64>], at: f64| {
            let least = points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
            let most = points.iter().map(|p| p[1]).fold(0.0, f64::max);
            least + at * (most - least) + 10.0 * share * scale
        };
        // Another problem leaves its policies, prices and values: other rewards, another budget, all pairs.
        let mut warm = WarmStart::default();
        let budget = paid(&all_values(&mdp, &[&case.weights, &case.cost]), before);
        let rows = [LinearRow { weights: &case.cost, bound: budget }];
        let other = mdp.with_reward(&case.weights);
        constrained_roughly(&other, &rows, &Limits::default(), roughly, &mut warm).expect("solved");
        let kept = all_policies(task);
        let kept = kept.iter().filter(|probs| probs.iter().zip(&allowed).all(|(&p, &a)| a || p == 0.0));
        let points: Vec<Vec<f64>> = kept
            .map(|probs| {
                let rewards = [mdp.reward(), &case.cost];
                rewards.map(|r| task.at_start(&dense_values(&mdp, probs, r))).to_vec()
            })
            .collect();
        let budget = paid(&points, at);
        let exact = best_mixture(&points, budget).expect("within the budget");
        let rows = [LinearRow { weights: &case.cost, bound: budget }];
        let fewer = mdp.with_allowed(&allowed);
        for mut from in [warm, WarmStart::default()] {
            let found = constrained_roughly(&fewer, &rows, &Limits::default(), roughly, &mut from);
            let (Outcome::Optimal(found) | Outcome::LimitReached(found)) = found.expect("solved") else {
                return Err(TestCaseError::fail("a policy within the budget exists"));
            };
            prop_assert!(found.bound >= exact - 1e-9, "{} {}", found.bound, exact);
            let priced: f64 = found.multipliers.iter().sum();
            let near = 100.0 * share * (1.0 + priced) * scale;
            prop_assert!(found.bound <= exact + near, "{} {}", found.bound, exact);
            for pair in found.policies.iter().flat_map(|(_, choice)| choice.iter().flatten()) {
                prop_assert!(allowed[pair.at()]);
            }
            // The plan goes on from what is best at the prices of the bound.
            let prices = found.multipliers[0];
            let priced: Vec<f64> = mdp.reward().iter().zip(&case.cost).map(|(r, c)| r - prices * c).collect();
            let best = policy_iteration(&fewer.with_reward(&priced), &Limits::default()).expect("solved");
            let best = best.solution().expect("solved");
            for (left, best) in from.priced().values.iter().zip(&best.values) {
                prop_assert!((left - best).abs() <= 2.0 * share * (1.0 + prices) * scale, "{} {}", left, best);
            }
        }
    }
}
