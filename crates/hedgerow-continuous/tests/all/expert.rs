//! Experts of mazes: what they practise in, what they do, where they come from.

use hedgerow::seed::Stream;
use hedgerow_continuous::agent::{Practice, Steps};
use hedgerow_continuous::expert::play::count;
use hedgerow_continuous::expert::practice::{anywhere, worth};
use hedgerow_continuous::expert::{
    Expert, FEATURES, MazePractice, Played, Settings, features, play, shipped, train,
};
use hedgerow_continuous::maze::{Ball, FORCES, Maze, Outcome, State, builtin};
use hedgerow_continuous::net::Network;
use std::sync::Arc;

fn maze(name: &str) -> Arc<Maze> {
    Arc::new(builtin::maze(name).unwrap())
}

fn played(name: &str, constrained: bool) -> Played {
    let maze = maze(name);
    let expert = shipped(&maze, constrained).unwrap();
    play(&maze, &expert, 300, Stream::new(5, "test"))
}

#[test]
fn shipped_experts_arrive_and_go_round_the_constraint() {
    for name in builtin::NAMES {
        let p = played(name, true);
        assert!(p.reached_and_clear >= 0.99, "{name}: {p:?}");
        assert!(p.cost < 0.01, "{name}: {p:?}");
    }
}

#[test]
fn agents_that_do_not_mind_go_through_it_and_are_quicker() {
    for name in builtin::NAMES {
        let (free, kept) = (played(name, false), played(name, true));
        assert!(
            free.reached >= 0.99 && free.entered >= 0.9,
            "{name}: {free:?}"
        );
        assert!(free.decisions < kept.decisions, "{name}");
        assert!(free.reward > kept.reward, "{name}");
    }
}

/// Whether the expert pushes down at `state`.
fn pushes_down(expert: &Expert, state: State) -> bool {
    FORCES[expert.action(&state, &mut expert.scratch())].1[1] < 0.0
}

/// The cell begins at `y = -0.5`. A ball at -0.95 that goes up at 3 m/s can stop within 0.19 m, and
/// has to: coasting takes it in.
#[test]
fn an_expert_brakes_before_the_constraint_and_leaves_it_by_the_nearer_end() {
    let maze = maze("point-maze");
    let expert = shipped(&maze, true).unwrap();
    let free = shipped(&maze, false).unwrap();
    assert!(pushes_down(&expert, [-1.0, -0.95, 0.0, 3.0]));
    assert!(!pushes_down(&free, [-1.0, -0.95, 0.0, 3.0]));
    // At rest near the lower end it goes back; going up near the upper end it goes on.
    assert!(pushes_down(&expert, [-1.0, -0.4, 0.0, 0.0]));
    assert!(!pushes_down(&expert, [-1.0, 0.4, 0.0, 2.0]));
}

#[test]
fn an_expert_finds_the_way_from_anywhere() {
    for name in builtin::NAMES {
        let maze = maze(name);
        let expert = shipped(&maze, true).unwrap();
        let mut scratch = expert.scratch();
        let mut stream = Stream::new(3, "anywhere");
        let balls: Vec<Ball> = (0..300).map(|_| anywhere(&maze, &mut stream)).collect();
        let mut act = |state: &State| expert.action(state, &mut scratch);
        let mut starts = balls.into_iter().map(Some);
        let p = count(&maze, &mut act, stream, &mut starts);
        assert!(p.reached >= 0.98, "{name}: {p:?}");
    }
}

/// Straight up from the start, through the cell, to the goal.
#[test]
fn episodes_are_counted_as_they_are() {
    let maze = maze("point-maze");
    let ball = Ball {
        position: [-1.0, -0.6],
        velocity: [0.0; 2],
    };
    let mut up = |_: &State| 0;
    let mut starts = [Some(ball)].into_iter();
    let p = count(&maze, &mut up, Stream::new(1, "play"), &mut starts);
    // The same by hand: 5 steps a decision.
    let (mut by_hand, mut t, mut cost) = (ball, 0, 0.0);
    let ended = loop {
        maze.physics().step(&mut by_hand, [0.0, 1.0]);
        let y = by_hand.position[1];
        cost += 0.95_f64.powi(t / 5) * f64::from(u8::from(y > -0.5 && y <= 0.5)) / 5.0;
        t += 1;
        if y >= 0.5 {
            break (t + 4) / 5;
        }
    };
    assert_eq!(
        (p.episodes, p.reached, p.entered, p.reached_and_clear),
        (1, 1.0, 1.0, 0.0)
    );
    assert_eq!(p.decisions, f64::from(ended));
    assert!((p.reward - 0.95_f64.powi(ended - 1)).abs() < 1e-12);
    assert!((p.cost - cost).abs() < 1e-12, "{} {cost}", p.cost);
}

#[test]
fn a_decision_inside_costs_the_penalty() {
    let outcome = |reward, cost| Outcome {
        reward,
        cost,
        ..Outcome::default()
    };
    assert_eq!(worth(&outcome(0.0, 5), 1.0, 5), -1.0);
    assert_eq!(worth(&outcome(1.0, 2), 0.5, 5), 0.8);
    assert_eq!(worth(&outcome(1.0, 5), 0.0, 5), 1.0);
}

#[test]
fn practice_starts_anywhere_in_the_open_at_any_speed() {
    let maze = maze("point-maze");
    let mut stream = Stream::new(1, "anywhere");
    let balls: Vec<Ball> = (0..2000).map(|_| anywhere(&maze, &mut stream)).collect();
    for ball in &balls {
        let (row, column) = maze.map().cell_at(ball.position).unwrap();
        assert!(!maze.map().is_wall(row, column) && !maze.at_goal(ball.position));
        assert!(ball.velocity.iter().all(|v| v.abs() <= 5.2));
    }
    let inside = balls.iter().filter(|b| maze.in_constraint(b.position));
    // One of eight cells, the goal's less its disc: about one of 7.3.
    let share = inside.count() as f64 / 2000.0;
    assert!((0.1..0.18).contains(&share), "{share}");
}

#[test]
fn lanes_step_together_and_start_again() {
    let maze = maze("point-maze");
    let mut practice = MazePractice::new(&maze, 16, 1.0, 2);
    let mut steps = Steps::new(16, FEATURES);
    let (mut before, mut after) = (vec![0.0; 16 * FEATURES], vec![0.0; 16 * FEATURES]);
    let (mut restarts, mut ends) = (0, 0);
    for t in 0..300 {
        practice.observe(&mut before);
        practice.step(&[t % 8; 16], &mut steps);
        practice.observe(&mut after);
        for lane in 0..16 {
            let row = lane * FEATURES..(lane + 1) * FEATURES;
            let restarted = steps.restarted[lane];
            assert_eq!(after[row.clone()] != steps.next[row], restarted);
            assert!(restarted || !steps.ended[lane]);
            assert!(steps.reward[lane] > 0.0 || !steps.ended[lane]);
            restarts += usize::from(restarted);
            ends += usize::from(steps.ended[lane]);
        }
    }
    assert!(restarts > 100 && ends > 5, "{restarts} {ends}");
}

fn short() -> Settings {
    let mut settings = Settings::default();
    settings.dqn.updates = 30;
    settings.dqn.batch = 32;
    settings.dqn.warmup = 500;
    settings.dqn.hidden = vec![16, 16];
    settings.test_every = 15;
    settings.test_episodes = 5;
    settings
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let maze = maze("point-maze");
    let bytes = |seed| {
        let trained = train(&maze, &short(), seed, true, &mut |_| true).unwrap();
        assert!(!trained.interrupted);
        trained.expert.network().bytes().unwrap()
    };
    assert_eq!(bytes(1), bytes(1));
    assert_ne!(bytes(1), bytes(2));
}

#[test]
fn training_can_be_stopped() {
    let maze = maze("point-maze");
    let mut calls = 0;
    let trained = train(&maze, &short(), 1, true, &mut |p| {
        calls += 1;
        p.updates < 3
    });
    assert!(trained.unwrap().interrupted);
    assert_eq!(calls, 3);
}

#[test]
fn experts_say_where_they_come_from_and_refuse_other_mazes() {
    let (one, two) = (maze("point-maze"), maze("point-maze-two"));
    let network = shipped(&one, true).unwrap().network().clone();
    for (note, value) in [
        ("maze", "point-maze"),
        ("hold", "5"),
        ("constrained", "true"),
    ] {
        assert_eq!(network.notes[note], value);
    }
    let message = Expert::new(network.clone(), &two).unwrap_err().to_string();
    assert!(
        message.contains("trained in the maze `point-maze`"),
        "{message}"
    );
    let bare = Network {
        notes: Default::default(),
        ..network
    };
    let message = Expert::new(bare, &one).unwrap_err().to_string();
    assert!(
        message.starts_with("note `fingerprint`: it is missing"),
        "{message}"
    );
}

#[test]
fn features_of_a_state_are_finite_and_small() {
    let maze = maze("point-maze-two");
    let f = features(&[2.9, -1.4, -5.3, 5.3], maze.map());
    assert!(f.iter().all(|x| x.abs() <= 1.5), "{f:?}");
}
