//! What cannot be is refused where it enters, and does not become a panic later.

use hedgerow::costset::{CostSet, Rule};
use hedgerow::env::grid::Grid;
use hedgerow::env::{Environment, Truth, builtin};
use hedgerow::index::Pair;
use hedgerow::model::{Cost, Model, ModelBuilder, Policy};
use hedgerow::solve::{
    Limits, LinearRow, Mdp, Outcome, WarmStart, constrained_best, deterministic, evaluate_exact,
    evaluate_iterative, hard, lagrangian, linear_program, modified_policy_iteration, occupancy,
    policy_iteration, value_iteration,
};
use hedgerow::theory::{EstimationProblem, PseudoCounts, zeta_max_of};
use hedgerow::transfer::Carried;
use hedgerow::verdict::Criteria;
use hedgerow::verify::{Searches, VerifyOptions, Watch, verify_verdicts};
use std::panic::catch_unwind;

/// One state in which `actions` actions end the episode.
fn choice(actions: usize) -> Model {
    let mut b = ModelBuilder::new(2, (0..actions).map(|a| format!("a{a}")), 0.9);
    b.start(0, 1.0).terminal(1);
    for a in 0..actions {
        b.transition(0, a, 1, 1.0).reward(0, a, a as f64);
    }
    b.build().unwrap()
}

/// Two states with one action each: as many pairs as `choice(2)`, but other ones.
fn line() -> Model {
    let mut b = ModelBuilder::new(3, ["on"], 0.9);
    b.start(0, 1.0).terminal(2);
    b.transition(0, 0, 1, 1.0).transition(1, 0, 2, 1.0);
    b.build().unwrap()
}

fn refused<T>(result: hedgerow::Result<T>) -> String {
    result.err().expect("this should be refused").to_string()
}

#[test]
fn a_truth_is_of_one_model() {
    let (model, other) = (choice(2), choice(3));
    let (cost, expert) = (Cost::zero(model.task()), Policy::uniform(model.task()));
    let strange = Cost::zero(other.task());
    let message = refused(Truth::new(model.clone(), strange, 0.0, expert.clone()));
    assert!(
        message.starts_with("cost: 3 numbers for 2 pairs"),
        "{message}"
    );
    for strange in [
        Policy::uniform(other.task()),
        Policy::uniform(line().task()),
    ] {
        let message = refused(Truth::new(model.clone(), cost.clone(), 0.0, strange));
        assert!(message.starts_with("expert: policy"), "{message}");
    }
    for budget in [-1.0, f64::NAN, f64::INFINITY] {
        let truth = Truth::new(model.clone(), cost.clone(), budget, expert.clone());
        assert!(refused(truth).starts_with("budget: "));
    }
}

#[test]
fn an_environment_fits_its_model_and_its_name_a_folder() {
    let model = choice(2);
    let (cost, expert) = (Cost::zero(model.task()), Policy::uniform(model.task()));
    let truth = Truth::new(model, cost, 0.0, expert).unwrap();
    assert!(refused(Environment::new("x", 0, None, truth.clone())).starts_with("horizon: 0"));
    for name in ["", "../x", ".x", "a/b", "x y"] {
        let message = refused(Environment::new(name, 1, None, truth.clone()));
        assert!(message.starts_with("name: "), "{message}");
    }
    let grid = builtin::environment("gridworld-1").unwrap();
    let layout = grid.layout().cloned();
    let message = refused(Environment::new("x", 1, layout, truth.clone()));
    assert!(
        message.starts_with("layout: 50 states, the model has 2"),
        "{message}"
    );
    let fine = Environment::new("x", 1, None, truth).unwrap();
    let message = refused(fine.with_expert(&Policy::uniform(line().task())));
    assert!(message.starts_with("policy at "), "{message}");
}

#[test]
fn grids_that_cannot_be_are_errors() {
    let good = Grid::new("x", Grid::symbols_of("S.G"));
    assert!(good.environment().is_ok());
    let wrong = [
        Grid {
            slip: f64::NAN,
            ..good.clone()
        },
        Grid {
            slip: 1.5,
            ..good.clone()
        },
        Grid {
            gamma: 1.0,
            ..good.clone()
        },
        Grid {
            gamma: f64::NAN,
            ..good.clone()
        },
        Grid {
            budget: f64::NAN,
            ..good.clone()
        },
        Grid {
            budget: f64::INFINITY,
            ..good.clone()
        },
        Grid {
            horizon: 0,
            ..good.clone()
        },
        Grid {
            moves: 9,
            ..good.clone()
        },
        Grid {
            name: "../x".into(),
            ..good.clone()
        },
        Grid {
            symbols: Vec::new(),
            ..good.clone()
        },
        Grid {
            symbols: vec![Vec::new()],
            ..good.clone()
        },
        Grid {
            symbols: Grid::symbols_of("###"),
            ..good.clone()
        },
        Grid {
            goals: [('G', f64::INFINITY)].into(),
            ..good
        },
    ];
    for grid in wrong {
        assert!(grid.environment().is_err(), "{grid:?}");
    }
}

#[test]
fn constraints_of_another_model_are_errors() {
    let model = choice(2);
    let (mdp, limits) = (Mdp::of(&model), Limits::default());
    for (cost, budget) in [
        (&[1.0][..], 0.5),
        (&[1.0, f64::NAN], 0.5),
        (&[1.0, 0.0], f64::NAN),
        (&[1.0, 0.0], f64::INFINITY),
    ] {
        assert!(linear_program(&mdp, cost, budget).is_err());
        assert!(lagrangian(&mdp, cost, budget).is_err());
        assert!(deterministic(&mdp, cost, budget).is_err());
        let row = LinearRow {
            weights: cost,
            bound: budget,
        };
        let mut warm = WarmStart::default();
        assert!(constrained_best(&mdp, &[row], &limits, &mut warm).is_err());
    }
    assert!(hard(&mdp, &[1.0]).is_err());
    let strange = Policy::uniform(choice(3).task());
    assert!(evaluate_exact(&mdp, &strange).is_err());
    assert!(occupancy(&mdp, &strange).is_err());
}

#[test]
fn mistakes_in_a_program_panic_with_a_message() {
    fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let panic = catch_unwind(f).expect_err("this should panic");
        match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(panic) => panic
                .downcast::<&str>()
                .map_or(String::new(), |t| (*t).to_owned()),
        }
    }
    let says = |text: String, part: &str| assert!(text.contains(part), "{text}");
    says(
        message(|| assert!(Mdp::of(&choice(2)).with_reward(&[1.0]).allows(Pair(0)))),
        "one number per pair",
    );
    says(
        message(|| assert!(Mdp::of(&choice(2)).with_allowed(&[true]).allows(Pair(0)))),
        "one mark per pair",
    );
    says(
        message(|| assert!(Mdp::of(&choice(2)).with_gamma(1.0).allows(Pair(0)))),
        "1 is not a discount",
    );
    says(
        message(|| {
            drop(Policy::deterministic(
                line().task(),
                &[Some(Pair(1)), None, None],
            ))
        }),
        "p1 is not a pair of s0",
    );
    says(
        message(|| {
            let limits = Limits::default();
            let _ = modified_policy_iteration(&Mdp::of(&choice(2)), &limits, Some(&[0.0]));
        }),
        "one value per state",
    );
    says(
        message(|| {
            let (model, strange) = (choice(2), Policy::uniform(choice(3).task()));
            let _ = evaluate_iterative(&Mdp::of(&model), &strange, &Limits::default(), None);
        }),
        "a policy of this task",
    );
}

#[test]
fn strange_limits_end_a_solve_and_nothing_else() {
    let env = builtin::environment("gridworld-1").unwrap();
    let mdp = Mdp::of(env.truth().model());
    let cost = env.truth().cost().values();
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
        for sweeps in [0, 1, 500] {
            let limits = Limits { tolerance, sweeps };
            for outcome in [
                modified_policy_iteration(&mdp, &limits, None),
                value_iteration(&mdp, &limits, None),
                policy_iteration(&mdp, &limits).unwrap(),
            ] {
                assert!(outcome.solution().is_some());
            }
            let expert = env.truth().expert();
            let outcome = evaluate_iterative(&mdp, expert, &limits, None);
            assert!(!matches!(outcome, Outcome::Infeasible { .. }));
            lagrangian(&mdp, cost, 0.1).unwrap();
        }
    }
}

#[test]
fn sets_and_calculators_refuse_what_cannot_be() {
    let model = choice(2);
    let expert = Policy::uniform(model.task());
    let strange = Policy::uniform(line().task());
    assert!(CostSet::of(&model, &strange, 0.0, 1.0).is_err());
    let set = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    for values in [&[0.0][..], &[f64::NAN, 0.0]] {
        assert!(set.shaping(values).is_err());
        assert!(set.canonical_for(values).is_err());
        assert!(set.ranges_given(values).is_err());
    }
    assert!(
        set.nearest(&[0.0, f64::NAN], Rule::Conditions, 0.0)
            .is_err()
    );
    assert!(set.nearest(&[0.0, 0.0], Rule::Conditions, 2.0).is_err());
    for cost_max in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(CostSet::of(&model, &expert, 0.0, cost_max).is_err());
        assert!(zeta_max_of(&model, &expert, cost_max, Default::default()).is_err());
    }
    assert!(EstimationProblem::of(&model, &strange).is_err());
    let mut counts = PseudoCounts::new(model.task(), model.rows(), 5);
    assert!(counts.add(&Policy::uniform(choice(3).task()), 1.0).is_err());
    assert!(counts.add_each(-1.0).is_err());
}

#[test]
fn long_work_does_not_begin_with_options_that_cannot_be() {
    let env = builtin::environment("gridworld-1").unwrap();
    let usual = VerifyOptions::default();
    for (options, samples) in [
        (
            VerifyOptions {
                level: 1.0,
                ..usual
            },
            10,
        ),
        (
            VerifyOptions {
                level: f64::NAN,
                ..usual
            },
            10,
        ),
        (VerifyOptions { runs: 0, ..usual }, 10),
        (VerifyOptions { every: 0, ..usual }, 10),
        (usual, 0),
    ] {
        let run = Watch {
            ended: &|| panic!("no run should have ended"),
            ..Watch::default()
        };
        let searches = Searches::new(Criteria::default(), samples);
        assert!(verify_verdicts(&env, &searches, &options, &run).is_err());
    }
    let strange = Cost::zero(choice(2).task());
    assert!(Carried::cells(&env, &strange).is_err());
}
