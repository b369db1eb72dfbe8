//! The physics of the ball: against recordings of the real environment, and by hand.

use hedgerow_continuous::maze::contact::{Contact, Contacts};
use hedgerow_continuous::maze::physics::{GEAR, MASS, STEP};
use hedgerow_continuous::maze::{Ball, FORCES, Map, Physics, replay};
use proptest::prelude::*;
use std::path::Path;

fn map(lines: &[&str]) -> Map {
    let walls = |line: &&str| line.chars().map(|c| c == '#').collect();
    let walls: Vec<Vec<bool>> = lines.iter().map(walls).collect();
    Map::new(&walls, 1.0).unwrap()
}

/// An open room of 3 m x 3 m; its walls begin at 1.5 m.
fn room() -> Physics {
    Physics::new(&map(&["#####", "#...#", "#...#", "#...#", "#####"]))
}

/// The ring of the Point Maze.
fn ring() -> Physics {
    Physics::new(&map(&["#####", "#...#", "#.#.#", "#...#", "#####"]))
}

fn at(x: f64, y: f64, vx: f64, vy: f64) -> Ball {
    Ball {
        position: [x, y],
        velocity: [vx, vy],
    }
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} for {b}");
}

#[test]
fn recordings_of_the_real_environment_are_matched() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/pointmaze_reference.json"
    );
    let recorded = replay::open(Path::new(file)).unwrap();
    assert_eq!(recorded.len(), 11);
    for trajectory in recorded {
        let errors = trajectory.replay().unwrap();
        println!("{errors:?}");
        assert_eq!(errors.steps, 200);
        assert!(errors.max_position_error < 1e-5, "{errors:?}");
        assert!(errors.max_velocity_error < 1e-5, "{errors:?}");
    }
}

#[test]
fn free_flight_follows_its_formula() {
    let mut ball = at(0.0, 0.0, 1.0, -2.0);
    room().step(&mut ball, [0.5, -0.25]);
    let vx = 1.0 + 0.01 * (50.0 - 1.0) / (MASS + 0.01);
    let vy = -2.0 + 0.01 * (-25.0 + 2.0) / (MASS + 0.01);
    near(ball.velocity[0], vx);
    near(ball.velocity[1], vy);
    near(ball.position[0], 0.01 * vx);
    near(ball.position[1], 0.01 * vy);
}

#[test]
fn drag_slows_a_ball_by_a_fixed_share() {
    // v' = v (1 - h/(m + h)) = v m/(m + h).
    let mut ball = at(0.0, 0.0, 0.5, 0.0);
    for _ in 0..100 {
        room().step(&mut ball, [0.0; 2]);
    }
    near(ball.velocity[0], 0.5 * (MASS / (MASS + STEP)).powi(100));
}

#[test]
fn actions_are_clipped_per_axis() {
    let (mut much, mut one) = (Ball::default(), Ball::default());
    room().step(&mut much, [7.0, -3.0]);
    room().step(&mut one, [1.0, -1.0]);
    assert_eq!(much, one);
    near(one.velocity[0], STEP * GEAR / (MASS + STEP));
}

#[test]
fn velocity_is_clipped_before_a_step_and_never_after() {
    let mut ball = at(-1.0, 0.0, 9.0, -9.0);
    room().step(&mut ball, [1.0, 0.0]);
    // From 5, not 9; and above 5 afterwards.
    let v = 5.0 + 0.01 * (100.0 - 5.0) / (MASS + 0.01);
    assert!(v > 5.2);
    near(ball.velocity[0], v);
    near(ball.position[0], -1.0 + 0.01 * v);
    near(ball.velocity[1], -5.0 + 0.01 * 5.0 / (MASS + 0.01));
}

#[test]
fn a_contact_is_active_below_the_margin_only() {
    let contacts = |x: f64| room().contacts([x, 0.0], [0.0; 2]).as_slice().to_vec();
    // The gap is 1.5 - x - 0.1.
    assert!(contacts(1.4 - 0.004_001).is_empty());
    let [contact] = contacts(1.4 - 0.003_999)[..] else {
        panic!("one wall")
    };
    assert_eq!(contact.normal, [-1.0, 0.0]);
    // r = -1e-6, u = 1e-3, y = 2e-6: k = 0.9 + 1e-7.
    let k = 0.9 + 0.05 * 2e-6;
    assert!((contact.weight - k / (1.0 - k)).abs() < 1e-6, "{contact:?}");
    let wanted = k * 1e-6 / (0.019 * 0.019);
    assert!((contact.wanted - wanted).abs() < 1e-9, "{contact:?}");
}

#[test]
fn a_wall_pushes_by_the_formula() {
    // Touching the right wall with gap 0: r = -0.004, so k = 0.95, and 1 m/s into it.
    let mut ball = at(1.4, 0.0, 1.0, 0.0);
    room().step(&mut ball, [1.0, 0.0]);
    let (k, free) = (0.95, (100.0 - 1.0) / MASS);
    let wanted = 2.0 / 0.019 + k * 0.004 / (0.019 * 0.019);
    let weight = k / (1.0 - k);
    // Along the outward normal: minimises (a - a0)^2 + weight (a - wanted)^2, a0 = -free.
    let a = (-free + weight * wanted) / (1.0 + weight);
    let v = 1.0 - STEP * MASS * a / (MASS + STEP);
    assert!((ball.velocity[0] - v).abs() < 1e-9, "{ball:?} for {v}");
    assert_eq!(ball.velocity[1], 0.0);
}

#[test]
fn a_wall_that_is_left_fast_enough_does_not_pull() {
    let mut ball = at(1.4, 0.0, -3.0, 0.0);
    let mut free = at(0.0, 0.0, -3.0, 0.0);
    room().step(&mut ball, [0.0; 2]);
    room().step(&mut free, [0.0; 2]);
    assert_eq!(ball.velocity, free.velocity);
}

#[test]
fn head_on_is_the_same_on_all_four_sides() {
    let physics = room();
    let mut balls = [Ball::default(); 4];
    let forces = [0, 1, 2, 3].map(|i: usize| FORCES[i].1);
    for _ in 0..200 {
        physics.steps(&mut balls, &forces);
        let [up, down, left, right] = balls;
        assert_eq!(up.position[1], -down.position[1]);
        assert_eq!(right.position[0], -left.position[0]);
        assert!((up.position[1] - right.position[0]).abs() < 1e-12);
        assert_eq!(up.position[0], 0.0);
    }
    // At rest against the wall, pressed in a little.
    let right = balls[3];
    assert!(right.velocity[0].abs() < 1e-6, "{right:?}");
    assert!((1.396..1.41).contains(&right.position[0]), "{right:?}");
}

#[test]
fn seams_between_boxes_are_felt() {
    // Boxes meet at y = 0.5: there the ball touches both, elsewhere along the wall one.
    let on_wall = |y: f64| room().contacts([1.4, y], [0.0; 2]).as_slice().len();
    assert_eq!(on_wall(0.0), 1);
    assert_eq!(on_wall(0.5 - 1e-9), 2);
    assert_eq!(on_wall(0.5 + 1e-9), 2);
    // At 0.03 m the further box is sqrt(0.1^2 + 0.03^2) = 0.1044 m away: beyond the margin.
    assert_eq!(on_wall(0.5 - 0.03), 1);
    assert_eq!(on_wall(0.5 - 0.028), 2);
    // Two pushes are harder than one.
    let push = |y: f64| {
        let mut ball = at(1.4, y, 0.0, 0.0);
        room().step(&mut ball, [1.0, 0.0]);
        ball.velocity[0]
    };
    assert!(push(0.5) < push(0.0) - 1e-3, "{} {}", push(0.5), push(0.0));
    // In a corner of the room: two walls and the corner's box, whose nearest point is 0.14 m away.
    let corner = room().contacts([1.4, 1.4], [0.0; 2]);
    assert_eq!(corner.as_slice().len(), 2);
    let deep = room().contacts([1.43, 1.43], [0.0; 2]);
    assert_eq!(deep.as_slice().len(), 3);
}

#[test]
fn a_convex_corner_pushes_along_the_line_to_it() {
    // The block of the ring has a corner at (0.5, 0.5).
    let contacts = ring().contacts([0.56, 0.58], [0.0; 2]);
    let [contact] = contacts.as_slice() else {
        panic!("one corner")
    };
    near(contact.normal[0], 0.6);
    near(contact.normal[1], 0.8);
}

#[test]
fn a_ball_put_into_a_wall_is_pushed_out_of_the_nearest_face() {
    let contact = Contact::of_box([0.3, -0.45], [0.0; 2], [0.0; 2], 0.5).unwrap();
    assert_eq!(contact.normal, [0.0, -1.0]);
    let mut ball = at(0.0, 0.45, 0.0, 0.0);
    for _ in 0..500 {
        ring().step(&mut ball, [0.0; 2]);
    }
    assert!((0.59..1.0).contains(&ball.position[1]), "{ball:?}");
}

#[test]
fn cells_of_another_size_are_the_same_maze_further_apart() {
    let walls = vec![vec![true; 3], vec![true, false, true], vec![true; 3]];
    let physics = Physics::new(&Map::new(&walls, 2.0).unwrap());
    // A cell of 2 m: walls begin at 1 m.
    assert!(
        physics
            .contacts([0.895, 0.0], [0.0; 2])
            .as_slice()
            .is_empty()
    );
    assert_eq!(physics.contacts([0.897, 0.0], [0.0; 2]).as_slice().len(), 1);
}

#[test]
fn outside_the_map_a_ball_flies_freely() {
    let mut ball = at(50.0, -70.0, 1.0, 0.0);
    room().step(&mut ball, [0.0; 2]);
    near(ball.velocity[0], MASS / (MASS + STEP));
}

#[test]
fn forces_are_units_in_the_order_of_the_moves_of_grids() {
    let grid = hedgerow::io::open("gridworld-1").unwrap();
    let names: Vec<&str> = FORCES.iter().map(|f| f.0).collect();
    assert_eq!(grid.task().action_names(), names);
    for (name, [x, y]) in FORCES {
        near(x * x + y * y, 1.0);
        assert_eq!(name.contains("up"), y > 0.0);
        assert_eq!(name.contains("down"), y < 0.0);
        assert_eq!(name.contains("left"), x < 0.0);
        assert_eq!(name.contains("right"), x > 0.0);
    }
}

/// How deep the centre of the ball, less its radius, is in the walls of `physics`.
fn overlap(physics: &Physics, x: [f64; 2]) -> f64 {
    let map = physics.map();
    let mut most: f64 = 0.0;
    for row in 0..map.rows() {
        for column in 0..map.columns() {
            if map.is_wall(row, column) {
                let c = map.cell_centre(row, column);
                let out = [0, 1].map(|i: usize| ((x[i] - c[i]).abs() - 0.5).max(0.0));
                most = most.max(0.1 - out[0].hypot(out[1]));
            }
        }
    }
    most
}

fn contact() -> impl Strategy<Value = Contact> {
    (0.0..std::f64::consts::TAU, -300.0..300.0, 9.0..19.0).prop_map(|(angle, wanted, weight)| {
        Contact {
            normal: [f64::cos(angle), f64::sin(angle)],
            wanted,
            weight,
        }
    })
}

proptest! {
    #[test]
    fn a_ball_never_ends_up_in_a_wall(
        pushes in prop::collection::vec((-1.5..1.5_f64, -1.5..1.5_f64), 40),
        hold in 1..40_usize,
        cell in 0..8_usize,
        off in (-0.4..0.4_f64, -0.4..0.4_f64),
        speed in (-9.0..9.0_f64, -9.0..9.0_f64),
    ) {
        let physics = ring();
        let (row, column) = physics.map().open_cells().nth(cell).unwrap();
        let [x, y] = physics.map().cell_centre(row, column);
        let mut ball = at(x + off.0, y + off.1, speed.0, speed.1);
        for (ax, ay) in pushes {
            for _ in 0..hold {
                physics.step(&mut ball, [ax, ay]);
                let deep = overlap(&physics, ball.position);
                prop_assert!(deep < 0.1, "{deep} at {ball:?}");
                prop_assert!(physics.map().cell_at(ball.position).is_some());
            }
        }
    }

    #[test]
    fn without_a_force_no_energy_comes_from_nowhere(
        x in -1.35..1.35_f64, y in -1.35..1.35_f64,
        vx in -5.0..5.0_f64, vy in -5.0..5.0_f64,
    ) {
        // Walls are soft: they hold at most what pushing the ball out again by its overlap takes,
        // and give back no more than they were given.
        let physics = room();
        let mut ball = at(x, y, vx, vy);
        let energy = |b: &Ball| b.velocity[0].powi(2) + b.velocity[1].powi(2);
        let mut last = energy(&ball);
        let first = last;
        for _ in 0..300 {
            let free = physics.contacts(ball.position, ball.velocity).as_slice().is_empty();
            physics.step(&mut ball, [0.0; 2]);
            let now = energy(&ball);
            if free {
                prop_assert!(now <= last, "{now} after {last}");
            }
            prop_assert!(now <= first + 1e-9, "{now} after {first} at first");
            last = now;
        }
    }

    #[test]
    fn a_batch_is_its_balls_one_by_one(
        starts in prop::collection::vec((-1.4..1.4_f64, -1.4..1.4_f64, -5.0..5.0_f64), 1..20),
        push in (-1.0..1.0_f64, -1.0..1.0_f64),
    ) {
        let physics = room();
        let mut balls: Vec<Ball> = starts.iter().map(|&(x, y, v)| at(x, y, v, -v)).collect();
        let mut single = balls.clone();
        let action = |i: usize| [push.0 / (1.0 + i as f64), push.1];
        let actions: Vec<_> = (0..balls.len()).map(action).collect();
        for _ in 0..50 {
            physics.steps(&mut balls, &actions);
            for (ball, &action) in single.iter_mut().zip(&actions) {
                physics.step(ball, action);
            }
        }
        prop_assert_eq!(balls, single);
    }

    #[test]
    fn no_acceleration_nearby_is_better_than_the_one_found(
        contacts in prop::collection::vec(contact(), 1..=4),
        free in (-50.0..50.0_f64, -50.0..50.0_f64),
        angle in 0.0..std::f64::consts::TAU,
    ) {
        let free = [free.0, free.1];
        let mut all = Contacts::default();
        contacts.iter().for_each(|&c| all.push(c));
        let found = all.acceleration(free);
        let objective = |a: [f64; 2]| {
            let push = |c: &Contact| {
                let short = c.normal[0] * a[0] + c.normal[1] * a[1] - c.wanted;
                c.weight / 2.0 * short.min(0.0).powi(2)
            };
            let away = (a[0] - free[0]).powi(2) + (a[1] - free[1]).powi(2);
            away / 2.0 + contacts.iter().map(push).sum::<f64>()
        };
        // The objective is strictly convex with curvature at least 1.
        for step in [1e-3, 1e-1, 10.0] {
            let other = [found[0] + step * angle.cos(), found[1] + step * angle.sin()];
            let least = objective(found) + step * step / 2.0;
            prop_assert!(objective(other) >= least - 1e-7 * (1.0 + least), "{step}");
        }
    }
}
