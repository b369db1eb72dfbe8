//! One set of checks for all unconstrained solvers and evaluations.

use crate::common;

use common::{Case, Holes, SMALL, config, dense_values, random_model};
use hedgerow::index::Pair;
use hedgerow::model::{ModelBuilder, Policy};
use hedgerow::solve::{
    Limits, Mdp, Outcome, Solution, evaluate_exact, evaluate_iterative, modified_policy_iteration,
    occupancy, policy_iteration, policy_of, value_iteration,
};
use proptest::prelude::*;

type Solver = fn(&Mdp<Holes>, Option<&[f64]>) -> Outcome<Solution>;

/// Every solver that finds a best policy. A new one is added here and nowhere else.
const SOLVERS: [(&str, Solver); 3] = [
    ("modified policy iteration", |mdp, warm| {
        modified_policy_iteration(mdp, &Limits::default(), warm)
    }),
    ("value iteration", |mdp, warm| {
        value_iteration(mdp, &Limits::default(), warm)
    }),
    ("policy iteration", |mdp, _| {
        policy_iteration(mdp, &Limits::default()).expect("a regular system")
    }),
];

fn solved(name: &str, outcome: Outcome<Solution>) -> Solution {
    match outcome {
        Outcome::Optimal(solution) => {
            assert!(solution.error <= Limits::default().tolerance, "{name}");
            solution
        }
        other => panic!("{name}: {other:?}"),
    }
}

/// The reference: the exact values, by elimination in this file's own code, of a policy that no
/// single change improves.
fn reference(mdp: &Mdp<Holes>) -> Vec<f64> {
    let found = solved(
        "reference",
        policy_iteration(mdp, &Limits::default()).expect("a regular system"),
    );
    let mut probs = vec![0.0; mdp.task().pairs()];
    for pair in found.choice.iter().flatten() {
        probs[pair.at()] = 1.0;
    }
    let values = dense_values(mdp, &probs, mdp.reward());
    for pair in mdp.task().all_pairs().filter(|&p| mdp.allows(p)) {
        let better = mdp.q(pair, &values) - values[mdp.task().state_of(pair).at()];
        assert!(better <= 1e-10, "{pair} improves by {better}");
    }
    values
}

fn check_all(mdp: &Mdp<Holes>, warm: Option<&[f64]>) -> std::result::Result<(), TestCaseError> {
    let truth = reference(mdp);
    for (name, solver) in SOLVERS {
        let found = solved(name, solver(mdp, warm));
        for s in mdp.task().all_states() {
            let off = (found.values[s.at()] - truth[s.at()]).abs();
            prop_assert!(off <= found.error + 1e-11, "{name}: {s} is off by {off}");
            prop_assert_eq!(
                found.choice[s.at()].is_some(),
                mdp.task().pairs_of(s).any(|i| mdp.allows(Pair::new(i)))
            );
        }
        let mut probs = vec![0.0; mdp.task().pairs()];
        for pair in found.choice.iter().flatten() {
            prop_assert!(mdp.allows(*pair));
            probs[pair.at()] = 1.0;
        }
        let own = dense_values(mdp, &probs, mdp.reward());
        let loss = 2.0 * found.error / (1.0 - mdp.gamma()) + 1e-11;
        for s in 0..own.len() {
            prop_assert!(own[s] >= truth[s] - loss, "{name}: policy loses at {s}");
        }
    }
    Ok(())
}

fn random_policy(case: &Case) -> Policy {
    let shares: Vec<f64> = case.weights.iter().map(|w| w.max(0.0)).collect();
    policy_of(case.task(), &shares)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn solvers_agree_within_their_certified_errors(case in random_model(SMALL)) {
        check_all(&case.mdp(), None)?;
    }

    #[test]
    fn solvers_agree_where_pairs_are_forbidden(case in random_model(SMALL)) {
        check_all(&case.mdp().with_allowed(&case.allowed), None)?;
    }

    #[test]
    fn rewards_may_have_any_sign_and_warm_starts_do_not_matter(
        case in random_model(SMALL),
        level in -50.0..50.0_f64,
    ) {
        let warm: Vec<f64> = (0..case.task().states()).map(|s| level * (s as f64).cos()).collect();
        check_all(&case.mdp().with_reward(&case.weights), Some(&warm))?;
    }

    #[test]
    fn scaling_the_reward_scales_the_values(case in random_model(SMALL)) {
        let reward: Vec<f64> = case.task().reward().iter().map(|r| 0.125 * r).collect();
        for (name, solver) in SOLVERS {
            let once = solved(name, solver(&case.mdp(), None));
            let scaled = solved(name, solver(&case.mdp().with_reward(&reward), None));
            for s in 0..once.values.len() {
                let off = (0.125 * once.values[s] - scaled.values[s]).abs();
                prop_assert!(off <= 0.125 * once.error + scaled.error, "{}: {}", name, off);
            }
        }
    }

    #[test]
    fn evaluations_agree(case in random_model(SMALL)) {
        let mdp = case.mdp();
        let policy = random_policy(&case);
        let exact = evaluate_exact(&mdp, &policy).expect("a regular system");
        let truth = dense_values(&mdp, policy.probs(), mdp.reward());
        let warm = vec![3.0; truth.len()];
        let swept = [None, Some(warm.as_slice())].map(|w| {
            match evaluate_iterative(&mdp, &policy, &Limits::default(), w) {
                Outcome::Optimal(v) => v,
                other => panic!("{other:?}"),
            }
        });
        for v in [&exact, &swept[0], &swept[1]] {
            prop_assert!(v.error <= 1e-10);
            for (found, right) in v.values.iter().zip(&truth) {
                prop_assert!((found - right).abs() <= v.error + 1e-12);
            }
        }
    }

    #[test]
    fn occupancies_earn_the_value_and_keep_the_flow(case in random_model(SMALL)) {
        let (mdp, task) = (case.mdp(), case.task());
        let policy = random_policy(&case);
        let rho = occupancy(&mdp, &policy).expect("a regular system");
        prop_assert!(rho.iter().all(|&x| x >= 0.0));
        prop_assert!(rho.iter().sum::<f64>() <= 1.0 + 1e-12);
        for reward in [task.reward(), &case.cost, &case.weights] {
            let value = task.at_start(&dense_values(&mdp, policy.probs(), reward));
            let earned: f64 = rho.iter().zip(reward).map(|(x, r)| x * r).sum();
            prop_assert!((earned - (1.0 - mdp.gamma()) * value).abs() <= 1e-12);
        }
        let mut flow = vec![0.0; task.states()];
        for &(s, p) in task.start() {
            flow[s.at()] -= (1.0 - mdp.gamma()) * p;
        }
        for pair in task.all_pairs() {
            flow[task.state_of(pair).at()] += rho[pair.at()];
            let (next, prob) = hedgerow::model::Dynamics::row(mdp.dynamics(), pair);
            for (&to, &p) in next.iter().zip(prob) {
                flow[to as usize] -= mdp.gamma() * p * rho[pair.at()];
            }
        }
        for s in task.all_states().filter(|&s| !task.is_terminal(s)) {
            prop_assert!(flow[s.at()].abs() <= 1e-13, "{}: {}", s, flow[s.at()]);
            let mass: f64 = rho[task.pairs_of(s)].iter().sum();
            let back = policy_of(task, &rho);
            for i in task.pairs_of(s) {
                let expected = if mass > 0.0 {
                    policy.probs()[i]
                } else {
                    1.0 / task.pairs_of(s).len() as f64
                };
                prop_assert!(mass < 1e-9 && mass > 0.0
                    || (back.probs()[i] - expected).abs() <= 1e-9);
            }
        }
    }
}

/// A ring with a shortcut back to the start in every seventh state.
fn ring(states: usize) -> hedgerow::model::Model {
    let mut b = ModelBuilder::new(states, ["on", "back"], 0.95);
    b.start(0, 1.0);
    for s in 0..states {
        b.transition(s, 0, (s + 1) % states, 0.7)
            .transition(s, 0, (s + 13) % states, 0.3)
            .reward(s, 0, (s % 17) as f64 / 17.0);
        if s % 7 == 3 {
            b.transition(s, 1, 0, 1.0).reward(s, 1, 0.6);
        }
    }
    b.build().expect("a valid model")
}

#[test]
fn value_iteration_does_not_depend_on_the_number_of_threads() {
    let model = ring(20_500);
    let run = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool")
            .install(|| value_iteration(&Mdp::of(&model), &Limits::default(), None))
    };
    let one = run(1);
    assert_eq!(one, run(3));
    let one = solved("value iteration", one);
    let other = modified_policy_iteration(&Mdp::of(&model), &Limits::default(), None);
    let other = solved("modified policy iteration", other);
    for s in 0..20_500 {
        assert!((one.values[s] - other.values[s]).abs() <= one.error + other.error);
    }
}

#[test]
fn running_out_of_sweeps_is_an_outcome_with_an_honest_error() {
    let model = ring(50);
    let mdp = Mdp::of(&model);
    let limits = Limits {
        sweeps: 5,
        ..Limits::default()
    };
    let truth = policy_iteration(&mdp, &Limits::default()).expect("a regular system");
    let truth = solved("policy iteration", truth);
    for outcome in [
        modified_policy_iteration(&mdp, &limits, None),
        value_iteration(&mdp, &limits, None),
    ] {
        let Outcome::LimitReached(rough) = outcome else {
            panic!("{outcome:?}");
        };
        assert!(rough.error > 1e-3);
        for s in 0..50 {
            assert!((rough.values[s] - truth.values[s]).abs() <= rough.error + 1e-11);
        }
    }
}
