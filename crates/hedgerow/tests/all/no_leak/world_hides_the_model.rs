//! A world answers with samples only.
use hedgerow::env::World;

fn cheat(world: &World) {
    let _ = world.model;
    let _ = world.rows();
}

fn main() {}
