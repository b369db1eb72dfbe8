//! No sample carries the true cost, and the world does not tell it.
use hedgerow::env::World;

fn cheat(world: &mut World) {
    let _ = world.cost();
    let _ = world.budget();
    let _ = world.truth();
}

fn main() {}
