//! Interpolation on a lattice.

use hedgerow_continuous::lattice::Lattice;
use hedgerow_continuous::maze::{State, builtin};
use proptest::prelude::*;

fn lattice(spacing: f64, speeds: usize) -> Lattice {
    let maze = builtin::maze("point-maze").unwrap();
    Lattice::new(maze.map(), spacing, speeds).unwrap()
}

#[test]
fn the_ring_has_a_node_wherever_the_ball_fits() {
    // Positions 0.2 m apart from -2.4 on: 15 by 15 between the outer walls, less 5 by 5 within
    // 0.1 m of the inner one; 3 by 3 speeds each.
    let lattice = lattice(0.2, 3);
    assert_eq!(lattice.nodes(), (15 * 15 - 5 * 5) * 9);
    for node in 0..lattice.nodes() {
        let [x, y, vx, vy] = lattice.state(node);
        assert!(x.abs().max(y.abs()) < 1.41 && x.abs().max(y.abs()) > 0.59);
        assert!([-5.0, 0.0, 5.0].contains(&vx) && [-5.0, 0.0, 5.0].contains(&vy));
        let around: Vec<_> = lattice.around(&[x, y, vx, vy]).iter().collect();
        let own: f64 = around.iter().filter(|a| a.0 == node).map(|a| a.1).sum();
        assert!((own - 1.0).abs() < 1e-9, "{around:?}");
    }
}

#[test]
fn a_state_halfway_between_nodes_is_their_mean() {
    let lattice = lattice(0.2, 3);
    let values: Vec<f64> = (0..lattice.nodes()).map(|n| lattice.state(n)[0]).collect();
    let between = lattice.around(&[-0.9, -1.0, 2.5, 2.5]);
    let heavy: Vec<_> = between.iter().filter(|(_, w)| *w > 1e-6).collect();
    assert_eq!(heavy.len(), 8);
    assert!(heavy.iter().all(|(_, w)| (w - 0.125).abs() < 1e-6));
    assert!((between.mean(&values) + 0.9).abs() < 1e-9);
}

#[test]
fn nodes_in_walls_do_not_count() {
    let lattice = lattice(0.2, 3);
    // Beside the inner wall, whose corner is at (-0.5, -0.5).
    let around: Vec<_> = lattice.around(&[-0.55, -0.55, 0.0, 0.0]).iter().collect();
    assert_eq!(around.len(), 3);
    let all: f64 = around.iter().map(|a| a.1).sum();
    assert!((all - 1.0).abs() < 1e-12);
    // Where nobody should be there is still an answer.
    assert!(
        (lattice
            .around(&[0.0, 0.0, 9.0, -9.0])
            .mean(&vec![1.0; lattice.nodes()])
            - 1.0)
            .abs()
            < 1e-12
    );
}

#[test]
fn lattices_that_resolve_nothing_are_refused() {
    let maze = builtin::maze("point-maze").unwrap();
    for (spacing, speeds) in [(0.0, 9), (2.0, 9), (f64::NAN, 9), (0.2, 2)] {
        let message = Lattice::new(maze.map(), spacing, speeds)
            .unwrap_err()
            .to_string();
        assert!(message.contains("at least 3 speeds"), "{message}");
    }
}

proptest! {
    #[test]
    fn interpolation_keeps_straight_lines_straight(
        x in -1.4..1.4_f64, vx in -5.0..5.0_f64, vy in -5.0..5.0_f64, y in -1.4..-0.6_f64,
        a in prop::array::uniform5(-1.0..1.0_f64),
    ) {
        let lattice = lattice(0.2, 5);
        let line = |s: &State| a[0] + a[1] * s[0] + a[2] * s[1] + a[3] * s[2] + a[4] * s[3];
        let values: Vec<f64> = (0..lattice.nodes()).map(|n| line(&lattice.state(n))).collect();
        let state = [x, y, vx, vy];
        let found = lattice.around(&state).mean(&values);
        prop_assert!((found - line(&state)).abs() < 1e-9);
    }
}
