//! Inference from records alone: as good as acting where they cover, silent where they do not.

use hedgerow::costset;
use hedgerow::env::{Environment, Simulator, TableSimulator, builtin};
use hedgerow::index::{Pair, State};
use hedgerow::learn::{Inference, Learner};
use hedgerow::model::{Policy, entered};
use hedgerow::seed::Stream;
use hedgerow::verdict::SearchOptions;
use hedgerow::verdict::{Criteria, Verdict, Verdicts, infer, looks_constrained};
use std::ops::ControlFlow;

/// Everything recorded: transitions, and what the expert chose.
#[derive(Default)]
struct Recorded {
    transitions: Vec<(Pair, State)>,
    choices: Vec<Pair>,
}

impl Recorded {
    /// `demos` episodes of the expert and `logs` steps of somebody who acts at random.
    fn new(environment: &Environment, demos: usize, logs: usize, seed: u64) -> Self {
        let mut recorded = Self::default();
        let mut world = TableSimulator::new(environment, seed);
        for _ in 0..demos {
            recorded.episode(environment, &mut world, usize::MAX, |world, state| {
                (world.ask_expert(state).unwrap(), true)
            });
        }
        let (random, mut acting) = (
            Policy::uniform(environment.task()),
            Stream::new(seed, "acting"),
        );
        let goal = recorded.transitions.len() + logs;
        while recorded.transitions.len() < goal {
            recorded.episode(environment, &mut world, goal, |_, state| {
                (random.sample(environment.task(), state, &mut acting), false)
            });
        }
        recorded
    }

    fn episode(
        &mut self,
        environment: &Environment,
        world: &mut TableSimulator,
        most: usize,
        mut act: impl FnMut(&mut TableSimulator, State) -> (Pair, bool),
    ) {
        let mut state = world.reset().unwrap();
        for _ in 0..environment.horizon() {
            if environment.task().is_terminal(state) || self.transitions.len() == most {
                return;
            }
            let (pair, is_choice) = act(world, state);
            if is_choice {
                self.choices.push(pair);
            }
            state = world.step(pair).unwrap().next;
            self.transitions.push((pair, state));
        }
    }

    fn learner(&self, environment: &Environment, keep: impl Fn(Pair) -> bool) -> Learner {
        let mut learner = Learner::new(environment.task().clone(), Inference::default());
        for &(pair, next) in self.transitions.iter().filter(|(pair, _)| keep(*pair)) {
            learner.see_transition(pair, next);
        }
        for &pair in self.choices.iter().filter(|pair| keep(**pair)) {
            learner.see_expert(pair);
        }
        learner.refresh();
        learner
    }
}

fn map(i: usize) -> Environment {
    builtin::environment(&format!("gridworld-{i}")).unwrap()
}

#[test]
fn demonstrations_and_logs_show_the_same_cells_as_acting() {
    for i in 1..=4 {
        let environment = map(i);
        // That acting decides on these cells, on all four maps, is what the tests of verdicts show.
        let (task, truth) = (environment.task(), environment.truth());
        let exact = costset::canonical(truth.model(), truth.expert(), 1.0).unwrap();
        let cells = costset::on_cells(truth.model().rows(), task, exact.values());
        if i == 1 {
            let options = SearchOptions {
                samples: Some(5_000_000),
                seed: i as u64,
                ..SearchOptions::default()
            };
            let acted = infer(&environment, options, &mut |_| ControlFlow::Continue(())).unwrap();
            let decided = acted.verdicts.on_states(&acted.learner);
            for state in task.all_states() {
                let constrained = decided[state.at()] == Verdict::Constrained;
                assert_eq!(constrained, cells[state.at()] > 0.0, "{state}");
            }
        }
        for seed in 1000..1004 {
            let recorded = Recorded::new(&environment, 10_000, 20_000, seed);
            let learner = recorded.learner(&environment, |_| true);
            let looks = entered(
                learner.task(),
                learner.estimate(),
                &looks_constrained(&learner),
            );
            for state in task.all_states() {
                assert_eq!(
                    looks[state.at()],
                    cells[state.at()] > 0.0,
                    "map {i}, seed {seed}, {state}"
                );
            }
        }
    }
}

#[test]
fn what_the_records_leave_out_is_undecided_and_nothing_is_wrong() {
    for i in 1..=4 {
        let environment = map(i);
        let (task, truth) = (environment.task(), environment.truth());
        let layout = environment.layout().unwrap();
        let advantage = costset::advantage(truth.model(), truth.expert()).unwrap();
        let recorded = Recorded::new(&environment, 10_000, 20_000, 7);
        // Nobody wrote down what happened in the right half of the map.
        let column = |pair: Pair| layout.cell_of(task.state_of(pair)).map(|c| c.column);
        let learner = recorded.learner(&environment, |pair| column(pair) <= Some(3));
        let verdicts = Verdicts::of(&learner, &Criteria::default());
        let looks = looks_constrained(&learner);
        let mut gaps = 0;
        for pair in task.all_pairs() {
            let finding = verdicts.at(pair);
            if column(pair) > Some(3) {
                gaps += 1;
                assert_eq!(finding.verdict, Verdict::Undecided, "map {i}, {pair}");
                assert_eq!(finding.estimate, None);
                assert!(!looks[pair.at()]);
            }
            let constrained = advantage[pair.at()] > 0.0 && truth.expert().prob(pair) == 0.0;
            match finding.verdict {
                Verdict::Constrained => assert!(constrained, "map {i}, {pair}"),
                Verdict::Taken | Verdict::NoGain => assert!(!constrained, "map {i}, {pair}"),
                Verdict::Undecided => {}
            }
        }
        assert!(gaps > 100);
        let whole = Verdicts::of(
            &recorded.learner(&environment, |_| true),
            &Criteria::default(),
        );
        assert!(whole.count(Verdict::Undecided) < verdicts.count(Verdict::Undecided));
    }
}
