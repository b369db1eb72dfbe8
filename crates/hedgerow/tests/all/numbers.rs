//! Numbers are certified or refused, whatever the scale, the sign and the discount; and experts with
//! a budget are the best there is, in states they never enter too.

use crate::common;

use common::{Kind, TINY, all_values, best_mixture, config, dense_values, random_model};
use hedgerow::Error;
use hedgerow::costset::advantage;
use hedgerow::env::Environment;
use hedgerow::env::grid::Grid;
use hedgerow::index::{Pair, State};
use hedgerow::io;
use hedgerow::metrics::{Evaluator, PlanIn};
use hedgerow::model::{Dynamics, Model, ModelBuilder, Policy};
use hedgerow::solve::{
    Constrained, Limits, Mdp, Outcome, best_within, deterministic, evaluate_certified, hard,
    lagrangian, linear_program, modified_policy_iteration, optimum, sharing_ties, thrifty,
    value_at_start,
};
use proptest::prelude::*;

/// Models of both signs and every discount.
const ANY: Kind = Kind {
    states: 1..=12,
    actions: 3,
    gammas: &[0.0, 0.3, 0.9, 0.999, 0.99999, 0.999999],
    holes: true,
};

/// Powers of ten that rewards and costs are multiplied by.
const SCALES: [i32; 5] = [-12, -5, 0, 6, 12];

fn times(weights: &[f64], power: i32) -> Vec<f64> {
    weights.iter().map(|w| w * 10_f64.powi(power)).collect()
}

fn sizes(weights: &[f64]) -> Vec<f64> {
    weights.iter().map(|w| w.abs()).collect()
}

/// `V^|r|` from the start, by elimination.
fn size<D: Dynamics>(mdp: &Mdp<D>, probs: &[f64], weights: &[f64]) -> f64 {
    mdp.task()
        .at_start(&dense_values(mdp, probs, &sizes(weights)))
}

fn proved(outcome: hedgerow::Result<Outcome<Constrained>>) -> Constrained {
    match outcome {
        Ok(Outcome::Optimal(found)) => found,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn values_of_any_sign_and_discount_are_within_their_errors(case in random_model(ANY)) {
        let policy = common::random_policy(case.task(), 1);
        for power in SCALES {
            let reward = times(&case.weights, power);
            let mdp = case.mdp().with_reward(&reward);
            let truth = dense_values(&mdp, policy.probs(), &reward);
            let sizes = dense_values(&mdp, policy.probs(), &sizes(&reward));
            let found = evaluate_certified(&mdp, &policy).expect("certified");
            for s in 0..truth.len() {
                // Elimination rounds as well.
                let own = 1e-14 * sizes[s] / (1.0 - mdp.gamma());
                prop_assert!((found.values[s] - truth[s]).abs() <= found.errors[s] + own);
                prop_assert!(found.errors[s] <= 1e-6 * sizes[s]);
            }
            let sum = value_at_start(&mdp, &policy).expect("certified");
            let (at, size) = (case.task().at_start(&truth), case.task().at_start(&sizes));
            let own = 1e-14 * size / (1.0 - mdp.gamma());
            prop_assert!((sum.value - at).abs() <= sum.error + own);
            prop_assert!(sum.error <= 1e-6 * size);
        }
    }

    #[test]
    fn no_policy_beats_the_optimum_and_its_choices_reach_it(case in random_model(ANY)) {
        for power in SCALES {
            let reward = times(&case.weights, power);
            let mdp = case.mdp().with_reward(&reward);
            let best = optimum(&mdp).expect("certified");
            let policy = Policy::deterministic(case.task(), &best.choice);
            let values = dense_values(&mdp, policy.probs(), &reward);
            let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            for s in case.task().all_states() {
                let own = 1e-13 * largest / (1.0 - mdp.gamma());
                prop_assert!((best.values[s.at()] - values[s.at()]).abs() <= best.errors[s.at()] + own);
                for i in case.task().pairs_of(s) {
                    // Optimal values solve Bellman's equation.
                    let better = mdp.q(Pair::new(i), &values) - values[s.at()];
                    prop_assert!(better <= 1e-13 * (largest + reward[i].abs()), "{}", better);
                }
            }
            let shared = sharing_ties(&mdp).expect("certified");
            let earned = case.task().at_start(&dense_values(&mdp, shared.probs(), &reward));
            let lost = case.task().at_start(&values) - earned;
            prop_assert!(lost <= 1e-7 * size(&mdp, policy.probs(), &reward), "{}", lost);
        }
    }

    #[test]
    fn budgets_of_any_scale_are_what_counting_says(
        case in random_model(Kind { gammas: &[0.0, 0.5, 0.9, 0.9999], ..TINY }),
        at in -0.2..1.1_f64,
        signs in any::<bool>(),
    ) {
        let reward = if signs { &case.weights } else { case.task().reward() };
        let base = case.mdp().with_reward(reward);
        let points = all_values(&base, &[reward, &case.cost]);
        let least = points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let most = points.iter().map(|p| p[1]).fold(0.0, f64::max);
        // Elimination may leave a cost of 0 at 1e-18.
        let least = if least < 1e-12 * most { 0.0 } else { least };
        let budget = least + at * (most - least);
        let gross = points.iter().map(|p| p[0].abs()).fold(0.0, f64::max)
            .max(size(&base, Policy::uniform(case.task()).probs(), reward));
        let mut before: Option<Policy> = None;
        for (r, c) in [(0, 0), (-12, 12), (12, -12), (-12, -12), (12, 12)] {
            let reward = times(reward, r);
            let cost = times(&case.cost, c);
            let (r, c) = (10_f64.powi(r), 10_f64.powi(c));
            let mdp = case.mdp().with_reward(&reward);
            if budget < least * (1.0 - 1e-6) {
                for outcome in [
                    best_within(&mdp, &cost, budget * c),
                    lagrangian(&mdp, &cost, budget * c),
                    deterministic(&mdp, &cost, budget * c),
                    linear_program(&mdp, &cost, budget * c),
                ] {
                    let Ok(Outcome::Infeasible { least_cost }) = outcome else {
                        return Err(TestCaseError::fail(format!("{outcome:?}")));
                    };
                    prop_assert!((least_cost / c - least).abs() <= 1e-9 * least);
                }
                continue;
            }
            let best = best_mixture(&points, budget.max(least) * (1.0 + 1e-12)).expect("a policy");
            for found in [
                proved(best_within(&mdp, &cost, budget * c)),
                proved(lagrangian(&mdp, &cost, budget * c)),
            ] {
                let spare = found.multiplier / r * c * 2e-9 * budget.max(least);
                prop_assert!((found.reward / r - best).abs() <= 2e-9 * gross + spare,
                    "{} for {}", found.reward / r, best);
                prop_assert!(found.cost / c <= budget.max(least) * (1.0 + 2e-9));
            }
            let alone = proved(deterministic(&mdp, &cost, budget * c));
            prop_assert!(alone.policy.probs().iter().all(|&p| p == 0.0 || p == 1.0));
            prop_assert!(alone.cost / c <= budget.max(least) * (1.0 + 2e-9));
            // The scale changes no choice.
            let policy = proved(best_within(&mdp, &cost, budget * c)).policy;
            if let Some(before) = &before {
                for (a, b) in before.probs().iter().zip(policy.probs()) {
                    prop_assert!((a - b).abs() <= 1e-5, "{} {}", a, b);
                    prop_assert!((*a == 0.0) == (*b == 0.0) || (a - b).abs() <= 1e-8);
                }
            }
            before = Some(policy);
        }
    }

    #[test]
    fn an_expert_with_a_budget_is_the_best_at_its_price_everywhere(
        case in random_model(Kind { gammas: &[0.3, 0.9, 0.99], holes: false, ..ANY }),
        at in 0.05..0.95_f64,
        signs in any::<bool>(),
    ) {
        let reward = if signs { &case.weights } else { case.task().reward() };
        let mdp = case.mdp().with_reward(reward);
        let least = match lagrangian(&mdp, &case.cost, -1.0) {
            Ok(Outcome::Infeasible { least_cost }) => least_cost,
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        };
        let free = sharing_ties(&mdp).expect("certified");
        let most = value_at_start(&mdp.with_reward(&case.cost), &free).expect("certified").value;
        prop_assume!(most > least + 1e-6);
        let budget = least + at * (most - least);
        let found = proved(best_within(&mdp, &case.cost, budget));
        prop_assert!(found.multiplier == 0.0 || (found.cost - budget).abs() <= 1e-8 * budget);
        let priced: Vec<f64> = reward.iter().zip(&case.cost)
            .map(|(r, c)| r - found.multiplier * c).collect();
        let values = dense_values(&mdp, found.policy.probs(), &priced);
        let earned = dense_values(&mdp, found.policy.probs(), reward);
        let paid = dense_values(&mdp, found.policy.probs(), &case.cost);
        let terms: Vec<f64> = reward.iter().zip(&case.cost)
            .map(|(r, c)| r.abs() + found.multiplier * c).collect();
        let largest = dense_values(&mdp, found.policy.probs(), &terms);
        let largest = largest.iter().copied().fold(0.0, f64::max);
        for pair in case.task().all_pairs() {
            let s = case.task().state_of(pair).at();
            let better = mdp.with_reward(&priced).q(pair, &values) - values[s];
            prop_assert!(better <= 1e-7 * largest, "{} in r - lambda c by {}", pair, better);
            // So whatever the expert leaves although it pays costs more than its own way.
            let pays = mdp.q(pair, &earned) - earned[s];
            let costs = mdp.with_reward(&case.cost).q(pair, &paid) - paid[s];
            if found.policy.prob(pair) == 0.0 && pays > 1e-6 * largest {
                prop_assert!(costs > 0.0, "{} pays {} and costs {}", pair, pays, costs);
            }
            prop_assert!(found.policy.prob(pair) == 0.0 || found.policy.prob(pair) > 1e-10);
        }
    }
}

/// Four states of which one is hardly ever left: `reward` for staying in A, 2.5 times that in C.
fn flip(gamma: f64, reward: f64) -> Environment {
    let text = format!(
        r#"{{"format": "hedgerow-model/1", "name": "flip", "states": ["s", "A", "B", "C"],
        "actions": ["a", "b"], "gamma": {gamma}, "start": [["s", 1.0]],
        "transitions": [["s", "a", "A", 1.0], ["s", "b", "B", 1.0], ["A", "a", "A", 1.0],
            ["B", "a", "B", 0.99999], ["B", "a", "C", 1e-05], ["C", "a", "C", 1.0]],
        "rewards": [["A", "a", {reward:e}], ["C", "a", {:e}]],
        "cost": [["B", "a", 1.0], ["C", "a", 1.0]],
        "expert": [["s", "a", 1.0], ["A", "a", 1.0], ["B", "a", 1.0], ["C", "a", 1.0]]}}"#,
        2.5 * reward
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flip.json");
    std::fs::write(&file, text).unwrap();
    io::open(file.to_str().unwrap()).unwrap()
}

#[test]
fn discounts_next_to_1_are_solved_and_not_broken_off() {
    for (gamma, within) in [
        (0.99, 1e-11),
        (0.9999, 1e-9),
        (0.99999, 1e-8),
        (0.999999, 1e-7),
    ] {
        for scale in [1.0, 1e-12, 1e12] {
            let environment = flip(gamma, scale);
            let evaluator = Evaluator::new(&environment, PlanIn::Truth).unwrap();
            // Staying in A from the second step on, and reaching C by and by.
            let expert = scale * gamma / (1.0 - gamma);
            let other = gamma * gamma * 1e-5 * 2.5 * scale / (1.0 - gamma);
            let other = other / (1.0 - gamma * 0.99999);
            let [reward, cost] = evaluator.expert();
            assert!(
                (reward.value / expert - 1.0).abs() < within,
                "{gamma}: {reward:?}"
            );
            assert!(reward.error < within * expert);
            assert_eq!((cost.value, cost.error), (0.0, 0.0));
            let mdp = Mdp::of(environment.truth().model());
            let best = evaluator.values(&sharing_ties(&mdp).unwrap()).unwrap();
            let most = expert.max(other);
            assert!(
                (best[0].value / most - 1.0).abs() < within,
                "{gamma}: {best:?}"
            );
        }
    }
}

#[test]
fn what_cannot_be_certified_is_refused() {
    // Every further digit of the discount costs one of the value.
    let environment = flip(0.99, 1.0);
    let model = environment.truth().model();
    let mdp = Mdp::of(model).with_gamma(1.0 - 1e-14);
    let refused = value_at_start(&mdp, environment.truth().expert());
    assert!(
        matches!(refused, Err(Error::Uncertain { .. })),
        "{refused:?}"
    );
    // Sums that overflow are not infinite, they are an error of one line.
    let large: Vec<f64> = model.task().all_pairs().map(|_| 1e308).collect();
    let mdp = Mdp::of(model).with_reward(&large);
    for refused in [
        value_at_start(&mdp, environment.truth().expert()).map(|_| ()),
        sharing_ties(&mdp).map(|_| ()),
        best_within(&mdp, environment.truth().cost().values(), 1.0).map(|_| ()),
    ] {
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.contains("overflow") && refused.contains("scale"),
            "{refused}"
        );
    }
}

/// A map of 31 x 31 cells with the goal opposite the start, where all values are tiny.
fn far(budget: f64) -> Environment {
    let open = |last: char| ". ".repeat(30) + &last.to_string() + "\n";
    let mut map = open('G') + &open('.').repeat(14);
    map += &("x ".repeat(28) + ". . .\n");
    map += &open('.').repeat(14);
    map += &("S ".to_owned() + &". ".repeat(30));
    let grid = Grid {
        gamma: 0.7,
        moves: 4,
        budget,
        ..Grid::new("far", Grid::symbols_of(&map))
    };
    grid.environment().unwrap()
}

#[test]
fn experts_are_the_best_where_all_values_are_tiny() {
    let sums = |environment: &Environment| {
        let found = Evaluator::new(environment, PlanIn::Truth).unwrap().expert();
        assert!(found[0].error < 1e-9 * found[0].value);
        found.map(|sum| sum.value)
    };
    let free = far(5.0);
    let mdp = Mdp::of(free.truth().model());
    let most = value_at_start(&mdp, &sharing_ties(&mdp).unwrap())
        .unwrap()
        .value;
    assert!((most - 2.574e-10).abs() < 1e-13, "{most:e}");
    // A budget that does not bind changes nothing.
    let [reward, cost] = sums(&free);
    assert!((reward / most - 1.0).abs() < 1e-12 && cost < 5.0);
    // One that binds is spent, and buys more than nothing.
    let [none, little] = sums(&far(0.0));
    assert!((none - 2.571e-10).abs() < 1e-13 && (little - 4.4e-6).abs() < 1e-7);
    let [tight, spent] = sums(&far(1e-4));
    assert!(
        tight > none && tight < reward,
        "{none:e} {tight:e} {reward:e}"
    );
    assert!((spent - 1e-4).abs() < 1e-12);
}

#[test]
fn what_costs_no_more_than_the_experts_way_is_not_constrained() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/frozenlake-soft.json"
    );
    let environment = io::open(file).unwrap();
    let (task, truth) = (environment.task(), environment.truth());
    let expert = truth.expert();
    let gain = advantage(truth.model(), expert).unwrap();
    let paying = Mdp::of(truth.model()).with_reward(truth.cost().values());
    let paid = dense_values(&paying, expert.probs(), truth.cost().values());
    let mut constrained = Vec::new();
    for pair in task.all_pairs() {
        if expert.prob(pair) == 0.0 && gain[pair.at()] > 0.0 {
            let more = paying.q(pair, &paid) - paid[task.state_of(pair).at()];
            assert!(more > 1e-9, "{} costs {more} more", task.pair_name(pair));
            constrained.push(task.pair_name(pair));
        }
        let p = expert.prob(pair);
        assert!(p == 0.0 || p > 1e-9, "{} {p:e}", task.pair_name(pair));
    }
    assert!(!constrained.is_empty());
    for wrong in [
        "(r4c5, right)",
        "(r5c0, up)",
        "(r7c5, right)",
        "(r7c6, right)",
    ] {
        assert!(!constrained.iter().any(|c| c == wrong), "{wrong}");
    }
}

#[test]
fn a_state_that_cannot_avoid_cost_pays_the_least_and_earns_the_most() {
    // From 1, which the expert never enters, every way costs: 1 and 2 cost the same, 2 earns more.
    let mut b = ModelBuilder::new(4, ["a", "b", "c"], 0.5);
    b.start(0, 1.0).terminal(3);
    b.transition(0, 0, 3, 1.0).reward(0, 0, 0.1);
    b.transition(0, 1, 1, 1.0);
    for (a, r) in [9.0, 0.5, 1.0].into_iter().enumerate() {
        b.transition(1, a, 3, 1.0).reward(1, a, r);
    }
    b.transition(2, 0, 3, 1.0);
    let model = b.build().unwrap();
    let mdp = Mdp::of(&model);
    let cost = [0.0, 0.0, 2.0, 1.0, 1.0, 0.0];
    let found = hard(&mdp, &cost).unwrap().solution().unwrap();
    assert_eq!(found.infeasible, [State(1)]);
    assert_eq!(found.policy.probs(), [1.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(thrifty(&mdp, &cost).unwrap().choice[1], Some(Pair(4)));
}

fn written(text: &str) -> hedgerow::Result<Environment> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.json");
    std::fs::write(&file, text).unwrap();
    io::open(file.to_str().unwrap())
}

#[test]
fn without_a_future_or_without_a_cost_a_budget_of_0_works() {
    let model = |gamma: f64, cost: &str, budget: f64| {
        written(&format!(
            r#"{{"format": "hedgerow-model/1", "name": "m", "states": 3, "actions": ["a", "b"],
            "gamma": {gamma}, "start": [[0, 1.0]], "terminal": [2], "budget": {budget},
            "transitions": [[0, 0, 1, 1.0], [0, 1, 1, 1.0], [1, 0, 2, 1.0]],
            "rewards": [[0, 0, 1.0], [0, 1, 2.0]], "cost": [{cost}]}}"#
        ))
    };
    let probs = |e: &Environment| e.truth().expert().probs().to_vec();
    // Nothing that follows counts: only the pair of the start that costs is avoided.
    let now = model(0.0, "[0, 1, 1.0], [1, 0, 1.0]", 0.0).unwrap();
    assert_eq!(probs(&now), [1.0, 0.0, 1.0]);
    for budget in [0.0, 0.5] {
        let free = model(0.5, "", budget).unwrap();
        assert_eq!(probs(&free), [0.0, 1.0, 1.0]);
    }
    // With a future the cost of 1 cannot be avoided: 0.5 is the least.
    for budget in [0.0, 0.25, 0.4999] {
        let refused = model(0.5, "[0, 1, 1.0], [1, 0, 1.0]", budget).unwrap_err();
        let refused = refused.to_string();
        assert!(
            refused.contains("the least that can be reached is 0.5"),
            "{refused}"
        );
    }
    assert_eq!(
        probs(&model(0.5, "[0, 1, 1.0], [1, 0, 1.0]", 0.5).unwrap()),
        [1.0, 0.0, 1.0]
    );
}

#[test]
fn rewards_that_cancel_out_still_tie() {
    // Both ways earn 3 - 3 = 0 by numbers that do not cancel to the last digit.
    let mut b = ModelBuilder::new(4, ["a", "b"], 0.9);
    b.start(0, 1.0).terminal(3);
    b.transition(0, 0, 1, 0.3).transition(0, 0, 2, 0.7);
    b.transition(0, 1, 1, 0.3).transition(0, 1, 2, 0.7);
    b.transition(1, 0, 3, 1.0).transition(2, 0, 3, 1.0);
    let model = b.build().unwrap();
    let base = 0.9 * (0.3 * 7.7 + 0.7 * 1.1);
    let reward = [-base, -0.9 * 0.3 * 7.7 - 0.9 * 0.7 * 1.1, 7.7, 1.1];
    let shared = sharing_ties(&Mdp::of(&model).with_reward(&reward)).unwrap();
    assert_eq!(shared.probs(), [0.5, 0.5, 1.0, 1.0]);
}

#[test]
fn an_exact_answer_is_what_sweeps_come_to() {
    // The map where sweeps and factors both work: the same values, from very different methods.
    let environment = far(0.0);
    let mdp = Mdp::of(environment.truth().model()).with_gamma(0.9);
    let best = optimum(&mdp).unwrap();
    let limits = Limits {
        tolerance: 1e-13,
        ..Limits::default()
    };
    let swept = modified_policy_iteration(&mdp, &limits, None)
        .solution()
        .unwrap();
    for (s, v) in best.values.iter().enumerate() {
        assert!((v - swept.values[s]).abs() <= swept.error + best.errors[s]);
        assert!(best.errors[s] <= 1e-9 * v.abs());
    }
}

#[test]
fn a_large_discount_does_not_make_different_moves_equal() {
    // In a loop, 1 a step against 1 - 1e-5: a difference of 1e-11 of the value, every step.
    let mut b = ModelBuilder::new(1, ["more", "less"], 0.999999);
    b.start(0, 1.0);
    b.transition(0, 0, 0, 1.0).reward(0, 0, 1.0);
    b.transition(0, 1, 0, 1.0).reward(0, 1, 1.0 - 1e-5);
    let model: Model = b.build().unwrap();
    let shared = sharing_ties(&Mdp::of(&model)).unwrap();
    assert_eq!(shared.probs(), [1.0, 0.0]);
}

#[test]
fn an_optimum_of_exactly_0_is_proved() {
    // Staying earns nothing, leaving costs and earns -1 for ever: stay, whatever the budget.
    let text = r#"{"format": "hedgerow-model/1", "states": 2, "actions": ["a", "b"], "gamma": 0.5,
        "start": [[0, 1.0]], "terminal": [], "rewards": [[1, 0, -1.0]],
        "transitions": [[0, 0, 0, 1.0], [0, 1, 1, 1.0], [1, 0, 1, 1.0]],
        "cost": [[0, 1, 1.0]], "budget": 0.25}"#;
    let environment = written(text).unwrap();
    assert_eq!(environment.truth().expert().probs(), [1.0, 0.0, 1.0]);
}
