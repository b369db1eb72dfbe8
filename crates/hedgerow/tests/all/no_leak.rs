//! What a strategy needs can be written outside the crate. What it must not reach does not compile:
//! see the examples in `src/no_leak.rs`.

use crate::common::{iterations, seeded};
use hedgerow::Result;
use hedgerow::env::builtin;
use hedgerow::explore::{Context, Plan, Strategy};
use hedgerow::finite::run;
use hedgerow::index::Pair;
use hedgerow::model::Policy;
use hedgerow::run::Stop;

/// Always the action that the expert was never seen to choose and that was tried least.
struct Contrary;

impl Strategy for Contrary {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
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
    let options = seeded(&iterations(5), 1);
    let record = run(&environment, &mut Contrary, &options).unwrap();
    assert_eq!(record.summary.stop, Stop::Iterations);
    assert_eq!(record.rows[5].samples, 5 * 50);
}
