//! What a learner, a strategy or a world must not reach does not compile; what a strategy needs
//! can be written outside the crate.

use hedgerow::Result;
use hedgerow::env::builtin;
use hedgerow::explore::{Plan, Situation, Strategy};
use hedgerow::index::Pair;
use hedgerow::model::Policy;
use hedgerow::run::{Settings, Stop, run};

#[test]
fn the_truth_is_out_of_reach() {
    trybuild::TestCases::new().compile_fail("tests/all/no_leak/*.rs");
}

/// Always the action that the expert was never seen to choose and that was tried least.
struct Contrary;

impl Strategy for Contrary {
    fn plan(&mut self, at: &Situation) -> Result<Plan> {
        let (learner, task) = (at.learner, at.learner.task());
        let mut choice = vec![None; task.states()];
        for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
            let tried = |p: &Pair| (learner.expert_chose(*p), learner.estimate().visits(*p));
            choice[state.at()] = task.pairs_of(state).map(Pair::new).min_by_key(tried);
        }
        Ok(Plan::follow(Policy::deterministic(task, &choice)))
    }
}

#[test]
fn a_strategy_can_be_written_outside_the_crate() {
    let environment = builtin::environment("gridworld-1").unwrap();
    let settings = Settings {
        iterations: 5,
        ..Settings::default()
    };
    let record = run(&environment, &mut Contrary, &settings, 1, &mut |_| true).unwrap();
    assert_eq!(record.stop, Stop::Iterations);
    assert_eq!(record.rows[5].samples, 5 * 50);
}
