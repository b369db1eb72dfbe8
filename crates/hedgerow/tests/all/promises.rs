//! What the theory promises, on thousands of random problems: always, or as often as it says.

use crate::common;

use common::problems::{cost_of, hard_scales, largest, transported, two_problems};
use common::{Kind, config, dense_values, draw, environment, random_policy};
use hedgerow::env::{Simulator, TableSimulator};
use hedgerow::index::Pair;
use hedgerow::learn::beta;
use hedgerow::model::{Model, ModelBuilder, Policy};
use hedgerow::seed::Stream;
use hedgerow::solve::{Limits, Mdp, hard, modified_policy_iteration};
use hedgerow::theory::{
    PseudoCounts, at_least, chi, clopper_pearson, count_slack, propagated, pseudo_beta,
    pseudo_sigma,
};
use proptest::prelude::*;

/// `Q` of a policy under a cost, by elimination.
fn q_of(model: &Model, policy: &Policy, cost: &[f64]) -> Vec<f64> {
    let mdp = Mdp::of(model).with_reward(cost);
    let values = dense_values(&mdp, policy.probs(), cost);
    mdp.task().all_pairs().map(|p| mdp.q(p, &values)).collect()
}

/// The best policy that never pays, if there is one from every start.
fn best_without(model: &Model, cost: &[f64]) -> Option<Policy> {
    let found = hard(&Mdp::of(model), cost).unwrap();
    Some(found.solution()?.policy)
}

/// The policies the criterion is about: the best ones under either cost in its own dynamics, the
/// best one without any, both experts, and an arbitrary one.
fn policies(two: &common::problems::Two, costs: [&[f64]; 2], seed: u64) -> Vec<Policy> {
    let task = two.case.task();
    let free = modified_policy_iteration(&Mdp::of(&two.other), &Limits::default(), None);
    let mut all = vec![
        free.solution().unwrap().policy(task),
        random_policy(task, seed),
    ];
    all.extend(two.experts.iter().cloned());
    all.extend(best_without(&two.case.model, costs[0]));
    all.extend(best_without(&two.other, costs[1]));
    all
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn either_condition_keeps_the_error_of_values_within_the_accuracy(
        two in two_problems(),
        scales in prop::collection::vec(0.0..1.0_f64, 64),
        cost_max in prop::sample::select(&[0.5, 1.0, 3.0][..]),
        seed in any::<u64>(),
    ) {
        let (model, task) = (&two.case.model, two.case.task());
        let zeta = hard_scales(&two.one(), &scales, cost_max);
        let free = vec![0.0; task.states()];
        let chi = chi(&two.one(), &two.other(), &free, &zeta).unwrap();
        let cost = cost_of(&two.one(), &free, &zeta);
        let found = transported(&cost_of(&two.other(), &free, &zeta), &chi, cost_max);
        let bound: Vec<f64> =
            propagated(&chi, cost_max).iter().map(|b| b.min(cost_max)).collect();
        let first = largest(bound.iter().copied()) / (1.0 - task.gamma());
        for policy in policies(&two, [&cost, &found], seed) {
            let (q, q_found) = (q_of(model, &policy, &cost), q_of(model, &policy, &found));
            let collected = q_of(model, &policy, &bound);
            for i in 0..task.pairs() {
                let error = (q[i] - q_found[i]).abs();
                // Pair by pair: starting with it, the policy collects the bound from there on.
                prop_assert!(error <= collected[i] + 1e-8, "{error} > {}", collected[i]);
                // Condition (1) is the largest there can be, (2) the largest of this policy.
                prop_assert!(collected[i] <= first + 1e-8);
            }
            let mdp = Mdp::of(model);
            let value = |c: &[f64]| task.at_start(&dense_values(&mdp, policy.probs(), c));
            let error = (value(&cost) - value(&found)).abs();
            prop_assert!(error <= value(&bound) + 1e-8, "{error} > {}", value(&bound));
        }
    }

    #[test]
    fn a_count_within_its_slack_keeps_the_width_within_that_of_its_expectation(
        expected in prop::sample::select(&[0.0, 0.3, 1.0, 7.0, 40.0, 300.0, 1e4, 1e6][..]),
        share in 0.5..2.0_f64, more in 0_u32..50, horizon in 1_usize..100,
        pairs in 1_usize..10_000, delta in 1e-6..0.999_f64,
        sigma in prop::sample::select(&[0.0, 0.1, 1.0, 30.0, 1e4][..]),
        cost_max in 0.01..10.0_f64,
    ) {
        let expected = expected * share;
        let least = (0.5 * expected - count_slack(pairs, delta, horizon)).max(0.0).ceil();
        let actual = least as u32 + more;
        let width = (sigma * beta(actual, pairs, delta)).min(cost_max);
        let promised = pseudo_sigma(sigma, cost_max, horizon) * pseudo_beta(expected, pairs, delta);
        prop_assert!(width <= promised * (1.0 + 1e-12), "{width} > {promised}");
    }
}

const KIND: Kind = Kind {
    states: 1..=5,
    actions: 3,
    gammas: &[0.7],
    holes: false,
};

const DELTA: f64 = 0.1;

/// How short counts may fall of their expectation.
#[derive(Clone, Copy)]
struct Rule {
    share: f64,
    slack: f64,
}

/// Whether, in any of `iterations` iterations with a new policy each, some count is too small by
/// each of the rules.
fn fails<const N: usize>(
    model: &Model,
    horizon: usize,
    iterations: u64,
    seed: u64,
    rules: [Rule; N],
) -> [bool; N] {
    let task = model.task();
    let environment = environment(model.clone(), Policy::uniform(task), horizon);
    let mut world = TableSimulator::new(&environment, seed);
    let mut acting = Stream::new(seed, "acting");
    let mut expected = PseudoCounts::new(task, model.rows(), horizon);
    let mut counts = vec![0.0; task.pairs()];
    let mut failed = [false; N];
    for k in 0..iterations {
        let policy = random_policy(task, seed ^ (k << 32));
        expected.add(&policy, 1.0).unwrap();
        let mut state = world.reset().unwrap();
        for _ in 0..horizon {
            if task.is_terminal(state) {
                break;
            }
            let pair = policy.sample(task, state, &mut acting);
            counts[pair.at()] += 1.0;
            state = world.step(pair).unwrap().next;
        }
        for (failed, rule) in failed.iter_mut().zip(rules) {
            let short = |(n, e): (&f64, &f64)| *n < rule.share * e - rule.slack;
            *failed |= counts.iter().zip(expected.counts()).any(short);
        }
    }
    failed
}

#[test]
fn counts_fall_short_of_their_expectation_as_rarely_as_promised() {
    let (mut failures, mut without_half, mut without_slack) = (0, 0, 0);
    let runs = 2000;
    for seed in 0..runs {
        let live = 1 + seed as usize % 5;
        let case = draw(&KIND, live, seed as usize % 2, 0.7, seed);
        let horizon = [1, 3, 20][seed as usize % 3];
        let slack = count_slack(case.task().pairs(), DELTA, horizon);
        let rules = [
            Rule { share: 0.5, slack },
            Rule {
                share: 1.0,
                slack: 0.1 * slack,
            },
            Rule {
                share: 0.5,
                slack: 0.0,
            },
        ];
        let [kept, half, bare] = fails(&case.model, horizon, 60, seed, rules);
        failures += u64::from(kept);
        without_half += u64::from(half);
        without_slack += u64::from(bare);
    }
    // Not ruled out: the probability of a failure is at most delta / 2.
    let promised = 0.5 * DELTA;
    let found = clopper_pearson(failures, runs, 0.99).unwrap();
    assert!(found.lower <= promised, "{failures} of {runs}: {found:?}");
    assert!(at_least(failures, runs, promised) > 0.005);
    // The same test rules it out for less generous rules.
    for wrong in [without_half, without_slack] {
        assert!(at_least(wrong, runs, promised) < 1e-6, "{wrong} of {runs}");
    }
}

#[test]
fn counts_with_the_printed_slack_fall_short_for_sure() {
    // Two islands, start on either: an episode spends all of its 1000 steps on one of them, and
    // 500 are expected of both.
    let mut b = ModelBuilder::new(2, ["stay"], 0.5);
    b.start(0, 0.5).start(1, 0.5);
    b.transition(0, 0, 0, 1.0).transition(1, 0, 1, 1.0);
    let model = b.build().unwrap();
    let horizon = 1000;
    let printed = Rule {
        share: 0.5,
        slack: count_slack(2, DELTA, 1),
    };
    let ours = Rule {
        share: 0.5,
        slack: count_slack(2, DELTA, horizon),
    };
    for seed in 0..20 {
        assert_eq!(
            fails(&model, horizon, 1, seed, [printed, ours]),
            [true, false]
        );
    }
    // And so does the inequality of the widths, for the island that was not seen.
    let sigma = 1.0;
    let width = (sigma * beta(0, 2, DELTA)).min(1.0);
    let promised = |h| pseudo_sigma(sigma, 1.0, h) * pseudo_beta(500.0, 2, DELTA);
    assert_eq!(width, 1.0);
    assert!(promised(1) < 0.4 && promised(horizon) > 1.0);
}

/// One state with two actions that end.
fn fork() -> Model {
    let mut b = ModelBuilder::new(2, ["left", "right"], 0.5);
    b.start(0, 1.0).terminal(1);
    b.transition(0, 0, 1, 1.0).transition(0, 1, 1, 1.0);
    b.build().unwrap()
}

#[test]
fn what_a_policy_collects_from_the_start_says_nothing_of_actions_it_leaves_out() {
    // Wrong by 1 on the right only; the policy goes left. From mu0 it collects no error, but the
    // criterion is about Q at every action of the start.
    let model = fork();
    let policy = Policy::new(model.task(), vec![1.0, 0.0]).unwrap();
    let (cost, found, bound) = ([0.0, 1.0], [0.0, 0.0], [0.0, 1.0]);
    let collected = dense_values(&Mdp::of(&model), policy.probs(), &bound);
    assert_eq!(model.task().at_start(&collected), 0.0);
    let (q, q_found) = (q_of(&model, &policy, &cost), q_of(&model, &policy, &found));
    assert_eq!((q[1] - q_found[1]).abs(), 1.0);
    // Ours: the error of the value from mu0 is within it, and that of Q within max C / (1-gamma).
    let value = |c: &[f64]| {
        model
            .task()
            .at_start(&dense_values(&Mdp::of(&model), policy.probs(), c))
    };
    assert!((value(&cost) - value(&found)).abs() <= 0.0);
}

#[test]
fn the_cheapest_action_has_no_gap() {
    // In every state some action is cheapest, so the least advantage in cost is 0 and a bound that
    // divides by it is infinite: what is left is the least positive one.
    for seed in 0..100 {
        let case = draw(&KIND, 1 + seed as usize % 5, 1, 0.7, seed);
        let paid: Vec<f64> = case.cost.iter().map(|c| -c).collect();
        let mdp = Mdp::of(&case.model).with_reward(&paid);
        let best = modified_policy_iteration(&mdp, &Limits::default(), None);
        let values = best.solution().unwrap().values;
        let over = |p: Pair| values[mdp.task().state_of(p).at()] - mdp.q(p, &values);
        let least = mdp
            .task()
            .all_pairs()
            .map(over)
            .fold(f64::INFINITY, f64::min);
        assert!(least.abs() < 1e-8, "{seed}: {least}");
    }
}
