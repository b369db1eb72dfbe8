//! What a learner concludes from samples made by hand.

use hedgerow_continuous::learn::{
    Braking, CostInference, KnownWorld, Learner, Sample, ValueEstimate,
};
use hedgerow_continuous::maze::{State, builtin};

const GAMMA: f64 = 0.9;
const RIGHT: u8 = 3;
const UP: u8 = 0;

fn learner() -> Learner {
    let maze = builtin::maze("point-maze").unwrap();
    let known = KnownWorld {
        map: maze.map().clone(),
        gamma: GAMMA,
        seconds: 0.05,
    };
    Learner::new(known, CostInference::default(), "smooth").unwrap()
}

fn at(x: f64, y: f64) -> State {
    [x, y, 0.0, 0.0]
}

/// An episode through these places, at rest in each, with these actions of learner and expert; the
/// last place is the goal if it `terminated`.
fn episode(learner: &mut Learner, places: &[State], actions: &[(u8, u8)], terminated: bool) {
    for (i, &(action, expert)) in actions.iter().enumerate() {
        let last = i + 1 == actions.len();
        learner.observe(Sample {
            state: places[i],
            action,
            expert,
            next: places[i + 1],
            reward: f64::from(u8::from(last && terminated)),
            terminated: last && terminated,
            last,
        });
    }
}

/// The expert's path: ten decisions along the lower corridor, of which the last one pays.
fn experts_path(learner: &mut Learner) {
    let places: Vec<State> = (0..11)
        .map(|i| at(-1.4 + 0.28 * f64::from(i), -1.0))
        .collect();
    episode(learner, &places, &[(RIGHT, RIGHT); 10], true);
}

#[test]
fn the_value_of_the_experts_path_is_its_discount() {
    let mut learner = learner();
    experts_path(&mut learner);
    learner.refresh();
    for i in 0..10 {
        let known = learner.fitted_value().at_state_of(i).unwrap();
        let expected = GAMMA.powi(9 - i as i32);
        // Nodes around a sample are shared with its neighbours, one decision away.
        assert!(
            (known.value - expected).abs() < 0.1 * expected + 0.02,
            "{i}: {known:?}"
        );
    }
    assert_eq!(learner.fitted_value().at(&at(1.0, 1.0)), None);
}

#[test]
fn returns_end_at_the_first_action_that_is_not_the_experts_and_bootstrap_from_the_fitted_value() {
    let mut learner = learner();
    for _ in 0..20 {
        experts_path(&mut learner);
    }
    // One expert's decision into the path above, then something else.
    let places = [at(-1.4, -0.6), at(-0.84, -1.0), at(-0.84, -0.6)];
    episode(&mut learner, &places, &[(RIGHT, RIGHT), (UP, RIGHT)], false);
    learner.refresh();
    let i = learner.samples().len() - 2;
    let ahead = learner.fitted_value().at_next_of(i).unwrap().value;
    let here = learner.fitted_value().at_state_of(i).unwrap().value;
    assert!((ahead - GAMMA.powi(7)).abs() < 0.03, "{ahead}");
    assert!((here - GAMMA * ahead).abs() < 0.1, "{here}");
}

#[test]
fn a_short_cut_that_the_expert_avoids_has_a_cost_and_its_point_lies_where_it_leads() {
    let mut learner = learner();
    for _ in 0..30 {
        experts_path(&mut learner);
    }
    // Up from the start, then the expert goes on upwards and is there in two decisions.
    let short = [at(-1.4, -1.0), at(-1.4, -0.3), at(-1.4, 0.1), at(-1.4, 0.5)];
    for _ in 0..3 {
        episode(
            &mut learner,
            &short,
            &[(UP, RIGHT), (UP, UP), (UP, UP)],
            true,
        );
    }
    learner.refresh();
    let i = learner.samples().len() - 3;
    let advantage = learner.advantages()[i].unwrap();
    let expected = GAMMA * GAMMA - GAMMA.powi(9);
    assert!((advantage.value - expected).abs() < 0.06, "{advantage:?}");
    assert!(learner.costs()[i] > 0.3);
    let points = learner.cost_points();
    assert_eq!(points.len(), 3);
    assert_eq!(&points[0][..2], [-1.4, -0.3]);
    let columns = 5;
    let cells = learner.cell_costs();
    assert!(cells.cost[2 * columns + 1] > 0.0);
    assert_eq!(cells.cost.iter().filter(|c| **c > 0.0).count(), 1);
    assert_eq!(cells.constrained[2 * columns + 1], 3);
    let costs = learner.costs_at(&at(-1.4, -1.0));
    assert!(costs[usize::from(UP)] > 0.3 && costs[usize::from(RIGHT)] == 0.0);
    assert_eq!(learner.costs_at(&at(1.0, 1.0)), [0.0; 8]);
}

#[test]
fn what_the_expert_chooses_itself_is_not_forbidden() {
    let mut learner = learner();
    for _ in 0..30 {
        experts_path(&mut learner);
    }
    let short = [at(-1.4, -1.0), at(-1.4, -0.3), at(-1.4, 0.1), at(-1.4, 0.5)];
    for i in 0..40 {
        // Here the expert itself goes up in every other case.
        let own = if i % 2 == 0 { UP } else { RIGHT };
        episode(&mut learner, &short, &[(UP, own), (UP, UP), (UP, UP)], true);
    }
    learner.refresh();
    assert!(learner.costs().iter().all(|c| *c == 0.0));
}

#[test]
fn a_cost_needs_an_advantage_above_its_width_and_the_margin() {
    let inference = CostInference {
        margin: 0.1,
        z: 2.0,
        share: 0.1,
    };
    let known = |value: f64, error: f64| ValueEstimate {
        value,
        variance: error * error,
    };
    // 0.9 * 0.8 - 0.5 = 0.22; the width is 2 sqrt(0.06^2 + 0.81 * 0.05^2) = 0.15.
    let a = inference.advantage(0.0, 0.9, known(0.5, 0.06), known(0.8, 0.05));
    assert!((a.value - 0.22).abs() < 1e-12);
    assert!((a.width - 2.0 * (0.0036_f64 + 0.81 * 0.0025).sqrt()).abs() < 1e-12);
    assert_eq!(inference.cost(a), 0.0);
    let a = inference.advantage(0.0, 0.9, known(0.5, 0.01), known(0.8, 0.01));
    assert_eq!(inference.cost(a), a.value);
}

#[test]
fn a_ball_stops_half_the_decisions_ahead_that_braking_takes() {
    let maze = builtin::maze("point-maze").unwrap();
    let mut braking = Braking::new(0.05);
    let state = [-1.0, -1.0, 0.0, 3.0];
    // Nothing known of braking: where it is.
    assert_eq!(braking.stopping_point(maze.map(), &state), [-1.0, -1.0]);
    let sample = |change: f64| Sample {
        state: [0.0, -1.0, 0.0, 0.0],
        action: 0,
        expert: 0,
        next: [0.0, -1.0, 0.0, change],
        reward: 0.0,
        terminated: false,
        last: false,
    };
    // A wall once in a while does not matter.
    for change in [1.2, 1.2, 1.2, 1.2, 5.0] {
        braking.observe(&sample(change));
    }
    assert_eq!(braking.change(), Some(1.2));
    // 3 m/s take 2.5 decisions of 0.05 s to stop, at half the speed on average: 0.1875 m.
    let [x, y] = braking.stopping_point(maze.map(), &state);
    assert!(x == -1.0 && (y + 0.8125).abs() < 1e-12, "{x}, {y}");
    // Into the wall at x = -1.5 it does not go; along it, it does.
    let [x, y] = braking.stopping_point(maze.map(), &[-1.4, -1.0, -3.0, 3.0]);
    assert!(x > -1.5 && x <= -1.4 && y > -0.8, "{x}, {y}");
}

/// A maze of 21 by 21 cells: its tables are coarser, and no larger than those of a small one.
#[test]
fn tables_of_a_large_maze_are_bounded() {
    let line = |row: usize| {
        let open = |column: usize| match (row, column) {
            (0 | 20, _) | (_, 0 | 20) => '#',
            (1, 1) => 'S',
            (1, 6) => 'G',
            (row, column) if row % 2 == 0 && column % 2 == 0 => '#',
            _ => '.',
        };
        (0..21).map(open).collect::<String>()
    };
    let lines: Vec<String> = (0..21).map(line).collect();
    let text = format!(
        "kind = \"maze\"\nmap = \"\"\"\n{}\n\"\"\"\n",
        lines.join("\n")
    );
    let maze = hedgerow_continuous::maze::file::parse(&text, "large").unwrap();
    let known = KnownWorld {
        map: maze.map().clone(),
        gamma: GAMMA,
        seconds: 0.05,
    };
    let learner = Learner::new(known, CostInference::default(), "smooth").unwrap();
    let nodes = learner.fitted_value().resolutions().iter();
    let nodes: Vec<usize> = nodes.map(|r| r.lattice().nodes()).collect();
    // Fifty-seven bytes a node and resolution, and sixty-four more in the middle one for the density.
    let bytes = 57 * nodes.iter().sum::<usize>() + 64 * nodes[1];
    assert!(nodes[0] <= 600_000, "{nodes:?}");
    assert!(bytes < 64_000_000, "{bytes} bytes for {nodes:?}");
}
