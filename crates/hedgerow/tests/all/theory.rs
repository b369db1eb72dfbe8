//! Sample sizes against the bound they are solved from, expected counts against simulation.

use crate::common;

use common::{Kind, config, draw, environment, random_policy, take_and_leave};
use hedgerow::costset::canonical;
use hedgerow::env::{Simulator, TableSimulator};
use hedgerow::learn::{ZetaRule, beta, clip};
use hedgerow::model::{Model, Policy};
use hedgerow::seed::Stream;
use hedgerow::solve::{Limits, Mdp, modified_policy_iteration};
use hedgerow::theory::{
    Gap, PacParams, PseudoCounts, bear, gap_of, pcse, pseudo_beta, pseudo_sigma, uniform,
    zeta_max_of,
};
use proptest::prelude::*;

/// gamma 1/2, R 1, zeta 2, C 1 give sigma = 15.
const PARAMS: PacParams = PacParams {
    pairs: 10,
    horizon: 1,
    gamma: 0.5,
    reward_max: 1.0,
    cost_max: 1.0,
    zeta_max: 2.0,
    delta: 0.1,
    accuracy: 1.0,
};

#[test]
fn uniform_is_the_first_count_at_which_the_bound_reaches_the_accuracy() {
    assert_eq!(PARAMS.sigma(), 15.0);
    let samples = uniform(&PARAMS).unwrap();
    // e = 1/2, y = (1/2) / (4 - 1) = 1/6, a = 225 * 36 / 2 = 4050, b = 3600, z = 486000.
    assert!((samples.closed - 4.0 * 4050.0 * 486_000.0_f64.ln()).abs() < 1e-6);
    let error = |n: u32| clip(2.0 * 15.0 * beta(n, 10, 0.1), 1.0) / 0.5;
    let n = samples.exact.ceil() as u32;
    assert!(error(n) <= 1.0 && error(n - 1) > 1.0, "{n}");
    let all = samples.of_all(10);
    assert_eq!(all.exact, 10.0 * samples.exact);
    assert_eq!(all.closed, 10.0 * samples.closed);
}

#[test]
fn bear_is_the_same_with_the_width_of_expected_counts() {
    let samples = bear(&PARAMS).unwrap();
    let error = |n: f64| clip(2.0 * 15.0 * pseudo_beta(n, 10, 0.1), 1.0) / 0.5;
    let n = samples.exact;
    assert!(
        error(n * (1.0 + 1e-9)) <= 1.0 && error(n * (1.0 - 1e-9)) > 1.0,
        "{n}"
    );
    // a = 2 * 225 * 36 = 16200: four times that of uniform sampling.
    assert!((samples.closed - 4.0 * 16_200.0 * (4.0 * 486_000.0_f64).ln()).abs() < 1e-5);
    // Without a future sigma is 0 and the largest cost takes its place.
    let one_step = PacParams {
        gamma: 0.0,
        accuracy: 0.5,
        ..PARAMS
    };
    assert_eq!(uniform(&one_step).unwrap().exact, 0.0);
    let error = |n: f64| {
        clip(
            2.0 * pseudo_sigma(0.0, 1.0, 1) * pseudo_beta(n, 10, 0.1),
            1.0,
        )
    };
    let n = bear(&one_step).unwrap().exact;
    assert!(
        error(n * (1.0 + 1e-9)) <= 0.5 && error(n * (1.0 - 1e-9)) > 0.5,
        "{n}"
    );
}

#[test]
fn nothing_is_needed_for_what_the_largest_cost_grants() {
    let easy = PacParams {
        accuracy: 2.0,
        ..PARAMS
    };
    assert_eq!(uniform(&easy).unwrap().exact, 0.0);
    assert_eq!(bear(&easy).unwrap().closed, 0.0);
    let hard = PacParams {
        accuracy: 1.999,
        ..PARAMS
    };
    assert!(uniform(&hard).unwrap().exact > 1.0);
}

#[test]
fn a_gap_helps_pcse_and_never_hurts_it() {
    let small = PacParams {
        accuracy: 0.01,
        ..PARAMS
    };
    let all = bear(&small).unwrap();
    assert_eq!(pcse(&small, None).unwrap(), all);
    // t = g eps / (6 eps_before + 2 b) = 0.9 * 0.01 / (6 * 0.01 + 2 * 0.015) = 0.1.
    let gap = Gap {
        advantage: 0.9,
        before: 0.01,
        budget: 0.015,
    };
    let fewer = pcse(&small, Some(&gap)).unwrap();
    let error = |n: f64| clip(2.0 * 15.0 * pseudo_beta(n, 10, 0.1), 1.0);
    let n = fewer.exact;
    assert!(
        error(n * (1.0 + 1e-9)) <= 0.1 && error(n * (1.0 - 1e-9)) > 0.1,
        "{n}"
    );
    let tiny = Gap {
        advantage: 1e-6,
        ..gap
    };
    assert_eq!(pcse(&small, Some(&tiny)).unwrap(), all);
}

#[test]
fn demands_out_of_range_are_refused_with_the_name_and_the_value() {
    let bad = [
        (PacParams { pairs: 0, ..PARAMS }, "pairs: 0 "),
        (
            PacParams {
                gamma: 1.0,
                ..PARAMS
            },
            "gamma: 1 ",
        ),
        (
            PacParams {
                gamma: f64::NAN,
                ..PARAMS
            },
            "gamma: NaN ",
        ),
        (
            PacParams {
                reward_max: -1.0,
                ..PARAMS
            },
            "reward-max: -1 ",
        ),
        (
            PacParams {
                cost_max: 0.0,
                ..PARAMS
            },
            "cost-max: 0 ",
        ),
        (
            PacParams {
                zeta_max: f64::INFINITY,
                ..PARAMS
            },
            "zeta-max: inf ",
        ),
        (
            PacParams {
                delta: 1.0,
                ..PARAMS
            },
            "delta: 1 ",
        ),
        (
            PacParams {
                accuracy: 0.0,
                ..PARAMS
            },
            "eps: 0 ",
        ),
    ];
    for (params, words) in bad {
        for refused in [uniform(&params), bear(&params), pcse(&params, None)] {
            let message = refused.unwrap_err().to_string();
            assert!(message.starts_with(words), "{message}");
        }
    }
    let gap = Gap {
        advantage: 0.1,
        before: 1.0,
        budget: 0.0,
    };
    for (gap, words) in [
        (
            Gap {
                advantage: 0.0,
                ..gap
            },
            "gap: 0 ",
        ),
        (Gap { before: 0.5, ..gap }, "eps-before: 0.5 "),
        (
            Gap {
                budget: -1.0,
                ..gap
            },
            "budget: -1 ",
        ),
    ] {
        let message = pcse(&PARAMS, Some(&gap)).unwrap_err().to_string();
        assert!(message.starts_with(words), "{message}");
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn sample_sizes_solve_their_inequality(
        pairs in 1_usize..100_000, gamma in 0.01..0.99_f64, reward_max in 0.0..10.0_f64,
        cost_max in 0.01..10.0_f64, zeta_max in 0.0..100.0_f64, delta in 1e-9..0.99_f64,
        share in 1e-4..0.999_f64, horizon in 1_usize..1000,
    ) {
        let accuracy = share * cost_max / (1.0 - gamma);
        let params = PacParams { pairs, horizon, gamma, reward_max, cost_max, zeta_max, delta, accuracy };
        let samples = bear(&params).unwrap();
        let s = pseudo_sigma(params.sigma(), cost_max, horizon);
        let error = |n: f64| clip(2.0 * s * pseudo_beta(n, pairs, delta), cost_max) / (1.0 - gamma);
        prop_assert!(error(samples.exact * (1.0 + 1e-9)) <= accuracy);
        prop_assert!(error(samples.exact * (1.0 - 1e-9)) > accuracy);
        prop_assert!(samples.closed >= samples.exact && samples.closed <= 2.0 * samples.exact);
        prop_assert!(uniform(&params).unwrap().exact <= samples.exact);
        let finer = PacParams { accuracy: 0.5 * accuracy, ..params };
        prop_assert!(bear(&finer).unwrap().exact > samples.exact);
        let surer = PacParams { delta: 0.5 * delta, ..params };
        prop_assert!(bear(&surer).unwrap().exact > samples.exact);
    }
}

const KIND: Kind = Kind {
    states: 2..=6,
    actions: 3,
    gammas: &[0.7],
    holes: false,
};

#[test]
fn zeta_and_gap_come_from_the_expert() {
    // In 0 the expert takes 0.25 and leaves 1; in 1 it takes 0.5 and leaves 1; nothing follows.
    let (model, expert) = take_and_leave();
    // Advantages 0.75 and 0.5; costs 3 and 2 of at most 3.
    let zeta = |rule| zeta_max_of(&model, &expert, 3.0, rule).unwrap();
    assert_eq!(
        (zeta(ZetaRule::Uniform), zeta(ZetaRule::PerPair)),
        (4.0, 6.0)
    );
    assert_eq!(gap_of(&model, &expert, 3.0).unwrap(), Some(2.0));
    let other = Policy::new(model.task(), vec![0.0, 1.0, 0.0, 1.0]).unwrap();
    assert_eq!(gap_of(&model, &other, 3.0).unwrap(), None);
}

/// The least positive advantage over the cheapest policy, by solving for it.
fn solved_gap(model: &Model, expert: &Policy) -> Option<f64> {
    let cost = canonical(model, expert, 1.0).unwrap();
    let paid: Vec<f64> = cost.values().iter().map(|c| -c).collect();
    let mdp = Mdp::of(model).with_reward(&paid);
    let solved = modified_policy_iteration(&mdp, &Limits::default(), None).solution()?;
    let task = model.task();
    let over = task
        .all_pairs()
        .map(|p| solved.values[task.state_of(p).at()] - mdp.q(p, &solved.values));
    over.filter(|&a| a > 1e-9).reduce(f64::min)
}

#[test]
fn the_gap_is_the_least_advantage_over_the_cheapest_policy() {
    let mut some = 0;
    for seed in 0..200 {
        let case = draw(&KIND, 2 + seed as usize % 5, 1, 0.7, seed);
        let expert = random_policy(case.task(), seed);
        let found = gap_of(&case.model, &expert, 1.0).unwrap();
        match (found, solved_gap(&case.model, &expert)) {
            (Some(a), Some(b)) => assert!((a - b).abs() < 1e-8, "{seed}: {a} {b}"),
            (a, b) => assert_eq!(a, b, "{seed}"),
        }
        some += u32::from(found.is_some());
    }
    assert!(some > 100, "{some}");
}

/// By how many standard errors the visits of simulated episodes differ from `expected`, at most.
fn deviation(model: &Model, policy: &Policy, horizon: usize, expected: &[f64], seed: u64) -> f64 {
    const EPISODES: usize = 4000;
    let task = model.task();
    let environment = environment(model.clone(), policy.clone(), horizon);
    let mut world = TableSimulator::new(&environment, seed);
    let mut acting = Stream::new(seed, "acting");
    let (mut sum, mut squares) = (vec![0.0; task.pairs()], vec![0.0; task.pairs()]);
    for _ in 0..EPISODES {
        let mut visits = vec![0.0; task.pairs()];
        let mut state = world.reset().unwrap();
        for _ in 0..horizon {
            if task.is_terminal(state) {
                break;
            }
            let pair = policy.sample(task, state, &mut acting);
            visits[pair.at()] += 1.0;
            state = world.step(pair).unwrap().next;
        }
        for (i, v) in visits.iter().enumerate() {
            sum[i] += v;
            squares[i] += v * v;
        }
    }
    let n = EPISODES as f64;
    let of_pair = |i: usize| {
        let mean = sum[i] / n;
        let error = ((squares[i] / n - mean * mean).max(0.0) / n).sqrt();
        let off = (mean - expected[i]).abs();
        if off < 1e-9 {
            0.0
        } else {
            off / error.max(1e-4)
        }
    };
    (0..task.pairs()).map(of_pair).fold(0.0, f64::max)
}

fn expected_in_one_episode(model: &Model, policy: &Policy, horizon: usize) -> Vec<f64> {
    let mut counts = PseudoCounts::new(model.task(), model.rows(), horizon);
    counts.add(policy, 1.0).unwrap();
    counts.counts().to_vec()
}

#[test]
fn pseudo_counts_are_the_mean_of_simulated_counts() {
    let (mut steps_off, models) = (0, 40);
    for seed in 0..models {
        let case = draw(&KIND, 2 + seed as usize % 5, 1, 0.7, seed);
        let policy = random_policy(case.task(), seed + 1000);
        let horizon = 1 + seed as usize % 9;
        let expected = expected_in_one_episode(&case.model, &policy, horizon);
        // Some 400 pairs in all: five standard errors are exceeded once in a few thousand times.
        let off = deviation(&case.model, &policy, horizon, &expected, seed);
        assert!(off < 5.0, "{seed}: {off} standard errors");
        let longer = expected_in_one_episode(&case.model, &policy, horizon + 1);
        steps_off += u32::from(deviation(&case.model, &policy, horizon, &longer, seed) >= 5.0);
    }
    // The same check notices a horizon that is one step too long, where episodes last that long.
    assert!(steps_off > 20, "{steps_off} of {models}");
}
