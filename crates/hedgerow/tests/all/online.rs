//! Worlds explored online as black boxes: what is found is what the tables say.

use crate::common::{Kind, builder_like, config, random_model, random_policy};
use hedgerow::constraint::{Background, Constraint, Origin};
use hedgerow::costset;
use hedgerow::env::online::{BlackBox, Observed, OnlineExpert, OnlineOptions, OnlineWorld};
use hedgerow::env::{Environment, FiniteWorld, Simulator, TableSimulator, Truth};
use hedgerow::explore;
use hedgerow::finite::{FinitePayload, RunOptions, run};
use hedgerow::index::{Action, Pair, State};
use hedgerow::learn::{Inference, Learner};
use hedgerow::model::{Cost, Dynamics, Model, ModelBuilder, Policy};
use hedgerow::results::EnvironmentFile;
use hedgerow::run::RunResult;
use hedgerow::seed::Stream;
use hedgerow::solve::{Mdp, evaluate_exact, sharing_ties};
use hedgerow::verdict::{
    CriteriaParams, Inferred, Intervals, Scope, SearchOptions, Verdict, infer,
};
use hedgerow::{Error, Result};
use proptest::prelude::*;
use rand::RngExt;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One outcome of a pair: probability, next state, reward, whether it ends the episode.
type Outcome = (f64, usize, f64, bool);

/// A world as tables, as Gymnasium's toy texts are inside.
#[derive(Clone)]
struct Table {
    states: usize,
    actions: &'static [&'static str],
    gamma: f64,
    starts: Vec<usize>,
    /// The outcomes of every state and action, state by state.
    rows: Vec<Vec<Outcome>>,
    /// What the expert never does: state, action.
    forbidden: Vec<(usize, usize)>,
}

impl Table {
    fn model(&self) -> Model {
        let mut b = ModelBuilder::new(self.states, self.actions.iter().copied(), self.gamma);
        for &s in &self.starts {
            b.start(s, 1.0 / self.starts.len() as f64);
        }
        for (i, row) in self.rows.iter().enumerate() {
            let pair = (i / self.actions.len(), i % self.actions.len());
            for &(p, next, reward, ends) in row {
                b.outcome(pair, next, p, reward, ends);
            }
        }
        b.build().unwrap()
    }

    /// The best that leaves out what is forbidden, with the truth around it.
    fn environment(&self) -> Environment {
        let model = self.model();
        let task = model.task().clone();
        let mut cost = vec![0.0; task.pairs()];
        for &(s, a) in &self.forbidden {
            cost[task.pair(State::new(s), Action::new(a)).unwrap().at()] = 1.0;
        }
        let allowed: Vec<bool> = cost.iter().map(|&c| c == 0.0).collect();
        let expert = sharing_ties(&Mdp::of(&model).with_allowed(&allowed)).unwrap();
        let cost = Cost::new(&task, cost).unwrap();
        Environment::new(
            "table",
            200,
            None,
            Truth::new(model, cost, 0.0, expert).unwrap(),
        )
        .unwrap()
    }

    fn rewards(&self) -> (f64, f64) {
        let all = || self.rows.iter().flatten().map(|o| o.2);
        (
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        )
    }

    /// The same as a black box, with the expert's table.
    fn online(&self) -> OnlineWorld {
        let environment = self.environment();
        let task = environment.task();
        let of = |s: usize, a: usize| {
            let pair = task.pair(State::new(s), Action::new(a));
            pair.map_or(0.0, |p| environment.truth().expert().prob(p))
        };
        let row = |s| (0..self.actions.len()).map(|a| of(s, a)).collect();
        let mut options = OnlineOptions::new("online", self.states, self.actions.iter().copied());
        options.gamma = self.gamma;
        options.reward_range = self.rewards();
        options.horizon = 200;
        options.expert = OnlineExpert::Policy((0..self.states).map(row).collect());
        OnlineWorld::new(options, self.factory()).unwrap()
    }

    fn factory(&self) -> hedgerow::env::online::Factory {
        let table = Arc::new(self.clone());
        Arc::new(move || {
            Ok(Box::new(Walker {
                table: table.clone(),
                chance: Stream::new(0, "walker"),
                at: None,
            }))
        })
    }
}

/// One who walks through a table.
struct Walker {
    table: Arc<Table>,
    chance: Stream,
    at: Option<usize>,
}

impl BlackBox for Walker {
    fn reset(&mut self, seed: Option<u64>) -> Result<usize> {
        if let Some(seed) = seed {
            self.chance = Stream::new(seed, "walker");
        }
        let starts = &self.table.starts;
        let state = starts[self.chance.random_range(0..starts.len())];
        self.at = Some(state);
        Ok(state)
    }

    fn step(&mut self, action: usize) -> Result<Observed> {
        let state = self.at.expect("no step after the end");
        let row = &self.table.rows[state * self.table.actions.len() + action];
        let mut left: f64 = self.chance.random();
        let mut came = row[row.len() - 1];
        for &outcome in row {
            left -= outcome.0;
            if left < 0.0 {
                came = outcome;
                break;
            }
        }
        let (_, state, reward, terminated) = came;
        self.at = (!terminated).then_some(state);
        Ok(Observed {
            state,
            reward,
            terminated,
            truncated: false,
        })
    }

    fn expert(&mut self, _state: usize) -> Result<usize> {
        panic!("the expert is given as a table")
    }
}

const MOVES: &[&str] = &["left", "down", "right", "up"];

/// A frozen lake of 4 x 4: one move in ten slips to either side, holes end without reward, the goal
/// pays 1. The expert does not go down from 4 to 8, on the shortest way.
fn lake() -> Table {
    const MAP: &[u8; 16] = b"SFFFFHFFFFFHHFFG";
    let moved = |s: usize, a: usize| match a {
        0 if s & 3 > 0 => s - 1,
        1 if s < 12 => s + 4,
        2 if s & 3 < 3 => s + 1,
        3 if s > 3 => s - 4,
        _ => s,
    };
    let mut rows = Vec::new();
    for (s, cell) in MAP.iter().enumerate() {
        for a in 0..4 {
            if b"HG".contains(cell) {
                // As in Gymnasium's tables: the end leads to itself.
                rows.push(vec![(1.0, s, 0.0, true)]);
                continue;
            }
            let outcome = |(p, a): (f64, usize)| {
                let next = moved(s, a);
                let goal = MAP[next] == b'G';
                let ends = goal || MAP[next] == b'H';
                (p, next, f64::from(u8::from(goal)), ends)
            };
            let row = [(0.9, a), (0.05, (a + 1) % 4), (0.05, (a + 3) % 4)];
            rows.push(row.map(outcome).to_vec());
        }
    }
    Table {
        states: 16,
        actions: MOVES,
        gamma: 0.8,
        starts: vec![0],
        rows,
        forbidden: vec![(4, 1)],
    }
}

/// A taxi on a ring of five places: the passenger waits at 0 and wants to 2. Every move costs 1,
/// picking up or setting down where that is not possible 4; setting down at 2 pays 8 and ends with
/// an empty taxi at 2, where it may be otherwise too. The expert does not drive from 1 to 2 with
/// the passenger.
fn taxi() -> Table {
    let mut rows = Vec::new();
    for s in 0..10 {
        let (place, full) = (s / 2, s % 2 == 1);
        let at = |place: usize, full: bool| 2 * (place % 5) + usize::from(full);
        for a in 0..4 {
            rows.push(match a {
                0 | 1 => {
                    let next = at(place + if a == 0 { 4 } else { 1 }, full);
                    vec![(0.9, next, -1.0, false), (0.1, s, -1.0, false)]
                }
                2 if place == 0 && !full => vec![(1.0, at(0, true), -1.0, false)],
                3 if place == 2 && full => vec![(1.0, at(2, false), 8.0, true)],
                _ => vec![(1.0, s, -4.0, false)],
            });
        }
    }
    Table {
        states: 10,
        actions: &["back", "on", "pick", "drop"],
        gamma: 0.8,
        starts: vec![0, 2, 4, 6, 8],
        rows,
        forbidden: vec![(3, 1)],
    }
}

fn constrained_pairs(constraint: &Constraint) -> BTreeSet<(String, String)> {
    let pairs = constraint.pairs.iter();
    let pairs = pairs.filter(|p| p.verdict == Verdict::Constrained);
    pairs
        .map(|p| (p.state_name.clone(), p.action.clone()))
        .collect()
}

fn search(world: &dyn FiniteWorld, samples: u64, seed: u64) -> Inferred {
    let options = SearchOptions {
        criteria: CriteriaParams {
            margin: 0.02 * world.task().reward_scale(),
            ..CriteriaParams::DEFAULT
        }
        .check()
        .unwrap(),
        samples: Some(samples),
        seed,
        ..SearchOptions::default()
    };
    infer(world, options, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn constraint(world: &OnlineWorld, found: &Inferred) -> Constraint {
    let origin = Origin {
        stop: Some(found.stop),
        ..Origin::default()
    };
    let (learner, verdicts) = (&found.learner, &found.verdicts);
    Constraint::explored(
        world.name(),
        learner,
        verdicts,
        origin,
        Background::default(),
    )
}

#[test]
fn a_black_box_shows_exactly_what_its_table_says() {
    for (name, table, samples) in [("lake", lake(), 1_500_000), ("taxi", taxi(), 1_500_000)] {
        let exact = Constraint::exact(&table.environment(), Scope::All).unwrap();
        let truth = constrained_pairs(&exact);
        assert!(!truth.is_empty(), "{name}");
        let world = table.online();
        let found = search(&world, samples, 3);
        let made = constraint(&world, &found);
        assert_eq!(constrained_pairs(&made), truth, "{name}: verdicts");
        let looks: BTreeSet<(String, String)> = made
            .pairs
            .iter()
            .filter(|p| p.looks_constrained)
            .map(|p| (p.state_name.clone(), p.action.clone()))
            .collect();
        assert_eq!(looks, truth, "{name}: looks constrained");
        let learner = &found.learner;
        let task = world.task();
        let estimated: BTreeSet<(String, String)> = task
            .all_pairs()
            .filter(|&p| learner.cost()[p.at()] > 0.05)
            .map(|p| {
                let action = task.action_name(task.action_of(p));
                (task.state_name(task.state_of(p)), action.to_owned())
            })
            .collect();
        assert_eq!(estimated, truth, "{name}: estimates");
        // States that were entered by endings only count as reached, and so do all the others.
        assert!(made.unreached_states.is_empty(), "{name}");
    }
}

#[test]
fn a_state_entered_both_ways_is_told_from_its_twin() {
    let world = taxi().online();
    let task = world.task();
    assert_eq!((task.states(), task.pairs()), (20, 40));
    assert_eq!(task.state_name(State(4)), "s4");
    assert_eq!(task.state_name(State(14)), "s4 (end)");
    assert!(task.is_terminal(State(14)) && !task.is_terminal(State(4)));
    let found = search(&world, 20_000, 1);
    let drop = task.pair(State(5), Action(3)).unwrap();
    let estimate = found.learner.estimate();
    assert_eq!(estimate.row(drop), (&[14][..], &[1.0][..]));
    assert_eq!(estimate.reward_seen(drop, State(14)), Some(8.0));
    assert_eq!(found.learner.reward()[drop.at()], 8.0);
    // The start was counted over resets: about one in five.
    let start = task.start();
    assert_eq!(start.len(), 5);
    assert!(
        start.iter().all(|(_, p)| (p - 0.2).abs() < 0.06),
        "{start:?}"
    );
}

/// One place where staying pays 1; `ends` says what every step reports.
struct Stay(fn(&mut Observed));

impl BlackBox for Stay {
    fn reset(&mut self, _seed: Option<u64>) -> Result<usize> {
        Ok(0)
    }

    fn step(&mut self, _action: usize) -> Result<Observed> {
        let mut seen = Observed {
            state: 0,
            reward: 1.0,
            terminated: false,
            truncated: false,
        };
        (self.0)(&mut seen);
        Ok(seen)
    }

    fn expert(&mut self, _state: usize) -> Result<usize> {
        Ok(0)
    }
}

fn staying(report: fn(&mut Observed)) -> OnlineWorld {
    let mut options = OnlineOptions::new("stay", 1, ["a", "b"]);
    options.gamma = 0.5;
    options.horizon = 7;
    OnlineWorld::new(options, Arc::new(move || Ok(Box::new(Stay(report))))).unwrap()
}

#[test]
fn an_episode_that_is_broken_off_is_not_one_that_ends() {
    let value = |report| {
        let found = search(&staying(report), 60, 0);
        (found.learner.values()[0], found.learner.samples())
    };
    // 1 + 1/2 + 1/4 + ... = 2 for ever, also where every step is the last of its episode; 1 if
    // nothing comes after it.
    let (for_ever, samples) = value(|_| {});
    assert!((for_ever - 2.0).abs() < 1e-9);
    let (broken_off, counted) = value(|seen| seen.truncated = true);
    assert!((broken_off - 2.0).abs() < 1e-9);
    assert_eq!((samples, counted), (60, 60));
    let (ended, _) = value(|seen| seen.terminated = true);
    assert_eq!(ended, 1.0);
    // One that ends at its last step has ended.
    let both = |seen: &mut Observed| (seen.terminated, seen.truncated) = (true, true);
    assert_eq!(value(both).0, 1.0);
}

#[test]
fn rollouts_earn_what_steps_tell_and_stop_where_they_end() {
    let result = |report, rollouts| {
        let mut strategy = explore::find("random").unwrap().with_defaults();
        let mut options = RunOptions::default();
        options.run.iterations = 2;
        options.finite.rollouts = rollouts;
        let world = staying(report);
        run(&world, strategy.as_mut(), &options).unwrap()
    };
    // Seven steps of the horizon, or one.
    let seven: f64 = (0..7).map(|t| 0.5_f64.powi(t)).sum();
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(close(result(|_| {}, 3).summary.expert_reward, seven));
    assert!(close(
        result(|s| s.truncated = true, 3).summary.expert_reward,
        1.0
    ));
    assert!(close(
        result(|s| s.terminated = true, 1).rows[0].reward,
        1.0
    ));
}

#[test]
fn a_policy_that_has_not_changed_is_not_evaluated_again() {
    static STEPS: AtomicUsize = AtomicUsize::new(0);
    let steps = |rollouts| {
        let before = STEPS.load(Ordering::Relaxed);
        let mut strategy = explore::find("random").unwrap().with_defaults();
        let mut options = RunOptions::default();
        options.run.iterations = 20;
        options.finite.rollouts = rollouts;
        let world = staying(|seen| {
            STEPS.fetch_add(1, Ordering::Relaxed);
            seen.terminated = true;
        });
        run(&world, strategy.as_mut(), &options).unwrap();
        STEPS.load(Ordering::Relaxed) - before
    };
    // One step an episode: 20 to explore, 21 sampled rollouts, and the evaluations of the expert and
    // of the policies.
    let evaluations = |rollouts| (steps(rollouts) - 41) as f64 / rollouts as f64;
    assert!(evaluations(100) <= 5.0, "{}", evaluations(100));
    assert_eq!(evaluations(100), evaluations(7));
}

fn refused(report: fn(&mut Observed)) -> String {
    let options = SearchOptions {
        samples: Some(100),
        ..SearchOptions::default()
    };
    let world = staying(report);
    let found = infer(&world, options, &mut |_| ControlFlow::Continue(()));
    found.unwrap_err().to_string()
}

#[test]
fn wrong_answers_are_refused_in_one_line() {
    assert_eq!(
        refused(|s| s.state = 4),
        "step by (s0, a): it came to state 4, and there are 1; return states counted from 0"
            .replace("(s0, a)", &first_pair())
    );
    let said = refused(|s| s.reward = f64::NAN);
    assert!(
        said.ends_with("leading to s0: NaN is not a finite number; return a finite reward"),
        "{said}"
    );
    let said = refused(|s| s.reward = 1.5);
    assert!(
        said.contains("1.5 is outside the declared range [0, 1]; declare a range"),
        "{said}"
    );
    // A reward that depends on the time.
    static TIME: AtomicUsize = AtomicUsize::new(0);
    let said = refused(|s| {
        let odd = TIME.fetch_add(1, Ordering::Relaxed) % 2;
        s.reward = 0.25 * odd as f64;
    });
    assert!(said.starts_with("reward of (s0, "), "{said}");
    assert!(
        said.ends_with("and the reward has to follow from state, action and next state; put what it depends on into the state"),
        "{said}"
    );
    assert!(
        said.contains("0 before and 0.25 now") || said.contains("0.25 before and 0 now"),
        "{said}"
    );
}

/// The pair that is sampled first in `staying`.
fn first_pair() -> String {
    let world = staying(|_| {});
    let found = search(&world, 1, 0);
    let seen = found.learner.seen();
    world.task().pair_name(Pair(seen.transitions[0].0))
}

/// Answers of the expert, and errors of its own.
struct Odd(usize);

impl BlackBox for Odd {
    fn reset(&mut self, _seed: Option<u64>) -> Result<usize> {
        match self.0 {
            9 => Err(Error::foreign("reset", "KeyError: 'door'")),
            8 => Ok(5),
            _ => Ok(0),
        }
    }

    fn step(&mut self, _action: usize) -> Result<Observed> {
        Ok(Observed {
            state: 1,
            reward: 0.0,
            terminated: true,
            truncated: false,
        })
    }

    fn expert(&mut self, _state: usize) -> Result<usize> {
        Ok(self.0)
    }
}

fn odd(answer: usize) -> OnlineOptions {
    let mut options = OnlineOptions::new("odd", 2, ["a", "b"]);
    options.available = vec![(0, 0), (1, 0), (1, 1)];
    options.start = (answer < 8).then(|| vec![1.0, 0.0]);
    options
}

#[test]
fn experts_and_starts_are_checked() {
    let message = |answer: usize| {
        let made = OnlineWorld::new(odd(answer), Arc::new(move || Ok(Box::new(Odd(answer)))));
        let asked = made.and_then(|world| {
            let mut simulator = world.simulator(0)?;
            let state = simulator.reset()?;
            simulator.ask_expert(state).map(|_| ())
        });
        asked.map_or_else(|e| e.to_string(), |()| "accepted".to_owned())
    };
    assert_eq!(message(0), "accepted");
    assert_eq!(
        message(1),
        "expert in s0: b is not available; return an action that can be taken there"
    );
    assert_eq!(
        message(7),
        "expert in s0: action 7, and there are 2; return actions counted from 0"
    );
    assert_eq!(
        message(8),
        "reset: it came to state 5, and there are 2; return states counted from 0"
    );
    assert_eq!(message(9), "reset: KeyError: 'door'");
    let made = OnlineWorld::new(
        odd(0),
        Arc::new(|| Err(Error::foreign("make", "no such id"))),
    );
    let failed = made.unwrap().simulator(0).map(|_| ());
    assert_eq!(failed.unwrap_err().to_string(), "make: no such id");
}

#[test]
fn a_step_after_the_end_is_refused() {
    let world = OnlineWorld::new(odd(0), Arc::new(|| Ok(Box::new(Odd(0))))).unwrap();
    let mut simulator = world.simulator(0).unwrap();
    let said = simulator.step(Pair(0)).unwrap_err().to_string();
    assert!(said.ends_with("reset the world first"), "{said}");
    simulator.reset().unwrap();
    let said = simulator.step(Pair(1)).unwrap_err().to_string();
    assert!(
        said.starts_with("step from s1: the world is in s0"),
        "{said}"
    );
    let step = simulator.step(Pair(0)).unwrap();
    assert_eq!((step.next, step.truncated), (State(3), false));
    let said = simulator.step(Pair(0)).unwrap_err().to_string();
    assert!(said.contains("or it is over"), "{said}");
}

#[test]
fn what_is_said_of_a_black_box_is_checked() {
    let message = |change: fn(&mut OnlineOptions)| {
        let mut options = odd(0);
        change(&mut options);
        let made = OnlineWorld::new(options, Arc::new(|| Ok(Box::new(Odd(0)))));
        made.map_or_else(|e| e.to_string(), |_| "accepted".to_owned())
    };
    assert_eq!(message(|_| {}), "accepted");
    for (change, said) in [
        (
            (|o| o.horizon = 0) as fn(&mut OnlineOptions),
            "horizon: 0 steps",
        ),
        (|o| o.name = "a/b".into(), "a/b"),
        (
            |o| o.reward_range = (1.0, 0.0),
            "reward range: [1, 0] is not a range",
        ),
        (
            |o| o.start = Some(vec![1.0]),
            "start: 1 probabilities for 2 states",
        ),
        (
            |o| o.start = Some(vec![0.5, 0.0]),
            "start: probabilities sum to 0.5",
        ),
        (
            |o| o.state_names = vec!["x".into()],
            "state names: 1 names for 2 states",
        ),
        (
            |o| (o.start, o.start_samples) = (None, 0),
            "start_samples: ",
        ),
        (
            |o| o.expert = OnlineExpert::Policy(vec![]),
            "expert: 0 rows for 2 states",
        ),
        (
            |o| o.expert = OnlineExpert::Policy(vec![vec![1.0], vec![1.0]]),
            "expert at s0: 1 numbers for 2 actions",
        ),
        (
            |o| o.expert = OnlineExpert::Policy(vec![vec![0.0, 1.0], vec![1.0, 0.0]]),
            "expert at s0: 1 for b",
        ),
        (
            |o| o.expert = OnlineExpert::Policy(vec![vec![1.0, 0.0], vec![0.5, 0.4]]),
            "expert at s1: [0.5, 0.4] are not probabilities that sum to 1",
        ),
        (
            |o| o.cost = Some(vec![vec![0.0; 2]]),
            "cost: 1 rows for 2 states",
        ),
        (|o| o.gamma = 1.0, "gamma: 1 is outside"),
    ] {
        let refused = message(change);
        assert!(
            refused.starts_with(said) || refused.contains(said),
            "{refused}"
        );
        assert!(!refused.contains('\n'));
    }
}

fn a_run(world: &OnlineWorld, seed: u64) -> RunResult {
    let mut strategy = explore::find("undecided").unwrap().with_defaults();
    let mut options = RunOptions::default();
    (options.run.iterations, options.seed) = (30, seed);
    options.finite.rollouts = 20;
    run(world, strategy.as_mut(), &options).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let world = lake().online();
    let (one, again, other) = (
        a_run(&world, 4),
        a_run(&lake().online(), 4),
        a_run(&world, 5),
    );
    let bits = |r: &RunResult| format!("{:?} {:?}", r.rows, r.payload);
    assert_eq!(bits(&one), bits(&again));
    assert_ne!(bits(&one), bits(&other));
}

#[test]
fn every_strategy_explores_a_black_box() {
    let world = taxi().online();
    for entry in explore::STRATEGIES {
        if entry.info.name == "uniform-generative" {
            continue;
        }
        let mut strategy = entry.with_defaults();
        let mut options = RunOptions::default();
        options.run.iterations = 10;
        options.finite.rollouts = 5;
        let result = run(&world, strategy.as_mut(), &options).unwrap();
        let last = result.summary.last;
        assert!(
            last.samples > 0 && last.reward.is_finite(),
            "{}",
            entry.info.name
        );
    }
}

#[test]
fn what_was_seen_is_recalled_with_its_rewards() {
    let world = taxi().online();
    let kept: FinitePayload = a_run(&world, 1).payload.read().unwrap();
    assert!(!kept.seen.rewards.is_empty());
    assert_eq!(kept.seen.rewards.len(), kept.seen.transitions.len());
    let text = serde_json::to_string(&kept).unwrap();
    let read: FinitePayload = serde_json::from_str(&text).unwrap();
    assert_eq!(read, kept);
    // From the description that files keep, too.
    let file = EnvironmentFile::of_task("finite", "taxi", world.task(), None);
    let task = file.task().unwrap();
    assert_eq!(&task, &**world.task());
    let learner = Learner::recall(Arc::new(task), kept.inference, &read.seen).unwrap();
    assert_eq!(learner.seen(), kept.seen);
    let again = Learner::recall(world.task().clone(), kept.inference, &kept.seen).unwrap();
    assert_eq!(learner.reward(), again.reward());
    assert_eq!(learner.values(), again.values());

    let found = search(&world, 5_000, 0);
    let made = constraint(&world, &found);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("taxi.json");
    made.write(&path).unwrap();
    let read = Constraint::read(&path).unwrap();
    assert_eq!(read, made);
    assert_eq!(read.seen.unwrap().rewards, found.learner.seen().rewards);

    let mut strange = kept.seen.clone();
    strange.rewards[0].2 = 99.0;
    let said = Learner::recall(world.task().clone(), kept.inference, &strange);
    let said = said.unwrap_err().to_string();
    assert!(
        said.starts_with("what the learner has seen: reward of"),
        "{said}"
    );
}

#[test]
fn known_rewards_leave_no_trace_of_observed_ones() {
    let environment = lake().environment();
    let found = search(&environment, 2_000, 0);
    let seen = serde_json::to_string(&found.learner.seen()).unwrap();
    assert!(!seen.contains("rewards"));
    let file = EnvironmentFile::of_task("finite", "lake", environment.task(), None);
    let text = serde_json::to_string(&file).unwrap();
    assert!(!text.contains("observed_rewards"));
}

/// The task of `model` with its rewards hidden.
fn hidden(model: &Model) -> Arc<hedgerow::model::Task> {
    let task = model.task();
    let mut b = builder_like(task);
    for pair in task.all_pairs() {
        b.available(task.state_of(pair).at(), task.action_of(pair).at());
    }
    b.observed_rewards(task.reward_min(), task.reward_max());
    Arc::new(b.build_task().unwrap())
}

/// `model` with a reward of any sign for every transition, drawn from `seed`.
fn paying(model: &Model, seed: u64) -> Model {
    let task = model.task();
    let mut chance = Stream::new(seed, "rewards");
    let mut b = builder_like(task);
    for pair in task.all_pairs() {
        let at = (task.state_of(pair).at(), task.action_of(pair).at());
        let (next, prob) = model.rows().row(pair);
        for (&s, &p) in next.iter().zip(prob) {
            let reward = chance.random_range(-2.0..1.0);
            b.outcome(at, s as usize, p, reward, false);
        }
    }
    b.build().unwrap()
}

const KIND: Kind = Kind {
    states: 2..=8,
    actions: 3,
    gammas: &[0.3, 0.7, 0.9],
    holes: false,
};

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn intervals_from_rewards_that_are_seen_hold_the_truth(
        case in random_model(KIND),
        seed in any::<u64>(),
    ) {
        let model = paying(&case.model, seed);
        let expert = random_policy(model.task(), seed);
        let values = evaluate_exact(&Mdp::of(&model), &expert).unwrap().values;
        let advantage = costset::advantage(&model, &expert).unwrap();
        let truth = model.task().clone();
        let none = Cost::new(&truth, vec![0.0; truth.pairs()]).unwrap();
        let environment = Environment::new(
            "paying", 30, None, Truth::new(model, none, 0.0, expert).unwrap(),
        ).unwrap();
        let task = hidden(environment.truth().model());
        let mut learner = Learner::new(task.clone(), Inference::default());
        let mut intervals = Intervals::new(&task);
        // So sure that no case of these may fail.
        let criteria = CriteriaParams { confidence: 1.0 - 1e-6, ..CriteriaParams::DEFAULT };
        let criteria = criteria.check().unwrap();
        let mut world = TableSimulator::new(&environment, seed);
        for n in [1, 5, 40] {
            for pair in task.all_pairs() {
                // Some pairs are never tried, and some rewards never told.
                if pair.0 % 5 == 4 {
                    continue;
                }
                for _ in 0..n {
                    learner.see_expert(world.ask_expert(task.state_of(pair)).unwrap());
                    let next = world.step(pair).unwrap().next;
                    learner.see_transition(pair, next);
                    if pair.0 % 7 != 6 {
                        learner.see_reward(pair, next, truth.reward_of(pair, next)).unwrap();
                    }
                }
            }
            learner.refresh();
            intervals.tighten(&learner, &criteria);
            for (s, value) in values.iter().enumerate() {
                prop_assert!(intervals.value_low[s] <= value + 1e-9);
                prop_assert!(intervals.value_high[s] >= value - 1e-9);
            }
            for pair in task.all_pairs() {
                let (low, high) = intervals.advantage(&task, pair);
                prop_assert!(low <= advantage[pair.at()] + 1e-9);
                prop_assert!(high >= advantage[pair.at()] - 1e-9);
            }
        }
    }

    #[test]
    fn seeing_rewards_comes_to_the_same_as_knowing_them(
        case in random_model(KIND),
        seed in any::<u64>(),
    ) {
        let model = paying(&case.model, seed);
        let task = hidden(&model);
        let known = model.task();
        let mut knowing = Learner::new(known.clone(), Inference::default());
        let mut seeing = Learner::new(task.clone(), Inference::default());
        let expert = Policy::uniform(&task);
        let mut chance = Stream::new(seed, "samples");
        for _ in 0..10 {
            for pair in task.all_pairs() {
                let (next, prob) = model.rows().row(pair);
                let next = State(next[hedgerow::model::sample_weighted(prob, &mut chance)]);
                let answer = expert.sample(&task, task.state_of(pair), &mut chance);
                for learner in [&mut knowing, &mut seeing] {
                    learner.see_expert(answer);
                    learner.see_step(pair, next, Some(known.reward_of(pair, next))).unwrap();
                }
            }
            knowing.refresh();
            seeing.refresh();
            for pair in task.all_pairs() {
                let (a, b) = (knowing.advantage(pair), seeing.advantage(pair));
                prop_assert!((a - b).abs() < 1e-9, "{a} {b}");
                prop_assert!((knowing.reward()[pair.at()] - seeing.reward()[pair.at()]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_first_reset_gets_the_seed_and_later_ones_none() {
    static SEEDS: std::sync::Mutex<Vec<Option<u64>>> = std::sync::Mutex::new(Vec::new());
    struct Noting;
    impl BlackBox for Noting {
        fn reset(&mut self, seed: Option<u64>) -> Result<usize> {
            SEEDS.lock().unwrap().push(seed);
            Ok(0)
        }

        fn step(&mut self, _action: usize) -> Result<Observed> {
            Err(Error::foreign("step", "not asked for"))
        }

        fn expert(&mut self, _state: usize) -> Result<usize> {
            Ok(0)
        }
    }
    let mut options = OnlineOptions::new("noting", 1, ["a"]);
    (options.seed, options.start_samples) = (11, 2);
    let world = OnlineWorld::new(options, Arc::new(|| Ok(Box::new(Noting)))).unwrap();
    let mut simulator = world.simulator(42).unwrap();
    for _ in 0..2 {
        simulator.reset().unwrap();
    }
    assert_eq!(*SEEDS.lock().unwrap(), [Some(11), None, Some(42), None]);
}
