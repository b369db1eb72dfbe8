//! Planning with the true physics.

use hedgerow::seed::Stream;
use hedgerow_continuous::expert::play::count;
use hedgerow_continuous::maze::{Maze, State, builtin};
use hedgerow_continuous::plan::Planner;
use std::sync::Arc;

fn cells(maze: &Maze, cost: f64) -> Vec<f64> {
    let columns = maze.map().columns();
    let mut cells = vec![0.0; maze.map().rows() * columns];
    for (row, column) in maze.constraint_cells() {
        cells[row * columns + column] = cost;
    }
    cells
}

#[test]
fn the_best_agent_takes_the_short_cut_unless_it_costs() {
    for name in builtin::NAMES {
        let maze = Arc::new(builtin::maze(name).unwrap());
        let planner = Planner::new(&maze, 0.2, 9).unwrap();
        let played = |cost: f64| {
            let plan = planner.solve(&cells(&maze, cost)).unwrap();
            let mut act = |state: &State| planner.action(&plan, state);
            let stream = Stream::new(3, "test");
            count(&maze, &mut act, stream, &mut (0..100).map(|_| None))
        };
        let (free, kept) = (played(0.0), played(1.0));
        assert_eq!((free.reached, free.entered), (1.0, 1.0), "{name}");
        assert_eq!((kept.reached, kept.entered), (1.0, 0.0), "{name}");
        assert!(free.reward > 1.5 * kept.reward, "{name}");
        assert!(kept.cost == 0.0 && free.cost > 0.5, "{name}");
    }
}

#[test]
fn values_are_discounts_to_the_goal_and_charges_never_raise_them() {
    let maze = builtin::maze("point-maze").unwrap();
    let planner = Planner::new(&maze, 0.2, 5).unwrap();
    let [free, kept] = [0.0, 1.0].map(|cost| planner.solve(&cells(&maze, cost)).unwrap());
    // Half a metre below the goal's circle at full speed upwards: one decision.
    let near = planner.values(&free, &[-1.0, 0.4, 0.0, 5.0]);
    assert!((near[0] - 1.0).abs() < 1e-9, "{near:?}");
    for x in [-1.2, -0.8, 0.4, 1.2] {
        for vy in [-3.0, 0.0, 3.0] {
            let state = [x, -1.0, 0.0, vy];
            let (a, b) = (planner.values(&free, &state), planner.values(&kept, &state));
            for (a, b) in a.iter().zip(&b) {
                assert!((0.0..=1.0).contains(a) && b <= &(a + 1e-6), "{a} {b}");
            }
        }
    }
}
