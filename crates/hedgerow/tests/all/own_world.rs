//! The example of a world in code: it is explored like any other, and its rule is found.

use hedgerow::domain::Domains;
use hedgerow::finite::FiniteDomain;
use hedgerow::results::Results;
use hedgerow::sweep::{Experiment, Silent, Sweep};

#[path = "../../examples/own_world.rs"]
mod example;

use example::{Corridor, guess, places_not_to_run_from};

#[test]
fn the_rule_nobody_wrote_down_is_found() {
    let corridor = Corridor::new().unwrap();
    // Running two places on would end at a workplace, 4 or 7.
    assert_eq!(places_not_to_run_from(&corridor, 200_000).unwrap(), [2, 5]);
    let result = guess(&corridor, 30).unwrap();
    let (first, last) = (result.rows[0], result.summary.last);
    // A guess holds them too, perhaps with a pair that only looks better by chance.
    let pairs: Vec<u32> = result
        .snapshots
        .last()
        .unwrap()
        .pairs
        .iter()
        .map(|p| p.0)
        .collect();
    assert!([5, 11].iter().all(|pair| pairs.contains(pair)), "{pairs:?}");
    // At first nothing is known; in the end the best policy that keeps the rule earns as much.
    let expert = result.summary.expert_reward;
    assert!(first.reward < 0.9 * expert, "{first:?}");
    assert!((last.reward - expert).abs() < 0.1 * expert, "{last:?}");
    assert!(result.summary.samples_to_expert.is_some());
    // No true cost is known, so there is nothing to compare cells with.
    assert_eq!(last.wgiou, None);
}

#[test]
fn it_takes_part_in_sweeps_and_is_read_back() {
    let domain = FiniteDomain::default()
        .with_world(Corridor::new().unwrap())
        .unwrap();
    let twice = domain.clone().with_world(Corridor::new().unwrap());
    assert!(
        twice
            .unwrap_err()
            .to_string()
            .contains("`corridor` already")
    );
    let mut experiment = Experiment::new(Domains::new(domain));
    experiment
        .set_environments(["corridor", "gridworld-1"])
        .unwrap();
    experiment.set_strategies(["pcse", "random"]).unwrap();
    experiment.set_seeds(vec![1, 2]).unwrap();
    experiment.set("iterations", "5").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::open(&experiment, folder.path()).unwrap();
    let outcome = sweep.run(&Silent, &Default::default()).unwrap();
    assert_eq!((outcome.finished, outcome.failed.len()), (8, 0));
    let results = Results::read(folder.path()).unwrap();
    assert_eq!((results.runs.len(), results.problems.len()), (8, 0));
    let file = results.environment("corridor").unwrap();
    assert_eq!((file.states, file.horizon, file.pairs.len()), (13, 40, 24));
    assert!(file.expert_reward > 0.0 && file.true_cells.is_empty());
}

#[test]
fn a_strategy_that_needs_a_generative_model_fails_with_the_reason() {
    let corridor = Corridor::new().unwrap();
    let mut strategy = hedgerow::explore::find("uniform-generative")
        .unwrap()
        .with_defaults();
    let failed = hedgerow::finite::run(&corridor, strategy.as_mut(), &Default::default());
    let message = failed.unwrap_err().to_string();
    assert!(message.contains("which this world cannot do"), "{message}");
}
