//! Continuous worlds of any kind: spaces, experts, copies, and the maze as one of them.

use hedgerow_continuous::expert::{ExpertMaze, shipped};
use hedgerow_continuous::maze::builtin;
use hedgerow_continuous::net::Mlp;
use hedgerow_continuous::world::{
    ContinuousWorld, Coordinate, Expert, NetworkPolicy, Policy, Space, Trajectories, Trajectory,
    VecSteps, WorldSpec,
};
use std::sync::Arc;

fn maze_world() -> ExpertMaze {
    let maze = Arc::new(builtin::maze("point-maze").unwrap());
    let expert = shipped(&maze, true).unwrap();
    ExpertMaze::new(&maze, expert)
}

fn spec() -> WorldSpec {
    WorldSpec {
        name: "small".into(),
        observation: Space::Box(vec![Coordinate::new("x", "m", 0.0, 4.0)]),
        action: Space::Box(vec![
            Coordinate::new("a", "", -1.0, 1.0),
            Coordinate::new("b", "", 0.0, 10.0),
        ]),
        gamma: 0.9,
        horizon: 5,
    }
}

#[test]
fn distances_and_inputs_are_worked_out_by_hand() {
    let spec = spec();
    // Differences of 1 of 2 and 5 of 10: half of each range.
    assert_eq!(spec.action.distance(&[-1.0, 0.0], &[0.0, 5.0]), 0.5);
    let mut inputs = [9.0; 2];
    spec.action.encode(&[0.5, 0.0], &mut inputs);
    assert_eq!(inputs, [0.5, -1.0]);
    let choice = Space::Discrete(vec!["left".into(), "right".into(), "stay".into()]);
    assert_eq!((choice.len(), choice.inputs()), (1, 3));
    assert_eq!(choice.distance(&[1.0], &[2.0]), 1.0);
    let mut inputs = [9.0; 3];
    choice.encode(&[1.0], &mut inputs);
    assert_eq!(inputs, [0.0, 1.0, 0.0]);
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let message = |change: &dyn Fn(&mut WorldSpec)| {
        let mut spec = spec();
        change(&mut spec);
        spec.check().unwrap_err().to_string()
    };
    assert!(message(&|s| s.gamma = 1.0).contains("its discount is 1"));
    assert!(message(&|s| s.horizon = 0).contains("no decisions"));
    let endless = |s: &mut WorldSpec| {
        s.action = Space::Box(vec![Coordinate::new("push", "N", 0.0, f64::INFINITY)]);
    };
    assert!(message(&endless).contains("`push` goes from 0 to inf"));
    let choice = Space::Discrete(vec!["left".into()]);
    let wrong = choice.check_value("action", &[1.0]).unwrap_err();
    assert!(wrong.to_string().contains("1 is no index of 1 names"));
    let short = Trajectory {
        observations: vec![0.0],
        actions: vec![0.0, 1.0],
        rewards: vec![1.0],
        ended: true,
    };
    let wrong = Trajectories::new(vec![short], &spec()).unwrap_err();
    assert!(wrong.to_string().contains("trajectory 0"), "{wrong}");
    let net = Mlp::new(&[1, 1], vec![0.0; 2]).unwrap();
    let wrong = NetworkPolicy::new(net, &spec()).unwrap_err();
    assert!(wrong.to_string().contains("takes 1 to 2"), "{wrong}");
}

#[test]
fn a_network_is_an_expert_whose_outputs_span_the_bounds() {
    // Outputs: x as it is scaled, and a constant 0.5.
    let net = Mlp::new(&[1, 2], vec![1.0, 0.0, 0.0, 0.5]).unwrap();
    let policy = NetworkPolicy::new(net, &spec()).unwrap();
    let mut action = [0.0; 2];
    policy.act(&[3.0], &mut action).unwrap();
    assert_eq!(action, [0.5, 7.5]);
    policy.act(&[9.0], &mut action).unwrap();
    assert_eq!(action[0], 1.0);
}

#[test]
fn the_expert_of_the_maze_reaches_the_goal_through_the_trait() {
    let world = maze_world();
    world.spec().check().unwrap();
    let Expert::Policy(expert) = world.expert().unwrap() else {
        panic!("the maze has a network");
    };
    let mut episodes = world.episodes(7, "test").unwrap();
    let (mut observation, mut action) = ([0.0; 4], [0.0]);
    episodes.reset(&mut observation).unwrap();
    let mut cost = 0.0;
    let last = loop {
        expert.act(&observation, &mut action).unwrap();
        let fork = episodes.fork();
        let step = episodes.step(&action, &mut observation).unwrap();
        // A copy goes on as the original does, noise included.
        let mut copied = [0.0; 4];
        let other = fork.unwrap().step(&action, &mut copied).unwrap();
        assert_eq!((other, copied), (step, observation));
        cost += step.cost.unwrap();
        if step.done() {
            break step;
        }
    };
    assert!(last.ended && last.reward == 1.0 && cost == 0.0);
}

#[test]
fn the_true_cost_of_the_maze_is_that_of_its_steps() {
    let world = maze_world();
    let [row, column] = world.maze().constraint_cells()[..1]
        .iter()
        .map(|&(r, c)| [r, c])
        .next()
        .unwrap();
    let [x, y] = world.maze().map().cell_centre(row, column);
    assert_eq!(world.true_cost(&[x, y, 0.0, 0.0], &[0.0]), Some(1.0));
    let [x, y] = world.maze().starts()[0];
    assert_eq!(world.true_cost(&[x, y, 0.0, 0.0], &[0.0]), Some(0.0));
}

#[test]
fn copies_begin_again_by_themselves_and_keep_what_came_before() {
    let world = maze_world();
    let mut copies = world.copies(3, 7).unwrap();
    let mut out = VecSteps::default();
    let Expert::Policy(expert) = world.expert().unwrap() else {
        panic!("the maze has a network");
    };
    let mut ended = 0;
    for _ in 0..60 {
        let mut actions = vec![0.0; 3];
        for (row, action) in copies.observations().chunks(4).zip(actions.chunks_mut(1)) {
            expert.act(row, action).unwrap();
        }
        copies.step(&actions, &mut out).unwrap();
        for (i, step) in out.steps.iter().enumerate() {
            let row = 4 * i..4 * (i + 1);
            let same = out.next[row.clone()] == copies.observations()[row];
            assert_eq!(same, !step.done());
            ended += usize::from(step.ended);
        }
    }
    assert!(ended >= 3, "{ended}");
    assert!(copies.step(&[0.0], &mut out).is_err());
}
