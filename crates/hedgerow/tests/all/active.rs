//! Planning on what was seen is planning on everything, and judging now and then is judging.

use hedgerow::env::{Environment, Simulator, TableSimulator, builtin};
use hedgerow::explore::plan::{
    best_sharing_ties, estimated, optimistic, planning_gamma, solve_into,
};
use hedgerow::explore::{Context, Plan, find};
use hedgerow::finite::{RunOptions, run};
use hedgerow::learn::{Inference, Learner, PairStatus};
use hedgerow::model::Policy;
use hedgerow::param::Parameters;
use hedgerow::run::Row;
use hedgerow::seed::Stream;
use hedgerow::solve::Start;

/// A learner after each of these numbers of random steps.
fn stages(environment: &Environment, seed: u64, at: &[usize]) -> Vec<Learner> {
    let task = environment.task();
    let uniform = Policy::uniform(task);
    let mut world = TableSimulator::new(environment, seed);
    let mut acting = Stream::new(seed, "acting");
    let mut learner = Learner::new(task.clone(), Inference::default());
    let mut found = Vec::new();
    let mut state = world.reset().unwrap();
    for step in 0..=at.iter().copied().max().unwrap_or(0) {
        if at.contains(&step) {
            learner.refresh();
            found.push(learner.clone());
        }
        if task.is_terminal(state) || step % 50 == 49 {
            state = world.reset().unwrap();
        }
        learner.see_expert(world.ask_expert(state).unwrap());
        let pair = uniform.sample(task, state, &mut acting);
        state = world.step(pair).unwrap().next;
        learner.see_transition(pair, state);
    }
    found
}

/// The policies that a strategy, told not to imitate, plays in turn.
fn planned(name: &str, stages: &[Learner]) -> Vec<Policy> {
    let entry = find(name).unwrap();
    let mut parameters = Parameters::defaults(entry.info.parameters);
    parameters.set("imitate", "off").unwrap();
    let mut strategy = entry.build(parameters.values());
    let plans = stages.iter().map(|learner| {
        let at = Context {
            learner,
            iteration: 1,
            accuracy: None,
            oracle: None,
        };
        match strategy.plan(&at).unwrap().spread(learner.task()) {
            Plan::Act { mixture, imitate } => {
                assert!(imitate.is_empty() && mixture.len() == 1);
                mixture[0].1.clone()
            }
            other => panic!("{name} plans {other:?}"),
        }
    });
    plans.collect()
}

/// `bear` on all states, by the public parts: what it played before there was an active set.
fn bear_on_all(learner: &Learner, warm: &mut Start) -> Policy {
    let task = learner.task();
    let gamma = planning_gamma(task.gamma(), 3.0);
    let bonus = optimistic(task, gamma, |pair| learner.width(pair));
    best_sharing_ties(&estimated(learner, &bonus, gamma), warm)
}

/// `undecided` on all states.
fn undecided_on_all(learner: &Learner, warm: &mut [Start; 2]) -> Policy {
    let task = learner.task();
    let gamma = planning_gamma(task.gamma(), 3.0);
    let allowed: Vec<bool> = learner.constrained().iter().map(|c| !c).collect();
    let optimum: Vec<f64> = task
        .all_pairs()
        .map(|p| {
            let width = learner.width(p).min(task.reward_span());
            learner.reward()[p.at()] + task.gamma() * width
        })
        .collect();
    let mdp = estimated(learner, &optimum, task.gamma()).with_allowed(&allowed);
    solve_into(&mdp, &mut warm[0]);
    let best = &warm[0].values;
    let bonus = optimistic(task, gamma, |pair| {
        let beats = || mdp.q(pair, best) > learner.values()[task.state_of(pair).at()];
        let share = match learner.status(pair) {
            PairStatus::Unseen | PairStatus::Taken => 1.0,
            PairStatus::Undecided if beats() => 1.0,
            _ => 0.05,
        };
        match learner.estimate().visits(pair) {
            0 => f64::INFINITY,
            _ => share * learner.width(pair),
        }
    });
    let mdp = estimated(learner, &bonus, gamma).with_allowed(&allowed);
    best_sharing_ties(&mdp, &mut warm[1])
}

#[test]
fn a_plan_on_what_was_seen_is_the_plan_on_all_states() {
    let at = [0, 1, 7, 40, 200, 1_000, 6_000];
    for name in ["gridworld-1", "gridworld-4", "rooms", "gridworld-3-13"] {
        let environment = builtin::environment(name).unwrap();
        for seed in 0..3 {
            let stages = stages(&environment, seed, &at);
            let (bear, undecided) = (planned("bear", &stages), planned("undecided", &stages));
            let mut warm = Start::default();
            let mut warm_too = [Start::default(), Start::default()];
            for (i, learner) in stages.iter().enumerate() {
                assert_eq!(bear[i], bear_on_all(learner, &mut warm), "{name}, {i}");
                let all = undecided_on_all(learner, &mut warm_too);
                assert_eq!(undecided[i], all, "{name}, {i}");
            }
        }
    }
}

#[test]
fn in_a_large_world_the_plan_is_as_good_as_that_on_all_states() {
    // 31 x 31 and one more state than a thousand are solved in another order: the plans may break ties
    // otherwise, but earn as much of the bonus.
    let map = format!(
        "gamma = 0.93\nhorizon = 250\nmap = \"\"\"\n{}\"\"\"\n",
        drawn(33)
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.toml");
    std::fs::write(&path, map).unwrap();
    let environment = hedgerow::io::open(path.to_str().unwrap()).unwrap();
    assert!(environment.task().states() > 1_000);
    let stages = stages(&environment, 1, &[300, 5_000, 40_000, 40_500]);
    for (learner, policy) in stages.iter().zip(planned("bear", &stages)) {
        let task = learner.task();
        let gamma = planning_gamma(task.gamma(), 3.0);
        let bonus = optimistic(task, gamma, |pair| learner.width(pair));
        let mdp = estimated(learner, &bonus, gamma);
        let mut best = Start::default();
        solve_into(&mdp, &mut best);
        let best = best.values;
        let limits = hedgerow::solve::Limits::default();
        let found = hedgerow::solve::evaluate_iterative(&mdp, &policy, &limits, None);
        let values = found.solution().unwrap().values;
        let (most, earned) = (task.at_start(&best), task.at_start(&values));
        assert!(earned >= most * (1.0 - 1e-4), "{earned} of {most}");
        for &state in learner.entered() {
            let short = best[state.at()] - values[state.at()];
            assert!(short <= 1e-3 * most, "{state}: {short}");
        }
    }
}

/// A square map with a wall of constraint cells.
fn drawn(side: usize) -> String {
    let line = |row: usize| {
        let cell = |column: usize| match (row, column) {
            (0, 0) => 'G',
            _ if row == side / 2 && column < 2 * side / 3 => 'x',
            _ if (row, column) == (side - 1, 0) => 'S',
            _ => '.',
        };
        let cells: Vec<String> = (0..side).map(|c| cell(c).to_string()).collect();
        cells.join(" ") + "\n"
    };
    (0..side).map(line).collect()
}

#[test]
fn rows_that_are_judged_are_those_of_a_run_that_judges_all() {
    let environment = builtin::environment("gridworld-3").unwrap();
    let rows = |judge_every: usize| {
        let mut strategy = find("pcse").unwrap().with_defaults();
        let mut options = RunOptions::default();
        (options.run.iterations, options.seed) = (43, 5);
        options.finite.judge_every = judge_every;
        run(&environment, strategy.as_mut(), &options).unwrap().rows
    };
    // Sampled episodes are drawn for judged rows only.
    let plain = |row: &Row| Row {
        rollout_reward: 0.0,
        rollout_cost: 0.0,
        ..*row
    };
    let (all, some) = (rows(1), rows(10));
    assert_eq!(all.len(), some.len());
    let mut last = all[0];
    for (row, thinned) in all.iter().zip(&some) {
        if row.iteration % 10 == 0 || row.iteration == 43 {
            last = *row;
            assert_eq!(plain(row), plain(thinned));
        }
        let kept = Row {
            iteration: row.iteration,
            samples: row.samples,
            accuracy: row.accuracy,
            constrained: row.constrained,
            unseen: row.unseen,
            ..last
        };
        assert_eq!(plain(thinned), plain(&kept));
    }
}
