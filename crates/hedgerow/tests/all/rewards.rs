//! Rewards of any sign and size, on pairs and on transitions, and both kinds of endings.

use hedgerow::env::{Environment, Truth};
use hedgerow::index::{Action, Pair, State};
use hedgerow::io::model_file;

use hedgerow::learn::{Inference, Learner};
use hedgerow::model::{Cost, Dynamics, Model, ModelBuilder, Policy};
use hedgerow::results::EnvironmentFile;
use hedgerow::solve::{Mdp, evaluate_exact};
use hedgerow::verdict::{CriteriaParams, Intervals, SearchOptions, Verdict, infer};
use std::ops::ControlFlow;
use std::sync::Arc;

/// From 0, `go` pays -1 and leads to 1 or, with 1/4, ends there with 9; from 1 it leads back to 0.
fn both_ways() -> Model {
    let mut b = ModelBuilder::new(2, ["go"], 0.5);
    b.start(0, 1.0).reward(0, 0, -1.0);
    b.outcome((0, 0), 1, 0.75, 0.0, false);
    b.outcome((0, 0), 1, 0.25, 10.0, true);
    b.outcome((1, 0), 0, 1.0, 2.0, false);
    b.build().unwrap()
}

#[test]
fn a_state_entered_both_ways_has_a_twin_for_the_endings() {
    let model = both_ways();
    let task = model.task();
    assert_eq!(task.states(), 3);
    assert!(task.is_terminal(State(2)) && !task.is_terminal(State(1)));
    assert_eq!(task.state_name(State(2)), "s1 (end)");
    assert_eq!(model.rows().row(Pair(0)), (&[1, 2][..], &[0.75, 0.25][..]));
    // Where all outcomes earn the same it is the pair's own reward.
    assert_eq!(task.reward(), [-1.0, 2.0]);
    assert_eq!(task.reward_of(Pair(0), State(2)), 9.0);
    assert_eq!(task.reward_of(Pair(0), State(1)), -1.0);
    assert_eq!(task.reward_range(Pair(0)), (-1.0, 9.0));
    assert_eq!(model.reward(), [1.5, 2.0]);
    assert_eq!((task.reward_min(), task.reward_max()), (-1.0, 9.0));
    assert_eq!(task.value_range(), (-2.0, 18.0));
    // V0 = 1.5 + 3/8 V1 and V1 = 2 + V0 / 2: V0 = 2.25 / (13/16) = 36/13.
    let values = evaluate_exact(&Mdp::of(&model), &Policy::uniform(task)).unwrap();
    assert!((values.values[0] - 36.0 / 13.0).abs() < 1e-14);
}

#[test]
fn a_state_that_only_endings_enter_is_terminal_and_its_actions_are_left_out() {
    let mut b = ModelBuilder::new(3, ["go", "stay"], 0.9);
    b.start(0, 1.0);
    b.outcome((0, 0), 1, 1.0, 1.0, true)
        .transition(0, 1, 0, 1.0);
    // What a table says of the goal itself; 2 is entered from there alone, so it goes with it.
    b.outcome((1, 0), 2, 1.0, 5.0, true).reward(1, 0, 7.0);
    b.transition(2, 0, 1, 1.0);
    let model = b.build().unwrap();
    let task = model.task();
    assert_eq!((task.states(), task.pairs()), (3, 2));
    assert!(task.is_terminal(State(1)) && task.is_terminal(State(2)));
    assert_eq!(task.reward(), [1.0, 0.0]);
}

#[test]
fn transitions_given_several_times_are_one() {
    let mut b = ModelBuilder::new(2, ["go"], 0.9);
    b.start(0, 1.0).terminal(1);
    for (next, p, r) in [(1, 0.25, 4.0), (0, 0.5, 1.0), (1, 0.25, 2.0)] {
        b.outcome((0, 0), next, p, r, false);
    }
    let model = b.build().unwrap();
    assert_eq!(model.rows().row(Pair(0)), (&[0, 1][..], &[0.5, 0.5][..]));
    assert_eq!(model.task().reward_of(Pair(0), State(1)), 3.0);
    assert_eq!(model.reward(), [2.0]);
}

#[test]
fn what_cannot_be_a_reward_is_refused() {
    let message = |change: fn(&mut ModelBuilder)| {
        let mut b = ModelBuilder::new(2, ["go"], 0.5);
        b.start(0, 1.0).terminal(1);
        change(&mut b);
        b.build().unwrap_err().to_string()
    };
    let said = message(|b| {
        b.outcome((0, 0), 1, 1.0, f64::NAN, false);
    });
    assert!(
        said.starts_with("transitions[0]: r(0, 0, 1) = NaN"),
        "{said}"
    );
    let said = message(|b| {
        b.transition(0, 0, 1, 1.0).reward(0, 0, f64::INFINITY);
    });
    assert!(said.starts_with("rewards[0]: r(0, 0) = inf"), "{said}");
    let said = message(|b| {
        b.transition(0, 0, 1, 1.0).reward(0, 0, 1.7e308);
    });
    assert!(said.contains("too large to compute with"), "{said}");
    let said = message(|b| {
        b.transition(0, 0, 1, 1.0).value_range(2.0, 1.0);
    });
    assert!(
        said.starts_with("value_range: [2, 1] is not a range"),
        "{said}"
    );
}

#[test]
fn a_learner_estimates_what_transitions_earn() {
    let model = both_ways();
    let mut learner = Learner::new(Arc::clone(model.task()), Inference::default());
    for next in [1, 1, 1, 2] {
        learner.see_transition(Pair(0), State(next));
    }
    learner.see_transition(Pair(1), State(0));
    learner.see_expert(Pair(0));
    learner.see_expert(Pair(1));
    learner.refresh();
    // The frequencies are the truth, so the estimate is exact.
    assert!((learner.values()[0] - 36.0 / 13.0).abs() < 1e-9);
    assert_eq!(learner.reward(), [1.5, 2.0]);
    // r + V/2 is -1 + V1/2 three times and 9 once.
    let later: f64 = -1.0 + 0.5 * (2.0 + 18.0 / 13.0);
    let mean = 0.75 * later + 0.25 * 9.0;
    let variance = 0.75 * (later - mean).powi(2) + 0.25 * (9.0_f64 - mean).powi(2);
    assert!((learner.variance(Pair(0)) - variance).abs() < 1e-9);
    assert!((learner.standard_error(Pair(0), 4) - (variance / 4.0).sqrt()).abs() < 1e-9);
}

/// A walk along a cliff: every step costs, falling costs a lot and leads back to the start, and the
/// expert keeps one row away from the edge.
fn cliff(scale: f64, range: Option<(f64, f64)>) -> Environment {
    const WIDTH: usize = 4;
    let (rows, goal) = (3, WIDTH - 1);
    let cell = |row: usize, column: usize| row * WIDTH + column;
    let mut b = ModelBuilder::new(rows * WIDTH, ["up", "right", "down"], 0.9);
    b.start(0, 1.0);
    let mut costly = Vec::new();
    for row in 0..rows {
        for column in 0..WIDTH {
            for (a, (up, right)) in [(1, 0), (0, 1), (-1, 0)].into_iter().enumerate() {
                let to = (
                    (row as i32 + up).clamp(0, rows as i32 - 1) as usize,
                    (column + right).min(WIDTH - 1),
                );
                let falls = to.0 == 0 && (1..goal).contains(&to.1);
                let next = if falls { 0 } else { cell(to.0, to.1) };
                let reward = if falls { -10.0 } else { -1.0 } * scale;
                let pair = (cell(row, column), a);
                b.outcome(pair, next, 0.9, reward, next == goal);
                b.outcome(pair, cell(row, column), 0.1, -scale, false);
                if to.0 == 1 {
                    costly.push(pair);
                }
            }
        }
    }
    if let Some((low, high)) = range {
        b.value_range(low, high);
    }
    let model = b.build().unwrap();
    let task = model.task().clone();
    let mut cost = vec![0.0; task.pairs()];
    for (s, a) in costly {
        // Leaving the start and coming down at the end are allowed.
        let inner = (1..goal).contains(&(s % WIDTH)) || a == 1 && s % WIDTH == 0;
        if let Some(pair) = task.pair(State::new(s), Action::new(a)).filter(|_| inner) {
            cost[pair.at()] = 1.0;
        }
    }
    let cost = Cost::new(&task, cost).unwrap();
    let allowed: Vec<bool> = cost.values().iter().map(|&c| c == 0.0).collect();
    let expert = hedgerow::solve::sharing_ties(&Mdp::of(&model).with_allowed(&allowed)).unwrap();
    let truth = Truth::new(model, cost, 0.0, expert).unwrap();
    Environment::new("cliff", 40, None, truth).unwrap()
}

fn search(environment: &Environment, samples: u64) -> (Vec<Verdict>, Vec<f64>, u64) {
    let options = SearchOptions {
        criteria: CriteriaParams {
            margin: 0.05 * environment.task().reward_scale(),
            ..CriteriaParams::DEFAULT
        }
        .check()
        .unwrap(),
        samples: Some(samples),
        ..SearchOptions::default()
    };
    let found = infer(environment, options, &mut |_| ControlFlow::Continue(())).unwrap();
    let all = found.verdicts.all().iter();
    (
        all.clone().map(|v| v.verdict).collect(),
        all.map(|v| v.high).collect(),
        found.verdicts.samples(),
    )
}

#[test]
fn steps_that_cost_are_explored_like_any_others_and_the_verdicts_are_right() {
    let environment = cliff(1.0, None);
    let (task, truth) = (environment.task(), environment.truth());
    let mdp = Mdp::of(truth.model());
    let values = evaluate_exact(&mdp, truth.expert()).unwrap().values;
    assert!(task.at_start(&values) < -4.0);
    let (verdicts, ..) = search(&environment, 400_000);
    let mut constrained = 0;
    for pair in task.all_pairs() {
        let gain = mdp.q(pair, &values) - values[task.state_of(pair).at()];
        let taken = truth.expert().prob(pair) > 0.0;
        match verdicts[pair.at()] {
            Verdict::Constrained => {
                assert!(gain > 0.0 && !taken, "{pair}");
                constrained += 1;
            }
            Verdict::Taken => assert!(taken, "{pair}"),
            Verdict::NoGain => assert!(gain <= 1e-9, "{pair}: {gain}"),
            Verdict::Undecided => {}
        }
    }
    assert!(constrained > 0);
}

#[test]
fn a_power_of_two_changes_no_verdict_and_no_sample() {
    let (one, high, samples) = search(&cliff(1.0, None), 20_000);
    for k in [-40, 40] {
        let scale = 2.0_f64.powi(k);
        let (other, scaled, n) = search(&cliff(scale, None), 20_000);
        assert_eq!((&other, n), (&one, samples), "2^{k}");
        // Logarithms round differently.
        let near = |(h, s): (&f64, &f64)| (h * scale - s).abs() <= 1e-9 * scale * h.abs();
        let same = high.iter().zip(&scaled).all(near);
        assert!(same, "2^{k}");
    }
}

#[test]
fn a_declared_range_of_returns_makes_intervals_narrower() {
    let wide = Intervals::new(cliff(1.0, None).task());
    let narrow = Intervals::new(cliff(1.0, Some((-30.0, 0.0))).task());
    assert!((wide.value_low[0] + 100.0).abs() < 1e-9 && wide.value_high[0] == 0.0);
    assert_eq!((narrow.value_low[0], narrow.value_high[0]), (-30.0, 0.0));
    let widths = |i: &Intervals| {
        i.q_high
            .iter()
            .zip(&i.q_low)
            .map(|(h, l)| h - l)
            .sum::<f64>()
    };
    assert!(widths(&narrow) < 0.5 * widths(&wide));
}

const TABLE: &str = r#"{
    "format": "hedgerow-model/1", "states": ["a", "b", "goal"], "actions": ["on", "wait"],
    "gamma": 0.5, "start": [["a", 1.0]],
    "transitions": [["a", "on", "b", 0.5, -1.0], ["a", "on", "b", 0.25, -1.0],
        ["a", "on", "goal", 0.25, 3.0, true], ["a", "wait", "a", 1.0, -1.0],
        ["b", "on", "goal", 1.0, 3.0, true], ["b", "wait", "b", 1.0, -1.0],
        ["goal", "on", "goal", 1.0, 0.0, true]],
    "cost": [["b", "wait", 1.0], ["goal", "on", 1.0]],
    "expert": [["a", "on", 1.0], ["b", "on", 1.0], ["goal", "on", 1.0]]
    RANGE
}"#;

#[test]
fn a_table_that_marks_endings_is_read_and_written_alike() {
    let text = TABLE.replace("RANGE", r#", "value_range": [-2.0, 3.0]"#);
    let environment = model_file::parse(&text, "table").unwrap();
    let (task, truth) = (environment.task(), environment.truth());
    assert_eq!((task.states(), task.pairs()), (3, 4));
    // Being in the goal is over at once, so what it costs is left out.
    assert_eq!(truth.cost().values(), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(truth.model().reward(), [0.0, -1.0, 3.0, -1.0]);
    let again = model_file::parse(&hedgerow::io::to_json(&environment), "table").unwrap();
    assert_eq!(again.truth().model(), truth.model());
    assert_eq!(again.truth().cost(), truth.cost());
    let file = EnvironmentFile::new("finite", &environment).unwrap();
    assert_eq!(&file.task().unwrap(), &**task);
}

#[test]
fn a_range_that_some_return_leaves_is_refused_with_the_return() {
    let text = TABLE.replace("RANGE", r#", "value_range": [-1.0, 3.0]"#);
    let said = model_file::parse(&text, "table").unwrap_err().to_string();
    assert!(
        said.starts_with("value_range: returns from a reach from -2 to"),
        "{said}"
    );
    assert!(said.contains("outside of [-1, 3]"), "{said}");
}

#[test]
fn without_dynamics_rewards_of_transitions_are_listed_apart() {
    let text = r#"{
        "format": "hedgerow-model/1", "states": 3, "actions": ["go", "rest"], "gamma": 0.9,
        "start": [[0, 1.0]], "terminal": [2],
        "rewards": [[0, 0, -1.0], [0, 0, 2, 5.0]]
    }"#;
    let task = model_file::parse_known(text, "ward").unwrap().task;
    assert_eq!(task.reward_of(Pair(0), State(2)), 4.0);
    assert_eq!(task.reward_of(Pair(0), State(1)), -1.0);
    assert_eq!(task.reward_range(Pair(0)), (-1.0, 4.0));
    let with = text.replace(
        "\"rewards\"",
        r#""transitions": [[0, 0, 2, 1.0], [0, 1, 1, 1.0], [1, 0, 2, 1.0]], "rewards""#,
    );
    let said = model_file::parse_known(&with, "ward")
        .err()
        .unwrap()
        .to_string();
    assert!(
        said.starts_with("rewards[1]: the reward of a transition stands apart"),
        "{said}"
    );
}
