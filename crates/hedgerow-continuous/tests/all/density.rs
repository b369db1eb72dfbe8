//! Pseudo-counts against true counts, and what makes a density learning-positive.

use hedgerow::seed::Stream;
use hedgerow_continuous::density::named;
use hedgerow_continuous::lattice::Lattice;
use hedgerow_continuous::maze::{State, builtin};
use proptest::prelude::*;
use rand::RngExt;
use std::collections::BTreeMap;

const NAMES: [&str; 2] = ["tiled", "smooth"];

fn lattice() -> Lattice {
    let maze = builtin::maze("point-maze").unwrap();
    Lattice::new(maze.map(), 0.4, 5).unwrap()
}

/// A finite world: its states are nodes of the lattice, its visits a random walk over them.
fn walk(steps: usize) -> Vec<(usize, usize)> {
    let mut rng = Stream::new(5, "walk");
    let nodes = lattice().nodes();
    let mut node = 7;
    let mut visits = Vec::new();
    for _ in 0..steps {
        let action = (rng.random::<f64>() * 8.0) as usize;
        visits.push((node, action));
        node = (node + 1 + action * action) % (nodes / 20);
    }
    visits
}

#[test]
fn in_a_finite_world_pseudo_counts_are_the_true_counts() {
    let lattice = lattice();
    for name in NAMES {
        let mut density = named(name, lattice.clone());
        let mut counts: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (node, action) in walk(5000) {
            density.see(&lattice.state(node), action);
            *counts.entry((node, action)).or_default() += 1.0;
        }
        assert_eq!(density.total(), 5000);
        assert!(counts.values().any(|c| *c > 20.0));
        for node in 0..lattice.nodes() {
            let seen = density.counts(&lattice.state(node));
            for (action, seen) in seen.iter().enumerate() {
                let truth = counts.get(&(node, action)).copied().unwrap_or(0.0);
                assert!((seen - truth).abs() < 1e-9, "{name}: {seen} for {truth}");
            }
        }
    }
}

#[test]
fn what_was_seen_nearby_counts_for_the_smooth_density_and_only_by_the_tile_for_the_tiled_one() {
    let at = |x: f64| -> State { [x, -1.0, 0.0, 0.0] };
    let mut tiled = named("tiled", lattice());
    let mut smooth = named("smooth", lattice());
    for density in [&mut tiled, &mut smooth] {
        density.see(&at(0.0), 3);
    }
    // Nodes lie 0.4 m apart, at -0.2 and 0.2 among others: 0.0 is in the middle of two, whose
    // weights, scaled to length 1, are sqrt(1/2) each.
    assert_eq!(tiled.count(&at(-0.15), 3), 1.0);
    assert_eq!(tiled.count(&at(0.3), 3), 0.0);
    assert!((smooth.count(&at(0.0), 3) - 1.0).abs() < 1e-12);
    let at_node = (0.5_f64).sqrt();
    assert!((smooth.count(&at(0.2), 3) - at_node).abs() < 1e-12);
    assert!(smooth.count(&at(0.3), 3) < at_node && smooth.count(&at(0.3), 3) > 0.0);
    assert_eq!(smooth.count(&at(0.7), 3), 0.0);
    assert_eq!(smooth.count(&at(0.0), 4), 0.0);
}

fn state() -> impl Strategy<Value = State> {
    let (place, speed) = (-1.4..1.4, -5.0..5.0);
    [place.clone(), place, speed.clone(), speed]
}

proptest! {
    #[test]
    fn densities_are_learning_positive(
        seen in prop::collection::vec((state(), 0..8_usize), 1..60),
        x in state(),
        action in 0..8_usize,
    ) {
        for name in NAMES {
            let mut density = named(name, lattice());
            for (s, a) in &seen {
                density.see(s, *a);
            }
            let before = density.density(&x, action);
            let promised = density.recoded(&x, action);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&before));
            prop_assert!(promised >= before - 1e-12, "{name}: {before} to {promised}");
            density.see(&x, action);
            let after = density.density(&x, action);
            prop_assert!((after - promised).abs() < 1e-12, "{name}: {promised} but {after}");
        }
    }
}
