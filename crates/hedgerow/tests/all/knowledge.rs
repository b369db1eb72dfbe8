//! What is declared of the dynamics, and constraints that explain the expert from the start.

use hedgerow::costset;
use hedgerow::env::{Environment, Truth, builtin};
use hedgerow::index::{Action, Pair, State};
use hedgerow::io::classes_file;
use hedgerow::model::{Cost, Dynamics, ModelBuilder, Policy, Task};
use hedgerow::run::Stop;
use hedgerow::solve;
use hedgerow::verdict::{
    CriteriaParams, Goal, Inferred, Know, Knowledge, PairVerdict, SearchOptions, Verdict, infer,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Two states before a draw between a rich and a poor end, built to be hard: advantages of exactly 0, of
/// the margin and a little beside, rare successors, and experts that mix.
fn hard(seed: u64) -> Environment {
    let mut draw = ChaCha8Rng::seed_from_u64(seed);
    let margin = 0.05;
    let mut b = ModelBuilder::new(5, ["safe", "risk", "long"], 0.9);
    b.start(0, 0.5).start(1, 0.5).terminal(4);
    b.reward(2, 0, 1.0).transition(2, 0, 4, 1.0);
    b.transition(3, 0, 4, 1.0);
    let mut weights = Vec::new();
    for state in 0..2 {
        let base: f64 = [0.01, 0.05, 0.3, 0.9][draw.random_range(0..4)];
        let gap = [0.0, margin, 2.0 * margin, 0.5 * margin, -margin][draw.random_range(0..5)];
        let better = (base + gap / 0.9).clamp(0.0, 1.0);
        let long: f64 = draw.random_range(0.0..1.0);
        for (action, rich) in [(0, base), (1, better)] {
            for (end, p) in [(2, rich), (3, 1.0 - rich)]
                .into_iter()
                .filter(|e| e.1 > 0.0)
            {
                b.transition(state, action, end, p);
            }
        }
        // Through the other state, or at once to the poor end.
        b.transition(state, 2, 1 - state, long);
        b.transition(state, 2, 3, 1.0 - long);
        weights
            .extend([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.9, 0.02, 0.08]][draw.random_range(0..3)]);
    }
    weights.extend([1.0, 1.0]);
    let model = b.build().unwrap();
    let expert = Policy::new(model.task(), weights).unwrap();
    let cost = Cost::new(model.task(), vec![0.0; model.task().pairs()]).unwrap();
    let truth = Truth::new(model, cost, 0.0, expert).unwrap();
    Environment::new("hard", 10, None, truth).unwrap()
}

fn knowledge(environment: &Environment, know: Option<Know>) -> Option<Arc<Knowledge>> {
    let of = |know| Knowledge::declared_by(environment, know, environment.task()).unwrap();
    know.map(|know| Arc::new(of(know)))
}

struct Asked {
    confidence: f64,
    margin: f64,
    samples: u64,
    goal: Goal,
    seed: u64,
}

/// Whether an interval ever missed the truth, and what the search came to.
fn search(world: &Environment, known: Option<Arc<Knowledge>>, asked: &Asked) -> (bool, Inferred) {
    let truth = world.truth();
    let advantage = costset::advantage(truth.model(), truth.expert()).unwrap();
    let criteria = CriteriaParams {
        confidence: asked.confidence,
        margin: asked.margin,
        ..CriteriaParams::DEFAULT
    };
    let options = SearchOptions {
        criteria: criteria.check().unwrap(),
        samples: Some(asked.samples),
        seed: asked.seed,
        goal: asked.goal,
        knowledge: known,
        ..SearchOptions::default()
    };
    let mut outside = false;
    let found = infer(world, options, &mut |verdicts| {
        let misses = |f: &PairVerdict, a: f64| a < f.low - 1e-9 || a > f.high + 1e-9;
        let mut pairs = verdicts.all().iter().zip(&advantage);
        outside |= pairs.any(|(f, &a)| misses(f, a));
        ControlFlow::Continue(())
    });
    (outside, found.unwrap())
}

/// How far the best policy under the constrained pairs is above the expert from the start, in truth.
fn above(world: &Environment, found: &Inferred) -> f64 {
    let truth = world.truth();
    let (model, task): (_, &Task) = (truth.model(), world.task());
    let constrained = |p: Pair| found.verdicts.at(p).verdict == Verdict::Constrained;
    let allowed: Vec<bool> = task.all_pairs().map(|p| !constrained(p)).collect();
    let best = solve::optimum(&solve::Mdp::of(model).with_allowed(&allowed)).unwrap();
    let expert = solve::value_at_start(&solve::Mdp::of(model), truth.expert()).unwrap();
    best.at_start(task).value - expert.value
}

/// Searches in hard worlds; `HEDGEROW_WORLDS=2000` asks for more of them.
#[test]
fn promises_are_kept_in_worlds_built_to_be_hard() {
    let worlds: u64 = std::env::var("HEDGEROW_WORLDS").map_or(40, |n| n.parse().unwrap());
    for know in [None, Some(Know::Successors), Some(Know::Dynamics)] {
        for confidence in [0.6, 0.95] {
            for goal in [Goal::Verdicts, Goal::Explain(0.05)] {
                let failed = (0..worlds).filter(|&seed| {
                    let world = hard(seed);
                    let asked = Asked {
                        confidence,
                        margin: 0.05,
                        samples: 8_000,
                        goal,
                        seed,
                    };
                    let (outside, found) = search(&world, knowledge(&world, know), &asked);
                    assert_eq!(found.contradiction, None);
                    let far = found.explained.is_some_and(|e| {
                        let above = above(&world, &found);
                        above > e.at_most_above + 1e-9 || -above > e.at_most_below + 1e-9
                    });
                    outside || far
                });
                let (failed, allowed) = (failed.count(), (1.0 - confidence) * worlds as f64);
                println!("{know:?} {confidence} {goal:?}: {failed} of {worlds}");
                assert!(
                    failed as f64 <= allowed,
                    "{know:?} {confidence} {goal:?}: {failed}"
                );
            }
        }
    }
}

#[test]
fn more_knowledge_takes_fewer_samples_and_no_truth_is_missed() {
    let world = builtin::environment("gridworld-3").unwrap();
    let asked = Asked {
        confidence: 0.95,
        margin: 0.03,
        samples: 400_000,
        goal: Goal::Verdicts,
        seed: 5,
    };
    let samples = [
        None,
        Some(Know::Successors),
        Some(Know::Classes),
        Some(Know::Dynamics),
    ]
    .map(|know| {
        let (outside, found) = search(&world, knowledge(&world, know), &asked);
        assert!(!outside, "{know:?}");
        assert_eq!(
            (found.stop, &found.contradiction),
            (Stop::Decided, &None),
            "{know:?}"
        );
        // Only what was really seen counts.
        assert_eq!(found.verdicts.samples(), found.learner.samples());
        assert_eq!(
            found.verdicts.at(Pair(0)).visits,
            found.learner.estimate().visits(Pair(0))
        );
        let milestone = found.milestone.unwrap();
        assert!(milestone.samples <= found.learner.samples());
        assert_eq!(
            milestone.constrained,
            found.verdicts.count(Verdict::Constrained)
        );
        found.learner.samples()
    });
    assert!(samples.is_sorted_by(|a, b| a > b), "{samples:?}");
}

#[test]
fn a_wrong_declaration_is_found_out_and_dropped() {
    let world = builtin::environment("gridworld-3").unwrap();
    let mut b = ModelBuilder::new(
        world.task().states(),
        world.task().action_names().to_vec(),
        0.7,
    );
    b.start(0, 1.0).terminal(world.task().states() - 1);
    let rows = world.truth().model().rows();
    for pair in world.task().all_pairs() {
        // Slips are said to be eight times as likely as they are.
        let (next, prob) = rows.row(pair);
        let likely = (0..next.len())
            .max_by(|&i, &j| prob[i].total_cmp(&prob[j]))
            .unwrap();
        let (state, action) = (world.task().state_of(pair), world.task().action_of(pair));
        for (i, &s) in next.iter().enumerate() {
            let p = match i == likely {
                true => 1.0 - 8.0 * (1.0 - prob[i]),
                false => 8.0 * prob[i],
            };
            b.transition(state.at(), action.at(), s as usize, p);
        }
    }
    let wrong = b.build().unwrap();
    let asked = Asked {
        confidence: 0.95,
        margin: 0.01,
        samples: 30_000,
        goal: Goal::Verdicts,
        seed: 1,
    };
    let known = Knowledge::dynamics(wrong.rows(), world.task()).unwrap();
    let (_, found) = search(&world, Some(Arc::new(known)), &asked);
    let why = found.contradiction.unwrap();
    assert!(
        why.contains("did not lead to its next states as often as declared"),
        "{why}"
    );
    assert!(found.knowledge.is_none());
    // Without it the answer holds all the same.
    let advantage = costset::advantage(world.truth().model(), world.truth().expert()).unwrap();
    for (found, a) in found.verdicts.all().iter().zip(advantage) {
        assert!(found.low <= a + 1e-9 && a <= found.high + 1e-9);
    }
}

#[test]
fn next_states_and_classes_that_are_wrong_are_named() {
    let world = builtin::environment("gridworld-1").unwrap();
    let task = world.task();
    let asked = Asked {
        confidence: 0.95,
        margin: 0.01,
        samples: 20_000,
        goal: Goal::Verdicts,
        seed: 3,
    };
    // Moving up from the lower left corner is said to lead back there.
    let up = task.pair(State(0), Action(0)).unwrap();
    let name = |s: State| task.state_name(s);
    let action = task.action_name(task.action_of(up));
    let text = format!(
        "state,action,class,outcome,next\n\"{}\",{action},only,stay,\"{}\"\n",
        name(State(0)),
        name(State(0))
    );
    let table = classes_file::parse(&text, task).unwrap();
    let known = Knowledge::from_table(task, &table).unwrap();
    let (_, found) = search(&world, Some(Arc::new(known)), &asked);
    let why = found.contradiction.unwrap();
    assert!(
        why.starts_with(&task.pair_name(up)) && why.ends_with("which is not declared"),
        "{why}"
    );
    // Two moves from there are said to be alike that go different ways.
    let rows = world.truth().model().rows();
    let pairs: Vec<Pair> = task.pairs_of(State(0)).map(Pair::new).collect();
    let next = rows.row(pairs[0]).0;
    let mut text = "state,action,class,outcome,next\n".to_owned();
    for &pair in &pairs[..2] {
        for &s in next {
            let action = task.action_name(task.action_of(pair));
            let line = format!(
                "\"{}\",{action},both,{s},\"{}\"\n",
                name(State(0)),
                name(State(s))
            );
            text.push_str(&line);
        }
    }
    let table = classes_file::parse(&text, task).unwrap();
    let known = Knowledge::from_table(task, &table).unwrap();
    let (_, found) = search(&world, Some(Arc::new(known)), &asked);
    let why = found.contradiction.unwrap();
    assert!(why.starts_with("the 2 pairs of the class of"), "{why}");
}

#[test]
fn tables_of_classes_that_cannot_be_are_refused() {
    let world = builtin::environment("gridworld-1").unwrap();
    let task = world.task();
    let head = "state,action,class,outcome,next\n";
    let read = |text: &str| {
        let table = classes_file::parse(text, task);
        let known = table.and_then(|t| Knowledge::from_table(task, &t));
        known.map(|_| ()).unwrap_err().to_string()
    };
    let row = |rest: &str| format!("{head}\"cell 1,1\",up,a,on,\"cell 2,1\"\n{rest}");
    assert!(read("state,action\n").contains("line 1: the columns are `state,action`"));
    assert!(read(head).contains("line 2: there is no class"));
    assert!(
        read(&row("\"cell 1,1\",up,b,off,\"cell 1,1\"\n")).contains("in the classes `a` and `b`")
    );
    assert!(read(&row("\"cell 1,1\",up,a,on,\"cell 1,1\"\n")).contains("`on` is given twice"));
    assert!(
        read(&row("\"cell 1,1\",up,a,off,\"cell 2,1\"\n"))
            .contains("two outcomes lead to cell 2,1")
    );
    assert!(read(&row("\"cell 1,2\",up,a,off,\"cell 2,2\"\n")).contains("its outcomes are off"));
    assert!(Goal::explain(0.0).is_err() && Goal::explain(f64::NAN).is_err());
}

#[test]
fn an_explained_expert_is_matched_by_the_best_policy_under_the_constraint() {
    let world = builtin::environment("gridworld-3").unwrap();
    for know in [Know::Dynamics, Know::Classes] {
        let asked = Asked {
            confidence: 0.95,
            margin: 0.01,
            samples: 300_000,
            goal: Goal::Explain(0.01),
            seed: 2,
        };
        let (outside, found) = search(&world, knowledge(&world, Some(know)), &asked);
        let explained = found.explained.unwrap();
        assert!(!outside && explained.is_close());
        assert_eq!(found.stop, Stop::Explained);
        let above = above(&world, &found);
        assert!(above <= explained.at_most_above && -above <= explained.at_most_below);
        // Without any constraint the best policy earns far more.
        let mdp = solve::Mdp::of(world.truth().model());
        let free = solve::optimum(&mdp).unwrap().at_start(world.task()).value;
        let expert = solve::value_at_start(&mdp, world.truth().expert()).unwrap();
        assert!(free - expert.value > 0.01);
    }
}
