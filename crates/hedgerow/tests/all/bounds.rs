//! The error bounds and their ingredients, as inequalities on random pairs of problems.

use crate::common;

use common::problems::{KIND, Two, cost_of, hard_scales, largest, transported, two_problems};
use common::{
    Case, Kind, config, dense_values, draw, environment, generated, mixing_without_a_future,
    random_model, random_policy,
};
use hedgerow::costset::canonical;
use hedgerow::learn::{Bound, Inference, InferenceParams, ZetaRule, beta, clip, sigma};
use hedgerow::model::{Dynamics, Model, ModelBuilder, Policy};
use hedgerow::solve::{Limits, Mdp, modified_policy_iteration};
use hedgerow::theory::{EstimationProblem, advantage_difference, chi, excess_cost, propagated};
use proptest::prelude::*;

fn check_propagation(two: &Two, cost_values: &[f64], zeta: &[f64], cost_max: f64) {
    let cost = cost_of(&two.one(), cost_values, zeta);
    let in_range = |c: &f64| *c >= -1e-9 && *c <= cost_max + 1e-9;
    assert!(cost.iter().all(in_range), "not a cost to start from");
    let chi = chi(&two.one(), &two.other(), cost_values, zeta).unwrap();
    let pseudo = cost_of(&two.other(), cost_values, zeta);
    for (i, c) in cost.iter().enumerate() {
        let moved = (c - pseudo[i]).abs();
        assert!(
            moved <= chi[i] + 1e-9,
            "pair {i} moved by {moved} > {}",
            chi[i]
        );
    }
    let found = transported(&pseudo, &chi, cost_max);
    assert!(found.iter().all(in_range), "left [0, C_max]");
    let bound = propagated(&chi, cost_max);
    for (i, c) in cost.iter().enumerate() {
        let error = (c - found[i]).abs();
        assert!(error <= bound[i] + 1e-9, "pair {i}: {error} > {}", bound[i]);
    }
}

/// The cheapest policy under a cost.
fn cheapest(model: &Model, cost: &[f64]) -> Policy {
    let paid: Vec<f64> = cost.iter().map(|c| -c).collect();
    let mdp = Mdp::of(model).with_reward(&paid);
    let solved = modified_policy_iteration(&mdp, &Limits::default(), None);
    solved.solution().unwrap().policy(model.task())
}

/// What a policy pays from every state.
fn pays(model: &Model, policy: &Policy, cost: &[f64]) -> Vec<f64> {
    dense_values(&Mdp::of(model), policy.probs(), cost)
}

/// By how much `policy` costs more than the cheapest, state by state.
fn over_the_cheapest(model: &Model, policy: &Policy, cost: &[f64]) -> Vec<f64> {
    let least = pays(model, &cheapest(model, cost), cost);
    let own = pays(model, policy, cost);
    own.iter().zip(&least).map(|(a, b)| a - b).collect()
}

/// The cost of a case, an estimate of it, and how far they are apart.
fn estimated(case: &Case, noise: f64) -> (Vec<f64>, Vec<f64>) {
    let moved = case.cost.iter().zip(&case.weights);
    let found: Vec<f64> = moved.map(|(c, w)| (c + noise * w).max(0.0)).collect();
    let apart = case.cost.iter().zip(&found);
    let apart = apart.map(|(a, b)| (a - b).abs()).collect();
    (found, apart)
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn the_best_under_an_estimated_cost_is_nearly_the_best(
        case in random_model(KIND),
        noise in prop::sample::select(&[0.01, 0.3, 1.0][..]),
        seed in any::<u64>(),
    ) {
        let (model, task) = (&case.model, case.task());
        let (found, apart) = estimated(&case, noise);
        let best = cheapest(model, &case.cost);
        let most = largest(apart.iter().copied()) / (1.0 - task.gamma());
        for policy in [cheapest(model, &found), random_policy(task, seed)] {
            let slack = largest(over_the_cheapest(model, &policy, &found));
            let bound = excess_cost(&Mdp::of(model), &apart, &policy, &best, slack).unwrap();
            let over = over_the_cheapest(model, &policy, &case.cost);
            for (over, bound) in over.iter().zip(&bound) {
                prop_assert!(*over <= bound + 1e-8, "{over} > {bound}");
                prop_assert!(*bound <= slack + 2.0 * most + 1e-8);
            }
        }
    }
}

#[test]
fn the_errors_of_both_policies_count() {
    // Action 0 is free and seems to cost 1/2, action 1 costs 1 and seems to cost 1/2 - 1/64: the
    // estimate is off by 1/2 and 33/64, its best policy pays 1 more than need be, and the bound is
    // 65/64. Either error alone would be too little.
    let mut b = ModelBuilder::new(2, ["free", "dear"], 0.9);
    b.start(0, 1.0).terminal(1);
    b.transition(0, 0, 1, 1.0).transition(0, 1, 1, 1.0);
    let model = b.build().unwrap();
    let (cost, found) = ([0.0, 1.0], [0.5, 0.5 - 1.0 / 64.0]);
    let policy = cheapest(&model, &found);
    assert_eq!(over_the_cheapest(&model, &policy, &cost), [1.0, 0.0]);
    let apart = [0.5, 33.0 / 64.0];
    let bound = excess_cost(
        &Mdp::of(&model),
        &apart,
        &policy,
        &cheapest(&model, &cost),
        0.0,
    );
    assert_eq!(bound.unwrap(), [65.0 / 64.0, 0.0]);
    let short = excess_cost(&Mdp::of(&model), &apart[..1], &policy, &policy, 0.0);
    assert!(short.unwrap_err().to_string().contains("1 "));
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn advantages_differ_by_at_most_the_bound(two in two_problems()) {
        let (a, b) = (two.one().advantage().unwrap(), two.other().advantage().unwrap());
        let difference = largest(a.iter().zip(&b).map(|(a, b)| (a - b).abs()));
        let bound = advantage_difference(&two.one(), &two.other()).unwrap();
        prop_assert!(difference <= bound + 1e-9, "{difference} > {bound}");
        let back = advantage_difference(&two.other(), &two.one()).unwrap();
        prop_assert!(difference <= back + 1e-9, "{difference} > {back} the other way round");
        let itself = advantage_difference(&two.one(), &two.one()).unwrap();
        prop_assert_eq!(itself, 0.0);
    }

    #[test]
    fn a_hard_cost_has_a_near_one_in_the_other_problem(
        two in two_problems(),
        scales in prop::collection::vec(0.0..1.0_f64, 64),
        cost_max in prop::sample::select(&[0.5, 1.0, 3.0][..]),
    ) {
        let zeta = hard_scales(&two.one(), &scales, cost_max);
        check_propagation(&two, &vec![0.0; two.case.task().states()], &zeta, cost_max);
    }

    #[test]
    fn a_soft_cost_has_a_near_one_in_the_other_problem(
        two in two_problems(),
        scales in prop::collection::vec(0.0..1.0_f64, 64),
        cost_max in prop::sample::select(&[0.5, 1.0, 3.0][..]),
    ) {
        let task = two.case.task();
        let mut zeta: Vec<f64> = (0..task.pairs()).map(|i| scales[i % 64]).collect();
        let mut values: Vec<f64> = (0..task.states()).map(|s| scales[(7 * s + 3) % 64]).collect();
        // Rows sum to 1, so lifting V_c everywhere lifts c everywhere; then scale into range.
        let cost = cost_of(&two.one(), &values, &zeta);
        let lowest = cost.iter().copied().fold(0.0, f64::min);
        let range = largest(cost.iter().map(|c| c - lowest));
        prop_assume!(range > 1e-9);
        let lift = -lowest / (1.0 - task.gamma());
        values.iter_mut().for_each(|v| *v = (*v + lift) * cost_max / range);
        zeta.iter_mut().for_each(|z| *z *= cost_max / range);
        check_propagation(&two, &values, &zeta, cost_max);
    }

    #[test]
    fn beta_and_clip_are_monotone(
        n in 1_u32..1_000_000, pairs in 1_usize..100_000, delta in 1e-6..0.9_f64,
        x in 0.0..1e3_f64, more in 0.0..1e3_f64, cost_max in 1e-3..1e3_f64,
    ) {
        // log(k n^2) / n rises until n = e / sqrt(k), which is below 1 here.
        prop_assert!(beta(n + 1, pairs, delta) < beta(n, pairs, delta));
        prop_assert!(beta(n, pairs + 1, delta) > beta(n, pairs, delta));
        prop_assert!(beta(n, pairs, delta / 2.0) > beta(n, pairs, delta));
        prop_assert!(clip(x + more, cost_max) >= clip(x, cost_max));
        prop_assert!(clip(x, cost_max) <= cost_max && clip(x, cost_max) <= 2.0 * x);
        // Below C_max the clip is what error propagation says of a width split in two.
        if clip(x, cost_max) < cost_max {
            let halves = propagated(&[x / 2.0, x / 2.0], cost_max)[0];
            prop_assert!((clip(x, cost_max) - halves).abs() <= 1e-12 * cost_max);
        }
    }
}

/// Nothing follows the only state, so an expert's advantages are rewards minus its mean reward.
fn one_step() -> Model {
    let mut b = ModelBuilder::new(2, ["poor", "rich"], 0.0);
    b.start(0, 1.0).terminal(1);
    b.transition(0, 0, 1, 1.0).transition(0, 1, 1, 1.0);
    b.reward(0, 1, 1.0);
    b.build().unwrap()
}

#[test]
fn without_the_reward_term_the_advantage_bound_fails() {
    let model = one_step();
    let experts = [[1.0, 0.0], [0.0, 1.0]].map(|p| Policy::new(model.task(), p.to_vec()).unwrap());
    let (one, other) = (
        EstimationProblem::of(&model, &experts[0]).unwrap(),
        EstimationProblem::of(&model, &experts[1]).unwrap(),
    );
    // A = (0, 1) and A^ = (-1, 0): they differ by 1. The paper's right-hand side has the factor
    // gamma = 0 in both terms; ours is (1 + 0) / (1 - 0) |(pi - pi^) Q| = 1.
    assert_eq!(one.advantage().unwrap(), [0.0, 1.0]);
    assert_eq!(other.advantage().unwrap(), [-1.0, 0.0]);
    assert_eq!(advantage_difference(&one, &other).unwrap(), 1.0);
}

#[test]
fn entry_by_entry_the_advantage_bound_fails() {
    // 0 -go-> 1, where on goes to the rewarding 2 in one problem and to the end in the other. The
    // rows of state 0 agree and so do the experts, so the right-hand side at (0, stop) is 0.
    let build = |reward_at: usize| {
        let mut b = ModelBuilder::new(4, ["go", "stop"], 0.5);
        b.start(0, 1.0).terminal(3);
        b.transition(0, 0, 1, 1.0).transition(0, 1, 3, 1.0);
        b.transition(1, 0, reward_at, 1.0);
        b.transition(2, 0, 3, 1.0).reward(2, 0, 1.0);
        b.build().unwrap()
    };
    let (model, changed) = (build(2), build(3));
    let expert = Policy::new(model.task(), vec![1.0, 0.0, 1.0, 1.0]).unwrap();
    let (one, other) = (
        EstimationProblem::of(&model, &expert).unwrap(),
        EstimationProblem::of(&changed, &expert).unwrap(),
    );
    let (a, b) = (one.advantage().unwrap(), other.advantage().unwrap());
    let stop = 1;
    // V(0) = 0.5 * 0.5 * 1, so stopping has the advantage -0.25 in one problem and 0 in the other.
    assert_eq!((a[stop], b[stop]), (-0.25, 0.0));
    let at_stop = hedgerow::index::Pair::new(stop);
    // Either way round: (P^ - P) V^ is 0 at the pair, and the experts are the same.
    for values in [[0.25, 0.5, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0]] {
        let moved = model.rows().expect(at_stop, &values) - changed.rows().expect(at_stop, &values);
        assert_eq!(moved, 0.0);
    }
    // In maximum norm: 2 * 0.5 / 0.5 * |0 - 1| = 2, by V^(2) = 1 at (1, go).
    assert_eq!(advantage_difference(&one, &other).unwrap(), 2.0);
}

#[test]
fn problems_on_different_tasks_are_refused() {
    let (a, b) = (one_step(), draw(&KIND, 3, 1, 0.7, 1).model);
    let experts = [Policy::uniform(a.task()), Policy::uniform(b.task())];
    let (one, other) = (
        EstimationProblem::of(&a, &experts[0]).unwrap(),
        EstimationProblem::of(&b, &experts[1]).unwrap(),
    );
    for message in [
        advantage_difference(&one, &other).unwrap_err().to_string(),
        chi(&one, &other, &[0.0; 2], &[0.0; 2])
            .unwrap_err()
            .to_string(),
    ] {
        assert!(message.contains("different tasks"), "{message}");
    }
    let short = chi(&one, &one, &[0.0; 1], &[0.0; 2])
        .unwrap_err()
        .to_string();
    assert!(
        short.starts_with("V_c: 1 numbers where 2 belong"),
        "{short}"
    );
}

#[test]
fn chi_by_hand() {
    let model = one_step();
    let experts = [[1.0, 0.0], [0.0, 1.0]].map(|p| Policy::new(model.task(), p.to_vec()).unwrap());
    let (one, other) = (
        EstimationProblem::of(&model, &experts[0]).unwrap(),
        EstimationProblem::of(&model, &experts[1]).unwrap(),
    );
    // |A - A^| = (1, 1); gamma = 0, so V_c plays no part.
    assert_eq!(
        chi(&one, &other, &[5.0, 0.0], &[0.25, 2.0]).unwrap(),
        [0.25, 2.0]
    );
    // x = 2.25 and 4 with C_max = 2.
    let bound = propagated(&[0.25, 2.0], 2.0);
    assert_eq!(bound, [4.5 / 2.125, 8.0 / 3.0]);
}

/// How many of `runs` learners infer a cost that is off by more than `C_k` somewhere, and the mean
/// of `max C_k`.
fn violations(model: &Model, expert: &Policy, each: u32, zeta: ZetaRule, runs: u64) -> (u32, f64) {
    let truth = canonical(model, expert, 1.0).unwrap();
    let environment = environment(model.clone(), expert.clone(), 10);
    let inference = InferenceParams {
        zeta,
        ..InferenceParams::DEFAULT
    }
    .check()
    .unwrap();
    let (mut wrong, mut total) = (0, 0.0);
    for seed in 0..runs {
        let learner = generated(&environment, inference, each, seed);
        let (bound, cost) = (Bound::new(&learner), learner.cost());
        let off = |p: hedgerow::index::Pair| (cost[p.at()] - truth.at(p)).abs() > bound.at(p);
        wrong += u32::from(model.task().all_pairs().any(off));
        total += bound.max();
    }
    (wrong, total / runs as f64)
}

#[test]
fn c_k_bounds_the_error_of_the_inferred_cost() {
    let delta = Inference::default().delta;
    let kind = Kind {
        states: 2..=3,
        actions: 3,
        gammas: &[],
        holes: false,
    };
    let (mut narrow, mut models) = (0, 0);
    for seed in 0..30 {
        let case = draw(&kind, 2 + seed as usize % 2, 1, 0.2, seed);
        let expert = random_policy(case.task(), 77);
        // A single constrained pair has the largest cost in every estimate: nothing to get wrong.
        if canonical(&case.model, &expert, 1.0).unwrap().support() < 2 {
            continue;
        }
        models += 1;
        for each in [5, 3000] {
            for zeta in [ZetaRule::PerPair, ZetaRule::Uniform] {
                let (wrong, width) = violations(&case.model, &expert, each, zeta, 40);
                let share = f64::from(wrong) / 40.0;
                assert!(
                    share <= delta,
                    "seed {seed}, {each} samples, {zeta:?}: {share} > {delta}"
                );
                narrow += u32::from(width < 0.9);
            }
        }
    }
    // A bound that is C_max everywhere cannot fail.
    assert!(
        models >= 4 && narrow >= 2,
        "{models} models, {narrow} narrow"
    );
}

#[test]
fn without_a_future_c_k_claims_certainty_it_does_not_have() {
    // With gamma = 0 the paper's sigma is 0, so C_k = 0: yet the mean reward of an expert that
    // mixes has to be estimated. Two states, so that normalising cannot hide it: in 0 the expert
    // mixes rewards 0 and 1/2 and leaves 1 alone (advantage 3/4), in 1 it leaves 1 for 0.
    let (model, expert) = mixing_without_a_future();
    let truth = canonical(&model, &expert, 1.0).unwrap();
    assert_eq!(truth.values(), [0.0, 0.0, 0.75, 0.0, 1.0]);
    assert_eq!(sigma(0.0, 1.0, 1.0, 1.0), 0.0);
    let environment = environment(model, expert, 1);
    let wrong = (0..20)
        .filter(|&seed| {
            let learner = generated(&environment, Inference::default(), 51, seed);
            let pair = hedgerow::index::Pair::new(2);
            let error = (learner.cost()[2] - 0.75).abs();
            assert!(error < 0.2);
            error > Bound::new(&learner).at(pair)
        })
        .count();
    // 51 * 3 answers are odd: the estimated share is never exactly one half.
    assert_eq!(wrong, 20);
}

#[test]
fn c_k_with_the_largest_advantage_is_too_narrow_for_small_ones() {
    // In 0 and 1 the shunned action gains 0.005 over the expert's; in 2 another loses 1. The rule
    // of the largest |A| takes zeta = 1, but the cost c = A / max+ A is scaled by 200.
    let mut b = ModelBuilder::new(4, ["take", "try"], 0.2);
    b.start(0, 0.5).start(1, 0.5).terminal(3);
    for (s, reward, luck) in [(0, 0.1, 0.525), (1, 0.09, 0.475)] {
        b.transition(s, 0, 3, 1.0).reward(s, 0, reward);
        b.transition(s, 1, 2, luck).transition(s, 1, 3, 1.0 - luck);
    }
    b.transition(2, 0, 3, 1.0).reward(2, 0, 1.0);
    b.transition(2, 1, 3, 1.0);
    let model = b.build().unwrap();
    let expert = Policy::new(model.task(), vec![1.0, 0.0, 1.0, 0.0, 1.0, 0.0]).unwrap();
    assert_eq!(canonical(&model, &expert, 1.0).unwrap().support(), 2);
    let (wrong, width) = violations(&model, &expert, 3000, ZetaRule::Uniform, 40);
    assert!(
        wrong > 10 && width < 0.5,
        "{wrong} of 40 with width {width}"
    );
    let (wrong, _) = violations(&model, &expert, 3000, ZetaRule::PerPair, 40);
    assert_eq!(wrong, 0);
}
